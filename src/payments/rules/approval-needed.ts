/**
 * Decides whether a second person must approve a payment, by the profile's setting `approval`: `always`, `above 10000 EUR`, or
 * `above 10000 EUR a day`. Each currency's exact total is compared with the limit. Who may
 * approve, by the settings that name their keys. Pure.
 */

import { advice, purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { PurserError } from "../../errors.js";
import type { BatchPlan } from "../../ports/batch-plan.js";
import type { JournalIntent } from "../../ports/intent.js";
import { excess, type Limit, type Sums } from "./caps.js";
import { sum } from "./decimal.js";

type Settings = Readonly<Record<string, string>>;

interface ApprovalLimit extends Limit {
	/** The limit applies to the whole day, so payments already sent today count too. */
	aDay: boolean;
}

/**
 * The configured limit; undefined if there is none. A value that cannot be parsed means `always`: a typing error must not switch it off.
 */
function limitOf(settings: Settings): "always" | ApprovalLimit | undefined {
	const setting = settings.approval?.trim();
	if (!setting) return undefined;
	const [, amount, currency, perDay] = /^above (\d{1,15}(?:\.\d{1,14})?)(?: ([A-Z]{3}))?( a day)?$/.exec(setting) ?? [];
	return amount === undefined ? "always" : { amount, currency, aDay: perDay !== undefined };
}

/**
 * Whether a batch needs an approval. An amount that cannot be compared with the limit counts as above it.
 * @param spent totals sent or in doubt today (UTC), by currency; added only if the limit is per day
 */
export function approvalNeeded({ totals }: Pick<BatchPlan, "totals">, settings: Settings, spent: Sums = {}): boolean {
	const sums: Record<string, string> = {};
	for (const { currency = "", amount } of totals) sums[currency] = sum(sums[currency] ?? "0", amount);
	return isAbove(limitOf(settings), sums, spent);
}

/** Whether the amounts to be sent today exceed a limit per day. Limits of other kinds are ignored here. */
export function dayNeedsApproval(asked: Sums, settings: Settings, spent: Sums): boolean {
	return isDaily(settings) && isAbove(limitOf(settings), asked, spent);
}

export function isDaily(settings: Settings): boolean {
	const limit = limitOf(settings);
	return typeof limit === "object" && limit.aDay;
}

function isAbove(limit: ReturnType<typeof limitOf>, asked: Sums, today: Sums): boolean {
	if (limit === undefined || limit === "always") return limit === "always";
	return excess(limit, asked, limit.aDay ? today : {}) !== undefined;
}

/** Refuses a single payment that needs an approval: only batches can be approved. */
export function refuseWithoutApproval(transfer: Transfer, settings: Settings, despite: JournalIntent["despite"], spent: Sums): void {
	if (!approvalNeeded({ totals: [{ ...transfer, rows: 1 }] }, settings, spent)) return;
	const unknown = transfer.currency === undefined && limitOf(settings) !== "always";
	throw new PurserError("guard", {
		code: "APPROVAL_NEEDED",
		message: `${inCurrency(transfer.amount, transfer.currency)} needs the approval of a second person (setting approval: ${settings.approval}); nothing was sent`,
		why: `A payment that needs it is planned as a batch of one row, approved by somebody else, and then sent`,
		fix: advice`${unknown ? "Give its currency with --currency CODE, or write" : "Write"} it into a file (${purser`pay batch plan --print-template`} shows one), and give the plan to an approver:
${purser`pay batch plan FILE ${despite && ["--despite-duplicates", "1", "--reason", "TEXT"]}`}
${purser`pay batch approve PLAN`}
${purser`pay batch send PLAN`}`,
	});
}

/** Compares decoded bytes: the last of the 43 characters has two unused bits, so each key can be written in four ways. */
export function isSameKey(one: string, other: string): boolean {
	return bytesOf(one) === bytesOf(other);
}

const bytesOf = (key: string): string => Buffer.from(key, "base64url").toString("hex");

/** Names by public key, with the keys spelled as in the setting; empty without a value. */
export function approversOf(value = ""): ReadonlyMap<string, string> {
	const pairs = value.split(",").map((pair) => pair.trim());
	return new Map(pairs.filter(Boolean).map((pair) => [pair.slice(pair.indexOf("=") + 1), pair.slice(0, pair.indexOf("="))]));
}

/** The name that belongs to a key, however the key is spelled; undefined if the key is unknown. */
export function nameOfKey(names: ReadonlyMap<string, string>, key: string): string | undefined {
	return [...names].find(([known]) => isSameKey(known, key))?.[1];
}

/** The setting's value with one more key, for a suggested command; PERSON is a placeholder for the owner's name. */
export function withKey(value: string | undefined, key: string): string {
	const before = value?.trim() ?? "";
	return `${before === "" ? "" : `${before},`}PERSON=${key}`;
}
