/**
 * Whether a second person has to approve: the profile's setting `approval`, `always`, `above 10000 EUR`, or `above 10000 EUR a day`, held
 * exactly against each currency's total. Pure.
 */

import { advice, purser, quoted } from "../../api/advice.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { PurserError } from "../../errors.js";
import type { BatchPlan } from "../../ports/batch-plan.js";
import type { JournalIntent } from "../../ports/intent.js";
import { difference, sum } from "./decimal.js";

type Settings = Readonly<Record<string, string>>;

/** Decimal sums by currency; `""`: what is in none that is known. */
type Sums = Readonly<Record<string, string>>;

interface Limit {
	amount: string;
	currency?: string;
	/** What went out on the day counts too. */
	aDay: boolean;
}

/** The limit as set; undefined without one. What cannot be read is taken for `always`: a slip must not switch it off. */
function limitOf(settings: Settings): "always" | Limit | undefined {
	const setting = settings.approval?.trim();
	if (!setting) return undefined;
	const [, amount, currency, aDay] = /^above (\d{1,15}(?:\.\d{1,14})?)(?: ([A-Z]{3}))?( a day)?$/.exec(setting) ?? [];
	return amount === undefined ? "always" : { amount, currency, aDay: aDay !== undefined };
}

/**
 * Whether a batch needs an approval.
 * With a limit in a currency, what is in another one, or in none that is known, counts as above it. With a limit in none, each
 * currency is held against it by itself, and what is in no known one is added to each.
 * @param spent what went out or is in doubt today (UTC), by currency: it is added where the limit is one of a day
 */
export function approvalNeeded({ totals }: Pick<BatchPlan, "totals">, settings: Settings, spent: Sums = {}): boolean {
	const sums: Record<string, string> = {};
	for (const { currency = "", amount } of totals) sums[currency] = sum(sums[currency] ?? "0", amount);
	return isAbove(limitOf(settings), sums, spent);
}

/** Whether sums that are to leave today make an approval necessary by a limit of the day; a limit of another kind is none here. */
export function dayNeedsApproval(asked: Sums, settings: Settings, spent: Sums): boolean {
	return isDaily(settings) && isAbove(limitOf(settings), asked, spent);
}

/** Whether what went out on the day decides. */
export function isDaily(settings: Settings): boolean {
	const limit = limitOf(settings);
	return typeof limit === "object" && limit.aDay;
}

function isAbove(limit: ReturnType<typeof limitOf>, asked: Sums, today: Sums): boolean {
	if (limit === undefined || limit === "always") return limit === "always";
	const spent = limit.aDay ? today : {};
	const currencies = Object.keys(asked);
	// What is in no known currency may be in any: it is added to each, and what went out in each then counts beside it.
	const unknown = sum(asked[""] ?? "0", spent[""] ?? "0");
	const total = (currency: string): string =>
		currency === "" ? unknown : sum(sum(asked[currency] ?? "0", spent[currency] ?? "0"), unknown);
	if (limit.currency !== undefined)
		return currencies.some((currency) => currency !== limit.currency || exceeds(total(currency), limit.amount));
	const held = asked[""] === undefined ? currencies : [...currencies, ...Object.keys(spent)];
	return held.some((currency) => exceeds(total(currency), limit.amount));
}

/** Whether the setting names a currency, so that a payment's must be known. */
export function approvalNamesCurrency(settings: Settings): boolean {
	const limit = limitOf(settings);
	return typeof limit === "object" && limit.currency !== undefined;
}

/**
 * A single payment takes the road of a batch where a batch of it would need an approval.
 * @param spent what went out or is in doubt today (UTC), by currency
 * @throws PurserError guard, with what to type
 */
export function permitAlone(transfer: Transfer, settings: Settings, despite: JournalIntent["despite"], spent: Sums): void {
	if (!approvalNeeded({ totals: [{ ...transfer, rows: 1 }] }, settings, spent)) return;
	const row = JSON.stringify(rowOf(transfer));
	const unknown = transfer.currency === undefined && approvalNamesCurrency(settings);
	throw new PurserError("guard", {
		code: "APPROVAL_NEEDED",
		message: `${transfer.currency ? `${transfer.amount} ${transfer.currency}` : transfer.amount} needs the approval of a second person (setting approval: ${settings.approval}); nothing was sent`,
		why: `${spentWords(transfer, settings, spent)}A payment that needs it is planned as a batch of one row, approved by somebody else, and then sent`,
		fix: advice`${unknown ? "Say what it is in with --currency CODE; or plan" : "Plan"} it, give plan.json to an approver, and send it:
echo ${quoted(row)} | ${purser`pay batch plan - --to plan.json ${despite && ["--despite-duplicates", "1", "--reason", "TEXT"]}`}
${purser`pay batch approve plan.json`}
${purser`pay batch send plan.json`}`,
	});
}

/** What went out on the day before this payment, where that decides and there is any. */
function spentWords({ currency }: Transfer, settings: Settings, spent: Sums): string {
	if (!isDaily(settings)) return "";
	const told = Object.entries(spent).filter(
		([one, total]) => /[1-9]/.test(total) && (currency === undefined || one === currency || one === ""),
	);
	if (told.length === 0) return "";
	const sums = told.map(([one, total]) => (one === "" ? `${total} in a currency that is not known` : `${total} ${one}`));
	return `${sums.join(" and ")} went out or is in doubt today (UTC). `;
}

/** The payment as a row of JSON Lines. */
function rowOf({ kind, ledgerFromId, counterpartyId, amount, currency, reference }: Transfer): Record<string, string | undefined> {
	const credited = kind === "ledger" ? { ledgerToId: counterpartyId } : { beneficiaryId: counterpartyId };
	return { kind, ledgerFromId, ...credited, amount, currency, reference };
}

function exceeds(amount: string, limit: string): boolean {
	const over = difference(amount, limit);
	return over === undefined || !/^(-|0(\.0+)?$)/.test(over);
}
