/**
 * The input of settling a doubt: one source at a time, and a reason if a person decides.
 */

import { advice, purser } from "../../api/advice.js";
import { troubleWords } from "../../api/text/trouble.js";
import { type Fault, PurserError } from "../../errors.js";
import type { Journal } from "../../ports/journal.js";
import type { Files } from "../../ports/machine.js";
import type { DoubtFilter } from "./matching/doubts.js";
import { type Columns, readStatement, type Statement, statementFields } from "./statement.js";

/** Largest statement that is read, in bytes. */
const largestStatement = 64 * 1024 * 1024;

interface Given {
	intent?: string;
	batch?: string;
	transaction?: string;
	by?: string;
	statement?: string;
	columns?: readonly string[];
	ledgerId?: string;
	created?: boolean;
	id?: string;
	notCreated?: boolean;
	notThis?: readonly string[];
	confirmAbsent?: boolean;
	look?: string;
	reason?: string;
}

/** Faults in the combination of options. */
export function sourceFaults(given: Given): Fault[] {
	const faults: Fault[] = [];
	const fault = (field: keyof Given, message: string): void => void faults.push({ field, message });
	const sources = (["transaction", "by", "statement", "created", "notCreated"] as const).filter(
		(name) => given[name] !== undefined && given[name] !== false,
	);
	for (const other of sources.slice(1)) fault(other, `cannot be combined with ${sources[0]}: settle by one source at a time`);
	const word = given.created || given.notCreated;
	const one = word || given.transaction !== undefined || given.intent !== undefined;
	faults.push(...lookFaults(given));
	if (given.batch !== undefined && one)
		fault("batch", "settles every row that is in doubt; leave it out, or the intent and what settles that one");
	if (given.intent === undefined && given.batch === undefined && (word || given.transaction !== undefined))
		fault("intent", "is required here: name the intent that this settles");
	for (const [field, belongs] of belongings(given)) fault(field, belongs);
	return faults;
}

/** Missing reasons, and options that belong to another option that was not given. */
function belongings({
	reason,
	id,
	notThis,
	columns,
	ledgerId,
	statement,
	transaction,
	created,
	notCreated,
	confirmAbsent,
}: Given): [keyof Given, string][] {
	const word = created || notCreated || confirmAbsent;
	const found: [field: keyof Given, fault: string, applies: boolean][] = [
		["reason", "is required: how you know is recorded", Boolean(word) && !reason?.trim()],
		[
			"reason",
			"only works with --created, --not-created, --confirm-absent or --transaction",
			reason !== undefined && !word && !transaction,
		],
		["id", "only works with --created", id !== undefined && !created],
		["notThis", "only works with --not-created", notThis !== undefined && !notCreated],
		["columns", "only works with --statement", statement === undefined && columns !== undefined],
		["ledgerId", "only works with --statement", statement === undefined && ledgerId !== undefined],
	];
	return found.filter(([, , applies]) => applies).map(([field, fault]) => [field, fault]);
}

/** Faults in the options that confirm a look. */
function lookFaults({ batch, by, confirmAbsent, created, look, notCreated, statement }: Given): Fault[] {
	const faults: Fault[] = [];
	const fault = (field: keyof Given, message: string): void => void faults.push({ field, message });
	if (confirmAbsent && batch === undefined) fault("batch", "is required: --confirm-absent is for the rows of a batch");
	if (confirmAbsent && look === undefined) fault("look", "is required: give the check that you confirm, the newer of the two that agree");
	if (confirmAbsent && (statement !== undefined || notCreated || created)) fault("confirmAbsent", "only works with --batch and --look");
	if (by !== undefined && confirmAbsent)
		fault("confirmAbsent", "cannot be combined with by: no event proves that a payment was not created");
	if (look !== undefined && !confirmAbsent && !notCreated) fault("look", "only works with --not-created or --confirm-absent");
	return faults;
}

/**
 * The ledger of a statement: the given one, else the only one that has doubts.
 * @throws PurserError validation, if no ledger or more than one has doubts
 */
export async function statementLedger(journal: Journal, which: DoubtFilter, given: string | undefined): Promise<string> {
	if (given !== undefined) return given;
	const open = await journal.list({ states: ["in-doubt"], effect: "money", batch: which.batch });
	const ledgers = open
		.filter((one) => which.intent === undefined || one.intent === which.intent)
		.flatMap(({ transfer }) => transfer?.ledgerFromId ?? []);
	const [ledger, other] = [...new Set(ledgers)];
	if (ledger !== undefined && other === undefined) return ledger;
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message:
			ledger === undefined
				? "This statement can settle none of your doubts"
				: "Payments from more than one ledger are in doubt, and a statement covers one",
		fix: ledger === undefined ? advice`See what is in doubt: ${purser`pay doubts`}` : "Name the statement's ledger with --ledger-id.",
		details: [{ field: "ledgerId", message: "is required" }],
	});
}

/** @throws PurserError usage, if the file cannot be read; validation, if its content cannot be understood */
export async function readStatementFile(files: Files, path: string, ledgerId: string, columns: readonly string[] = []): Promise<Statement> {
	return readStatement(decoded(await bytesOf(files, path), path), path, ledgerId, columnsOf(columns));
}

async function bytesOf(files: Files, path: string): Promise<Uint8Array> {
	try {
		return await files.read(path, largestStatement);
	} catch (cause) {
		throw new PurserError("usage", {
			code: "FILE_UNREADABLE",
			message: `The statement ${path} could not be read`,
			why: troubleWords(cause),
			fix: "Check the name and the right to read it, then run this again.",
			cause,
		});
	}
}

function decoded(bytes: Uint8Array, path: string): string {
	try {
		return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		throw new PurserError("validation", {
			code: "FILE_UNREADABLE",
			message: `The statement ${path} is not UTF-8 text`,
			fix: "Save it as CSV (UTF-8) and run this again.",
		});
	}
}

function columnsOf(pairs: readonly string[]): Columns {
	const entries = pairs.map((pair) => {
		const at = pair.indexOf("=");
		const name = pair.slice(0, at);
		const known = statementFields.find((one) => one === name);
		if (known !== undefined && at < pair.length - 1) return [known, pair.slice(at + 1)];
		throw new PurserError("validation", {
			code: "INVALID_INPUT",
			message: `${JSON.stringify(pair)} is not a column of a statement`,
			fix: `Write FIELD=COLUMN, with one of ${statementFields.join(", ")}: --columns date=Booked`,
			details: [{ field: "columns", message: "must be FIELD=COLUMN" }],
		});
	});
	return Object.fromEntries(entries) as Columns;
}
