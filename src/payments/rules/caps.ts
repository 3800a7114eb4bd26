/**
 * The caps of a profile, per transfer and per day: local limits, exact to the last digit.
 */

import { advice, purser } from "../../api/advice.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { type Failure, PurserError } from "../../errors.js";
import type { RuleFacts } from "../../ports/journal.js";
import { difference, sum } from "./decimal.js";

/** An amount as a profile's setting names it: `5000 EUR`, or `5000` for each currency by itself. */
export interface Cap {
	amount: string;
	currency?: string;
}

export interface Caps {
	transfer?: Cap;
	day?: Cap;
}

/** The caps among a profile's settings. They are read from the profile alone: no environment variable can loosen them. */
export function capsOf(settings: Readonly<Record<string, string>>): Caps {
	return { transfer: capOf(settings["cap-per-transfer"]), day: capOf(settings["cap-per-day"]) };
}

function capOf(setting: string | undefined): Cap | undefined {
	const [amount = "", currency] = (setting ?? "").trim().split(/\s+/);
	return amount === "" ? undefined : { amount, currency };
}

/** @throws PurserError guard, where a transfer is over a cap or cannot be compared with it */
export function withinCaps(transfer: Transfer, caps: Caps, spent: RuleFacts["spent"]): void {
	if (caps.transfer) checkTransfer(transfer, caps.transfer);
	if (caps.day) checkDay(transfer, caps.day, spent);
}

function checkTransfer(transfer: Transfer, cap: Cap): void {
	comparable(transfer, cap, "cap-per-transfer");
	if (!exceeds(transfer.amount, cap.amount)) return;
	throw guard({
		code: "CAP_PER_TRANSFER",
		message: `${amountText(transfer.amount, transfer.currency)} exceeds this profile's limit per payment (${amountText(cap.amount, cap.currency)}); nothing was sent`,
		fix: advice`Have the amount checked; who may raise the limit types: ${purser`profile set NAME --set cap-per-transfer=AMOUNT`}`,
	});
}

/** Doubts count: what may have gone out is taken to have gone out. */
function checkDay(transfer: Transfer, cap: Cap, spent: RuleFacts["spent"]): void {
	comparable(transfer, cap, "cap-per-day");
	const currency = transfer.currency ?? "";
	// What went out without a known currency may have been of this one.
	const counted = currency === "" ? Object.values(spent) : [spent[currency], spent[""]];
	const before = counted.reduce<string>((total, part) => sum(total, part ?? "0"), "0");
	const total = sum(before, transfer.amount);
	if (!exceeds(total, cap.amount)) return;
	throw guard({
		code: "CAP_PER_DAY",
		message: `With ${amountText(transfer.amount, transfer.currency)} today's payments (UTC) would be ${amountText(total, transfer.currency)}, which exceeds this profile's limit per day (${amountText(cap.amount, cap.currency)}); nothing was sent`,
		why: `${amountText(before, transfer.currency)} went out or is in doubt today`,
		fix: advice`Pay tomorrow; who may raise the limit types: ${purser`profile set NAME --set cap-per-day=AMOUNT`}`,
	});
}

function comparable(transfer: Transfer, cap: Cap, setting: string): void {
	if (cap.currency === undefined || cap.currency === transfer.currency) return;
	throw guard({
		code: "CAP_CURRENCY",
		message: `The limit ${setting} is ${amountText(cap.amount, cap.currency)}, and this payment is in ${transfer.currency ?? "a currency that could not be looked up"}: they cannot be compared, so nothing was sent`,
		fix: advice`${transfer.currency === undefined ? "Say what the amount is in with --currency CODE. " : ""}A limit without a currency holds for each currency by itself: ${purser`profile set NAME --set ${setting}=${cap.amount}`}`,
	});
}

function exceeds(amount: string, limit: string): boolean {
	const over = difference(amount, limit);
	// What is no decimal cannot be held against a limit, and is held back.
	return over === undefined || !/^(-|0(\.0+)?$)/.test(over);
}

const amountText = (amount: string, currency: string | undefined): string => (currency ? `${amount} ${currency}` : amount);

function guard(failure: Failure): PurserError {
	return new PurserError("guard", failure);
}
