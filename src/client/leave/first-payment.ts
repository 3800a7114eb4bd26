/**
 * The first payment through a binding: small, and on its own, until one was seen final. A wrong place for an amount or a party then costs
 * little.
 */
import { advice, purser } from "../../api/advice.js";
import { inCurrency, toMinor } from "../../api/amount.js";
import { type Received, sameId } from "../../api/answer.js";
import type { AnyOperation } from "../../api/operation.js";
import { type TransactionView, viewTransaction } from "../../api/operations/transaction.js";
import { isPaid, type Transfer } from "../../api/operations/transfer.js";
import { serviceAddress } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Profile } from "../../ports/profiles.js";

/** What is about to be sent: one payment, or the rows of a batch. */
export type Sends = Transfer | "rows";

/** Reads a transaction by its id. */
type Look = (transactionId: string) => Promise<unknown>;

/** The setting `first-payment`, where the profile has none. */
const usualCap = "1";
/** Most payments of the journal that are searched, and most that are read. */
const [mostSearched, mostRead] = [200, 3];

/**
 * @param digest of the binding
 * @throws PurserError guard, where no payment through it was seen final, and this one is not small or is one of many
 */
export async function checkFirstPayment(
	context: Context,
	profile: Profile,
	{ operation, digest, sends, look }: { operation: AnyOperation; digest: string; sends: Sends; look: Look },
): Promise<void> {
	const journal = await context.journal(profile);
	const service = serviceAddress(profile.baseUrl);
	if ((await journal.paidThrough(operation.id, digest, service)).final) return;
	const [cap = usualCap, currency] = (profile.settings["first-payment"] ?? usualCap).trim().split(/\s+/);
	if (sends !== "rows" && (currency === undefined || currency === sends.currency) && !isAbove(sends.amount, cap)) return;
	const searched = await journal.list({ effect: "money", limit: mostSearched });
	const paid = searched.filter(
		(one) => one.binding?.digest === digest && one.operation === operation.id && one.service === service && isPaid(one.state) && one.id,
	);
	const found: string[] = [];
	for (const one of paid.slice(0, mostRead)) {
		const { status, why } = await seen(one, look);
		if (why === undefined && status !== undefined) {
			await journal.recordFinal(one.intent, status);
			return;
		}
		found.push(`payment ${one.id} ${why ?? "has no status"}`);
	}
	throw tooEarly(profile, { operation, sends, cap, currency, found });
}

/** Whether an amount is above a limit. One that is no decimal cannot be compared, so it is. */
function isAbove(amount: string, limit: string): boolean {
	if (![amount, limit].every((text) => /^\d{1,30}(\.\d{1,30})?$/.test(text))) return true;
	const places = (text: string): number => text.split(".")[1]?.length ?? 0;
	const decimals = Math.max(places(amount), places(limit));
	return toMinor(amount, decimals) > toMinor(limit, decimals);
}

/** The final status of a payment as the service shows it now, or why it says nothing about the binding. */
async function seen(record: IntentRecord, look: Look): Promise<{ status?: string; why?: string }> {
	try {
		const view = viewTransaction((await look(record.id as string)) as Received);
		const other = differing(record, view);
		if (other.length > 0) return { why: `is shown with another ${other.join(" and ")} than was sent` };
		return view.status === "APPROVED" ? { status: view.status } : { why: `is ${view.status ?? "without a status"}` };
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		return { why: `could not be read (${error.message})` };
	}
}

/** What the service shows otherwise than it was sent; what it does not show says nothing. */
function differing({ id, transfer }: IntentRecord, view: TransactionView): string[] {
	if (transfer === undefined) return ["content"];
	const isOther = (ours: string | undefined, theirs: string | undefined): boolean =>
		ours !== undefined && theirs !== undefined && !sameId(ours, theirs);
	const { kind, ledgerFromId, counterpartyId, amount, currency } = transfer;
	return Object.entries({
		id: isOther(id, view.id),
		payer: isOther(ledgerFromId, view.senderLedgerId),
		payee: isOther(counterpartyId, kind === "ledger" ? view.receiverLedgerId : view.beneficiaryId),
		amount: view.amount !== undefined && (isAbove(view.amount, amount) || isAbove(amount, view.amount)),
		currency: currency !== undefined && view.currency !== undefined && currency !== view.currency,
	}).flatMap(([name, differs]) => (differs ? [name] : []));
}

function tooEarly(
	{ name }: Profile,
	{
		operation,
		sends,
		cap,
		currency,
		found,
	}: { operation: AnyOperation; sends: Sends; cap: string; currency?: string; found: readonly string[] },
): PurserError {
	const kind = operation.id === "transaction.interLedger" ? "ledger" : "beneficiary";
	const first = `no payment through the profile ${name}'s own binding of ${operation.id} was seen final yet`;
	return new PurserError("guard", {
		code: sends === "rows" ? "FIRST_PAYMENT_WAITS" : "FIRST_PAYMENT_CAP",
		message:
			sends === "rows"
				? `A batch waits: ${first}; nothing was sent`
				: `${inCurrency(sends.amount, sends.currency)} is more than the first payment may be (${inCurrency(cap, currency)}), and ${first}; nothing was sent`,
		why:
			found.length > 0
				? `${found.join("; ")}`.replace(/^p/, "P")
				: "If a field or a form of the amount were wrong, a small payment would show it",
		fix: advice`Send a small payment and wait for it: ${purser`pay ${kind} --amount ${cap} --wait`}
Where it is known to be right, lift the limit: ${purser`api confirm ${operation.id} --no-first-cap --reason TEXT`}`,
	});
}
