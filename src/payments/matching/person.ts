/**
 * What a person decides about a doubt, on record with a reason: that it was not created, that a certain transaction is it, that what may
 * be it is it, or that an earlier decision is open again.
 */

import { advice, purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import { otherRecord, plainlyTyped, type Received, typed } from "../../api/answer.js";
import { getTransaction, type TransactionView, viewTransaction } from "../../api/operations/transaction.js";
import { plainId } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Check, Evidence } from "../../ports/intent.js";
import { settledFrom } from "../rules/attempt.js";
import { decide, groupsOf, linesToName } from "./decide.js";
import { type Agreement, type Comparison, compare, lineOf } from "./fits.js";
import { type Unread, wrongServiceReason } from "./list/ledger-list.js";
import {
	aloneWith,
	asPayment,
	byLedger,
	changedSince,
	checkOf,
	type DoubtFilter,
	lookFor,
	mappingChanged,
	oneIntent,
	openDoubts,
	type SettleResult,
	settleAs,
	subjectOf,
	undecided,
} from "./settle.js";
import { comparable, type Picture, type SentRecord, type Tools } from "./sides.js";

/** Stands for a transaction listed without an id, as a value of `--not-this`. */
export const withoutId = "unnamed";

export const mostNamed = 20;

export interface NotCreated {
	/** The check that the person relies on; undefined where there is no list. */
	check?: number;
	reason: string;
	notThis: readonly string[];
}

export interface Prepared {
	/** What has to be confirmed separately, where something is out of the ordinary. */
	confirm?: string;
	/** Records that the payments were not created. Rows of a batch of which that cannot be said stay in doubt. */
	settle(): Promise<SettleResult[]>;
}

/** Reads both sides once more before payments count as not created. */
export async function prepareNotCreated(tools: Tools, which: DoubtFilter, given: NotCreated): Promise<Prepared> {
	const open = await openDoubts(tools.journal, which);
	const records = new Map<SentRecord, Check | undefined>();
	const left: (SettleResult & { state: "in-doubt" })[] = [];
	const unusual = new Set<string>();
	const keepOpen = (record: SentRecord, cause: unknown): void => {
		if (!(cause instanceof PurserError) || cause.kind !== "guard" || which.batch === undefined) throw cause;
		left.push({ ...subjectOf(record), state: "in-doubt", why: cause.message });
	};
	const before: NonNullable<Evidence["before"]> = given.notThis.length === 0 ? {} : { notThis: given.notThis };
	for (const [ledgerId, sought] of byLedger(open)) {
		const picture = await lookFor(tools, ledgerId, sought);
		if ("unread" in picture) {
			unusual.add(noListText(picture, sought));
			before.unread = picture.code;
		} else before.check = checkOf(picture);
		for (const record of sought) {
			try {
				const check = "unread" in picture ? undefined : await checkFor(tools, record, picture, given);
				if (record.mapping !== tools.mapping) unusual.add(`${mappingChanged}, so its list may be read wrongly`);
				records.set(record, check);
			} catch (cause) {
				keepOpen(record, cause);
			}
		}
	}
	if (records.size === 0 && open.length > 0)
		throw new PurserError("guard", {
			code: "NOT_DECIDABLE",
			message: `No row of batch ${which.batch} can be settled as not created; nothing was changed`,
			why: left[0]?.why,
			fix: advice`Check again: ${purser`pay settle --batch ${which.batch as string}`}`,
		});
	if (unusual.size > 0) before.confirmed = [...unusual].join("; ");
	const settle = async (): Promise<SettleResult[]> => {
		const settled: SettleResult[] = [];
		for (const [record, check] of records) {
			const evidence: Evidence = { source: "person", reason: given.reason, before, ...(check && { checks: [check] }) };
			try {
				settled.push(await settleAs(tools, record, { state: "not-created", evidence }));
			} catch (cause) {
				keepOpen(record, cause);
			}
		}
		return [...settled, ...left];
	};
	return { confirm: before.confirmed, settle };
}

/** That there is no list, for people. @throws PurserError guard, where there is one that cannot be read now */
function noListText({ unread, code, isMissing }: Unread, sought: readonly SentRecord[]): string {
	if (isMissing) return code === "LOOKED_ELSEWHERE" ? unread : `the service has no list that shows it (${unread})`;
	throw unreadable(sought, `The service's list cannot be read now, so nothing can be settled as not created: ${unread}`);
}

/** The list of payments that are to be decided or sent again cannot be read. */
export function unreadable([first]: readonly SentRecord[], message: string, why?: string): PurserError {
	const fix = "Run it again when the list can be read.";
	return new PurserError("guard", { code: "NOT_LOOKED_AT", message, why, fix, intent: first?.intent });
}

/** The check that a person relies on. @throws PurserError guard, if it does not prove enough, or a line may be the payment */
async function checkFor(tools: Tools, record: SentRecord, picture: Picture, { check: named, notThis }: NotCreated): Promise<Check> {
	const { intent } = record;
	const decisions = declaring(picture, new Set([intent]), notThis, tools.settleAfter);
	// An earlier attempt that is listed was created as well.
	const own = decisions.flatMap(({ findings }) => findings).filter(({ payment }) => payment.intent === intent);
	const made = own.find(({ line }) => line !== undefined)?.line;
	if (made !== undefined) throw listedError(intent, [made], "is");
	const all = new Set(own.flatMap(({ payment }) => linesToName(payment, decisions)));
	const toName = [...all].filter(({ id }) => id !== undefined || !notThis.includes(withoutId));
	if (toName.length > 0) throw listedError(intent, toName, "may be");
	const fix = advice`Check again: ${purser`pay settle ${intent}`}. It says which check allows it, and from when`;
	const notEnough = (why: string): PurserError =>
		undecided("CHECK_NOT_ENOUGH", intent, `Intent ${intent} cannot be settled as not created: ${why}`, { fix });
	if (picture.lacks !== undefined) throw notEnough(`the service's list does not show everything now: ${picture.lacks}`);
	if (named === undefined) throw notEnough("name the check that you rely on");
	const check = (await tools.journal.checks(intent)).find(({ number }) => number === named);
	if (check?.source !== "service") throw notEnough(`check ${named} is no check of it by the service's list`);
	if (!check.complete) throw notEnough(`check ${named} was not complete: ${check.lacks ?? "something was missing"}`);
	const shown = picture.decisions
		.flatMap(({ findings }) => findings)
		.find(({ payment }) => payment.intent === intent && payment.attempt === record.attempt);
	const fitting = shown?.line === undefined ? (shown?.lines.length ?? 0) : 0;
	// What was listed and is not any more is not gone: one of both lists lacks something.
	if (check.fitting > fitting) throw notEnough(`check ${named} showed ${check.fitting} that may be it, and the list shows ${fitting} now`);
	const due = await settledFrom(tools, record, check.skew);
	if (Date.parse(check.at) < due)
		throw notEnough(`check ${named} was too early: the payment may have been listed until ${new Date(due).toISOString()}`);
	return check;
}

/** What is decided where a person declares lines to be other payments than these. */
export function declaring(picture: Picture, intents: ReadonlySet<string>, notThis: readonly string[], settleAfter: number) {
	const { payments, lines, decisions, lacks } = picture;
	if (notThis.length === 0) return decisions;
	const ids = notThis.map((id) => plainId(id));
	const declared = payments.map((one) => (intents.has(one.intent) ? { ...one, notThis: [...(one.notThis ?? []), ...ids] } : one));
	return groupsOf(declared, lines, settleAfter).map((group) => decide(group, lacks === undefined));
}

function listedError(intent: string, lines: readonly TransactionView[], how: "is" | "may be"): PurserError {
	const [first] = lines as [TransactionView];
	const more = lines.length === 1 ? "" : `, and ${lines.length - 1} more`;
	const itself = purser`pay settle ${intent} --transaction ${typed(first.id, "TRANSACTION")}`;
	return undecided("LISTED_MAY_BE_IT", intent, `The service lists ${transactionText(first)}${more}, which ${how} intent ${intent}`, {
		why: "If it is that payment, it was created, and would be paid twice",
		fix: advice`If it is: ${itself}\nIf it is another payment, say so for each: ${notThisFlag(first)}`,
		details: lines.slice(0, mostNamed).map((one) => ({ field: "notThis", message: transactionText(one) })),
	});
}

export const notThisFlag = ({ id }: TransactionView): string =>
	`--not-this ${id === undefined ? withoutId : plainlyTyped(id, "TRANSACTION")}`;

export function transactionText({ id, createdAt, amount, currency, reference, status, receiverName }: TransactionView): string {
	const known = [
		`transaction ${id ?? "without an id"}`,
		createdAt === undefined ? "without a date" : `of ${createdAt}`,
		amount === undefined ? "an unknown amount" : inCurrency(amount, currency),
		receiverName && `to ${receiverName}`,
		reference && JSON.stringify(reference),
		status,
	];
	return known.filter(Boolean).join(", ");
}

/**
 * Settles one payment by a transaction that a person named.
 * @param reason why it is this payment although reference, amount or time differ
 * @throws PurserError guard, if it is another payment, is of another service, or is held by another intent; rejected, if there is none
 */
export async function settleByTransaction(tools: Tools, intent: string, transactionId: string, reason?: string): Promise<SettleResult[]> {
	// A payment that was wrongly settled as not created is corrected in the same way.
	const record = asPayment(await oneIntent(tools.journal, intent, ["in-doubt", "not-created"]));
	const elsewhere = wrongServiceReason(record, tools.place);
	if (elsewhere !== undefined) throw anotherPayment(intent, transactionId, elsewhere, { code: "LOOKED_ELSEWHERE" });
	const view = viewTransaction((await tools.service.get(getTransaction, { params: { transactionId } })) as Record<string, unknown>);
	if (otherRecord(transactionId, view.id) !== undefined)
		throw anotherPayment(intent, transactionId, "the service answers with another one");
	// What was declared to be another payment may be named as this one all the same.
	const records = [{ ...record, evidence: undefined }];
	const { payments, lines } = await comparable(tools, record.transfer.ledgerFromId, records, { lines: [{ ...view, id: transactionId }] });
	const [[payment], [line]] = [payments, lines];
	if (payment === undefined || line === undefined) throw anotherPayment(intent, transactionId, "it is no debit of that ledger");
	const compared = compare(payment, line, tools.settleAfter);
	const differs = differenceText(differing(compared));
	if (compared.ledger === "different" || compared.party === "different") throw anotherPayment(intent, transactionId, differs);
	if (compared.fit === "no" && reason === undefined) throw anotherPayment(intent, transactionId, differs, { mayBeIt: true });
	// As where the service answers with an error in place of the record.
	if (![compared.ledger, compared.party, compared.amount].includes("same") && reason === undefined)
		throw anotherPayment(intent, transactionId, "the service shows neither its ledger nor its payee nor its amount", { mayBeIt: true });
	const why = reason === undefined ? "named by a person" : `named by a person: ${reason}`;
	const evidence: Evidence = {
		source: "transaction",
		reason: `${why} (${differs || "nothing contradicts"}${changedSince(tools, record, "service")})`,
	};
	return [await settleAs(tools, record, { state: "accepted", id: transactionId, evidence }, view.status)];
}

const fieldNames = { ledger: "debited ledger", party: "payee", amount: "amount", reference: "reference", time: "time" };

const fieldsThatAre = (agreement: Agreement, compared: Comparison): string[] =>
	Object.entries(fieldNames).flatMap(([name, words]) => (compared[name as keyof typeof fieldNames] === agreement ? [words] : []));

export const differing = (compared: Comparison): string[] => fieldsThatAre("different", compared);
export const unsure = (compared: Comparison): string[] => fieldsThatAre("missing", compared);

/** `amount and time differ`; empty where nothing does. */
export const differenceText = (differs: readonly string[]): string =>
	differs.length === 0 ? "" : `${differs.join(" and ")} ${differs.length === 1 ? "differs" : "differ"}`;

/** Settles by what may be it: only payments with one such line, which is no other payment's. The others stay as they are. */
export async function acceptListed(tools: Tools, settled: readonly SettleResult[], reason: string): Promise<SettleResult[]> {
	const results: SettleResult[] = [];
	for (const one of settled) {
		const only = aloneWith(one);
		if (only === undefined || one.state !== "in-doubt") {
			results.push(one);
			continue;
		}
		const evidence: Evidence = {
			source: "person",
			reason: `${reason} (${unsure(only.compared).join(", ")} could not be compared)`,
			...(one.check && { checks: [one.check] }),
		};
		const doubt = await oneIntent(tools.journal, one.intent);
		results.push(await settleAs(tools, doubt, { state: "accepted", id: only.line.id, evidence }, only.line.status));
	}
	return results;
}

/** Opens a decision again: the payment is in doubt, and the line that it held stays named with it. @throws PurserError guard, if nothing is decided */
export async function reopen(tools: Tools, intent: string, reason: string): Promise<SettleResult[]> {
	const record = asPayment(await oneIntent(tools.journal, intent, ["accepted", "waiting", "refused", "not-created"]));
	if (!tools.dry) await tools.journal.reopen(intent, reason, record.attempt);
	const held = record.id === undefined ? "" : `; ${record.id} stays named with it, and only a person gives it to a payment`;
	return [{ ...subjectOf(record), state: "in-doubt", why: `it was ${record.state} and is open again${held}` }];
}

/** @param mayBeIt whether a reason is enough to settle by it all the same */
function anotherPayment(intent: string, transactionId: string, why: string, { code = "ANOTHER_TRANSFER", mayBeIt = false } = {}) {
	const what = mayBeIt ? `may be another payment than intent ${intent}` : `is not the payment of intent ${intent}`;
	const compared = advice`Compare them: ${purser`pay show ${transactionId}`}, ${purser`history show ${intent}`}`;
	const despite = advice`\nIf it really is this payment, say how you know: ${purser`pay settle ${intent} --transaction ${transactionId} --reason TEXT`}`;
	const fix = mayBeIt ? [compared, despite] : compared;
	return undecided(code, intent, `Transaction ${transactionId} ${what}: ${why}`, { fix });
}

/**
 * Warns where a transaction differs from the payment that holds its id, or the journal cannot be read: the command must not fail by this.
 * @returns whether it is another payment: a reference alone may be rewritten
 */
export async function warnOfDifference(context: Context, id: string, record: Received): Promise<boolean> {
	const { profile } = await context.settings.read();
	// Reading a transaction must not create a journal.
	if (!(await context.journal.exists(profile))) return false;
	try {
		const journal = await context.journal.of(profile);
		const { intent, transfer } = (await journal.holders([id])).get(id) ?? {};
		if (intent === undefined || transfer === undefined) return false;
		const payment = { intent, attempt: 1, state: "accepted" as const, transfer, begun: 0, timed: false };
		const differs = differing(compare(payment, lineOf(viewTransaction(record)), 0));
		const warning = advice`Transaction ${id} is not what intent ${intent} sent: ${differenceText(differs)}. The service may have answered with another payment's id. Compare them: ${purser`history show ${intent}`}. If it is another payment: ${purser`pay settle ${intent} --reopen --reason TEXT`}`;
		if (differs.length > 0) context.report.warn(warning);
		return differs.some((field) => field !== "reference");
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		context.report.warn(`It could not be checked whether transaction ${id} is the payment that holds its id: ${error.message}`);
		return false;
	}
}
