/**
 * A profile's local limits, per transfer and per day. Amounts are compared exactly.
 */

import { advice, purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { type Failure, PurserError } from "../../errors.js";
import type { RuleFacts } from "../../ports/journal.js";
import { difference, sum } from "./decimal.js";

/** The value of a cap: `5000 EUR`, or `5000`, which applies to each currency separately. */
export interface Cap {
	amount: string;
	currency?: string;
}

export interface Caps {
	transfer?: Cap;
	day?: Cap;
}

/** Reads the caps from a profile's settings. No environment variable can loosen them. */
export function capsOf(settings: Readonly<Record<string, string>>): Caps {
	return { transfer: parseCap(settings["cap-per-transfer"]), day: parseCap(settings["cap-per-day"]) };
}

function parseCap(setting: string | undefined): Cap | undefined {
	const [amount = "", currency] = (setting ?? "").trim().split(/\s+/);
	return amount === "" ? undefined : { amount, currency };
}

/** @throws PurserError guard, if a transfer exceeds a cap or cannot be compared with it */
export function checkCaps(transfer: Transfer, caps: Caps, spent: RuleFacts["spent"]): void {
	if (caps.transfer) checkTransfer(transfer, caps.transfer);
	if (caps.day) checkDay(transfer, caps.day, spent);
}

function checkTransfer(transfer: Transfer, cap: Cap): void {
	checkComparable(transfer, cap, "cap-per-transfer");
	if (!exceeds(transfer.amount, cap.amount)) return;
	throw guard({
		code: "CAP_PER_TRANSFER",
		message: `${inCurrency(transfer.amount, transfer.currency)} exceeds this profile's limit per payment (${inCurrency(cap.amount, cap.currency ?? transfer.currency)}); nothing was sent`,
		fix: advice`Have the amount checked; someone who may raise the limit types: ${purser`profile set NAME --set cap-per-transfer=AMOUNT`}`,
	});
}

/** Payments in doubt are part of `spent`, because they may have been made. */
function checkDay(transfer: Transfer, cap: Cap, spent: RuleFacts["spent"]): void {
	checkComparable(transfer, cap, "cap-per-day");
	const currency = transfer.currency ?? "";
	// A payment without a known currency may have been in this one.
	const counted = currency === "" ? Object.values(spent) : [spent[currency], spent[""]];
	const before = counted.reduce<string>((total, part) => sum(total, part ?? "0"), "0");
	const total = sum(before, transfer.amount);
	if (!exceeds(total, cap.amount)) return;
	throw guard({
		code: "CAP_PER_DAY",
		message: `With ${inCurrency(transfer.amount, transfer.currency)} today's payments (UTC) would be ${inCurrency(total, transfer.currency)}, which exceeds this profile's limit per day (${inCurrency(cap.amount, cap.currency ?? transfer.currency)}); nothing was sent`,
		why: `${inCurrency(before, transfer.currency)} was sent or is in doubt today`,
		fix: advice`Pay tomorrow; someone who may raise the limit types: ${purser`profile set NAME --set cap-per-day=AMOUNT`}`,
	});
}

function checkComparable(transfer: Transfer, cap: Cap, setting: string): void {
	if (cap.currency === undefined || cap.currency === transfer.currency) return;
	throw guard({
		code: "CAP_CURRENCY",
		message: `The limit ${setting} is ${inCurrency(cap.amount, cap.currency)}, and this payment is in ${transfer.currency ?? "a currency that could not be looked up"}: they cannot be compared, so nothing was sent`,
		fix: advice`${transfer.currency === undefined ? "Give the amount's currency with --currency CODE. " : ""}A limit without a currency applies to each currency separately: ${purser`profile set NAME --set ${setting}=${cap.amount}`}`,
	});
}

/** Whether an amount is above a limit, compared exactly. */
export function exceeds(amount: string, limit: string): boolean {
	const over = difference(amount, limit);
	// An amount that is no decimal cannot be compared with a limit, so the payment is refused.
	return over === undefined || !/^(-|0(\.0+)?$)/.test(over);
}

function guard(failure: Failure): PurserError {
	return new PurserError("guard", failure);
}
