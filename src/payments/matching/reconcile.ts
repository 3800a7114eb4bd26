/**
 * The control of a period: every payment of ours and every debit of the service, each in one list. It changes nothing.
 */

import { purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import { sameId, typed } from "../../api/answer.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { isPaid, type Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import { isFailed } from "../../api/values.js";
import type { SuggestedCommand } from "../../errors.js";
import { stateWords, type Words } from "../rules/intent-text.js";
import { type Decision, inOrder } from "./decide.js";
import { compare, type Line } from "./fits.js";
import { differing } from "./person.js";
import { bothSides, farthestSkew, kindOf, type Picture, paymentsOf, type Tools } from "./sides.js";

export type Names = Readonly<Record<string, string | undefined>>;

const titles = {
	matched: "Matched",
	different: "Different: sent and listed, but not the same",
	notListed: "Sent and not listed",
	notYetListed: "Not yet listed: sent within the settling time",
	notOurs: "Listed and not sent by purser",
	inDoubt: "In doubt",
	notMadeButListed: "Refused or not created, but listed",
};

type ListName = keyof typeof titles;
const lists = Object.keys(titles) as ListName[];

export interface Reconciled {
	list: ListName;
	ledgerId: string;
	intent?: string;
	batch?: string;
	row?: number;
	state?: string;
	sent?: Pick<Transfer, "kind" | "counterpartyId" | "amount" | "currency" | "reference"> & { begun: string };
	listed?: Pick<TransactionView, "id" | "status" | "createdAt" | "amount" | "currency" | "reference" | "receiverName" | "receiverLedgerId">;
	differs?: readonly string[];
	next?: SuggestedCommand;
}

export interface Reconciliation {
	since: string;
	until: string;
	counts: Record<ListName, number>;
	/** `unread` and `lacks`: why one could not be read, or may not show everything, for people. */
	ledgers: { ledgerId: string; unread?: string; lacks?: string; credits: number; fees: number; reversals: number }[];
	found: Reconciled[];
}

export interface Scope {
	/** Plain ids; empty: every ledger that a payment of the period debited. */
	ledgers: readonly string[];
	since: Date;
	/** Without it everything up to now, also what the service's clock, which may be ahead of ours, dates later. */
	until?: Date;
}

/** Reads both sides of each ledger and compares them. */
export async function reconcile(tools: Tools, { ledgers, since, until }: Scope): Promise<Reconciliation> {
	const [from, to] = [since.getTime(), until?.getTime() ?? Infinity];
	const debited = new Set<string>();
	if (ledgers.length === 0)
		for await (const { transfer, begun } of paymentsOf(tools, undefined, from))
			if (Date.parse(begun) >= from) debited.add(plainId(transfer.ledgerFromId));
	const found: Reconciled[] = [];
	const read: Reconciliation["ledgers"] = [];
	for (const ledgerId of ledgers.length === 0 ? debited : ledgers) {
		const period = { ledgerId, from, to, settleAfter: tools.settleAfter };
		// What began a while before the period may be listed in it.
		const start = from - tools.settleAfter - farthestSkew;
		const picture = await bothSides(tools, { ledgerId, from: start, until: to });
		if ("unread" in picture) {
			read.push({ ledgerId, unread: picture.unread, credits: 0, fees: 0, reversals: 0 });
			continue;
		}
		const kinds = picture.listed.filter((one) => isWithin(one, period)).map((one) => kindOf(one, ledgerId));
		const countOf = (kind: (typeof kinds)[number]): number => kinds.filter((one) => one === kind).length;
		read.push({ ledgerId, lacks: picture.lacks, credits: countOf("credit"), fees: countOf("fee"), reversals: countOf("reversal") });
		for (const decision of picture.decisions) for (const one of reconciled(decision, picture, period)) found.push(one);
	}
	const counts = Object.fromEntries(lists.map((list) => [list, found.filter((one) => one.list === list).length])) as Record<
		ListName,
		number
	>;
	found.sort((one, other) => lists.indexOf(one.list) - lists.indexOf(other.list) || inOrder(one.intent ?? "", other.intent ?? ""));
	return { since: since.toISOString(), until: (until ?? tools.now()).toISOString(), counts, ledgers: read, found };
}

/** Of one ledger, in milliseconds. */
type Period = Record<"from" | "to" | "settleAfter", number> & { ledgerId: string };

/** What has no time that can be read may be of any. */
function isWithin({ createdAt }: TransactionView, { from, to }: Period): boolean {
	const at = Date.parse(createdAt ?? "");
	return !(at < from || at > to);
}

function* reconciled({ findings, unexplained }: Decision, { records, at }: Picture, period: Period): Generator<Reconciled> {
	const { ledgerId, from, to, settleAfter } = period;
	const shown = new Set<Line>();
	for (const { payment, ...finding } of findings) {
		const { intent, state, begun, id } = payment;
		const record = records.get(intent);
		if (record === undefined || begun < from || begun > to) continue;
		const made = isPaid(state);
		const isOpen = state === "in-doubt" || state === "sending";
		const contested = finding.line === undefined && finding.why === "contested";
		// What holds an id is shown with that line, also where another fits it.
		const line = finding.line ?? finding.lines.find((one) => sameId(one.id, id)) ?? finding.lines[0];
		const isShown = line !== undefined && (isOpen || finding.line !== undefined || (made ? contested : unexplained.includes(line)));
		if (isShown) shown.add(line);
		const { kind, counterpartyId, amount, currency, reference } = payment.transfer;
		const sent = { kind, counterpartyId, amount, currency, reference, begun: new Date(begun).toISOString() };
		const subject = { ledgerId, intent, batch: record.batch, row: record.row, state, sent, listed: line && listedOf(line) };
		const show = purser`history show ${intent}`;
		const reopen = purser`pay settle ${intent} --reopen --reason TEXT`;
		if (isOpen) yield { list: "inDoubt", ...subject, next: state === "sending" ? show : purser`pay settle ${intent}` };
		else if (made && isShown) {
			const differs =
				finding.line === undefined ? differing(compare(payment, line, settleAfter)) : isFailed(line.status) ? [`it is ${line.status}`] : [];
			if (differs.length === 0 && finding.line !== undefined) yield { list: "matched", ...subject };
			else yield { list: "different", ...subject, differs, next: contested ? reopen : show };
		} else if (made) {
			const list = at.getTime() < begun + settleAfter ? "notYetListed" : "notListed";
			yield { list, ...subject, next: id === undefined ? show : purser`pay show ${typed(id, "TRANSACTION")}` };
		} else if (isShown) {
			const next = state === "not-created" ? purser`pay settle ${intent} --transaction ${typed(line.id, "TRANSACTION")}` : reopen;
			yield { list: "notMadeButListed", ...subject, next };
		}
	}
	for (const line of unexplained)
		if (!shown.has(line) && isWithin(line, period))
			yield { list: "notOurs", ledgerId, listed: listedOf(line), next: purser`pay show ${typed(line.id, "TRANSACTION")}` };
}

function listedOf({ id, status, createdAt, amount, currency, reference, receiverName, receiverLedgerId }: Line): Reconciled["listed"] {
	return { id, status, createdAt, amount, currency, reference, receiverName, receiverLedgerId };
}

const mostShown = 20;

/** The control for people. @param names of ledgers and payees, where they are known */
export function reconciliationText(answer: Reconciliation & { names: Names }, style: Words): string {
	const { since, until, counts, ledgers, found, names } = answer;
	if (ledgers.length === 0) return `No payment was sent between ${style.time(since)} and ${style.time(until)}.`;
	const shown = lists.filter((list) => list === "matched" || counts[list] > 0);
	const blocks = [
		`Payments and debits\n${style.pairs([["  from", style.time(since)] as const, ["  to", style.time(until)] as const])}`,
		style.pairs(shown.map((list) => [titles[list], String(counts[list])] as const)),
	];
	for (const { ledgerId, unread, lacks, credits, fees, reversals } of ledgers) {
		const others = Object.entries({ credits, fees, reversals }).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []));
		const fault = unread === undefined ? lacks && `may not be complete: ${lacks}` : `could not be read: ${unread}`;
		const beside = others.length > 0 ? others.join(", ") : fault ? undefined : "nothing";
		const head = `${names[ledgerId] ?? `Ledger ${ledgerId}`}${beside === undefined ? "" : `: ${beside} beside the payments`}`;
		blocks.push(fault ? `${head}\n${style.warn(`  ${fault}`)}` : head);
	}
	for (const list of shown) {
		const own = list === "matched" ? [] : found.filter((one) => one.list === list);
		if (own.length === 0) continue;
		const more = own.length > mostShown ? [`  and ${own.length - mostShown} more: --output csv lists all`] : [];
		const texts = own.slice(0, mostShown).map((one) => `  ${foundText(one, style, names)}`);
		blocks.push([style.warn(titles[list]), ...texts, ...more].join("\n"));
	}
	return blocks.join("\n\n");
}

function foundText({ ledgerId, intent, row, batch, state, sent, listed, differs = [], next }: Reconciled, style: Words, names: Names) {
	const timed = (time: string | undefined): string => (time === undefined ? "" : `, ${style.moment(time) ?? time}`);
	const receiver = names[listed?.receiverLedgerId ?? ""] ?? listed?.receiverName ?? "an unknown payee";
	const what =
		sent === undefined
			? `${inCurrency(listed?.amount ?? "no amount", listed?.currency)} to ${receiver}${timed(listed?.createdAt)}`
			: `${intent}  ${inCurrency(sent.amount, sent.currency)} to ${names[sent.counterpartyId] ?? sent.kind}${timed(sent.begun)}${row === undefined ? "" : `, row ${row} of batch ${batch}`}`;
	const reference = (sent ?? listed)?.reference;
	const how = [
		names[ledgerId] && `from ${names[ledgerId]}`,
		reference && `"${reference}"`,
		state !== undefined && stateWords(state as never),
		...differs.map((one) => (one.startsWith("it is") ? one : `${one} differs`)),
		listed?.id,
	];
	return `${what}  ${how.filter(Boolean).join(" · ")}${next === undefined ? "" : `\n    ${style.shown(next)}`}`;
}
