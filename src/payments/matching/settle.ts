/**
 * Settles doubts by what a source shows: the service's list, transactions that events named, a statement. Only that a payment was created
 * follows from a source; that it was not is a person's decision.
 */

import { advice, purser } from "../../api/advice.js";
import { sameId } from "../../api/answer.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { plainId } from "../../api/text/ids.js";
import { type Failure, PurserError } from "../../errors.js";
import type { Check, Evidence, IntentRecord, IntentState, Settlement } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import { settledFrom } from "../rules/attempt.js";
import { groupBy } from "../rules/group-by.js";
import { intentsText, sourceWords, stateWords } from "../rules/intent-text.js";
import type { OpenFinding, Why } from "./decide.js";
import { type Comparison, compare, type Line } from "./fits.js";
import { type Unread, wrongServiceReason } from "./list/ledger-list.js";
import { bothSides, isPayment, type Picture, periodStart, type SentRecord, type Tools } from "./sides.js";

/** Selects doubts: one, the rows of a batch, or the payments of a ledger; without any field, all. */
export interface DoubtFilter {
	intent?: string;
	batch?: string;
	ledgerId?: string;
}

export interface Candidate {
	line: TransactionView;
	compared: Comparison;
	/** Whether it may be no other payment, and the payment no other line. */
	alone: boolean;
}

export type SettleResult = Pick<IntentRecord, "intent" | "operation" | "begun" | "transfer" | "batch" | "row"> &
	(
		| { state: "accepted"; id?: string; status?: string; evidence: Evidence }
		| { state: "not-created"; evidence: Evidence }
		| {
				state: "in-doubt";
				/** For people. */
				why: string;
				finding?: Why;
				check?: Check;
				candidates?: readonly Candidate[];
				others?: readonly string[];
				holders?: readonly string[];
				/** From when, RFC 3339 UTC, a check lets a person decide that it was not created. */
				after?: string;
		  }
	);

export const aloneWith = (one: SettleResult): Candidate | undefined =>
	one.state === "in-doubt" && one.candidates?.length === 1 ? one.candidates.find(({ alone }) => alone) : undefined;

export async function openDoubts(journal: Journal, { intent, batch, ledgerId }: DoubtFilter): Promise<SentRecord[]> {
	const one = intent === undefined ? undefined : asPayment(await oneIntent(journal, intent));
	const open = one === undefined ? await journal.list({ states: ["in-doubt"], effect: "money", batch }) : [one];
	return open.filter(isPayment).filter(({ transfer }) => ledgerId === undefined || sameId(transfer.ledgerFromId, ledgerId));
}

export async function oneIntent(journal: Journal, intent: string, states: readonly IntentState[] = ["in-doubt"]): Promise<IntentRecord> {
	const record = (await journal.show(intent))?.record;
	if (record === undefined) {
		const message = `There is no intent ${JSON.stringify(intent)} in this profile's journal`;
		throw new PurserError("usage", { code: "INTENT_UNKNOWN", message, fix: advice`See which are in doubt: ${purser`pay doubts`}` });
	}
	if (states.includes(record.state)) return record;
	const fix = advice`See what is known of it: ${purser`history show ${intent}`}`;
	const is = `Intent ${intent} is ${stateWords(record.state)}`;
	throw undecided("NOT_IN_DOUBT", intent, `${is}${record.state === "in-doubt" ? " already" : ", not in doubt"}`, { fix });
}

export const undecided = (code: string, intent: string, message: string, more: Pick<Failure, "fix" | "why" | "details">): PurserError =>
	new PurserError("guard", { code, message: `${message}; nothing was changed`, ...more, intent });

export function asPayment(record: IntentRecord): SentRecord {
	if (isPayment(record)) return record;
	const { intent, operation } = record;
	const message = `Intent ${intent} is not a payment (${operation}), so no list of transactions can settle it`;
	const created = purser`pay settle ${intent} --created --reason TEXT`;
	const fix = advice`Check whether it was carried out, then record it: ${created}, or --not-created --reason TEXT`;
	throw new PurserError("usage", { code: "NOT_A_PAYMENT", message, fix, intent });
}

export const byLedger = (records: readonly SentRecord[]): Map<string, SentRecord[]> =>
	groupBy(records, ({ transfer }) => plainId(transfer.ledgerFromId));

/** Both sides of a ledger, read for these payments of it; unread, too, where they were sent to another service. */
export async function lookFor(tools: Tools, ledgerId: string, sought: readonly SentRecord[]): Promise<Picture | Unread> {
	const unread = wrongServiceReason(sought[0] as SentRecord, tools.place);
	if (unread !== undefined) return { unread, code: "LOOKED_ELSEWHERE", isMissing: true };
	return bothSides(tools, { ledgerId, from: periodStart(sought, tools.settleAfter), sought });
}

/** What a source showed, but for the lines that may be one payment. */
export function checkOf({ at, lacks, skew }: Pick<Picture, "at" | "lacks" | "skew">, source: Check["source"] = "service"): Check {
	return { at: at.toISOString(), source, complete: lacks === undefined, lacks, skew, fitting: 0 };
}

export async function settleAs(tools: Tools, record: IntentRecord, settlement: Settlement, status?: string): Promise<SettleResult> {
	if (!tools.dry) await tools.journal.settle(record.intent, settlement, record.attempt, record.changed);
	return { ...subjectOf(record), ...settlement, ...(status !== undefined && { status }) };
}

/** What shows payments: the service's list, or lines that are surely not all that there are, and why. */
export type Source =
	| { source: "service"; lines?: undefined; lacks?: undefined }
	| { source: "events" | "statement"; lines: readonly TransactionView[]; lacks: string };

/**
 * Settles doubts by what a source shows; each ledger's list is read once. The checks of one run have one number.
 * @throws PurserError usage, if there is no such intent; auth (401) or interrupted
 */
export async function settleBy(tools: Tools, which: DoubtFilter = {}, shown: Source = { source: "service" }): Promise<SettleResult[]> {
	const { source, lines, lacks } = shown;
	const open = await openDoubts(tools.journal, which);
	const results = new Map<string, SettleResult>();
	const keepOpen = (record: SentRecord, why: string) => results.set(record.intent, { ...subjectOf(record), state: "in-doubt", why });
	for (const record of open) {
		// A statement is of the ledger, whichever service the payment was sent to.
		const elsewhere = source === "statement" ? undefined : wrongServiceReason(record, tools.place);
		if (elsewhere !== undefined) keepOpen(record, elsewhere);
	}
	const ledgers = [...byLedger(open.filter(({ intent }) => !results.has(intent)))];
	let number: number | undefined;
	for (const [done, [ledgerId, sought]] of ledgers.entries()) {
		try {
			const picture = await bothSides(tools, { ledgerId, from: periodStart(sought, tools.settleAfter), sought, lines });
			if ("unread" in picture) {
				for (const record of sought) keepOpen(record, `the service's list could not be read: ${picture.unread}`);
				continue;
			}
			const whole = checkOf({ ...picture, lacks: lacks ?? picture.lacks }, source);
			const all = picture.decisions.flatMap(({ findings }) => findings);
			const findings = new Map(all.map((one) => [`${one.payment.intent} ${one.payment.attempt}`, one]));
			for (const record of sought) {
				const finding = findings.get(`${record.intent} ${record.attempt}`);
				if (finding === undefined) throw new Error(`intent ${record.intent} is in no group`);
				if (finding.line !== undefined) {
					results.set(record.intent, await created(tools, record, finding.line, whole));
					continue;
				}
				const check = { ...whole, fitting: finding.lines.length };
				if (!tools.dry) number = await tools.journal.recordCheck([record.intent], { ...check, number });
				results.set(record.intent, await stillOpen(tools, record, finding, { ...check, number }));
			}
		} catch (cause) {
			if (!(cause instanceof PurserError) || cause.kind !== "interrupted" || done === 0) throw cause;
			const message = `Interrupted; ${done} of ${ledgers.length} ledgers were checked, and the results are recorded`;
			throw new PurserError("interrupted", { ...cause.failure, message, fix: "Run it again when you are ready.", cause });
		}
	}
	return open.flatMap(({ intent }) => results.get(intent) ?? []);
}

async function stillOpen(tools: Tools, record: SentRecord, finding: OpenFinding, check: Check): Promise<SettleResult> {
	const { payment, why, lines, alone, others, holders } = finding;
	const due = await settledFrom(tools, record, check.skew);
	return {
		...subjectOf(record),
		state: "in-doubt",
		why: `${whyText(finding, check)}${changedSince(tools, record, check.source)}`,
		finding: why,
		check,
		candidates: lines.map((line) => ({ line: viewOf(line), compared: compare(payment, line, tools.settleAfter), alone })),
		...(others.length > 0 && { others, holders }),
		after: Date.parse(check.at) < due ? new Date(due).toISOString() : undefined,
	};
}

async function created(tools: Tools, record: SentRecord, { id, createdAt, status }: Line, { source, at }: Check): Promise<SettleResult> {
	const reason = `found in ${sourceWords[source]}${createdAt === undefined ? "" : `: a transaction of ${createdAt}`}${changedSince(tools, record, source)}`;
	try {
		const evidence: Evidence = { source: source === "events" ? "service" : source, reason };
		return await settleAs(tools, record, { state: "accepted", id, evidence }, status);
	} catch (error) {
		// Another process settled it first, or gave the id to another payment.
		if (!(error instanceof PurserError) || error.kind !== "guard") throw error;
		return { ...subjectOf(record), state: "in-doubt", why: error.message, check: { source, at, complete: false, fitting: 1 } };
	}
}

/** What a result says where the mapping of a payment is not the one that it was read through. */
export const mappingChanged = "the mapping changed since this payment was sent";

/** The same, at the end of a sentence; empty where it did not change. A statement is read through none. */
export const changedSince = ({ mapping }: Tools, sent: SentRecord, source: Check["source"]): string =>
	source === "statement" || sent.mapping === mapping ? "" : `; ${mappingChanged}`;

/** A line without what only the comparison needs. */
function viewOf({ span, value, letters, ...view }: Line): TransactionView {
	return view;
}

export function subjectOf({ intent, operation, begun, transfer, batch, row }: IntentRecord) {
	return { intent, operation, begun, transfer, batch, row };
}

function whyText({ why, lines, others, holders }: OpenFinding, { complete, lacks }: Check): string {
	if (why === "not-listed") return `it is not listed${complete ? "" : `, but ${lacks}`}`;
	const several = `${lines.length === 1 ? "one transaction" : `${lines.length} transactions`} may be it`;
	const holder =
		holders.length > 0
			? `, but the service gave that id to ${intentsText(holders, 5)}: compare both, and decide`
			: ", and an id among them was taken from a payment that was opened again: compare them, and decide";
	const texts: Record<typeof why, string> = {
		possible: `${several}, but not everything agrees`,
		"unknown-which": `${several} or ${intentsText(others, 5)}: it is not known which of them were made`,
		"too-many": "more transactions may be it than payments were sent: somebody else may have made one of them",
		contested: several + holder,
	};
	return `${texts[why]}${complete ? "" : `. What was read may not be everything: ${lacks}`}`;
}
