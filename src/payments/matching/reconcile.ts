/**
 * The control of a period: every payment of ours and every debit of the service, each in one of six lists. It changes nothing.
 */

import { purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import { typed } from "../../api/answer.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { isPaid, type Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import type { SuggestedCommand } from "../../errors.js";
import { stateWords, type Words } from "../rules/intent-text.js";
import { type Decision, inOrder } from "./decide.js";
import { compare, type Line, type Payment } from "./fits.js";
import { differing } from "./person.js";
import { bothSides, decided, farthestSkew, kindOf, type Picture, paymentsOf, type SentRecord, type Tools } from "./sides.js";
import { isFailed } from "./text.js";

/** The lists, in the order in which they are shown. */
export const lists = ["matched", "different", "notListed", "notYetListed", "notOurs", "inDoubt", "notMadeButListed"] as const;

export type ListName = (typeof lists)[number];

/** One payment, one transaction, or both. */
export interface Reconciled {
	list: ListName;
	ledgerId: string;
	intent?: string;
	batch?: string;
	row?: number;
	/** As the journal has it. */
	state?: string;
	sent?: Pick<Transfer, "kind" | "counterpartyId" | "amount" | "currency" | "reference"> & { begun: string };
	listed?: Pick<TransactionView, "id" | "status" | "createdAt" | "amount" | "currency" | "reference" | "receiverName" | "receiverLedgerId">;
	/** What differs, for people. */
	differs?: readonly string[];
	/** The command to type next, as data. */
	next?: SuggestedCommand;
}

/** What became of one ledger. */
export interface ReconciledLedger {
	ledgerId: string;
	/** Why it could not be read, or may not show everything, for people. */
	unread?: string;
	lacks?: string;
	credits: number;
	fees: number;
	reversals: number;
}

export interface Reconciliation {
	since: string;
	until: string;
	counts: Record<ListName, number>;
	ledgers: ReconciledLedger[];
	found: Reconciled[];
}

/** The scope of a control. */
export interface Scope {
	/** Plain ids; empty: every ledger that a payment of the period debited. */
	ledgers: readonly string[];
	since: Date;
	/** Without it everything up to now, also what the service's clock, which may be ahead of ours, dates later. */
	until?: Date;
	/** The debits of a statement of the one ledger, in place of the service's list. */
	statement?: readonly TransactionView[];
}

/**
 * Reads both sides of each ledger and compares them.
 * @throws PurserError auth (401) or interrupted
 */
export async function reconcile(tools: Tools, { ledgers, since, until, statement }: Scope): Promise<Reconciliation> {
	const [from, to] = [since.getTime(), until?.getTime() ?? Infinity];
	const debited = new Set<string>();
	if (ledgers.length === 0)
		for await (const { transfer, begun } of paymentsOf(tools, undefined, from))
			if (Date.parse(begun) >= from) debited.add(transfer.ledgerFromId);
	const found: Reconciled[] = [];
	const read: ReconciledLedger[] = [];
	for (const ledgerId of ledgers.length === 0 ? debited : ledgers) {
		const sides = await sidesOf(tools, ledgerId, { from, to, statement });
		if ("unread" in sides) {
			read.push({ ledgerId, unread: sides.unread, credits: 0, fees: 0, reversals: 0 });
			continue;
		}
		const { picture, all } = sides;
		const within = all.filter((one) => isWithin(one, from, to));
		const countOf = (kind: ReturnType<typeof kindOf>): number => within.filter((one) => kindOf(one, ledgerId) === kind).length;
		read.push({ ledgerId, lacks: picture.lacks, credits: countOf("credit"), fees: countOf("fee"), reversals: countOf("reversal") });
		for (const decision of picture.decisions)
			for (const one of reconciled(decision, picture, { ledgerId, from, to, settleAfter: tools.settleAfter })) found.push(one);
	}
	const counts = Object.fromEntries(lists.map((list) => [list, found.filter((one) => one.list === list).length])) as Record<
		ListName,
		number
	>;
	found.sort((one, other) => lists.indexOf(one.list) - lists.indexOf(other.list) || inOrder(one.intent ?? "", other.intent ?? ""));
	return { since: since.toISOString(), until: (until ?? tools.now()).toISOString(), counts, ledgers: read, found };
}

/** Both sides of a ledger, and every line of it, of whatever kind. */
async function sidesOf(
	tools: Tools,
	ledgerId: string,
	{ from, to, statement }: { from: number; to: number; statement?: readonly TransactionView[] },
): Promise<{ picture: Picture; all: readonly TransactionView[] } | { unread: string }> {
	// What began a while before the period may be listed in it.
	const start = from - tools.settleAfter - farthestSkew;
	if (statement === undefined) {
		const all: TransactionView[] = [];
		const keep = async (page: readonly TransactionView[]) => {
			for (const one of page) all.push(one);
			return page;
		};
		const picture = await bothSides(tools, { ledgerId, from: start, until: to, keep });
		return "unread" in picture ? picture : { picture, all };
	}
	const ours = new Map<string, SentRecord>();
	for await (const one of paymentsOf(tools, ledgerId, start)) if (Date.parse(one.begun) <= to) ours.set(one.intent, one);
	return { picture: { ...(await decided(tools, ledgerId, ours, statement, false)), at: tools.now() }, all: statement };
}

function isWithin(line: Pick<Line, "createdAt">, from: number, to: number): boolean {
	const at = Date.parse(line.createdAt ?? "");
	// What has no time that can be read may be of any.
	return !(at < from || at > to);
}

function* reconciled(
	{ findings, unexplained, contested }: Decision,
	{ records, at }: Picture,
	{ ledgerId, from, to, settleAfter }: { ledgerId: string; from: number; to: number; settleAfter: number },
): Generator<Reconciled> {
	const told = new Set<Line>();
	for (const finding of findings) {
		const { payment } = finding;
		const record = records.get(payment.intent);
		if (record === undefined || payment.begun < from || payment.begun > to) continue;
		const made = isPaid(payment.state);
		const isOpen = payment.state === "in-doubt" || payment.state === "sending";
		// What holds an id is shown with that line, also where another fits it.
		const line = finding.line ?? finding.lines.find(({ id }) => payment.id !== undefined && plainId(id) === payment.id) ?? finding.lines[0];
		const subject = { ...subjectOf(record, payment), ledgerId, ...(line && { listed: listedOf(line) }) };
		if (isOpen) {
			if (line !== undefined) told.add(line);
			const next = payment.state === "sending" ? purser`history show ${payment.intent}` : purser`pay settle ${payment.intent}`;
			yield { list: "inDoubt", ...subject, next };
		} else if (made && line !== undefined && (finding.line !== undefined || contested)) {
			told.add(line);
			const differs =
				finding.line === undefined ? differing(compare(payment, line, settleAfter)) : isFailed(line.status) ? [`it is ${line.status}`] : [];
			if (differs.length === 0 && finding.line !== undefined) yield { list: "matched", ...subject };
			else {
				const next = contested ? purser`pay settle ${payment.intent} --reopen --reason TEXT` : purser`history show ${payment.intent}`;
				yield { list: "different", ...subject, differs, next };
			}
		} else if (made) {
			const isYoung = at.getTime() < payment.begun + settleAfter;
			const next = payment.id === undefined ? purser`history show ${payment.intent}` : purser`pay show ${typed(payment.id, "TRANSACTION")}`;
			yield { list: isYoung ? "notYetListed" : "notListed", ...subject, next };
		} else if (line !== undefined && (finding.line !== undefined || unexplained.includes(line))) {
			told.add(line);
			const next =
				payment.state === "not-created"
					? purser`pay settle ${payment.intent} --transaction ${typed(line.id, "TRANSACTION")}`
					: purser`pay settle ${payment.intent} --reopen --reason TEXT`;
			yield { list: "notMadeButListed", ...subject, next };
		}
	}
	for (const line of unexplained)
		if (!told.has(line) && isWithin(line, from, to))
			yield { list: "notOurs", ledgerId, listed: listedOf(line), next: purser`pay show ${typed(line.id, "TRANSACTION")}` };
}

function subjectOf({ intent, batch, row, transfer }: SentRecord, { state, begun }: Payment) {
	const { kind, counterpartyId, amount, currency, reference } = transfer;
	return { intent, batch, row, state, sent: { kind, counterpartyId, amount, currency, reference, begun: new Date(begun).toISOString() } };
}

function listedOf({ id, status, createdAt, amount, currency, reference, receiverName, receiverLedgerId }: Line): Reconciled["listed"] {
	return { id, status, createdAt, amount, currency, reference, receiverName, receiverLedgerId };
}

/** The lists in words, each with what it means. */
const titles: Record<ListName, string> = {
	matched: "Matched",
	different: "Different: sent and listed, but not the same",
	notListed: "Sent and not listed",
	notYetListed: "Not yet listed: sent within the settling time",
	notOurs: "Listed and not sent by purser",
	inDoubt: "In doubt",
	notMadeButListed: "Refused or not created, and listed all the same",
};

/** Most findings of one list that are shown. */
const mostShown = 20;

/** The control for people. @param nameOf the name of a ledger or payee, where it is known */
export function reconciliationText(
	{ since, until, counts, ledgers, found }: Reconciliation & { names?: Readonly<Record<string, string>> },
	style: Words,
	nameOf: (id: string) => string | undefined,
): string {
	if (ledgers.length === 0) return `No payment was sent between ${style.time(since)} and ${style.time(until)}.`;
	const blocks = [`Payments and debits from ${style.time(since)} to ${style.time(until)}`];
	blocks.push(
		style.pairs(
			lists.filter((list) => list === "matched" || counts[list] > 0).map((list) => [titles[list], String(counts[list])] as const),
		),
	);
	for (const { ledgerId, unread, lacks, credits, fees, reversals } of ledgers) {
		const beside = [credits && `${credits} credits`, fees && `${fees} fees`, reversals && `${reversals} reversals`]
			.filter(Boolean)
			.join(", ");
		const fault = unread === undefined ? lacks && `may not be complete: ${lacks}` : `could not be read: ${unread}`;
		blocks.push(
			[
				`${nameOf(ledgerId) ?? `Ledger ${ledgerId}`}${beside === "" ? "" : `: ${beside} beside the payments`}`,
				fault && style.warn(`  ${fault}`),
			]
				.filter(Boolean)
				.join("\n"),
		);
	}
	for (const list of lists) {
		const own = list === "matched" ? [] : found.filter((one) => one.list === list);
		if (own.length === 0) continue;
		const more = own.length > mostShown ? [`  and ${own.length - mostShown} more: --output csv lists all`] : [];
		blocks.push(
			[style.warn(titles[list]), ...own.slice(0, mostShown).map((one) => `  ${foundText(one, style, nameOf)}`), ...more].join("\n"),
		);
	}
	return blocks.join("\n\n");
}

function foundText(
	{ intent, row, batch, state, sent, listed, differs, next }: Reconciled,
	style: Words,
	nameOf: (id: string) => string | undefined,
): string {
	const what =
		sent === undefined
			? `${inCurrency(listed?.amount ?? "no amount", listed?.currency)} to ${listed?.receiverName ?? nameOf(listed?.receiverLedgerId ?? "") ?? "an unknown payee"}${listed?.createdAt === undefined ? "" : `, ${style.moment(listed.createdAt) ?? listed.createdAt}`}`
			: `${intent}  ${inCurrency(sent.amount, sent.currency)} to ${nameOf(sent.counterpartyId) ?? sent.kind}, ${style.moment(sent.begun) ?? sent.begun}${row === undefined ? "" : `, row ${row} of batch ${batch}`}`;
	const reference = (sent ?? listed)?.reference;
	const how = [
		reference && `"${reference}"`,
		state !== undefined && stateWords(state as never),
		...(differs ?? []).map((one) => (one.startsWith("it is") ? one : `${one} differs`)),
		listed?.id,
	];
	return `${what}  ${how.filter(Boolean).join(" · ")}${next === undefined ? "" : `\n    ${style.shown(next)}`}`;
}
