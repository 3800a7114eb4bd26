/**
 * Settles a doubt by sending its request once more, with the idempotency key of its attempt.
 */
import { inCurrency } from "../../api/amount.js";
import type { Context } from "../../context.js";
import type { Service } from "../../ports/service.js";
import { asPayment, oneIntent, type SettleResult, settleAs, subjectOf } from "../matching/settle.js";
import type { Tools } from "../matching/sides.js";
import { type Parties, withParties } from "../rules/intent-text.js";
import { journalHere } from "../rules/journal-here.js";
import type { TransferPreview } from "./preview.js";

/** What a person confirms before it: the payment as it is on record. */
export async function previewResend(context: Context, intent: string): Promise<Omit<TransferPreview, "what" | "listed">> {
	const { profile } = await context.settings.read();
	const record = asPayment(await oneIntent(await journalHere(context, profile), intent));
	const [{ transfer, ledgerName, payeeName }] = (await withParties(context, [record])) as [typeof record & Parties];
	const amount = inCurrency(transfer.amount, transfer.currency);
	return {
		title: `Send payment ${intent} once more with its idempotency key: ${amount}`,
		rows: [
			["From", ledgerName ?? transfer.ledgerFromId],
			["To", payeeName ?? transfer.counterpartyId],
			["Amount", amount],
			...(transfer.reference === undefined ? [] : [["Reference", transfer.reference] as const]),
		],
		warnings: ["A service that does not keep keys pays twice."],
		amount: transfer.amount,
		currency: transfer.currency,
	};
}

/** Only an answer with an id, or 202, settles it; every other answer leaves the doubt. */
export async function settleByResending(tools: Tools, service: Service, intent: string): Promise<SettleResult[]> {
	const record = asPayment(await oneIntent(tools.journal, intent));
	const why = "it would be sent again with its idempotency key";
	if (tools.dry) return [{ ...subjectOf(record), state: "in-doubt", why }];
	const outcome = await service.resend(record);
	if (outcome.state === "accepted") {
		const reason = `answered with status ${outcome.status} when it was sent again with its idempotency key`;
		return [await settleAs(tools, record, { state: "accepted", id: outcome.id, evidence: { source: "service", reason } })];
	}
	const answer = outcome.state === "refused" ? `status ${outcome.status}` : outcome.reason;
	return [
		{ ...subjectOf(record), state: "in-doubt", why: `sent again with its idempotency key, and the answer settles nothing: ${answer}` },
	];
}
