/**
 * One more look at the service's list before a payment counts, or is treated, as not created: before a person's word, and before
 * the same is sent again. What is listed there, and held by no attempt of the journal, may be that payment.
 */
import { isAskedOf } from "../api/asked-of.js";
import type { TransactionView } from "../api/transaction.js";
import { PurserError } from "../errors.js";
import type { IntentRecord, Look } from "../ports/journal.js";
import { beganAt } from "./attempt-clock.js";
import { concerning } from "./concerning.js";
import { progressOf } from "./ledger-order.js";
import { type Likeness, likeness } from "./likeness.js";
import { Listing } from "./listing.js";
import { payeeOf } from "./payee.js";
import type { Tools } from "./settle.js";
import { isTransfer, type Open } from "./settle-doubts.js";
import { elsewhere, listLedger, type Source } from "./settle-source.js";
import { reachBack } from "./settling.js";

/** What a look needs. */
export type LookTools = Pick<Tools, "journal" | "service" | "place" | "now" | "settleAfter" | "progress">;

/** How a person names, among `--not-this`, what the service lists without an id. */
export const withoutId = "unnamed";

/** A listed transaction that may be one of the payments that are looked for. */
export interface Suspect {
	/** The payment's intent. */
	intent: string;
	likeness: Exclude<Likeness, "other">;
	transaction: TransactionView;
}

/** What one look at a ledger showed. */
export interface Sight {
	/** As it is recorded; absent where nothing could be looked at. */
	look?: Look;
	/** Why nothing could be looked at, in words for people, and as it is recorded: without what a service may have said. */
	unread?: { why: string; code: string };
	/** Why the list may not be everything, in words. */
	lacks?: string;
	suspects: Suspect[];
}

/**
 * Looks once at the list of a ledger for all of these payments. Whatever stands in the way of looking is told and never thrown, but
 * for an interruption.
 * @param records payments of one ledger, in doubt or not created; `named`: ids of transactions that a person knows to be others, in
 *   lower case
 * @throws PurserError interrupted
 */
export async function sightOf(tools: LookTools, records: readonly Open[], named: ReadonlySet<string>): Promise<Sight> {
	const moved = elsewhere(records, tools.place);
	if (moved !== undefined) return { unread: { why: moved, code: "LOOKED_ELSEWHERE" }, suspects: [] };
	const sought = await Promise.all(records.map(async (record) => ({ record, begun: await beginnings(tools, record) })));
	const [first] = records;
	const times = sought.flatMap(({ begun }) => begun);
	let source: Source;
	let code = "LIST_UNREADABLE";
	try {
		source = await listLedger(tools.service, {
			ledgerId: (first as Open).transfer.ledgerFromId.toLowerCase(),
			start: reachBack(times, [], tools.settleAfter),
			asked: tools.now(),
			sieve: concerning(
				tools.journal,
				records.map(({ transfer }) => transfer),
			),
			progress: tools.progress && ((read, upTo) => tools.progress?.(progressOf(read, upTo))),
		});
	} catch (cause) {
		if (!(cause instanceof PurserError) || cause.kind === "interrupted") throw cause;
		code = cause.failure.code;
		source = { unread: cause.message };
	}
	if ("unread" in source) return { unread: { why: source.unread, code }, suspects: [] };
	const suspects = await suspectsIn(tools, sought, source, named);
	const count = (how: Likeness): number =>
		new Set(suspects.filter((one) => one.likeness === how).map(({ transaction }) => transaction)).size;
	const { at, complete, lacks } = source;
	const look: Look = { at: at.toISOString(), source: "service", complete, unclaimed: count("same"), possible: count("possible") };
	return { look, lacks, suspects };
}

/** When its attempts began, by either clock: what an earlier one may have made late is looked for too. */
async function beginnings({ journal }: LookTools, { intent, begun, skew, attempt }: Open): Promise<string[]> {
	const times = [begun, beganAt({ begun, skew })];
	if (attempt < 2) return [...new Set(times)];
	const events = (await journal.show(intent))?.events ?? [];
	for (const { kind, at, content } of events)
		if (kind === "begun") times.push(at, beganAt({ begun: at, skew: typeof content.skew === "number" ? content.skew : undefined }));
	return [...new Set(times)];
}

async function suspectsIn(
	tools: LookTools,
	sought: readonly { record: Open; begun: readonly string[] }[],
	source: Exclude<Source, { unread: string }>,
	named: ReadonlySet<string>,
): Promise<Suspect[]> {
	const { listed } = source;
	const held = await tools.journal.holders(listed.flatMap(({ id }) => id?.toLowerCase() ?? []));
	const isFree = ({ id }: TransactionView): boolean =>
		!named.has(id?.toLowerCase() ?? withoutId) && (id === undefined || !held.has(id.toLowerCase()));
	const free = new Listing(source.source, source.at, source.complete, listed.filter(isFree));
	const suspects: Suspect[] = [];
	// Asked once for each, and only where something may be a payment to it.
	const payees = new Map<string, Awaited<ReturnType<typeof payeeOf>>>();
	for (const { record, begun } of sought) {
		const { transfer, intent } = record;
		const candidates = free.candidates(transfer, []);
		if (candidates.length > 0 && !payees.has(transfer.counterpartyId)) payees.set(transfer.counterpartyId, await payeeOf(tools, record));
		const payee = payees.get(transfer.counterpartyId);
		for (const transaction of candidates) {
			const answers = begun.map((time) => likeness({ transfer, payee, begun: time }, transaction, tools.settleAfter));
			const answer = answers.includes("same") ? "same" : answers.find((one) => one !== "other");
			if (answer === "same" || answer === "possible") suspects.push({ intent, likeness: answer, transaction });
		}
	}
	return suspects;
}

/** The payments among these by their debited ledger, and those that were asked of this service before the others. */
export function byLedger(records: readonly IntentRecord[], place: Tools["place"]): Open[][] {
	const groups = new Map<string, Open[]>();
	for (const record of records.filter(isTransfer)) {
		// What was asked of another service cannot be looked at here, and must not hide what can.
		const key = `${record.transfer.ledgerFromId.toLowerCase()} ${isAskedOf(record, place)}`;
		const those = groups.get(key);
		if (those) those.push(record);
		else groups.set(key, [record]);
	}
	return [...groups.values()];
}

/** One listed transaction in words: id, date, amount, reference, status. */
export function transactionWords({ id, createdAt, amount, currency, reference, status }: TransactionView): string {
	return [
		`transaction ${id ?? "without an id"}`,
		createdAt === undefined ? "without a date" : `of ${createdAt}`,
		[amount ?? "an amount that is not told", currency].filter(Boolean).join(" "),
		reference === undefined ? undefined : JSON.stringify(reference),
		status,
	]
		.filter((one) => one !== undefined)
		.join(", ");
}
