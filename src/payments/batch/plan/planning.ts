/**
 * Makes a plan: reads and checks every row, records them in the journal, and looks for duplicates of earlier payments.
 */

import { basename } from "node:path";
import { advice, purser } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import { sha256 } from "../../../api/digest.js";
import { transferOperations } from "../../../api/operations/transaction.js";
import { serviceAddress } from "../../../api/service-address.js";
import { fileNotWritten, troubleWords } from "../../../api/text/trouble.js";
import type { Context } from "../../../context.js";
import { type Fault, PurserError } from "../../../errors.js";
import type { BatchPlan, PlannedRow } from "../../../ports/batch-plan.js";
import type { BatchDuplicates, Batches, BatchShared } from "../../../ports/batches.js";
import type { FileWriter } from "../../../ports/machine.js";
import type { Profile } from "../../../ports/profiles.js";
import { type CsvStyle, csvLine } from "../../../system/disk/csv-line.js";
import { approvalNeeded, isDaily, withKey } from "../../rules/approval-needed.js";
import { limitsMoney } from "../../rules/caps.js";
import { isKnownPlanner, plannedBytes } from "../approval/approval.js";
import { decisiveSettings } from "./check.js";
import { type BatchField, exampleHeader } from "./columns.js";
import { Directory } from "./directory.js";
import { hashed } from "./file.js";
import { type Debited, debitedOf, type Findings, findingsOf } from "./findings.js";
import { Naming } from "./naming.js";
import { Amounts, type DecimalSign, type ReadAmount } from "./numbers.js";
import { type Heading, type ReadRow, readRows } from "./rows.js";
import { Digest, Totals } from "./totals.js";

/**
 * Rows of one commit, which takes some tenths of a second, so that payments of other processes do not wait long. Each commit rewrites much of
 * the index of duplicates, so smaller ones would write a file of a million rows many times over.
 */
const loadAbove = 3_000;

/** Most rows of each kind that a page lists. */
const mostOnPage = 200;

export interface PlanInput {
	/** A path, or `-`. */
	file: string;
	/** How the amounts are written, where a person says it. */
	decimal?: DecimalSign;
	given: Partial<Record<BatchField, string>>;
	/** Where faults are written. */
	faultsTo: string;
	despite?: BatchPlan["despite"];
	/** Hours until the plan expires. */
	hours: number;
	/** Store nothing. */
	dry: boolean;
	/** Is given what is being done. */
	progress?: (label: string) => void;
	/** Makes the bytes of the plan's page, of a plan without the digest of its page; absent if none is wanted. */
	page?(planned: Planned): Promise<Uint8Array>;
}

/** A plan with the findings that are shown with it. */
export interface Planned {
	plan: BatchPlan;
	foundDuplicates: BatchDuplicates;
	findings: Findings;
	/** The debited ledgers, as far as the service tells of them. */
	balances: Debited[];
	/** Ledgers whose balance is not enough, with the first row that exceeds it. */
	dry: { ledgerFromId: string; row: number }[];
	/** Columns that were not read. */
	ignored: string[];
	/** The first amount that was not plain digits, and what it was read as. */
	amountRead?: ReadAmount;
}

/**
 * @throws PurserError validation, if a row is faulty; all faults of all rows are written to a file and nothing is stored
 */
export async function planBatch(context: Context, input: PlanInput): Promise<Planned & { page?: Uint8Array }> {
	const { profile } = await context.settings.read();
	const batches = await context.journal.batches(profile);
	const shared = sharedOf(profile, await context.journal.sandboxIdentity(profile));
	const address = serviceAddress(profile.baseUrl);
	const { batch, installation } = await batches.open(shared);
	try {
		const read = await readAll(context, batches, batch, input);
		const skew = context.clock.service.skew(address);
		const duplicates = await batches.duplicates(batch, read.digest, ["planned"], skew);
		const most = input.page === undefined ? undefined : mostOnPage;
		const findings = await findingsOf(batches, read.directory, batch, { takes: ["planned"], duplicates, most, skew });
		const planner = await ownKey(context, profile, read.totals, input.dry);
		const operator = planner === undefined ? undefined : await context.config.operator();
		// The later of both clocks, because sending uses the latest known time to check the expiry.
		const now = new Date(Math.max(context.clock.now().getTime(), context.clock.service.now(address).getTime()));
		const bare: BatchPlan = {
			version: 1,
			batch,
			installation,
			profile: profile.name,
			environment: profile.environment,
			origin: address,
			source: input.file === "-" ? "-" : basename(input.file),
			sourceDigest: read.sourceDigest,
			count: read.count,
			digest: read.digest,
			totals: read.totals.list,
			largest: read.totals.largest,
			settings: decisiveSettings(profile),
			duplicates: { inside: duplicates.inside, earlier: duplicates.earlier },
			...(input.despite ? { despite: input.despite } : {}),
			planned: now.toISOString(),
			expires: new Date(now.getTime() + input.hours * 3_600_000).toISOString(),
			...(planner === undefined ? {} : { planner }),
			...(operator === undefined ? {} : { operator }),
		};
		const found = {
			foundDuplicates: duplicates,
			findings,
			balances: debitedOf(read.directory, bare),
			dry: read.totals.dry,
			ignored: read.heading.ignored,
			...(read.amountRead && { amountRead: read.amountRead }),
		};
		const page = await input.page?.({ plan: bare, ...found });
		const whole: BatchPlan = page === undefined ? bare : { ...bare, sheet: { sha256: sha256(page) } };
		const plan: BatchPlan =
			planner === undefined ? whole : { ...whole, signature: await (await context.config.signing()).sign(plannedBytes(whole)) };
		if (input.dry) await batches.discard(batch);
		else await batches.seal(batch, plan);
		await removeOld(context, input.faultsTo);
		return { plan, ...found, ...(page && { page }) };
	} catch (error) {
		await batches.discard(batch).catch(() => {});
		throw error;
	}
}

/** Removes the faults of an earlier run, which would be mistaken for current ones. */
async function removeOld({ files, report }: Pick<Context, "files" | "report">, faultsTo: string): Promise<void> {
	await files
		.remove(faultsTo)
		.catch(() => report.warn(`${faultsTo} is from an earlier check of this file and could not be removed: ignore it`));
}

/**
 * The public key with which the planner signs. Where the profile has any setting about approvals, everybody who plans has one, so that no
 * plan has to be made again once an approval is needed; without such a setting only who has one already.
 */
async function ownKey(context: Context, { name, settings }: Profile, { list: totals }: Totals, dry: boolean): Promise<string | undefined> {
	const signing = await context.config.signing();
	if (![settings.approval, settings.approvers, settings.planners].some((value) => value?.trim()))
		// Nobody waits for this signature: a key that cannot be read does not stop the planning.
		return (await signing.own().catch(() => undefined))?.key;
	const own: Awaited<ReturnType<typeof signing.make>> | undefined = dry ? await signing.own() : await signing.make();
	if (own?.warning !== undefined) context.report.warn(own.warning);
	if (own && (approvalNeeded({ totals }, settings) || isDaily(settings)) && !isKnownPlanner(own.key, settings))
		context.report.warn(
			advice`the profile ${name} does not list your key as a planner's, so nobody can approve this batch yet. Add it: ${purser`profile set ${name} --set ${`planners=${withKey(settings.planners, own.key)}`}`}`,
		);
	return own?.key;
}

function sharedOf(profile: Profile, sandbox: string | undefined): BatchShared {
	const service = serviceAddress(profile.baseUrl);
	const { origin } = new URL(service);
	const base = service.slice(origin.length);
	const placeOf = (kind: "ledger" | "beneficiary") => {
		const operation = transferOperations[kind];
		const entry = profile.mapping?.operations[operation.id];
		const { method, path } = entry === undefined || entry === "none" ? operation : entry;
		return { operation: operation.id, method, path: base + path };
	};
	return {
		profile: profile.name,
		origin,
		service,
		...(sandbox === undefined ? {} : { sandbox }),
		operations: { ledger: placeOf("ledger"), beneficiary: placeOf("beneficiary") },
	};
}

async function readAll(context: Context, batches: Batches, batch: string, input: PlanInput) {
	const { file, decimal, given, faultsTo } = input;
	const source = hashed(file === "-" ? context.system.terminal.stdin.stream() : context.files.stream(file));
	const ids = await context.settings.ids();
	const every = limitsMoney((await context.settings.read()).profile.settings);
	const progress = (payees: number): void => input.progress?.(`Checking every row: ${groupDigits(payees)} payees looked up`);
	const directory = new Directory(context.report, context.service, { ids, every, progress });
	const amounts = new Amounts(decimal);
	const naming = new Naming(context.names.resolver, ids);
	let heading: Heading = { header: [], separator: ",", ignored: [] };
	const totals = new Totals(directory.ledgers);
	const digest = new Digest();
	const faults = new FaultFile(
		() => context.files.writer(faultsTo, 0o600),
		() => heading,
	);
	let waiting: PlannedRow[] = [];
	let count = 0;
	try {
		const rows = readRows(source.pieces, {
			name: file === "-" ? "standard input" : file,
			given,
			amounts,
			naming,
			everyPayee: every,
			currencyOf: (wanted, kind) => directory.of(wanted, kind),
			ids,
			heading: (found) => {
				heading = found;
			},
		});
		for await (const some of rows) {
			count += some.length;
			await faults.add(some);
			if (faults.count > 0) continue;
			for (const { row, transfer } of some) {
				if (transfer === undefined) continue;
				digest.add(transfer);
				totals.add(row, transfer);
				waiting.push({ row, transfer });
			}
			if (waiting.length < loadAbove) continue;
			await batches.load(batch, waiting);
			waiting = [];
		}
		await faults.finish(input, count, decimal !== undefined || Object.keys(given).length > 0);
		if (waiting.length > 0) await batches.load(batch, waiting);
	} catch (error) {
		await faults.discard();
		throw namedError(error, input);
	}
	if (count === 0) throw noRows(file);
	return {
		count,
		totals,
		heading,
		amountRead: amounts.example,
		digest: digest.finish(),
		sourceDigest: source.digest(),
		directory,
	};
}

/** The error for a file with nothing in it, or only a header. */
function noRows(file: string): PurserError {
	return new PurserError("validation", {
		code: "FILE_EMPTY",
		message: `${file === "-" ? "Standard input" : file} has no rows; nothing was planned`,
		fix: `Write one line for each payment below the header: ${exampleHeader}`,
	});
}

/** Turns a system error about the file or the fault file into a usage error; other errors are returned unchanged. */
export function namedError(error: unknown, { file, faultsTo }: Pick<PlanInput, "file" | "faultsTo">): unknown {
	const { code, syscall, path = file } = (error ?? {}) as { code?: unknown; syscall?: unknown; path?: unknown };
	if (error instanceof PurserError || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return error;
	if (path !== file || syscall === "write" || syscall === "fsync")
		return fileNotWritten(faultsTo, error, `Some rows have errors, and ${faultsTo}`);
	return new PurserError("usage", {
		code: "FILE_UNREADABLE",
		message: `${file} cannot be read; nothing was planned`,
		why: troubleWords(error),
		fix: "Give an existing file, or - for standard input.",
		cause: error,
	});
}

/** Characters written at once. */
const writeAbove = 1024 * 1024;

/** Most faults that an error lists; the file has them all. */
const maxReported = 20;

/** The report of faults: each faulty row as in the file, with one line per fault; and the error that names the first of them. */
class FaultFile {
	#writer: FileWriter | undefined;
	/** The faults that the error lists. */
	readonly #reported: Fault[] = [];
	count = 0;
	#rows = 0;

	/** @param make creates the file; called at the first fault */
	constructor(
		private readonly make: () => Promise<FileWriter>,
		private readonly heading: () => Heading,
	) {}

	async add(rows: readonly ReadRow[]): Promise<void> {
		const faulty = rows.filter(({ faults }) => faults.length > 0);
		if (faulty.length === 0) return;
		const { header, separator } = this.heading();
		const style: CsvStyle = { separator, safe: true };
		let text = "";
		if (this.#writer === undefined) {
			this.#writer = await this.make();
			text = csvLine([...header, "row", "field", "message"], style);
		}
		for (const { row, cells, faults } of faulty)
			for (const fault of faults) {
				// Cut or pad a row of the wrong length to the header's.
				const own = header.map((_, place) => cells[place] ?? "");
				text += csvLine([...own, String(row), fault.flag ?? fault.field, fault.message], style);
				this.count += 1;
				if (this.#reported.length < maxReported) this.#reported.push(fault);
				if (text.length < writeAbove) continue;
				await this.#writer.write(text);
				text = "";
			}
		this.#rows += faulty.length;
		await this.#writer.write(text);
	}

	/** @param all number of rows of the file @param flags whether the file was read with flags @throws PurserError validation, if there was a fault */
	async finish(input: { file: string; faultsTo: string }, all: number, flags: boolean): Promise<void> {
		if (this.#writer === undefined) return;
		await this.#writer.finish();
		const { count } = this;
		const more = count > this.#reported.length ? `; the first ${this.#reported.length} are shown here` : "";
		throw new PurserError("validation", {
			code: "ROWS_INVALID",
			message: `${this.#rows} of ${all} ${all === 1 ? "row" : "rows"} cannot be paid (${count} ${count === 1 ? "error" : "errors"}${more}); nothing was planned or sent`,
			why: `all of them, next to their rows: ${input.faultsTo}`,
			fix: advice`Correct the rows in the file and plan it again${flags ? " with the same flags" : ""}: ${purser`pay batch plan ${{ path: input.file }}`}`,
			details: [...this.#reported],
		});
	}

	async discard(): Promise<void> {
		await this.#writer?.discard();
	}
}
