/**
 * Decides which line is which payment. Payments and lines that any fit joins form a group, and a group is decided as a whole: what one
 * line is depends on every payment that it may be, also on those that are long accepted or were refused. Pure.
 */
import { isPaid } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import { canonicalAmount } from "../rules/decimal.js";
import { groupBy } from "../rules/group-by.js";
import {
	asSent,
	compare,
	currencyOf,
	type Fit,
	folded,
	holds,
	isBound,
	isDeclared,
	type Line,
	lettersOf,
	type Payment,
	sentKey,
} from "./fits.js";

export interface Group {
	payments: readonly Payment[];
	lines: readonly Line[];
	fit(payment: Payment, line: Line): Fit;
	/** The lines of the group that fit a payment or whose id it holds or held, and the payments of a line. */
	linesOf(payment: Payment): readonly Line[];
	paymentsOf(line: Line): readonly Payment[];
	/** Whether there were too many to compare each with each: then nothing in the group is decided. */
	tooMany: boolean;
}

/** Why a group leaves a payment open. */
export type Why =
	| "not-listed" // No line may be it.
	| "possible" // Lines may be it, and something in them is missing or differs.
	| "unknown-which" // Fewer lines than payments that they may be.
	| "too-many" // More lines than payments.
	| "contested"; // An id is held by a payment that its line does not fit, by two payments, or was held by one that was reopened.

/** What a group shows of one payment. A payment that is being sent is always open. */
type Finding = { payment: Payment; line: Line } | OpenFinding;

export interface OpenFinding {
	payment: Payment;
	line?: undefined;
	why: Why;
	lines: readonly Line[];
	/** Whether there is one such line, and that line may be no other payment. */
	alone: boolean;
	/** Intents of other payments that the first of those lines may be, and those of them that hold the id of one. */
	others: readonly string[];
	holders: readonly string[];
}

/** What a group shows of all its payments, and which of its lines no payment explains. */
export interface Decision {
	findings: readonly Finding[];
	unexplained: readonly Line[];
}

const mostShown = 5;

/** The groups of a ledger: every payment and every line is in exactly one. */
export function groupsOf(payments: readonly Payment[], lines: readonly Line[], settleAfter: number): Group[] {
	const nodes = nodesOf(payments, lines, settleAfter);
	const ofPayment = new Map(nodes.flatMap((node) => node.payments.map((payment) => [payment, node])));
	const ofLine = new Map<Line, Node[]>(lines.map((line) => [line, []]));
	for (const node of nodes) for (const line of node.fits.keys()) ofLine.get(line)?.push(node);
	const asked: Pick<Group, "fit" | "linesOf" | "paymentsOf"> = {
		fit: (payment, line) => ofPayment.get(payment)?.fits.get(line) ?? "no",
		linesOf: (payment) => [...(ofPayment.get(payment)?.fits.keys() ?? [])],
		paymentsOf: (line) => ofLine.get(line)?.flatMap((node) => node.payments) ?? [],
	};
	const groups: Group[] = [];
	const seen = new Set<Node>();
	for (const first of nodes) {
		if (seen.has(first)) continue;
		const [members, shown] = [new Set([first]), new Set<Line>()];
		// A set that grows while it is walked: whoever is joined is walked too.
		for (const node of members) {
			seen.add(node);
			for (const line of node.fits.keys()) {
				if (shown.has(line)) continue;
				shown.add(line);
				for (const other of ofLine.get(line) ?? []) members.add(other);
			}
		}
		const joined = [...members];
		const tooMany = joined.some(({ isCrowd }) => isCrowd);
		groups.push({ ...asked, payments: joined.flatMap((node) => node.payments), lines: [...shown], tooMany });
	}
	for (const [line, fitting] of ofLine) if (fitting.length === 0) groups.push({ ...asked, payments: [], lines: [line], tooMany: false });
	return groups;
}

/** @param whole whether the lines are all of the ledger and the period; if not, only a line that can be one payment alone says something */
export function decide(group: Group, whole: boolean): Decision {
	const { payments, lines, tooMany } = group;
	if (tooMany) {
		const findings = payments.map((payment): Finding => ({ payment, why: "possible", lines, alone: false, others: [], holders: [] }));
		return { findings, unexplained: lines };
	}
	const contested = contestedIn(group);
	const shown = contested ? new Map<Payment, Line>() : whole ? shownByAll(group) : shownAlone(group);
	// What is being sent may come to nothing, so it explains no line yet.
	const taken = new Set([...shown].filter(([{ state }]) => state !== "sending").map(([, line]) => line));
	const explained = (line: Line): boolean => taken.has(line) || (!contested && group.paymentsOf(line).some((one) => holds(one, line)));
	const findings = payments.map((payment): Finding => {
		const fitting = group.linesOf(payment);
		const own = contested ? undefined : fitting.find((line) => holds(payment, line));
		const line = shown.get(payment) ?? own;
		if (line !== undefined && payment.state !== "sending") return { payment, line };
		const mayBe = (one: Line): boolean =>
			isBound(payment, one) || (!taken.has(one) && group.fit(payment, one) !== "no" && !isSurelyAnothers(payment, one, group));
		const possible = fitting.filter((one) => mayBe(one) && !isDeclared(payment, one));
		const why = contested ? "contested" : whyOpen(group, possible);
		return { payment, why, lines: possible, alone: payments.length === 1 && lines.length === 1, ...rivalsOf(payment, possible, group) };
	});
	return { findings, unexplained: lines.filter((line) => !explained(line)) };
}

/** Whether another payment surely holds the line, and this one fits it only if cut, where longer ones are whole: "Row 4" is not "Row 49". */
function isSurelyAnothers(payment: Payment, line: Line, { lines, paymentsOf, fit }: Group): boolean {
	if (line.letters === "" || fit(payment, line) === "surely") return false;
	const isHeld = paymentsOf(line).some((one) => holds(one, line) && fit(one, line) === "surely");
	return isHeld && lines.some(({ reference }) => (reference?.length ?? 0) > (line.reference?.length ?? 0));
}

function rivalsOf(own: Payment, possible: readonly Line[], { paymentsOf }: Group): Pick<OpenFinding, "others" | "holders"> {
	const shown = possible.slice(0, mostShown);
	const intentsOf = (may: (other: Payment, line: Line) => boolean): string[] => {
		const rivals = shown.flatMap((line) => paymentsOf(line).filter((other) => other.intent !== own.intent && may(other, line)));
		return [...new Set(rivals.map(({ intent }) => intent))].sort(inOrder);
	};
	return { others: intentsOf(() => true), holders: intentsOf(holds) };
}

function whyOpen({ payments, lines, paymentsOf, fit }: Group, own: readonly Line[]): Why {
	if (own.length === 0) return "not-listed";
	if (lines.length > payments.length) return "too-many";
	const sure = payments.length > lines.length && own.every((line) => paymentsOf(line).some((payment) => fit(payment, line) === "surely"));
	return sure ? "unknown-which" : "possible";
}

/** Whether an id in the group says something else than what was sent: then nothing in it is decided. */
function contestedIn({ lines, paymentsOf, fit }: Group): boolean {
	return lines.some((line) => {
		const bound = paymentsOf(line).filter((payment) => isBound(payment, line));
		const [holder, other] = bound.filter((payment) => holds(payment, line));
		if (other !== undefined || (holder !== undefined && fit(holder, line) === "no")) return true;
		// Once a person gave the line to one payment, and the one that lost it has another or is surely not it, nothing is open.
		const isOver = (payment: Payment): boolean => holder !== undefined && (payment.id !== undefined || isDeclared(payment, line));
		return bound.some((payment) => payment !== holder && !isOver(payment));
	});
}

/** The assignment where the lines are all that there are. */
function shownByAll(group: Group): Map<Payment, Line> {
	const { payments, lines, fit } = group;
	if (lines.length > payments.length) return new Map();
	if (lines.length === payments.length) return assignment(group);
	const isIdentical = new Set(payments.map(sentKey)).size === 1;
	if (isIdentical && lines.every((line) => payments.every((one) => fit(one, line) === "surely"))) return firstServed(group);
	return shownAlone(group);
}

/** One line for each payment, every fit sure and every held id in its place; empty if there is none. */
function assignment({ payments, lines, linesOf, fit }: Group): Map<Payment, Line> {
	const owner = new Map<Line, Payment>();
	const held = new Set<string | undefined>(payments.flatMap(({ id }) => id ?? []));
	const listed = new Set<string | undefined>(lines.flatMap(({ id }) => plainId(id) ?? []));
	const mayTake = (payment: Payment, line: Line): boolean =>
		fit(payment, line) === "surely" && (holds(payment, line) || !(held.has(plainId(line.id)) || listed.has(payment.id)));
	const ordered = [...payments].sort(byTime);
	const wantedBy = (payment: Payment): Line[] => linesOf(payment).filter((line) => mayTake(payment, line));
	const wanted = new Map(ordered.map((payment) => [payment, wantedBy(payment).sort(byLineTime)]));
	const left = new Set(ordered);
	const take = (payment: Payment, line: Line): void => {
		owner.set(line, payment);
		left.delete(payment);
	};
	// What equals what was sent in every letter first, then what only its case differs of, then by time.
	for (const written of [asSent, inCapitals, () => ""]) {
		for (const payment of left) {
			const own = written(payment.transfer.reference);
			const line = wanted.get(payment)?.find((one) => !owner.has(one) && written(one.reference) === own);
			if (line !== undefined) take(payment, line);
		}
	}
	const place = (payment: Payment, tried: Set<Line>): boolean => {
		const mine = wanted.get(payment) ?? [];
		const isFree = (line: Line): boolean => !owner.has(line);
		// A line that nobody has goes first: whoever gives one up may get one that is less its own.
		for (const line of [...mine.filter(isFree), ...mine.filter((line) => !isFree(line))]) {
			if (tried.has(line)) continue;
			tried.add(line);
			const other = owner.get(line);
			if (other !== undefined && !place(other, tried)) continue;
			take(payment, line);
			return true;
		}
		return false;
	};
	for (const payment of left) if (!place(payment, new Set())) return new Map();
	return new Map([...owner].map(([line, payment]) => [payment, line]));
}

export const inOrder = (one: string, other: string): number => one.length - other.length || (one < other ? -1 : one === other ? 0 : 1);

const byTime = (one: Payment, other: Payment): number => one.begun - other.begun || inOrder(one.intent, other.intent);
const byLineTime = (one: Line, other: Line): number => (one.span?.from ?? 0) - (other.span?.from ?? 0);
const inCapitals = (reference: string | undefined): string => asSent(reference).toUpperCase();

/** Fewer lines than identical payments: first those known to be made, then those that may be, last those that were refused. */
function firstServed({ payments, lines }: Group): Map<Payment, Line> {
	const shown = new Map<Payment, Line>();
	const served = new Set<string>();
	const holderOf = (line: Line): Payment | undefined => payments.find((one) => holds(one, line));
	const rank = ({ state }: Payment): number => (isPaid(state) ? 0 : state === "sending" ? 1 : state === "in-doubt" ? 2 : 3);
	const waiting = [...payments].sort((one, other) => rank(one) - rank(other) || byTime(one, other));
	for (const line of [...lines.filter(holderOf), ...lines.filter((line) => !holderOf(line)).sort(byLineTime)]) {
		const left = waiting.filter((one) => !shown.has(one));
		// An earlier attempt of a payment that has a line comes last: it must not free another payment to be sent again.
		const next = holderOf(line) ?? left.find(({ intent }) => !served.has(intent)) ?? left[0];
		if (next === undefined) break;
		shown.set(next, line);
		served.add(next.intent);
	}
	return shown;
}

/** A line that fits one payment only, and that surely, is that payment's; again until none is left. */
function shownAlone({ payments, lines, linesOf, paymentsOf, fit }: Group): Map<Payment, Line> {
	const shown = new Map<Payment, Line>();
	if (lines.length > payments.length) return shown;
	const open = new Map(lines.map((line) => [line, new Set(paymentsOf(line).filter((one) => fit(one, line) !== "no"))]));
	const waiting = [...lines];
	for (const line of waiting) {
		const fitting = open.get(line);
		const [only] = fitting ?? [];
		if (only === undefined || fitting?.size !== 1 || shown.has(only) || fit(only, line) !== "surely") continue;
		const others = linesOf(only).filter((one) => one !== line);
		// It holds another line of the group: the id or the line is not what it seems.
		if (others.some((one) => holds(only, one))) continue;
		shown.set(only, line);
		for (const other of others) if (open.get(other)?.delete(only)) waiting.push(other);
	}
	return shown;
}

/**
 * The lines that a person must declare to be other payments before this one counts as not created: every line of its amount that no payment
 * explains or that is contested, whatever its party or reference.
 */
export function linesToName(payment: Payment, decisions: readonly Decision[]): Line[] {
	const amount = canonicalAmount(payment.transfer.amount);
	const currency = currencyOf(payment);
	const mayBe = ({ value, currency: theirs }: Line): boolean =>
		value === undefined || value === amount || (currency !== undefined && theirs !== undefined && theirs !== currency);
	const own = decisions.flatMap(({ findings }) => findings).find((one) => one.payment === payment);
	const possible = own?.line === undefined ? (own?.lines ?? []) : [];
	const lines = new Set([...decisions.flatMap(({ unexplained }) => unexplained).filter(mayBe), ...possible]);
	return [...lines].filter((line) => !isDeclared(payment, line));
}

/**
 * Whether a payment that is about to be sent again may have arrived: a line was found for an attempt of it, or may be one. A payment that
 * the decisions do not tell of may have.
 */
export function mayHaveArrived({ intent }: Payment, decisions: readonly Decision[]): boolean {
	const own = decisions.flatMap(({ findings }) => findings).filter(({ payment }) => payment.intent === intent);
	return own.length === 0 || own.some((one) => one.line !== undefined || one.lines.length > 0);
}

/** Most comparisons of a ledger. Where there are more, the amounts that need the most are not compared. */
const maxComparisons = 4_000_000;

/** A payment with what fits it; or all of an amount of which there are too many to compare, any of which may be any line. */
export interface Node {
	payments: readonly Payment[];
	/** Also of a line that does not fit, where the payment holds or held its id. */
	fits: ReadonlyMap<Line, Fit>;
	isCrowd: boolean;
}

function nodesOf(payments: readonly Payment[], lines: readonly Line[], settleAfter: number): Node[] {
	const byKey = new Map<string, Line[]>();
	for (const line of lines) {
		for (const key of keysOf(line)) {
			const known = byKey.get(key);
			if (known === undefined) byKey.set(key, [line]);
			else known.push(line);
		}
	}
	const currencies = [...new Set(lines.flatMap(({ currency }) => currency ?? []))];
	const candidates = payments.map((payment) => {
		// In lists, of which several payments have the same.
		const lists = keysFor(payment, currencies).map((key) => byKey.get(key));
		return { payment, lists: lists.filter((list) => list !== undefined) };
	});
	const amounts = [...groupBy(candidates, ({ payment }) => canonicalAmount(payment.transfer.amount)).values()].map((own) => ({
		own,
		count: own.reduce((sum, { lists }) => lists.reduce((all, { length }) => all + length, sum), 0),
	}));
	let left = maxComparisons;
	return amounts
		.sort((one, other) => one.count - other.count)
		.flatMap(({ own, count }): Node[] => {
			left -= count;
			if (left >= 0)
				return own.map(({ payment, lists }) => ({ payments: [payment], fits: fitsOf(payment, lists, settleAfter), isCrowd: false }));
			const all = [...new Set(own.flatMap(({ lists }) => lists))].flat();
			return [{ payments: own.map(({ payment }) => payment), fits: new Map(all.map((line) => [line, "possibly"])), isCrowd: true }];
		});
}

function fitsOf(payment: Payment, lists: readonly (readonly Line[])[], settleAfter: number): Map<Line, Fit> {
	const fits = new Map<Line, Fit>();
	for (const line of new Set(lists.flat())) {
		const { fit } = compare(payment, line, settleAfter);
		if (fit !== "no" || isBound(payment, line)) fits.set(line, fit);
	}
	return fits;
}

/** Under what a line is found: its id, its amount and its currency, both with its letters too, and its letters with whoever is credited. */
function keysOf({ id, value = "unread", letters, currency, beneficiaryId, receiverLedgerId, receiverName }: Line): string[] {
	const shelves = currency === undefined ? [value] : [value, `in ${currency}`];
	const parties = letters === "" ? [] : [beneficiaryId, receiverLedgerId, receiverName && folded(receiverName)];
	return [
		...(id === undefined ? [] : [`id ${plainId(id)}`]),
		...shelves.flatMap((shelf) => [shelf, `${shelf} ${letters}`]),
		...parties.filter((party) => party !== undefined).map((party) => `to ${plainId(party)} ${letters}`),
	];
}

function keysFor(payment: Payment, currencies: readonly string[]): string[] {
	const { transfer, id, formerIds = [], payee } = payment;
	const letters = lettersOf(transfer.reference);
	const isPlain = letters !== "" && /^\p{ASCII}*$/u.test(transfer.reference ?? "");
	// Equal, or cut: down to nothing.
	const ends = isPlain ? Array.from({ length: letters.length + 1 }, (_, cut) => ` ${letters.slice(0, letters.length - cut)}`) : [""];
	const own = currencyOf(payment);
	const others = own === undefined ? [] : currencies.filter((currency) => currency !== own);
	const shelves = [canonicalAmount(transfer.amount), "unread", ...others.map((other) => `in ${other}`)];
	const isNamed = transfer.kind === "beneficiary" && letters !== "";
	const parties = isNamed ? [transfer.counterpartyId, payee?.hostedLedgerId, ...(payee?.alone ?? [])] : [];
	return [
		...shelves.flatMap((shelf) => ends.map((end) => shelf + end)),
		...parties.map((party) => `to ${plainId(party)} ${letters}`),
		...[id, ...formerIds].map((held) => `id ${held}`),
	];
}
