/**
 * A transfer in doubt that was made, payments known to be made around it, and whatever list or statement the service or the bank gives of
 * them: through the production code from the pages of the list on, over a journal in memory.
 */

import { createInterLedger } from "../../../src/api/operations/transaction.js";
import type { Transfer } from "../../../src/api/operations/transfer.js";
import { serviceOf } from "../../../src/client/service.js";
import { journalOver } from "../../../src/journal/store.js";
import { moneyRules } from "../../../src/payments/rules/rules.js";
import { type SettleResult, settleByService, settleByStatement, type Tools } from "../../../src/payments/settlement/settle.js";
import { readStatement } from "../../../src/payments/settlement/statement.js";
import type { JournalIntent } from "../../../src/ports/intent.js";
import type { Journal } from "../../../src/ports/journal.js";
import type { WireOutcome, WireRequest } from "../../../src/ports/wire.js";
import { answered, smallContext } from "../../support/context.js";
import { Disk } from "../simulation/memory.js";

export const hour = 3_600_000;
export const ledgerA = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
export const ledgerB = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";
export const ledgerC = "5b7a1e90-66c1-4f0d-8a3b-2c4d6e8f0a1b";
export const ledgerD = "1a2b3c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d";
const beneficiary = "9e8d7c6b-5a49-4838-8271-605f4e3d2c1b";

/** When the transfer in doubt was sent, by the service's clock. */
export const sent = Date.parse("2026-03-10T10:00:00.000Z");

/** One transaction as the service has it. */
export interface Line {
	id: string;
	at: number;
	amount: string;
	currency: string;
	reference: string;
	sender: string;
	receiver?: string;
	beneficiary?: string;
	name?: string;
	status: string;
	/** The one in doubt, one that is known, or somebody else's. */
	of: "doubt" | "known" | "other";
}

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const line = (number: number, hours: number, more: Partial<Line>): Line => ({
	id: idOf(number),
	at: sent + hours * hour,
	amount: "10.10",
	currency: "EUR",
	reference: "Invoice 2041",
	sender: ledgerA,
	receiver: ledgerB,
	status: "APPROVED",
	of: "known",
	...more,
});

/** What the service made: three payments before the one in doubt, two after it, and one that somebody else sent. */
export const made: readonly Line[] = [
	line(1, -5, { amount: "25.00", reference: "Invoice 7" }),
	line(2, -3, { amount: "12.50", reference: "Invoice 8", receiver: ledgerC }),
	line(3, -1, { amount: "40.00", reference: "Order 5", receiver: undefined, beneficiary, name: "Example Supplies GmbH" }),
	line(4, 0, { of: "doubt" }),
	line(5, 0.5, { amount: "77.00", reference: "Cards", receiver: ledgerC, of: "other" }),
	line(6, 1, { amount: "31.00", reference: "Invoice 9", receiver: ledgerC }),
	line(7, 2, { amount: "18.00", reference: "Invoice 10" }),
];

/** A wrong list or clock; the time is the look's, by the service's clock. */
export interface Variant {
	name: string;
	/** The list as the service gives it. */
	list?(lines: readonly Line[], look: number): readonly Line[];
	/** The answer to one page of it, in the place of an ordinary one. */
	page?(records: readonly object[], page: number, size: number): object | string | number;
	/** The service does not look at the time that it is asked for. */
	wholeList?: true;
	/** One record as the service tells it. */
	record?(record: Record<string, unknown>, of: Line): unknown;
	/** Instead of a list: a statement, of the lines with the two that mark its first and last days. */
	statement?(lines: readonly StatementLine[]): { text: string; columns?: Record<string, string> };
	/** Milliseconds that this machine's clock was ahead when the transfer was sent, and whether that was known. */
	ahead?: number;
	unknownClock?: true;
	/** The service's answers have no date. */
	undated?: true;
	/** Statuses of transactions that are asked for one by one. */
	statuses?: Readonly<Record<string, string>>;
	/** No rule can see it: only the transfer in doubt is hidden, or it appears later than it may. */
	unseen?: true;
}

/** A line of a statement. */
export interface StatementLine {
	id: string;
	date: string;
	amount: string;
	currency: string;
	reference: string;
	payeeLedger: string;
	of: Line["of"] | "frame";
}

export interface Case {
	/** Whether the journal knows payments around the doubt. */
	known: boolean;
	absence: Tools["absence"];
	/** Puts a bug into the tools. */
	plant?(tools: Tools): Tools;
	/** The transfer was never made. */
	never?: boolean;
}

/** The verdicts of three looks past the settling time at the transfer in doubt. */
export async function looksAt(variant: Variant, { known, absence, plant, never }: Case): Promise<SettleResult[]> {
	const world = { now: sent };
	const disk = new Disk(() => new Date(world.now));
	const life = { name: "one", check: () => {}, committing: () => {} };
	const journal = journalOver(disk.store(life), moneyRules({}));
	const lines = made.filter(({ of }) => !(never && of === "doubt") && (known || of !== "known"));
	await pay(journal, lines, variant, (time) => {
		world.now = time;
	});
	const settled: SettleResult[] = [];
	for (const hours of [26, 27, 75]) {
		world.now = sent + hours * hour;
		const tools = toolsOf(journal, variant, lines, world, absence);
		const run = plant?.(tools) ?? tools;
		const [doubt] = await journal.list({ states: ["in-doubt"] });
		if (doubt === undefined) break;
		const found = variant.statement ? await byStatement(run, variant, lines, hours) : await settleByService(run);
		settled.push(...found);
	}
	return settled;
}

/** What the journal has: the known payments with their ids, and the one in doubt. */
async function pay(journal: Journal, lines: readonly Line[], variant: Variant, at: (time: number) => void): Promise<void> {
	const doubt = made.find(({ of }) => of === "doubt") as Line;
	for (const one of [...lines.filter(({ of }) => of === "known"), doubt].sort((first, second) => first.at - second.at)) {
		const ahead = one.of === "doubt" ? (variant.ahead ?? 0) : 0;
		at(one.at + ahead);
		const skew = one.of === "doubt" && variant.unknownClock ? undefined : -ahead;
		const intent = await journal.begin(intentOf(one, skew));
		if (one.of === "doubt") await journal.end(intent, { state: "in-doubt", reason: "no answer came" });
		else await journal.end(intent, { state: "accepted", status: 201, id: one.id });
	}
}

function intentOf(one: Line, skew: number | undefined): JournalIntent {
	const { sender, receiver, amount, currency, reference } = one;
	const transfer: Transfer = {
		kind: one.beneficiary === undefined ? "ledger" : "beneficiary",
		ledgerFromId: sender,
		counterpartyId: (one.beneficiary ?? receiver) as string,
		amount,
		currency,
		reference,
	};
	const service = { origin: "https://api.example.com", service: "https://api.example.com" };
	return { operation: createInterLedger.id, effect: "money", profile: "test", ...service, method: "POST", path: "/x", transfer, skew };
}

function toolsOf(journal: Journal, variant: Variant, lines: readonly Line[], world: { now: number }, absence: Tools["absence"]): Tools {
	const transport = { send: async (request: WireRequest) => answerTo(request, variant, lines, world.now), close: async () => {} };
	const profile = { auth: { kind: "header", header: "x-key" } } as const;
	const { context } = smallContext({ transport, profile, credential: { kind: "header", value: "x" } });
	return {
		journal,
		service: serviceOf(context),
		place: { baseUrl: "https://api.example.com", overrides: {} },
		now: () => new Date(world.now),
		settleAfter: 24 * hour,
		absence,
		dry: false,
	};
}

function answerTo({ url }: WireRequest, variant: Variant, lines: readonly Line[], now: number): WireOutcome {
	const { pathname, searchParams } = new URL(url);
	const date: Record<string, string> = variant.undated ? {} : { date: new Date(now).toUTCString() };
	const last = pathname.split("/").at(-1) as string;
	if (pathname.includes("/ledgers/")) return answered(200, { id: last }, date);
	if (pathname.includes("/beneficiaries/")) return answered(200, { id: last, name: "Example Supplies GmbH" }, date);
	if (last !== "transactions") {
		const one = lines.find(({ id }) => id === last);
		return one ? answered(200, { ...told(one), status: variant.statuses?.[one.of] ?? one.status }, date) : answered(404, {}, date);
	}
	const start = Date.parse(searchParams.get("startDate") ?? "2000-01-01T00:00:00Z");
	const shown = (variant.list?.(lines, now) ?? lines).filter(({ at }) => at >= start || variant.wholeList);
	const records = shown.map((one) => (variant.record ? variant.record(told(one), one) : told(one))) as object[];
	const [page, size] = [Number(searchParams.get("page")), Number(searchParams.get("pageSize"))];
	const given = variant.page?.(records, page, size) ?? paged(records, page, size);
	return typeof given === "number" ? answered(given, {}, date) : answered(200, given, date);
}

export function paged(records: readonly object[], page: number, size: number): object {
	return { content: records.slice(page * size, (page + 1) * size), totalElements: records.length, page, pageSize: size };
}

function told(one: Line): Record<string, unknown> {
	return {
		id: one.id,
		status: one.status,
		creationDate: new Date(one.at).toISOString(),
		amount: one.amount,
		currency: one.currency,
		information: { reference: one.reference },
		sender: { ledgerId: one.sender },
		receiver: { ledgerId: one.receiver, beneficiaryId: one.beneficiary, name: one.name },
	};
}

/** A statement of the days around, each look with a later last day, so that it is not the same one. */
async function byStatement(tools: Tools, variant: Variant, lines: readonly Line[], hours: number): Promise<SettleResult[]> {
	const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
	const shown = [...(variant.list?.(lines, sent + hours * hour) ?? lines)];
	const frame = (id: string, at: number): StatementLine => {
		const line = { id, date: day(at), amount: "5.00", currency: "EUR", reference: "Rent", payeeLedger: ledgerD };
		return { ...line, of: "frame" };
	};
	const own = shown.map((one, place): StatementLine => {
		const { amount, currency, reference, receiver = ledgerD, of } = one;
		return { id: `B${place}`, date: day(one.at), amount, currency, reference, payeeLedger: receiver, of };
	});
	const last = Date.parse(day(sent)) + (5 * 24 + hours) * hour;
	const all = [frame("F1", sent - 12 * 24 * hour), ...own, frame("F2", last)];
	const { text, columns = {} } = (variant.statement as NonNullable<Variant["statement"]>)(all);
	const late: Tools = { ...tools, now: () => new Date(sent + 30 * 24 * hour + hours * hour) };
	return settleByStatement(late, ledgerA, readStatement(text, "s.csv", ledgerA, columns));
}

/** A statement with its lines as they are. */
export function csv(lines: readonly StatementLine[], fields: readonly (keyof StatementLine)[] = all): string {
	return [fields.join(","), ...lines.map((one) => fields.map((field) => one[field]).join(","))].join("\n");
}

const all = ["id", "date", "amount", "currency", "reference", "payeeLedger"] as const;
