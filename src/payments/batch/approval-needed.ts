/**
 * Whether a second person has to approve: the profile's setting `approval`, `always` or `above 10000 EUR`, held exactly against each
 * currency's total. Pure.
 */
import { quoted } from "../../api/shown.js";
import { PurserError } from "../../errors.js";
import type { BatchPlan } from "../../ports/batches.js";
import type { JournalIntent, Transfer } from "../../ports/journal.js";
import { difference, sum } from "../decimal.js";

type Settings = Readonly<Record<string, string>>;

/** The limit as set; undefined without one. What cannot be read is taken for `always`: a slip must not switch it off. */
function limitOf(settings: Settings): "always" | { amount: string; currency?: string } | undefined {
	const setting = settings.approval?.trim();
	if (!setting) return undefined;
	const [, amount, currency] = /^above (\d{1,15}(?:\.\d{1,14})?)(?: ([A-Z]{3}))?$/.exec(setting) ?? [];
	return amount === undefined ? "always" : { amount, currency };
}

/**
 * Whether a batch needs an approval.
 * With a limit in a currency, what is in another one, or in none that is known, counts as above it. With a limit in none, each
 * currency is held against it by itself, and what is in no known one is added to each.
 */
export function approvalNeeded({ totals }: Pick<BatchPlan, "totals">, settings: Settings): boolean {
	const limit = limitOf(settings);
	if (limit === undefined || limit === "always") return limit === "always";
	const sums = new Map<string, string>();
	for (const { currency = "", amount } of totals) sums.set(currency, sum(sums.get(currency) ?? "0", amount));
	if (limit.currency !== undefined)
		return [...sums].some(([currency, total]) => currency !== limit.currency || exceeds(total, limit.amount));
	const unknown = sums.get("") ?? "0";
	return [...sums].some(([currency, total]) => exceeds(currency === "" ? total : sum(total, unknown), limit.amount));
}

/** Whether the setting names a currency, so that a payment's must be known. */
export function approvalNamesCurrency(settings: Settings): boolean {
	const limit = limitOf(settings);
	return typeof limit === "object" && limit.currency !== undefined;
}

/**
 * A single payment takes the road of a batch where a batch of it would need an approval.
 * @throws PurserError guard, with what to type
 */
export function permitAlone(transfer: Transfer, settings: Settings, despite: JournalIntent["despite"]): void {
	if (!approvalNeeded({ totals: [{ ...transfer, rows: 1 }] }, settings)) return;
	const row = JSON.stringify(rowOf(transfer));
	const unknown = transfer.currency === undefined && approvalNamesCurrency(settings);
	throw new PurserError("guard", {
		code: "APPROVAL_NEEDED",
		message: `${transfer.currency ? `${transfer.amount} ${transfer.currency}` : transfer.amount} needs the approval of a second person (setting approval: ${settings.approval}); nothing was sent`,
		why: "A payment that needs it is planned as a batch of one row, approved by somebody else, and then sent",
		fix: `${unknown ? "Say what it is in with --currency CODE; or plan" : "Plan"} it, give plan.json to an approver, and send it:
echo ${quoted(row)} | purser pay batch plan - --to plan.json${despite ? " --despite-duplicates 1 --reason TEXT" : ""}
purser pay batch approve plan.json
purser pay batch send plan.json`,
	});
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
