/**
 * Both sides of a ledger in a period: every payment of ours that may own a line, and every debit that the service lists.
 */

import { type Received, sameId } from "../../api/answer.js";
import { getBeneficiary, listBeneficiaries, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { getLedger, viewLedger } from "../../api/operations/ledger.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { isPaid, type Transfer } from "../../api/operations/transfer.js";
import { type ServiceInUse, wasSentTo } from "../../api/service-address.js";
import { isWithoutZone, spanOf } from "../../api/text/duration.js";
import { plainId } from "../../api/text/ids.js";
import type { IntentRecord, IntentState } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";
import { beganAt } from "../rules/attempt.js";
import { canonicalAmount } from "../rules/decimal.js";
import { unlessUnreadable } from "../rules/failed-look.js";
import { groupBy } from "../rules/group-by.js";
import { type Decision, decide, groupsOf } from "./decide.js";
import { clockTolerance, folded, type Line, lettersOf, lineOf, type Payment, unsigned } from "./fits.js";
import { type LedgerList, lineKey, readLedger, type Unread } from "./list/ledger-list.js";

export type SentRecord = IntentRecord & { transfer: Transfer };

export const isPayment = (record: IntentRecord): record is SentRecord => record.transfer !== undefined;

export interface Tools {
	journal: Journal;
	service: Reading;
	place: ServiceInUse;
	/** The digest of the mapping in force, through which it is read; undefined: as described. */
	mapping?: string;
	now(): Date;
	/** Milliseconds: the setting `settle-after`. */
	settleAfter: number;
	dry: boolean;
	progress?(label: string): void;
}

export interface Picture extends Pick<LedgerList, "lacks" | "at" | "skew"> {
	/** The latest attempts come first; earlier attempts of an intent follow. */
	payments: readonly Payment[];
	records: ReadonlyMap<string, SentRecord>;
	listed: readonly TransactionView[];
	lines: readonly Line[];
	decisions: readonly Decision[];
}

/** How many milliseconds this machine's clock may have been wrong unnoticed, because it was set by hand or to another time zone. */
export const farthestSkew = 24 * 3_600_000;

/** Where to begin, in milliseconds, so that all that may own a line of these payments is in the picture. */
export function periodStart(records: readonly SentRecord[], settleAfter: number): number {
	const earliest = records.reduce((time, one) => Math.min(time, Date.parse(one.begun), Date.parse(beganAt(one))), Infinity);
	return earliest - settleAfter - farthestSkew;
}

interface Wanted {
	ledgerId: string;
	from: number;
	until?: number;
	/** Payments that are to be decided: what the service lists and cannot concern them is not stored; everything without them. */
	sought?: readonly SentRecord[];
	/** What another source than the service's list shows, which is surely not all that there is. */
	lines?: readonly TransactionView[];
}

/** Reads both sides of a ledger and decides them. */
export async function bothSides(tools: Tools, { ledgerId, from, until = Infinity, sought, lines }: Wanted): Promise<Picture | Unread> {
	const { service, journal, progress, now } = tools;
	const asked = now();
	const concerns = sought && lines === undefined ? concernsOf(journal, sought) : undefined;
	const shown: LedgerList | undefined = lines && { lines, ids: new Set(), at: asked };
	const list = shown ?? (await readLedger(service, { ledgerId, from, keep: concerns?.keep, progress, now }));
	if ("unread" in list) return list;
	const records = new Map(sought?.map((one) => [one.intent, one]));
	let unlisted = 0;
	for await (const record of paymentsOf(tools, ledgerId, from)) {
		const began = Date.parse(beganAt(record));
		// What began before the period, or was answered while the list was being read, need not be listed.
		const isDue = shown === undefined && began >= from + farthestSkew && Date.parse(record.changed) < asked.getTime();
		// Nor need an id that a statement or a person gave be listed.
		const isNamed = isPaid(record.state) && ["service", "transaction"].includes(record.evidence?.source ?? "service");
		if (isDue && isNamed && record.id !== undefined && !list.ids.has(plainId(record.id))) unlisted += 1;
		if (began <= until && (concerns?.has(record) ?? true)) records.set(record.intent, record);
	}
	const holders = await journal.holders(list.lines.flatMap(({ id }) => plainId(id) ?? []));
	for (const record of holders.values())
		if (isPayment(record) && !records.has(record.intent) && wasSentTo(record, tools.place)) records.set(record.intent, record);
	const missed = unlisted === 1 ? "a payment that was" : `${unlisted} payments that were`;
	const lacks = list.lacks ?? (unlisted === 0 ? undefined : `the list does not show ${missed} accepted in that time`);
	const { at, skew } = list;
	// Events name a transaction more than once, in capitals too, and a line that is there twice would be one too many.
	const listed = [...new Map(list.lines.map((one) => [lineKey(one), one])).values()];
	const compared = await comparable(tools, ledgerId, records.values(), { lines: listed, skew });
	const groups = groupsOf(compared.payments, compared.lines, tools.settleAfter);
	const decisions = groups.map((group) => decide(group, shown === undefined && lacks === undefined));
	return { ...compared, records, listed, decisions, lacks, at, skew };
}

/** The attempts of payments, and the debits among the lines, as they are compared. */
export async function comparable(tools: Tools, ledgerId: string, records: Iterable<SentRecord>, shown: Pick<LedgerList, "lines" | "skew">) {
	// Whether this machine's clock agrees with the service's.
	const isRight = shown.skew !== undefined && Math.abs(shown.skew) <= clockTolerance / 2;
	const payments = (await Promise.all([...records].map((record) => attemptsOf(tools.journal, record, isRight)))).flat();
	const debits = shown.lines.filter((one) => kindOf(one, ledgerId) === "debit");
	await namePayees(tools, ledgerId, payments, debits);
	const zone = zoneOf(payments, debits);
	return { payments, lines: debits.map((view) => lineOf(view, zone)) };
}

/** What a line of a ledger's list is; only a debit can be a payment of ours. The names of types are assumed. */
export function kindOf({ type, senderLedgerId, receiverLedgerId, amount }: TransactionView, ledgerId: string) {
	if (/fee|charge/i.test(type ?? "")) return "fee";
	if (/revers|refund|return/i.test(type ?? "")) return "reversal";
	if (senderLedgerId !== undefined) return sameId(senderLedgerId, ledgerId) ? "debit" : "credit";
	return sameId(receiverLedgerId, ledgerId) && !amount?.startsWith("-") ? "credit" : "debit";
}

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
	// An attempt that ended before it left this machine was not made.
	const isUnsent = (outcome: unknown): boolean => (outcome as { state?: IntentState } | undefined)?.state === "not-sent";
	const unsent = new Set(events.flatMap(({ kind, content }) => (kind === "ended" && isUnsent(content.outcome) ? [content.attempt] : [])));
	const earlier = events.flatMap(({ kind, content, at }): Payment[] => {
		const number = content.attempt as number;
		if (kind !== "begun" || !(number < attempt) || unsent.has(number)) return [];
		const then = typeof content.skew === "number" ? content.skew : skew;
		return [{ ...common, attempt: number, state: "not-created", begun: Date.parse(at) + (then ?? 0), timed: then !== undefined }];
	});
	return [latest, ...earlier];
}

/** Selects what can concern the payments sought, so that a ledger of a million transactions needs little memory. */
function concernsOf(journal: Journal, sought: readonly SentRecord[]) {
	const amounts = new Set(sought.map(({ transfer }) => canonicalAmount(transfer.amount)));
	const ids = new Set(sought.flatMap(({ formerIds = [] }) => formerIds));
	const currencies = [...new Set(sought.flatMap(({ transfer }) => transfer.currency ?? []))];
	const references = new Set(sought.map(({ transfer }) => (transfer.kind === "beneficiary" ? lettersOf(transfer.reference) : "")));
	/** Whether a kept line can be a payment of any amount. */
	let isAny = false;
	const keep = async (page: readonly TransactionView[]): Promise<TransactionView[]> => {
		const holders = await journal.holders(page.flatMap(({ id }) => plainId(id) ?? []));
		const wanted = page.filter((view) => {
			const { value, letters, currency } = lineOf(view);
			const id = plainId(view.id) ?? "";
			const held = holders.get(id)?.transfer?.amount;
			const exchanged = value === undefined || (currency !== undefined && currencies.some((one) => one !== currency));
			isAny ||= exchanged;
			const isOfAmount = exchanged || amounts.has(value) || (held !== undefined && amounts.has(canonicalAmount(held)));
			return isOfAmount || (letters !== "" && references.has(letters)) || ids.has(id);
		});
		for (const { id, amount } of wanted) {
			if (id !== undefined) ids.add(plainId(id));
			if (amount !== undefined) amounts.add(unsigned(amount));
		}
		return wanted;
	};
	const has = ({ transfer, id }: SentRecord): boolean =>
		isAny || amounts.has(canonicalAmount(transfer.amount)) || ids.has(plainId(id) ?? "");
	return { keep, has };
}

const pageSize = 1_000;

/** Every payment of a ledger since a time, newest first; rows that were never begun are left out. */
export async function* paymentsOf({ journal, place }: Tools, ledgerId: string | undefined, from: number): AsyncGenerator<SentRecord> {
	const since = new Date(from - farthestSkew).toISOString();
	let below: string | undefined;
	for (;;) {
		const found = await journal.list({ effect: "money", since, below, limit: pageSize });
		for (const one of found)
			if (isPayment(one) && (ledgerId === undefined || sameId(one.transfer.ledgerFromId, ledgerId)) && wasSentTo(one, place)) yield one;
		if (found.length < pageSize) return;
		below = found.at(-1)?.intent;
	}
}

/** Most beneficiaries of a company that are read to know whose name nobody else has. */
const maxBeneficiaries = 20_000;

/** Completes payments to beneficiaries by what the beneficiaries' records say, where a line does not name them by id. */
async function namePayees({ service }: Tools, ledgerId: string, payments: readonly Payment[], lines: readonly TransactionView[]) {
	const amounts = new Set(lines.filter((one) => one.beneficiaryId === undefined).map(({ amount }) => unsigned(amount)));
	const unnamed = payments.filter(({ transfer: { kind, amount } }) => kind === "beneficiary" && amounts.has(canonicalAmount(amount)));
	if (unnamed.length === 0) return;
	const company = await unlessUnreadable(async () => {
		const { endUserId } = viewLedger((await service.get(getLedger, { params: { ledgerId } })) as Received);
		return endUserId ? await service.list(listBeneficiaries, { query: { endUserId } }, maxBeneficiaries) : undefined;
	});
	const views = company?.records.map(viewBeneficiary) ?? [];
	const known = new Map(views.map((view) => [plainId(view.id), view]));
	const named = views.flatMap((view) => namesIn(view).map((name) => ({ name, id: plainId(view.id) })));
	const bearers = groupBy(company?.complete ? named : [], ({ name }) => name);
	for (const [beneficiaryId, own] of groupBy(unnamed, ({ transfer }) => plainId(transfer.counterpartyId))) {
		const read = async () => viewBeneficiary((await service.get(getBeneficiary, { params: { beneficiaryId } })) as Received);
		const view = known.get(beneficiaryId) ?? (await unlessUnreadable(read));
		if (view === undefined) continue;
		const alone = namesIn(view).filter((name) => bearers.get(name)?.every(({ id }) => id === beneficiaryId));
		for (const payment of own) payment.payee = { hostedLedgerId: view.hostedLedgerId, alone, currency: view.currency };
	}
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
		const began = begun.get(plainId(id) ?? "");
		const span = isWithoutZone(createdAt) ? spanOf(createdAt, 0) : undefined;
		if (began === undefined || span === undefined) continue;
		const minutes = (span.from - began) / 60_000;
		const offset = Math.round(minutes / quarter) * quarter;
		offsets.add(Math.abs(minutes - offset) <= 5 ? offset : undefined);
	}
	return offsets.size === 1 ? [...offsets][0] : undefined;
}
