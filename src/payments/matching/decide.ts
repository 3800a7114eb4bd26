/**
 * Decides which line is which payment. Payments and lines that any fit joins form a group, and a group is decided as a whole: what one
 * line is depends on every payment that it may be, also on those that are long accepted or were refused. Pure.
 */

import { isPaid } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import { canonicalAmount } from "../rules/decimal.js";
import { compare, type Fit, type Line, lettersOf, type Payment, sentKey } from "./fits.js";

/** Payments and lines that any fit joins, directly or through others. */
export interface Group {
	payments: readonly Payment[];
	lines: readonly Line[];
	/** How a payment and a line of the group fit. */
	fit(payment: Payment, line: Line): Fit;
}

/** Why a group leaves a payment open. */
export type Why =
	/** No line may be it. */
	| "not-listed"
	/** Lines may be it, and something in them is missing or differs. */
	| "possible"
	/** Fewer lines than payments that they may be. */
	| "unknown-which"
	/** More lines than payments. */
	| "too-many"
	/** An id is held by a payment that its line does not fit, by two payments, or was held by one that was reopened. */
	| "contested";

/** What a group shows of one payment. A payment that is being sent is always open. */
export type Finding = { payment: Payment; line: Line } | OpenFinding;

/** A payment that a group leaves open. */
export interface OpenFinding {
	payment: Payment;
	line?: undefined;
	why: Why;
	/** The lines that may be it. */
	lines: readonly Line[];
	/** Whether there is one such line, and that line may be no other payment. */
	alone: boolean;
}

/** What a group shows of all its payments, and which of its lines no payment explains. */
export interface Decision {
	findings: readonly Finding[];
	unexplained: readonly Line[];
	contested: boolean;
}

/** Most comparisons among payments and lines of one amount; where there are more, nothing of that amount is decided. */
const maxPairs = 1_000_000;

/**
 * The groups of a ledger: every payment and every line is in exactly one.
 * @param payments of the ledger, and whoever else holds or held the id of one of the lines
 * @param settleAfter milliseconds
 */
export function groupsOf(payments: readonly Payment[], lines: readonly Line[], settleAfter: number): Group[] {
	const candidates = new Candidates(payments, lines);
	const fits = new Map<Payment, Map<Line, Fit>>();
	const fitting = new Map<Line, Payment[]>();
	for (const payment of payments) {
		const own = new Map<Line, Fit>();
		for (const line of candidates.of(payment)) {
			const fit = candidates.areTooMany(payment) ? "possibly" : compare(payment, line, settleAfter).fit;
			if (fit === "no" && !isBound(payment, line)) continue;
			own.set(line, fit);
			const known = fitting.get(line);
			if (known === undefined) fitting.set(line, [payment]);
			else known.push(payment);
		}
		fits.set(payment, own);
	}
	const fit = (payment: Payment, line: Line): Fit => fits.get(payment)?.get(line) ?? "no";
	const groups: Group[] = [];
	const seen = new Set<Payment>();
	for (const first of payments) {
		if (seen.has(first)) continue;
		const [members, shown] = [new Set([first]), new Set<Line>()];
		// A set that grows while it is walked: whoever is joined is walked too.
		for (const payment of members) {
			seen.add(payment);
			for (const line of fits.get(payment)?.keys() ?? []) {
				if (shown.has(line)) continue;
				shown.add(line);
				for (const other of fitting.get(line) ?? []) members.add(other);
			}
		}
		groups.push({ payments: [...members], lines: [...shown], fit });
	}
	for (const line of lines) if (!fitting.has(line)) groups.push({ payments: [], lines: [line], fit });
	return groups;
}

/** Whether the payment holds the line's id, or held it before it was reopened. */
function isBound(payment: Payment, line: Line): boolean {
	const id = plainId(line.id);
	return id !== undefined && (payment.id === id || payment.formerIds?.includes(id) === true);
}

/** The lines with which a payment has to be compared: all others contradict it in amount or reference. */
class Candidates {
	readonly #byId = new Map<string, Line>();
	/** By amount, then by the letters of the reference. */
	readonly #byAmount = new Map<string, Map<string, Line[]>>();
	/** Lines whose amount cannot be compared with every payment's. */
	readonly #anyAmount: Line[] = [];
	readonly #byLetters = new Map<string, Line[]>();
	readonly #paymentsOf = new Map<string, number>();
	readonly #linesOf = new Map<string, number>();

	constructor(payments: readonly Payment[], lines: readonly Line[]) {
		const currencies = new Set(
			payments.flatMap(({ transfer, payee }) => [transfer.currency, payee?.currency]).filter((one) => one !== undefined),
		);
		for (const { transfer } of payments) count(this.#paymentsOf, canonicalAmount(transfer.amount));
		for (const line of lines) {
			const { id, value, letters, currency } = line;
			if (id !== undefined) this.#byId.set(plainId(id), line);
			if (letters !== "") add(this.#byLetters, letters, line);
			if (value === undefined || [...currencies].some((one) => currency !== undefined && one !== currency)) this.#anyAmount.push(line);
			if (value === undefined) continue;
			count(this.#linesOf, value);
			const ofAmount = this.#byAmount.get(value) ?? new Map<string, Line[]>();
			add(ofAmount, letters, line);
			this.#byAmount.set(value, ofAmount);
		}
	}

	of(payment: Payment): Set<Line> {
		const { transfer, id, formerIds = [] } = payment;
		const letters = lettersOf(transfer.reference);
		const ofAmount = this.#byAmount.get(canonicalAmount(transfer.amount));
		const isPlain = letters !== "" && /^\p{ASCII}*$/u.test(transfer.reference ?? "");
		const found = new Set<Line>(this.#anyAmount);
		const take = (lines: readonly Line[] | undefined): void => {
			for (const line of lines ?? []) found.add(line);
		};
		if (!isPlain) for (const lines of ofAmount?.values() ?? []) take(lines);
		// Equal, or cut: down to nothing.
		else for (let length = letters.length; length >= 0; length -= 1) take(ofAmount?.get(letters.slice(0, length)));
		if (letters !== "") take(this.#byLetters.get(letters));
		for (const held of [id, ...formerIds]) {
			const line = held === undefined ? undefined : this.#byId.get(held);
			if (line !== undefined) found.add(line);
		}
		return found;
	}

	/** Whether there are too many of the payment's amount to compare each with each. */
	areTooMany({ transfer }: Payment): boolean {
		const amount = canonicalAmount(transfer.amount);
		return (this.#paymentsOf.get(amount) ?? 0) * ((this.#linesOf.get(amount) ?? 0) + this.#anyAmount.length) > maxPairs;
	}
}

function add(map: Map<string, Line[]>, key: string, line: Line): void {
	const known = map.get(key);
	if (known === undefined) map.set(key, [line]);
	else known.push(line);
}

const count = (map: Map<string, number>, key: string): unknown => map.set(key, (map.get(key) ?? 0) + 1);

/**
 * Decides a group.
 * @param whole whether the lines are all that the service lists of the ledger and the period; otherwise only a line that can be one payment
 *   alone says something
 */
export function decide(group: Group, whole: boolean): Decision {
	const { payments, lines } = group;
	const contested = contestedIn(group);
	const shown = contested ? new Map<Payment, Line>() : whole ? shownByAll(group) : shownAlone(group);
	// What is being sent may come to nothing, so it explains no line yet.
	const taken = new Set([...shown].filter(([{ state }]) => state !== "sending").map(([, line]) => line));
	const explained = (line: Line): boolean =>
		taken.has(line) || (!contested && payments.some((one) => holds(one, line) && group.fit(one, line) !== "no"));
	const findings = payments.map((payment): Finding => {
		const own = contested ? undefined : lines.find((line) => holds(payment, line));
		const line = shown.get(payment) ?? own;
		if (line !== undefined && payment.state !== "sending") return { payment, line };
		const possible = lines.filter((one) => isBound(payment, one) || (!taken.has(one) && group.fit(payment, one) !== "no"));
		const alone = payments.length === 1 && lines.length === 1;
		return { payment, why: contested ? "contested" : whyOpen(group, possible), lines: possible, alone };
	});
	return { findings, unexplained: lines.filter((line) => !explained(line)), contested };
}

function whyOpen({ payments, lines, fit }: Group, own: readonly Line[]): Why {
	if (own.length === 0) return "not-listed";
	if (lines.length > payments.length) return "too-many";
	const sure = payments.length > lines.length && own.every((line) => payments.some((payment) => fit(payment, line) === "surely"));
	return sure && payments.length > 1 ? "unknown-which" : "possible";
}

/** Whether an id in the group says something else than what was sent: then nothing in it is decided. */
function contestedIn({ payments, lines, fit }: Group): boolean {
	return lines.some((line) => {
		const bound = payments.filter((payment) => isBound(payment, line));
		const [holder, other] = bound;
		return holder !== undefined && (other !== undefined || !holds(holder, line) || fit(holder, line) === "no");
	});
}

const holds = ({ id }: Payment, line: Line): boolean => id !== undefined && id === plainId(line.id);

/** The assignment where the lines are all that there are. */
function shownByAll(group: Group): Map<Payment, Line> {
	const { payments, lines, fit } = group;
	if (lines.length === 0) return new Map();
	if (lines.length === payments.length) return assignment(group) ?? new Map();
	if (lines.length > payments.length) return new Map();
	const [first] = payments as [Payment];
	const identical = payments.every((one) => sentKey(one) === sentKey(first));
	if (identical && lines.every((line) => payments.every((one) => fit(one, line) === "surely"))) return firstServed(group);
	return shownAlone(group);
}

/** One line for each payment, every fit sure and every held id in its place; undefined if there is none. */
function assignment({ payments, lines, fit }: Group): Map<Payment, Line> | undefined {
	const owner = new Map<Line, Payment>();
	const lineOfId = new Map(lines.map((line) => [plainId(line.id), line]));
	const holderOf = new Map(payments.map((payment) => [payment.id, payment]));
	const mayTake = (payment: Payment, line: Line): boolean => {
		if (fit(payment, line) !== "surely") return false;
		const holder = line.id === undefined ? undefined : holderOf.get(plainId(line.id));
		const own = payment.id === undefined ? undefined : lineOfId.get(payment.id);
		return (holder ?? payment) === payment && (own ?? line) === line;
	};
	const ordered = [...payments].sort(byTime);
	const wanted = new Map(ordered.map((payment) => [payment, lines.filter((line) => mayTake(payment, line)).sort(byLineTime)]));
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
		for (const line of wanted.get(payment) ?? []) {
			if (tried.has(line)) continue;
			tried.add(line);
			const other = owner.get(line);
			if (other !== undefined && !place(other, tried)) continue;
			take(payment, line);
			return true;
		}
		return false;
	};
	for (const payment of left) if (!place(payment, new Set())) return undefined;
	return new Map([...owner].map(([line, payment]) => [payment, line]));
}

const byTime = (one: Payment, other: Payment): number => one.begun - other.begun || Number(one.intent) - Number(other.intent);

const byLineTime = (one: Line, other: Line): number => (one.span?.from ?? 0) - (other.span?.from ?? 0);

const asSent = (reference = ""): string => reference.normalize("NFC");

const inCapitals = (reference: string | undefined): string => asSent(reference).toUpperCase();

/** Fewer lines than identical payments: first those known to be made, then those that may be, last those that were refused. */
function firstServed({ payments, lines }: Group): Map<Payment, Line> {
	const shown = new Map<Payment, Line>();
	const left = new Set([...lines].sort(byLineTime));
	for (const line of lines) {
		const holder = payments.find((one) => holds(one, line));
		if (holder === undefined) continue;
		shown.set(holder, line);
		left.delete(line);
	}
	const rank = ({ state }: Payment): number => (isPaid(state) ? 0 : state === "sending" ? 1 : state === "in-doubt" ? 2 : 3);
	const waiting = payments.filter((one) => !shown.has(one)).sort((one, other) => rank(one) - rank(other) || byTime(one, other));
	for (const line of left) {
		const next = waiting.shift();
		if (next !== undefined) shown.set(next, line);
	}
	return shown;
}

/** A line that fits one payment only, and that surely, is that payment's; again until none is left. */
function shownAlone({ payments, lines, fit }: Group): Map<Payment, Line> {
	const shown = new Map<Payment, Line>();
	if (lines.length > payments.length) return shown;
	const left = new Set(lines);
	for (let found = true; found; ) {
		found = false;
		for (const line of left) {
			const fitting = payments.filter((one) => !shown.has(one) && fit(one, line) !== "no");
			const [only] = fitting as [Payment];
			if (fitting.length !== 1 || fit(only, line) !== "surely") continue;
			// It holds another line of the group: the id or the line is not what it seems.
			if (lines.some((one) => one !== line && holds(only, one))) continue;
			shown.set(only, line);
			left.delete(line);
			found = true;
		}
	}
	return shown;
}

/**
 * The lines that a person must declare to be other payments before this one counts as not created: every line of its amount that no payment
 * explains or that is contested, whatever its party or reference.
 * @param decisions of all groups of the ledger
 */
export function linesToName(payment: Payment, decisions: readonly Decision[]): Line[] {
	const amount = canonicalAmount(payment.transfer.amount);
	const currency = payment.payee?.currency ?? payment.transfer.currency;
	const mayBe = ({ value, currency: theirs }: Line): boolean =>
		value === undefined || value === amount || (currency !== undefined && theirs !== undefined && theirs !== currency);
	const own = decisions.flatMap(({ findings }) => findings).find((one) => one.payment === payment);
	const possible = own !== undefined && own.line === undefined ? own.lines : [];
	const lines = new Set([...decisions.flatMap(({ unexplained }) => unexplained).filter(mayBe), ...possible]);
	return [...lines].filter(({ id }) => id === undefined || payment.notThis?.includes(plainId(id)) !== true);
}

/**
 * Whether a payment that is about to be sent again (refused, not sent, not created) may have arrived already, so that it is held: a line
 * was found for it or for an earlier attempt of it, or may be one of them. A payment that the decisions do not tell of may have.
 * @param decisions of all groups of the ledger, all attempts of the payment among them
 */
export function mayHaveArrived({ intent }: Payment, decisions: readonly Decision[]): boolean {
	const own = decisions.flatMap(({ findings }) => findings).filter(({ payment }) => payment.intent === intent);
	return own.length === 0 || own.some((one) => one.line !== undefined || one.lines.length > 0);
}
