/**
 * What a person decides about a doubt, on record with a reason: that it was not created, that a certain transaction is it, that what may
 * be it is it, or that an earlier decision is open again.
 */

import { advice, purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import { otherRecord, plainlyTyped, typed } from "../../api/answer.js";
import { getTransaction, listTransactions, type TransactionView, viewTransaction } from "../../api/operations/transaction.js";
import { isIdOf, plainId } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { Evidence, IntentRecord, Look } from "../../ports/intent.js";
import { beganAtLatest } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import { decide, groupsOf, linesToName } from "./decide.js";
import { type Comparison, compare } from "./fits.js";
import { wrongServiceReason } from "./list/ledger-list.js";
import { asPayment, type DoubtFilter, findingsOf, oneIntent, openDoubts, type SettleResult, subjectOf } from "./settle.js";
import { bothSides, decided, type Picture, periodStart, type SentRecord, type Tools } from "./sides.js";

/** Stands for a transaction listed without an id, as a value of `--not-this`. */
export const withoutId = "unnamed";

/** Most transactions that an error names. */
const mostNamed = 20;

/** A person's decision that payments were not created. */
export interface NotCreated {
	/** The check that the person relies on; undefined where there is no list. */
	check?: number;
	reason: string;
	/** Transactions that the person declares to be other payments. */
	notThis: readonly string[];
}

/** What was read before a person decides, and what has to be confirmed separately. */
export interface Prepared {
	records: readonly SentRecord[];
	before: NonNullable<Evidence["before"]>;
	/** What the person confirms separately; undefined where nothing is out of the ordinary. */
	confirm?: string;
	looks: ReadonlyMap<string, Look>;
	/** Rows that stay in doubt, with why. */
	left: readonly SettleResult[];
}

/**
 * Reads both sides once more before payments count as not created.
 * @throws PurserError usage or guard, if one of them is not in doubt, the check does not prove enough, a transaction may be it that was not
 *   named, or the list cannot be read now; auth (401) or interrupted
 */
export async function prepareNotCreated(tools: Tools, which: DoubtFilter, given: NotCreated): Promise<Prepared> {
	const open = await openDoubts(tools.journal, which);
	const looks = new Map<string, Look>();
	const left: SettleResult[] = [];
	const confirms = new Set<string>();
	const before: NonNullable<Evidence["before"]> = given.notThis.length === 0 ? {} : { notThis: given.notThis };
	const refuse = (record: SentRecord, error: PurserError): void => {
		if (which.batch === undefined) throw error;
		left.push({ ...subjectOf(record), state: "in-doubt", why: error.message });
	};
	const decidable: SentRecord[] = [];
	for (const [ledgerId, records] of groupBy(open, ({ transfer }) => plainId(transfer.ledgerFromId))) {
		const picture = await readAgain(tools, ledgerId, records);
		if ("none" in picture) {
			confirms.add(picture.none);
			before.unread = picture.code;
		} else before.look = lookOf(picture);
		for (const record of records) {
			try {
				if (!("none" in picture)) looks.set(record.intent, await checkFor(tools, record, picture, given));
				if (await isDescribedAnew(tools, record))
					confirms.add("the service is described in another way since the payment was sent, so its list may be read wrongly");
				decidable.push(record);
			} catch (cause) {
				if (!(cause instanceof PurserError) || cause.kind !== "guard") throw cause;
				refuse(record, cause);
			}
		}
	}
	if (decidable.length === 0 && open.length > 0)
		throw new PurserError("guard", {
			code: "NOT_DECIDABLE",
			message: `No row of batch ${which.batch} can be settled as not created; nothing was changed`,
			why: left[0]?.state === "in-doubt" ? left[0].why : undefined,
			fix: advice`Check again: ${purser`pay settle --batch ${which.batch as string}`}`,
		});
	const confirm = confirms.size === 0 ? undefined : [...confirms].join("; ");
	return { records: decidable, before: confirm === undefined ? before : { ...before, confirmed: confirm }, confirm, looks, left };
}

/** Records that the payments were not created. */
export async function settleAsNotCreated(
	tools: Tools,
	{ records, before, looks, left }: Prepared,
	reason: string,
): Promise<SettleResult[]> {
	const settled: SettleResult[] = [];
	for (const record of records) {
		const look = looks.get(record.intent);
		const evidence: Evidence = { source: "person", reason, before, ...(look && { looks: [look] }) };
		if (!tools.dry) await tools.journal.settle(record.intent, { state: "not-created", evidence }, record.attempt);
		settled.push({ ...subjectOf(record), state: "not-created", evidence });
	}
	return [...settled, ...left];
}

/** The list as it is now; `none`: there is none, for people. @throws PurserError guard, where it cannot be read now */
async function readAgain(
	tools: Tools,
	ledgerId: string,
	records: readonly SentRecord[],
): Promise<Picture | { none: string; code: string }> {
	const [record] = records as [SentRecord];
	const elsewhere = wrongServiceReason(record, tools.place);
	if (elsewhere !== undefined) return { none: elsewhere, code: "LOOKED_ELSEWHERE" };
	const picture = await bothSides(tools, { ledgerId, from: periodStart(records, tools.settleAfter), sought: records });
	if (!("unread" in picture)) return picture;
	if (picture.isMissing) return { none: `the service has no list that shows it (${picture.unread})`, code: picture.code };
	throw new PurserError("guard", {
		code: "NOT_LOOKED_AT",
		message: `The service's list cannot be read now, so nothing can be settled as not created: ${picture.unread}`,
		fix: "Run it again when the list can be read.",
		intent: record.intent,
	});
}

const lookOf = ({ at, lacks, skew }: Picture): Look => ({
	at: at.toISOString(),
	source: "service",
	complete: lacks === undefined,
	lacks,
	skew,
	fitting: 0,
});

/** The check that a person relies on. @throws PurserError guard, if it does not prove enough, or a line may be the payment */
async function checkFor(tools: Tools, record: SentRecord, picture: Picture, { check, notThis }: NotCreated): Promise<Look> {
	const { intent } = record;
	const named = new Set(notThis.map((id) => plainId(id)));
	const decisions = named.size === 0 ? picture.decisions : decidedWithout(picture, record, notThis, tools.settleAfter);
	// An earlier attempt that is listed was created as well.
	const own = decisions.flatMap(({ findings }) => findings).filter(({ payment }) => payment.intent === intent);
	const made = own.find(({ line }) => line !== undefined)?.line;
	if (made !== undefined) throw listedError(intent, [made], "is it");
	const all = new Set(own.flatMap(({ payment }) => linesToName(payment, decisions)));
	const toName = [...all].filter(({ id }) => !named.has(plainId(id ?? withoutId)));
	if (toName.length > 0) throw listedError(intent, toName, "may be it");
	if (picture.lacks !== undefined) throw checkError(intent, `the service's list does not show everything now: ${picture.lacks}`);
	const looks = await tools.journal.looks(intent);
	const look = looks.find(({ number }) => number !== undefined && number === check);
	if (look === undefined || look.source !== "service")
		throw checkError(
			intent,
			check === undefined ? "name the check that you rely on" : `check ${check} is no check of it by the service's list`,
		);
	if (!look.complete) throw checkError(intent, `check ${check} was not complete: ${look.lacks ?? "something was missing"}`);
	const shown = findingsOf(picture).get(`${intent} ${record.attempt}`);
	const fitting = shown === undefined || shown.line !== undefined ? 0 : shown.lines.length;
	// What was listed and is not any more is not gone: one of both lists lacks something.
	if (look.fitting > fitting)
		throw checkError(intent, `check ${check} showed ${look.fitting} that may be it, and the list shows ${fitting} now`);
	const due = Date.parse(beganAtLatest(record, look.skew)) + tools.settleAfter;
	if (Date.parse(look.at) < due)
		throw checkError(intent, `check ${check} was too early: the payment may have been listed until ${new Date(due).toISOString()}`);
	return look;
}

/** The groups where these lines are declared to be other payments than this one. */
function decidedWithout({ payments, lines }: Picture, { intent }: SentRecord, notThis: readonly string[], settleAfter: number) {
	const declared = payments.map((one) =>
		one.intent === intent ? { ...one, notThis: [...(one.notThis ?? []), ...notThis.map((id) => plainId(id))] } : one,
	);
	return groupsOf(declared, lines, settleAfter).map((group) => decide(group, true));
}

/** Whether the service is described in another way than when the payment was sent. */
async function isDescribedAnew({ journal, service }: Tools, sent: SentRecord): Promise<boolean> {
	const digest = (await journal.through(sent))?.lookUps ?? null;
	const kept = digest === null ? undefined : await journal.binding(digest);
	return (await service.through({ effect: sent.effect, digest, kept })) !== undefined;
}

function checkError(intent: string, why: string): PurserError {
	return new PurserError("guard", {
		code: "CHECK_NOT_ENOUGH",
		message: `Intent ${intent} cannot be settled as not created: ${why}; nothing was changed`,
		fix: advice`Check again: ${purser`pay settle ${intent}`}. It says which check allows it, and from when`,
		intent,
	});
}

function listedError(intent: string, lines: readonly TransactionView[], how: "is it" | "may be it"): PurserError {
	const [first] = lines as [TransactionView];
	const more = lines.length === 1 ? "" : `, and ${lines.length - 1} more`;
	const what = how === "is it" ? `which is intent ${intent}` : `which may be intent ${intent}`;
	return new PurserError("guard", {
		code: "LISTED_MAY_BE_IT",
		message: `The service lists ${transactionText(first)}${more}, ${what}; nothing was changed`,
		why: "If it is that payment, it was created, and would be paid twice",
		fix: advice`If it is: ${purser`pay settle ${intent} --transaction ${typed(first.id, "TRANSACTION")}`}\nIf it is another payment, say so for each: --not-this ${first.id === undefined ? withoutId : plainlyTyped(first.id, "TRANSACTION")}`,
		details: lines.slice(0, mostNamed).map((one) => ({ field: "notThis", message: transactionText(one) })),
		intent,
	});
}

/** A listed transaction for people: id, date, amount, reference, status. */
export function transactionText({ id, createdAt, amount, currency, reference, status, receiverName }: TransactionView): string {
	return [
		`transaction ${id ?? "without an id"}`,
		createdAt === undefined ? "without a date" : `of ${createdAt}`,
		amount === undefined ? "an unknown amount" : inCurrency(amount, currency),
		receiverName === undefined ? undefined : `to ${receiverName}`,
		reference === undefined ? undefined : JSON.stringify(reference),
		status,
	]
		.filter((one) => one !== undefined)
		.join(", ");
}

/** Most transactions that are searched for the beginning of an id. */
const maxSearched = 10_000;

/**
 * Settles one payment by a transaction that a person named.
 * @param named its id, or the beginning of it that fits one transaction alone
 * @param reason why it is this payment although reference, amount or time differ
 * @throws PurserError guard, if it is another payment, is of another service, or is held by another intent; rejected, if there is none
 */
export async function settleByTransaction(tools: Tools, intent: string, named: string, reason?: string): Promise<SettleResult[]> {
	// A payment that was wrongly settled as not created is corrected in the same way.
	const record = asPayment(await oneIntent(tools.journal, intent, ["in-doubt", "not-created"]));
	const elsewhere = wrongServiceReason(record, tools.place);
	if (elsewhere !== undefined) throw anotherPayment(intent, named, elsewhere, "LOOKED_ELSEWHERE");
	const transactionId = await wholeId(tools, record, named);
	const view = viewTransaction((await tools.service.get(getTransaction, { params: { transactionId } })) as Record<string, unknown>);
	if (otherRecord(transactionId, view.id) !== undefined)
		throw anotherPayment(intent, transactionId, "the service answers with another one");
	const { payments, lines } = await decided(
		tools,
		plainId(record.transfer.ledgerFromId),
		new Map([[intent, { ...record, evidence: undefined }]]),
		[{ ...view, id: transactionId }],
		false,
	);
	const [payment, line] = [payments[0], lines[0]];
	if (payment === undefined || line === undefined) throw anotherPayment(intent, transactionId, "it is no debit of that ledger");
	const compared = compare(payment, line, tools.settleAfter);
	const differs = differing(compared);
	if (compared.ledger === "different" || compared.party === "different")
		throw anotherPayment(intent, transactionId, `${differs.join(" and ")} differ`);
	if (compared.fit === "no" && reason === undefined) throw differsError(intent, transactionId, differs);
	const why = reason === undefined ? "named by a person" : `named by a person: ${reason}`;
	const how = differs.length === 0 ? "nothing contradicts" : `${differs.join(", ")} ${differs.length === 1 ? "differs" : "differ"}`;
	const evidence: Evidence = { source: "transaction", reason: `${why} (${how})` };
	const settlement = { state: "accepted" as const, id: transactionId, evidence };
	if (!tools.dry) await tools.journal.settle(intent, settlement, record.attempt);
	return [{ ...subjectOf(record), ...settlement, status: view.status }];
}

const fields = ["ledger", "party", "amount", "reference", "time"] as const;
const fieldNames = { ledger: "debited ledger", party: "payee", amount: "amount", reference: "reference", time: "time" } as const;

/** The fields of a line that contradict the payment, for people. */
export const differing = (compared: Comparison): string[] =>
	fields.filter((name) => compared[name] === "different").map((name) => fieldNames[name]);

/** The fields of a line that say nothing, for people. */
export const unsure = (compared: Comparison): string[] =>
	fields.filter((name) => compared[name] === "missing").map((name) => fieldNames[name]);

/** Settles by what may be it: only payments with one such line, which is no other payment's. The others stay as they are. */
export async function acceptListed(tools: Tools, settled: readonly SettleResult[], reason: string): Promise<SettleResult[]> {
	const results: SettleResult[] = [];
	for (const one of settled) {
		const only = one.state === "in-doubt" && one.candidates?.length === 1 ? one.candidates[0] : undefined;
		if (only?.alone !== true || one.state !== "in-doubt") {
			results.push(one);
			continue;
		}
		const doubt = await oneIntent(tools.journal, one.intent);
		const evidence: Evidence = {
			source: "person",
			reason: `${reason} (${unsure(only.compared).join(", ")} could not be compared)`,
			...(one.check && { looks: [one.check] }),
		};
		const settlement = { state: "accepted" as const, id: only.line.id, evidence };
		if (!tools.dry) await tools.journal.settle(one.intent, settlement, doubt.attempt);
		results.push({ ...subjectOf(doubt), ...settlement, status: only.line.status });
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

/** Records for a change that is no payment whether it was carried out, and as which record. */
export async function settleByWord(
	tools: Tools,
	record: IntentRecord,
	became: { state: "accepted"; id?: string } | { state: "not-created" },
	reason: string,
): Promise<SettleResult[]> {
	const settlement = { ...became, evidence: { source: "person", reason } as const };
	if (!tools.dry) await tools.journal.settle(record.intent, settlement, record.attempt);
	return [{ ...subjectOf(record), ...settlement }];
}

/** The whole id of a transaction of which a person typed the beginning: it must fit one alone, in a list that was read to its end. */
async function wholeId({ service, place }: Tools, { transfer: { ledgerFromId } }: SentRecord, named: string): Promise<string> {
	if (isIdOf("transaction", named, place.ids ?? {})) return named;
	const start = (named as string).toLowerCase();
	const query = { ledgerId: ledgerFromId, sortDirection: "DESC" as const };
	const { records, complete } = await service.list(listTransactions, { query }, maxSearched);
	const fitting = records.map(viewTransaction).filter(({ id }) => id?.toLowerCase().startsWith(start));
	const ids = [...new Set(fitting.map(({ id }) => id as string))];
	if (ids.length === 1 && complete) return ids[0] as string;
	throw new PurserError(ids.length > 1 ? "usage" : "validation", {
		code: ids.length > 1 ? "AMBIGUOUS" : "INVALID_INPUT",
		message:
			ids.length > 1
				? `${JSON.stringify(named)} fits ${ids.length} transactions; nothing was changed`
				: complete
					? `No transaction of the ledger ${ledgerFromId} begins with ${JSON.stringify(named)}; nothing was changed`
					: `The service did not list all transactions of the ledger, so ${JSON.stringify(named)} may fit another one too; nothing was changed`,
		fix: advice`Give the whole id: ${purser`pay list --ledger-id ${ledgerFromId}`}`,
		details:
			fitting.length > 0
				? fitting.slice(0, mostNamed).map((one) => ({ field: "transaction", message: `may be ${transactionText(one)}` }))
				: [{ field: "transaction", message: "is not the id of any transaction" }],
	});
}

function anotherPayment(intent: string, transactionId: string, why: string, code = "ANOTHER_TRANSFER"): PurserError {
	return new PurserError("guard", {
		code,
		message: `Transaction ${transactionId} is not the payment of intent ${intent}: ${why}; nothing was changed`,
		fix: advice`Compare them: ${purser`pay show ${transactionId}`}, ${purser`history show ${intent}`}`,
		intent,
	});
}

function differsError(intent: string, transactionId: string, differs: readonly string[]): PurserError {
	return new PurserError("guard", {
		code: "ANOTHER_TRANSFER",
		message: `Transaction ${transactionId} may be another payment than intent ${intent}: ${differs.join(" and ")} ${differs.length === 1 ? "differs" : "differ"}; nothing was changed`,
		fix: advice`Compare them: ${purser`pay show ${transactionId}`}, ${purser`history show ${intent}`}\nIf it really is this payment, say how you know: ${purser`pay settle ${intent} --transaction ${transactionId} --reason TEXT`}`,
		intent,
	});
}
