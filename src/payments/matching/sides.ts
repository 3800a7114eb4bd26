/**
 * Both sides of a ledger in a period: every payment of ours that may own a line, and every debit that the service lists.
 */

import type { Received } from "../../api/answer.js";
import { sameId } from "../../api/answer.js";
import { type ServiceInUse, wasSentTo } from "../../api/operations/asked-of.js";
import { getBeneficiary, listBeneficiaries, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { getLedger, viewLedger } from "../../api/operations/ledger.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { isPaid, type Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import { isWithoutZone, spanOf } from "../../api/text/time-span.js";
import type { IntentRecord, IntentState } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";
import { beganAt } from "../rules/attempt-clock.js";
import { canonicalAmount } from "../rules/decimal.js";
import { unlessUnreadable } from "../rules/failed-look.js";
import { type Decision, decide, groupsOf } from "./decide.js";
import { clockTolerance, folded, type Line, lettersOf, lineOf, type Payee, type Payment } from "./fits.js";
import { type LedgerList, type LedgerReading, readLedger, type Unread } from "./list/ledger-list.js";

/** A payment on record. */
export type SentRecord = IntentRecord & { transfer: Transfer };

export const isPayment = (record: IntentRecord): record is SentRecord => record.transfer !== undefined;

/** The dependencies of matching. */
export interface Tools {
	journal: Journal;
	service: Reading;
	/** The service whose list is read. */
	place: ServiceInUse;
	now(): Date;
	/** Milliseconds: the setting `settle-after`. */
	settleAfter: number;
	/** Record nothing. */
	dry: boolean;
	/** Reports how far a long reading has come. */
	progress?(label: string): void;
}

/** Both sides, decided. */
export interface Picture {
	/** The latest attempts come first; earlier attempts of an intent follow. */
	payments: readonly Payment[];
	records: ReadonlyMap<string, SentRecord>;
	lines: readonly Line[];
	decisions: readonly Decision[];
	/** Why the lines may not be all that there are, for people. */
	lacks?: string;
	at: Date;
	skew?: number;
}

/** How many milliseconds this machine's clock may have been wrong unnoticed, because it was set by hand or to another time zone. */
export const farthestSkew = 24 * 3_600_000;

/** Where to begin, in milliseconds, so that all that may own a line of these payments is in the picture. */
export function periodStart(records: readonly SentRecord[], settleAfter: number): number {
	const earliest = records.reduce((time, one) => Math.min(time, Date.parse(one.begun), Date.parse(beganAt(one))), Infinity);
	return earliest - settleAfter - farthestSkew;
}

/**
 * Reads both sides of a ledger and decides them.
 * @param sought payments that are to be decided: what cannot concern them is not stored; everything without them
 * @returns why the list could not be read, where it could not
 * @throws PurserError auth (401) or interrupted
 */
export async function bothSides(
	tools: Tools,
	{
		ledgerId,
		from,
		until,
		sought,
		keep,
	}: { ledgerId: string; from: number; until?: number; sought?: readonly SentRecord[] } & Pick<LedgerReading, "keep">,
): Promise<Picture | Unread> {
	const asked = tools.now();
	const concerns = sought && new Concerned(sought);
	const select = concerns && ((page: readonly TransactionView[]) => concerns.select(tools.journal, page));
	const list = await readLedger(tools.service, { ledgerId, from, keep: keep ?? select, progress: tools.progress, now: tools.now });
	if ("unread" in list) return list;
	const { records, unlisted } = await oursOf(tools, { ledgerId, from, until, asked, concerns, list, sought });
	const lacks = list.lacks ?? unlistedText(unlisted);
	const { skew } = list;
	return { ...(await decided(tools, ledgerId, records, list.lines, lacks === undefined, skew)), lacks, at: list.at, skew };
}

/**
 * Decides the payments of a ledger by these lines.
 * @param whole whether the lines are all that there are of the period
 * @param skew how many milliseconds the service's clock is ahead now, if known
 */
export async function decided(
	tools: Tools,
	ledgerId: string,
	records: ReadonlyMap<string, SentRecord>,
	listed: readonly TransactionView[],
	whole: boolean,
	skew?: number,
): Promise<Pick<Picture, "payments" | "records" | "lines" | "decisions">> {
	const debits = onceEach(listed.filter((one) => kindOf(one, ledgerId) === "debit"));
	const all = await Promise.all([...records.values()].map((record) => attemptsOf(tools.journal, record, isRight(skew))));
	const payments = all.flat();
	await namePayees(tools, ledgerId, payments, debits);
	const zone = zoneOf(payments, debits);
	const lines = debits.map((view) => lineOf(view, zone));
	const decisions = groupsOf(payments, lines, tools.settleAfter).map((group) => decide(group, whole));
	return { payments, records, lines, decisions };
}

/** Events name a transaction more than once, in capitals too, and a line that is there twice would be one too many. */
function onceEach(lines: readonly TransactionView[]): TransactionView[] {
	const named = new Map(lines.flatMap((one) => (one.id === undefined ? [] : [[plainId(one.id), one] as const])));
	return lines.filter((one) => one.id === undefined || named.get(plainId(one.id)) === one);
}

/** What a line of a ledger's list is; only a debit can be a payment of ours. The names of types are assumed. */
export function kindOf(
	{ type, senderLedgerId, receiverLedgerId, amount }: TransactionView,
	ledgerId: string,
): "debit" | "credit" | "fee" | "reversal" {
	if (/fee|charge/i.test(type ?? "")) return "fee";
	if (/revers|refund|return/i.test(type ?? "")) return "reversal";
	if (senderLedgerId !== undefined) return sameId(senderLedgerId, ledgerId) ? "debit" : "credit";
	return sameId(receiverLedgerId, ledgerId) && !amount?.startsWith("-") ? "credit" : "debit";
}

/** Whether this machine's clock agrees with the service's. @param skew as {@link LedgerList} has it */
const isRight = (skew: number | undefined): boolean => skew !== undefined && Math.abs(skew) <= clockTolerance / 2;

/** A payment on record, and its earlier attempts: each of them may have been made. */
async function attemptsOf(journal: Journal, record: SentRecord, isRightNow: boolean): Promise<Payment[]> {
	const { intent, attempt, state, transfer, id, skew, evidence } = record;
	const events = attempt < 2 ? [] : ((await journal.show(intent))?.events ?? []);
	const reopened = events.flatMap(({ kind, content }) => (kind === "reopened" && typeof content.id === "string" ? [content.id] : []));
	const formerIds = attempt < 2 ? record.formerIds : reopened;
	const common = { intent, transfer, notThis: evidence?.before?.notThis?.map((one) => plainId(one)) };
	const begun = Date.parse(beganAt(record));
	const timed = skew !== undefined;
	const latest: Payment = { ...common, attempt, state, begun, timed, isLikely: !timed && isRightNow, id: plainId(id), formerIds };
	const unsent = new Set(events.flatMap(({ kind, content }) => (kind === "ended" && isUnsent(content.outcome) ? [content.attempt] : [])));
	const earlier = events.filter(
		({ kind, content }) => kind === "begun" && (content.attempt as number) < attempt && !unsent.has(content.attempt),
	);
	return [
		latest,
		...earlier.map(({ at, content }): Payment => {
			const then = typeof content.skew === "number" ? content.skew : skew;
			return {
				...common,
				attempt: content.attempt as number,
				state: "not-created",
				begun: Date.parse(at) + (then ?? 0),
				timed: then !== undefined,
			};
		}),
	];
}

/** Whether an attempt ended before it left this machine: then it was not made. */
const isUnsent = (outcome: unknown): boolean => (outcome as { state?: IntentState } | undefined)?.state === "not-sent";

/** Selects what can concern the payments sought, so that a ledger of a million transactions needs little memory. */
class Concerned {
	readonly amounts = new Set<string>();
	readonly ids = new Set<string>();
	readonly #letters = new Set<string>();
	readonly #currencies = new Set<string>();
	/** Whether a kept line can be a payment of any amount. */
	any = false;

	constructor(sought: readonly SentRecord[]) {
		for (const { transfer, formerIds = [] } of sought) {
			this.amounts.add(canonicalAmount(transfer.amount));
			for (const id of formerIds) this.ids.add(id);
			if (transfer.currency !== undefined) this.#currencies.add(transfer.currency);
			if (transfer.kind === "beneficiary" && lettersOf(transfer.reference) !== "") this.#letters.add(lettersOf(transfer.reference));
		}
	}

	async select(journal: Pick<Journal, "holderRecords">, page: readonly TransactionView[]): Promise<TransactionView[]> {
		const holders = await journal.holderRecords(page.flatMap(({ id }) => plainId(id) ?? []));
		const kept = page.filter((view) => {
			const { value, letters, currency } = lineOf(view);
			const id = plainId(view.id);
			const holder = id === undefined ? undefined : holders.get(id)?.transfer;
			const exchanged = value === undefined || (currency !== undefined && [...this.#currencies].some((one) => one !== currency));
			this.any ||= exchanged;
			return (
				exchanged ||
				this.amounts.has(value) ||
				this.#letters.has(letters) ||
				(holder !== undefined && this.amounts.has(canonicalAmount(holder.amount))) ||
				(id !== undefined && this.ids.has(id))
			);
		});
		for (const { id, amount } of kept) {
			if (id !== undefined) this.ids.add(plainId(id));
			if (amount !== undefined) this.amounts.add(canonicalAmount(amount.replace(/^-/, "")));
		}
		return kept;
	}

	has({ transfer, id }: SentRecord): boolean {
		return this.any || this.amounts.has(canonicalAmount(transfer.amount)) || (id !== undefined && this.ids.has(plainId(id)));
	}
}

/** Intents per read from the journal, to bound memory. */
const pageSize = 1_000;

/** The payments of the ledger in the period, and how many of those whose id is known the list does not show. */
async function oursOf(
	tools: Tools,
	{
		ledgerId,
		from,
		until = Infinity,
		asked,
		concerns,
		list,
		sought = [],
	}: {
		ledgerId: string;
		from: number;
		until?: number;
		asked: Date;
		concerns?: Concerned;
		list: LedgerList;
		sought?: readonly SentRecord[];
	},
): Promise<{ records: Map<string, SentRecord>; unlisted: number }> {
	const records = new Map(sought.map((one) => [one.intent, one]));
	let unlisted = 0;
	for await (const record of paymentsOf(tools, ledgerId, from)) {
		const began = Date.parse(beganAt(record));
		// What began before the period, or was answered while the list was being read, need not be listed.
		if (
			began >= from + farthestSkew &&
			isNamedByService(record) &&
			Date.parse(record.changed) < asked.getTime() &&
			!list.ids.has(plainId(record.id))
		)
			unlisted += 1;
		if (began <= until && (concerns?.has(record) ?? true)) records.set(record.intent, record);
	}
	const holders = await tools.journal.holderRecords(list.lines.flatMap(({ id }) => plainId(id) ?? []));
	for (const record of holders.values())
		if (isPayment(record) && !records.has(record.intent) && wasSentTo(record, tools.place)) records.set(record.intent, record);
	return { records, unlisted };
}

/** Every payment of a ledger since a time, newest first; rows that were never begun are left out. */
export async function* paymentsOf(
	{ journal, place }: Pick<Tools, "journal" | "place">,
	ledgerId: string | undefined,
	from: number,
): AsyncGenerator<SentRecord> {
	const since = new Date(from - farthestSkew).toISOString();
	let through: string | undefined;
	for (;;) {
		const found = await journal.list({ effect: "money", since, through, limit: pageSize });
		for (const one of found)
			if (isPayment(one) && (ledgerId === undefined || sameId(one.transfer.ledgerFromId, ledgerId)) && wasSentTo(one, place)) yield one;
		const last = found.at(-1);
		if (found.length < pageSize || last === undefined) return;
		through = String(BigInt(last.intent) - 1n);
	}
}

/** Whether the payment holds an id that the service itself gave: one from a statement or a person need not be listed. */
function isNamedByService(record: SentRecord): record is SentRecord & { id: string } {
	const { state, id, evidence } = record;
	return (
		isPaid(state) && id !== undefined && (evidence === undefined || evidence.source === "service" || evidence.source === "transaction")
	);
}

function unlistedText(count: number): string | undefined {
	if (count === 0) return undefined;
	return `the list does not show ${count === 1 ? "a payment that was" : `${count} payments that were`} accepted in that time`;
}

/** Most beneficiaries of a company that are read to know whose name nobody else has. */
const maxBeneficiaries = 20_000;

/** Completes payments to beneficiaries by what the beneficiaries' records say, where a line does not name them by id. */
async function namePayees(tools: Tools, ledgerId: string, payments: readonly Payment[], lines: readonly TransactionView[]): Promise<void> {
	const amounts = new Set(
		lines.filter((one) => one.beneficiaryId === undefined).map(({ amount }) => canonicalAmount((amount ?? "").replace(/^-/, ""))),
	);
	const unnamed = payments.filter(({ transfer: { kind, amount } }) => kind === "beneficiary" && amounts.has(canonicalAmount(amount)));
	if (unnamed.length === 0) return;
	const payees = await payeesOf(tools, ledgerId, new Set(unnamed.map(({ transfer }) => plainId(transfer.counterpartyId))));
	for (const payment of unnamed) payment.payee = payees.get(plainId(payment.transfer.counterpartyId));
}

/** @param wanted plain ids; each is read by itself where the company's list does not show it */
async function payeesOf({ service }: Tools, ledgerId: string, wanted: ReadonlySet<string>): Promise<Map<string, Payee>> {
	const payees = new Map<string, Payee>();
	const company = await unlessUnreadable(async () => {
		const { endUserId } = viewLedger((await service.get(getLedger, { params: { ledgerId } })) as Received);
		return endUserId && (await service.list(listBeneficiaries, { query: { endUserId } }, maxBeneficiaries));
	});
	const views = company ? company.records.map(viewBeneficiary) : [];
	const bearers = new Map<string, Set<string>>();
	for (const { id, ...view } of views)
		for (const name of namesIn(view)) bearers.set(name, (bearers.get(name) ?? new Set()).add(plainId(id ?? "")));
	const isAlone = (name: string): boolean => company !== undefined && company !== "" && company.complete && bearers.get(name)?.size === 1;
	const known = new Map(views.flatMap((view) => (view.id === undefined ? [] : [[plainId(view.id), view] as const])));
	for (const beneficiaryId of wanted) {
		const view =
			known.get(beneficiaryId) ??
			(await unlessUnreadable(async () => viewBeneficiary((await service.get(getBeneficiary, { params: { beneficiaryId } })) as Received)));
		if (view === undefined) continue;
		const names = namesIn(view);
		payees.set(beneficiaryId, { hostedLedgerId: view.hostedLedgerId, names, alone: names.filter(isAlone), currency: view.currency });
	}
	return payees;
}

const namesIn = ({ name, friendlyName }: { name?: string; friendlyName?: string }): string[] => [
	...new Set([name, friendlyName].filter((one) => one !== undefined).map(folded)),
];

const quarter = 15;

/**
 * The one offset, in minutes, that every held line without a zone agrees on: each was made within minutes of its attempt. Undefined where
 * there is none, or they disagree.
 */
function zoneOf(payments: readonly Payment[], lines: readonly TransactionView[]): number | undefined {
	const begun = new Map(payments.flatMap(({ id, begun, timed }) => (id !== undefined && timed ? [[id, begun] as const] : [])));
	const offsets = new Set<number | undefined>();
	for (const { id, createdAt } of lines) {
		const began = id === undefined ? undefined : begun.get(plainId(id));
		const span = isWithoutZone(createdAt) ? spanOf(createdAt, 0) : undefined;
		if (began === undefined || span === undefined) continue;
		const minutes = (span.from - began) / 60_000;
		const offset = Math.round(minutes / quarter) * quarter;
		offsets.add(Math.abs(minutes - offset) <= 5 ? offset : undefined);
	}
	const [offset, other] = [...offsets];
	return other === undefined && offsets.size === 1 ? offset : undefined;
}
