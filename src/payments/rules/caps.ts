/**
 * A profile's local limits, per transfer and per day, and the one rule by which money is counted against a limit. Amounts are compared
 * exactly by value.
 */

import { advice, purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { guard, type PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";
import { difference, sum } from "./decimal.js";

/** Exact decimal sums by currency; `""` holds amounts whose currency is not known. */
export type Sums = Readonly<Record<string, string>>;

/** A limit: `5000 EUR`, or `5000`, which applies to each currency separately. */
export interface Limit {
	amount: string;
	currency?: string;
}

export interface Caps {
	transfer?: Limit;
	day?: Limit;
}

/** Reads the caps from a profile's settings. No environment variable can loosen them. */
export function capsOf(settings: Readonly<Record<string, string>>): Caps {
	return { transfer: parseCap(settings["cap-per-transfer"]), day: parseCap(settings["cap-per-day"]) };
}

/** Whether a setting, or the policy of a team, may limit money, so that its currency must be known: what is not known counts against every limit. */
export function limitsMoney({ settings, team }: Pick<Profile, "settings" | "team">): boolean {
	return team !== undefined || ["cap-per-transfer", "cap-per-day", "approval"].some((key) => settings[key]?.trim());
}

function parseCap(setting: string | undefined): Limit | undefined {
	const [amount = "", currency] = (setting ?? "").trim().split(/\s+/);
	return amount === "" ? undefined : { amount, currency };
}

type Capped = "payment" | "batch";

interface Excess {
	/** ISO 4217; undefined where it is not known. */
	currency: string | undefined;
	/** Absent where the limit is in another currency, or this one is not known: they cannot be compared. */
	counted?: { asked: string; before: string; total: string };
}

/**
 * The one rule that counts money against a limit, for caps and approvals. An amount of unknown currency may be in any: it counts beside
 * those of each currency, and those of all currencies count beside it.
 * @returns the first currency asked for whose sum is above the limit or cannot be compared with it; undefined if there is none
 */
export function excess(limit: Limit, asked: Sums, spent: Sums = {}): Excess | undefined {
	for (const currency of Object.keys(asked)) {
		if (limit.currency !== undefined && limit.currency !== currency) return { currency: currency || undefined };
		const added = (sums: Sums): string => {
			const parts = currency === "" ? Object.values(sums) : [sums[currency], sums[""]];
			return parts.reduce<string>((total, part) => sum(total, part ?? "0"), "0");
		};
		const counted = { asked: added(asked), before: added(spent) };
		const total = sum(counted.asked, counted.before);
		if (exceeds(total, limit.amount)) return { currency: currency || undefined, counted: { ...counted, total } };
	}
	return undefined;
}

/** @throws PurserError guard, if a transfer exceeds the cap per transfer or cannot be compared with it */
export function checkTransferCap(
	{ amount, currency }: Pick<Transfer, "amount" | "currency">,
	{ transfer: cap }: Caps,
	of: Capped = "payment",
): void {
	const over = cap && excess(cap, { [currency ?? ""]: amount });
	if (cap === undefined || over === undefined) return;
	if (over.counted === undefined) throw notComparable(over, cap, "cap-per-transfer", of);
	throw guard({
		code: "CAP_PER_TRANSFER",
		message: `${inCurrency(amount, currency)} exceeds this profile's limit per payment (${inCurrency(cap.amount, cap.currency ?? currency)}); nothing was sent`,
		fix: advice`Have the amount checked; someone who may raise the limit types: ${purser`profile set NAME --set cap-per-transfer=AMOUNT`}`,
	});
}

export function checkDayCap(asked: Sums, { day: cap }: Caps, spent: Sums, of: Capped = "payment"): void {
	const over = cap && excess(cap, asked, spent);
	if (cap === undefined || over === undefined) return;
	const { currency, counted } = over;
	if (counted === undefined) throw notComparable(over, cap, "cap-per-day", of);
	const unknown = [asked, spent].some((sums) => sums[""] !== undefined);
	throw guard({
		code: "CAP_PER_DAY",
		message: `With ${inCurrency(counted.asked, currency)} today's payments (UTC) would be ${inCurrency(counted.total, currency)}, which exceeds this profile's limit per day (${inCurrency(cap.amount, cap.currency ?? currency)}); nothing was sent`,
		why: `${inCurrency(counted.before, currency)} was sent or is in doubt today${unknown ? "; amounts of unknown currency count against every limit, beside those of each currency" : ""}`,
		fix: advice`Pay tomorrow; someone who may raise the limit types: ${purser`profile set NAME --set cap-per-day=AMOUNT`}`,
	});
}

function notComparable({ currency }: Excess, limit: Limit, setting: string, of: Capped): PurserError {
	const give =
		of === "payment"
			? "Give the amount's currency with --currency CODE. "
			: advice`Plan the file again with the currency of its rows: in a column "currency", or ${purser`pay batch plan FILE --currency CODE`}\n`;
	return guard({
		code: "CAP_CURRENCY",
		message: `The limit ${setting} is ${inCurrency(limit.amount, limit.currency)}, and ${of === "batch" ? "a row of this batch" : "this payment"} is in ${currency ?? "a currency that could not be looked up"}: they cannot be compared, so nothing was sent`,
		fix: advice`${currency === undefined ? give : ""}A limit without a currency applies to each currency separately: ${purser`profile set NAME --set ${setting}=${limit.amount}`}`,
	});
}

function exceeds(amount: string, limit: string): boolean {
	const over = difference(amount, limit);
	// An amount that is no decimal cannot be compared with a limit, so the payment is refused.
	return over === undefined || !/^(-|0(\.0+)?$)/.test(over);
}
