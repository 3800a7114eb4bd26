/**
 * Settles doubts by what a source shows: the service's list, transactions that events named, a statement. Only that a payment was created
 * follows from a source; that it was not is a person's decision.
 */

import { advice, purser } from "../../api/advice.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { plainId } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { Evidence, IntentRecord, IntentState, Look } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import { beganAtLatest } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import type { Finding, OpenFinding, Why } from "./decide.js";
import { type Comparison, compare, type Line, type Payment } from "./fits.js";
import { wrongServiceReason } from "./list/ledger-list.js";
import { bothSides, decided, isPayment, type Picture, paymentsOf, periodStart, type SentRecord, type Tools } from "./sides.js";

/** Selects doubts; without either field, all. */
export interface DoubtFilter {
	intent?: string;
	/** The rows of one batch. */
	batch?: string;
}

/** A line that may be a payment in doubt, with what differs. */
export interface Candidate {
	line: TransactionView;
	/** How its fields compare. */
	compared: Comparison;
	/** Whether it may be no other payment, and the payment no other line. */
	alone: boolean;
}

/** What became of one payment. */
export type SettleResult = Pick<IntentRecord, "intent" | "operation" | "begun" | "transfer" | "batch" | "row"> &
	(
		| { state: "accepted"; id?: string; status?: string; evidence: Evidence }
		| { state: "not-created"; evidence: Evidence }
		| {
				state: "in-doubt";
				/** For people. */
				why: string;
				finding?: Why;
				check?: Look;
				candidates?: readonly Candidate[];
				/** Intents of other payments that the candidates may be, and those of them that hold the id of one. */
				others?: readonly string[];
				holders?: readonly string[];
				/** From when, RFC 3339 UTC, a check lets a person decide that it was not created. */
				after?: string;
		  }
	);

/** @throws PurserError usage, if the named intent does not exist or is no payment; guard, if it is not in doubt */
export async function openDoubts(journal: Journal, { intent, batch }: DoubtFilter): Promise<SentRecord[]> {
	if (intent === undefined) return (await journal.list({ states: ["in-doubt"], effect: "money", batch })).filter(isPayment);
	return [asPayment(await oneIntent(journal, intent))];
}

/**
 * @param states that are accepted
 * @throws PurserError usage, if there is no such intent; guard, if it is in another state
 */
export async function oneIntent(journal: Journal, intent: string, states: readonly IntentState[] = ["in-doubt"]): Promise<IntentRecord> {
	const shown = await journal.show(intent);
	if (shown === undefined)
		throw new PurserError("usage", {
			code: "INTENT_UNKNOWN",
			message: `There is no intent ${JSON.stringify(intent)} in this profile's journal`,
			fix: advice`See which are in doubt: ${purser`pay doubts`}`,
		});
	if (states.includes(shown.record.state)) return shown.record;
	throw new PurserError("guard", {
		code: "NOT_IN_DOUBT",
		message: `Intent ${intent} is ${shown.record.state}, not in doubt; nothing was changed`,
		fix: advice`See what is known of it: ${purser`history show ${intent}`}`,
		intent,
	});
}

/** @throws PurserError usage, if the intent moves no money */
export function asPayment(record: IntentRecord): SentRecord {
	if (isPayment(record)) return record;
	const { intent, operation } = record;
	throw new PurserError("usage", {
		code: "NOT_A_PAYMENT",
		message: `Intent ${intent} is not a payment (${operation}), so no list of transactions can settle it`,
		fix: advice`Check whether it was carried out, then record it: ${purser`pay settle ${intent} --created --reason TEXT`}, or --not-created --reason TEXT`,
		intent,
	});
}

/** One run of settling: its checks have one number. */
class Run {
	#number?: number;
	readonly results: SettleResult[] = [];

	constructor(readonly tools: Tools) {}

	/** Records what a source showed of these doubts. @param look without number */
	async record(records: readonly SentRecord[], picture: Pick<Picture, "decisions">, look: Omit<Look, "fitting">): Promise<void> {
		const findings = findingsOf(picture);
		for (const record of records) {
			const finding = findings.get(`${record.intent} ${record.attempt}`);
			if (finding === undefined) throw new Error(`intent ${record.intent} is in no group`);
			if (finding.line === undefined) await this.#open(record, finding, look);
			else this.results.push(await this.#created(record, finding.payment, finding.line, look));
		}
	}

	async #created(record: SentRecord, payment: Payment, line: Line, { source, at }: Omit<Look, "fitting">): Promise<SettleResult> {
		const reason = createdReason(line, source);
		const evidence: Evidence = { source: source === "events" ? "service" : source, reason };
		const settlement = { state: "accepted" as const, id: line.id, evidence };
		try {
			if (!this.tools.dry) await this.tools.journal.settle(record.intent, settlement, payment.attempt);
			return { ...subjectOf(record), ...settlement, status: line.status };
		} catch (error) {
			// Another process settled it first, or gave the id to another payment.
			if (!(error instanceof PurserError) || error.kind !== "guard") throw error;
			return { ...subjectOf(record), state: "in-doubt", why: error.message, check: { source, at, complete: false, fitting: 1 } };
		}
	}

	async #open(record: SentRecord, finding: OpenFinding, look: Omit<Look, "fitting">): Promise<void> {
		const { settleAfter, dry, journal } = this.tools;
		const { payment, why, lines, alone, others, holders } = finding;
		const check: Look = { ...look, fitting: lines.length };
		if (!dry) this.#number = await journal.recordLook([record.intent], { ...check, number: this.#number });
		const candidates = lines.map((line): Candidate => ({ line: viewOf(line), compared: compare(payment, line, settleAfter), alone }));
		const due = Date.parse(beganAtLatest(record, look.skew)) + settleAfter;
		this.results.push({
			...subjectOf(record),
			state: "in-doubt",
			why: whyText(finding, look),
			finding: why,
			check: { ...check, number: this.#number },
			candidates,
			...(others.length > 0 && { others, holders }),
			after: Date.parse(look.at) < due ? new Date(due).toISOString() : undefined,
		});
	}
}

/** The findings by intent and attempt. */
export const findingsOf = ({ decisions }: Pick<Picture, "decisions">): Map<string, Finding> =>
	new Map(decisions.flatMap(({ findings }) => findings.map((one) => [`${one.payment.intent} ${one.payment.attempt}`, one] as const)));

/**
 * Settles doubts by the service's list of transactions; each ledger's list is read once.
 * @throws PurserError usage, if there is no such intent; auth (401) or interrupted
 */
export async function settleByList(tools: Tools, which: DoubtFilter = {}): Promise<SettleResult[]> {
	const run = new Run(tools);
	const open = await openDoubts(tools.journal, which);
	await eachLedger(tools, open, run.results, async (ledgerId, records) => {
		const picture = await bothSides(tools, { ledgerId, from: periodStart(records, tools.settleAfter), sought: records });
		if ("unread" in picture) {
			const why = `the service's list could not be read: ${picture.unread}`;
			for (const record of records) run.results.push({ ...subjectOf(record), state: "in-doubt", why });
			return;
		}
		const { lacks, at, skew } = picture;
		await run.record(records, picture, { at: at.toISOString(), source: "service", complete: lacks === undefined, lacks, skew });
	});
	return inOrderOf(open, run.results);
}

/**
 * Settles doubts by lines that are surely not all that there are: transactions that events named, each read from the service, or the lines
 * of a statement.
 * @param lines debits of the ledger, or of any ledger where they name none
 */
export async function settleByLines(
	tools: Tools,
	{ lines, source, lacks }: { lines: readonly TransactionView[]; source: "events" | "statement"; lacks: string },
	which: DoubtFilter & { ledgerId?: string },
): Promise<SettleResult[]> {
	const run = new Run(tools);
	const open = (await openDoubts(tools.journal, which)).filter(
		({ transfer }) => which.ledgerId === undefined || plainId(transfer.ledgerFromId) === plainId(which.ledgerId),
	);
	const look = { at: tools.now().toISOString(), source, complete: false, lacks };
	const settle = async (ledgerId: string, records: readonly SentRecord[]): Promise<void> => {
		const ours = new Map(records.map((one) => [one.intent, one]));
		for await (const one of paymentsOf(tools, ledgerId, periodStart(records, tools.settleAfter))) ours.set(one.intent, one);
		await run.record(records, await decided(tools, ledgerId, ours, lines, false), look);
	};
	await eachLedger(tools, open, run.results, settle, source === "statement");
	return inOrderOf(open, run.results);
}

/** @param anyService whether it does not matter to which service they were sent */
async function eachLedger(
	{ place }: Tools,
	open: readonly SentRecord[],
	results: SettleResult[],
	act: (ledgerId: string, records: readonly SentRecord[]) => Promise<void>,
	anyService = false,
): Promise<void> {
	const here: SentRecord[] = [];
	for (const record of open) {
		const why = anyService ? undefined : wrongServiceReason(record, place);
		if (why === undefined) here.push(record);
		else results.push({ ...subjectOf(record), state: "in-doubt", why });
	}
	const ledgers = [...groupBy(here, ({ transfer }) => plainId(transfer.ledgerFromId))];
	for (const [done, [ledgerId, records]] of ledgers.entries()) {
		try {
			await act(ledgerId, records);
		} catch (cause) {
			if (!(cause instanceof PurserError) || cause.kind !== "interrupted" || done === 0) throw cause;
			const message = `Interrupted; ${done} of ${ledgers.length} ledgers were checked, and the results are recorded`;
			throw new PurserError("interrupted", { ...cause.failure, message, fix: "Run it again when you are ready.", cause });
		}
	}
}

function inOrderOf(open: readonly SentRecord[], results: readonly SettleResult[]): SettleResult[] {
	const places = new Map(open.map(({ intent }, place) => [intent, place]));
	return [...results].sort((one, other) => (places.get(one.intent) ?? 0) - (places.get(other.intent) ?? 0));
}

/** A line without what only the comparison needs. */
function viewOf({ span, exact, value, letters, ...view }: Line): TransactionView {
	return view;
}

export const subjectOf = ({ intent, operation, begun, transfer, batch, row }: IntentRecord) => ({
	intent,
	operation,
	begun,
	transfer,
	batch,
	row,
});

function createdReason({ createdAt }: Line, source: Look["source"]): string {
	const where = { service: "in the service's list", events: "among the transactions that events named", statement: "in the statement" };
	return `found ${where[source]}${createdAt === undefined ? "" : `: a transaction of ${createdAt}`}`;
}

/** Most intents that a sentence names. */
const mostNamed = 5;

function whyText({ why, lines, others, holders }: OpenFinding, { complete, lacks }: Pick<Look, "complete" | "lacks">): string {
	const part = complete ? "" : `. What was read may not be everything: ${lacks}`;
	const several = lines.length === 1 ? "one transaction" : `${lines.length} transactions`;
	const intents = (all: readonly string[]): string =>
		`${all.length === 1 ? "intent" : "intents"} ${all.slice(0, mostNamed).join(", ")}${all.length > mostNamed ? ` and ${all.length - mostNamed} more` : ""}`;
	switch (why) {
		case "not-listed":
			return `it is not listed${complete ? "" : `, but ${lacks}`}`;
		case "possible":
			return `${several} may be it, but not everything agrees${part}`;
		case "unknown-which":
			return `${several} may be it or ${intents(others)}: it is not known which of them were made${part}`;
		case "too-many":
			return `more transactions may be it than payments were sent: somebody else may have made one of them${part}`;
		case "contested":
			return holders.length > 0
				? `${several} may be it, but the service gave that id to ${intents(holders)}: compare both, and decide${part}`
				: `${several} may be it, and an id among them was taken from a payment that was opened again: compare them, and decide${part}`;
	}
}
