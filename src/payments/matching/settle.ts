/**
 * Settles doubts by what a source shows: the service's list, transactions that events named, a statement. Only that a payment was created
 * follows from a source; that it was not is a person's decision.
 */

import { advice, purser } from "../../api/advice.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { plainId } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { Evidence, IntentRecord, IntentState, Look, Settlement } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import { beganAtLatest } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import type { Finding, OpenFinding, Why } from "./decide.js";
import { type Comparison, compare, type Line } from "./fits.js";
import { type Unread, wrongServiceReason } from "./list/ledger-list.js";
import { bothSides, decided, isPayment, type Picture, paymentsOf, periodStart, type SentRecord, type Tools } from "./sides.js";

/** Selects doubts: one, or the rows of a batch; without either field, all. */
export interface DoubtFilter {
	intent?: string;
	batch?: string;
}

/** A line that may be a payment in doubt, with what differs. */
export interface Candidate {
	line: TransactionView;
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

/** @throws PurserError usage, if there is no such intent; guard, if it is in none of these states */
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

/** Payments by the ledger that they debit. */
export const byLedger = (records: readonly SentRecord[]): Map<string, SentRecord[]> =>
	groupBy(records, ({ transfer }) => plainId(transfer.ledgerFromId));

/** Both sides of a ledger, read for these payments of it; unread, too, where they were sent to another service. */
export async function lookFor(tools: Tools, ledgerId: string, sought: readonly SentRecord[]): Promise<Picture | Unread> {
	const unread = wrongServiceReason(sought[0] as SentRecord, tools.place);
	if (unread !== undefined) return { unread, code: "LOOKED_ELSEWHERE", isMissing: true };
	return bothSides(tools, { ledgerId, from: periodStart(sought, tools.settleAfter), sought });
}

/** What the list showed, but for the lines that may be one payment. */
export function lookOf({ at, lacks, skew }: Picture): Look {
	return { at: at.toISOString(), source: "service", complete: lacks === undefined, lacks, skew, fitting: 0 };
}

/** The findings by intent and attempt. */
export const findingsOf = ({ decisions }: Pick<Picture, "decisions">): Map<string, Finding> =>
	new Map(decisions.flatMap(({ findings }) => findings.map((one) => [`${one.payment.intent} ${one.payment.attempt}`, one] as const)));

/** Records how a doubt ended. */
export async function settleAs(tools: Tools, record: IntentRecord, settlement: Settlement, status?: string): Promise<SettleResult> {
	if (!tools.dry) await tools.journal.settle(record.intent, settlement, record.attempt);
	return { ...subjectOf(record), ...settlement, ...(status !== undefined && { status }) };
}

/**
 * Settles doubts by the service's list of transactions; each ledger's list is read once.
 * @throws PurserError usage, if there is no such intent; auth (401) or interrupted
 */
export async function settleByList(tools: Tools, which: DoubtFilter = {}): Promise<SettleResult[]> {
	return settleEach(tools, await openDoubts(tools.journal, which), async (ledgerId, records) => {
		const picture = await lookFor(tools, ledgerId, records);
		return "unread" in picture ? `the service's list could not be read: ${picture.unread}` : { ...picture, look: lookOf(picture) };
	});
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
	const open = (await openDoubts(tools.journal, which)).filter(
		({ transfer }) => which.ledgerId === undefined || plainId(transfer.ledgerFromId) === plainId(which.ledgerId),
	);
	const look: Look = { at: tools.now().toISOString(), source, complete: false, lacks, fitting: 0 };
	const shownOf = async (ledgerId: string, records: readonly SentRecord[]): Promise<Shown> => {
		const ours = new Map(records.map((one) => [one.intent, one]));
		for await (const one of paymentsOf(tools, ledgerId, periodStart(records, tools.settleAfter))) ours.set(one.intent, one);
		return { ...(await decided(tools, ledgerId, ours, lines, false)), look };
	};
	return settleEach(tools, open, shownOf, source === "statement");
}

/** What a source showed of a ledger. */
type Shown = Pick<Picture, "decisions"> & { look: Look };

/**
 * Settles the doubts of each ledger, in one run: its checks have one number.
 * @param shownOf what the source shows of a ledger, or why nothing
 * @param anyService whether it does not matter to which service they were sent
 */
async function settleEach(
	tools: Tools,
	open: readonly SentRecord[],
	shownOf: (ledgerId: string, records: readonly SentRecord[]) => Promise<Shown | string>,
	anyService = false,
): Promise<SettleResult[]> {
	const results = new Map<string, SettleResult>();
	const leave = (record: SentRecord, why: string) => results.set(record.intent, { ...subjectOf(record), state: "in-doubt", why });
	const elsewhere = new Map(open.map((record) => [record, anyService ? undefined : wrongServiceReason(record, tools.place)]));
	for (const [record, why] of elsewhere) if (why !== undefined) leave(record, why);
	const ledgers = [...byLedger(open.filter((record) => elsewhere.get(record) === undefined))];
	const run: { number?: number } = {};
	for (const [done, [ledgerId, records]] of ledgers.entries()) {
		try {
			const shown = await shownOf(ledgerId, records);
			if (typeof shown === "string") for (const record of records) leave(record, shown);
			else for (const result of await settleByFindings(tools, records, shown, run)) results.set(result.intent, result);
		} catch (cause) {
			if (!(cause instanceof PurserError) || cause.kind !== "interrupted" || done === 0) throw cause;
			const message = `Interrupted; ${done} of ${ledgers.length} ledgers were checked, and the results are recorded`;
			throw new PurserError("interrupted", { ...cause.failure, message, fix: "Run it again when you are ready.", cause });
		}
	}
	return open.flatMap(({ intent }) => results.get(intent) ?? []);
}

async function settleByFindings(tools: Tools, records: readonly SentRecord[], shown: Shown, run: { number?: number }) {
	const findings = findingsOf(shown);
	const results: SettleResult[] = [];
	for (const record of records) {
		const finding = findings.get(`${record.intent} ${record.attempt}`);
		if (finding === undefined) throw new Error(`intent ${record.intent} is in no group`);
		if (finding.line !== undefined) {
			results.push(await created(tools, record, finding.line, shown.look));
			continue;
		}
		const { payment, why, lines, alone, others, holders } = finding;
		const look: Look = { ...shown.look, fitting: lines.length };
		if (!tools.dry) run.number = await tools.journal.recordLook([record.intent], { ...look, number: run.number });
		const due = Date.parse(beganAtLatest(record, look.skew)) + tools.settleAfter;
		results.push({
			...subjectOf(record),
			state: "in-doubt",
			why: whyText(finding, look),
			finding: why,
			check: { ...look, number: run.number },
			candidates: lines.map((line) => ({ line: viewOf(line), compared: compare(payment, line, tools.settleAfter), alone })),
			...(others.length > 0 && { others, holders }),
			after: Date.parse(look.at) < due ? new Date(due).toISOString() : undefined,
		});
	}
	return results;
}

async function created(tools: Tools, record: SentRecord, { id, createdAt, status }: Line, { source, at }: Look): Promise<SettleResult> {
	const where = { service: "in the service's list", events: "among the transactions that events named", statement: "in the statement" };
	const reason = `found ${where[source]}${createdAt === undefined ? "" : `: a transaction of ${createdAt}`}`;
	try {
		const evidence: Evidence = { source: source === "events" ? "service" : source, reason };
		return await settleAs(tools, record, { state: "accepted", id, evidence }, status);
	} catch (error) {
		// Another process settled it first, or gave the id to another payment.
		if (!(error instanceof PurserError) || error.kind !== "guard") throw error;
		return { ...subjectOf(record), state: "in-doubt", why: error.message, check: { source, at, complete: false, fitting: 1 } };
	}
}

/** A line without what only the comparison needs. */
function viewOf({ span, exact, value, letters, ...view }: Line): TransactionView {
	return view;
}

export function subjectOf({ intent, operation, begun, transfer, batch, row }: IntentRecord) {
	return { intent, operation, begun, transfer, batch, row };
}

/** `intent 17`, or `intents 17, 18 and 3 more`. */
export function intentsText(intents: readonly string[], mostNamed: number): string {
	const more = intents.length > mostNamed ? ` and ${intents.length - mostNamed} more` : "";
	return `${intents.length === 1 ? "intent" : "intents"} ${intents.slice(0, mostNamed).join(", ")}${more}`;
}

/** Most intents that a sentence names. */
const mostNamed = 5;

function whyText({ why, lines, others, holders }: OpenFinding, { complete, lacks }: Look): string {
	if (why === "not-listed") return `it is not listed${complete ? "" : `, but ${lacks}`}`;
	const several = lines.length === 1 ? "one transaction" : `${lines.length} transactions`;
	const texts: Record<typeof why, string> = {
		possible: `${several} may be it, but not everything agrees`,
		"unknown-which": `${several} may be it or ${intentsText(others, mostNamed)}: it is not known which of them were made`,
		"too-many": "more transactions may be it than payments were sent: somebody else may have made one of them",
		contested:
			holders.length > 0
				? `${several} may be it, but the service gave that id to ${intentsText(holders, mostNamed)}: compare both, and decide`
				: `${several} may be it, and an id among them was taken from a payment that was opened again: compare them, and decide`,
	};
	return `${texts[why]}${complete ? "" : `. What was read may not be everything: ${lacks}`}`;
}
