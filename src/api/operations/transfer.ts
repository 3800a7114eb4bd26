/**
 * A transfer of money: the one form that a payment and a row of a batch have from the input to the body of the request.
 */
import { flagAt, textAt } from "../answer.js";
import type { AnyOperation } from "../operation.js";

export interface Transfer {
	kind: "ledger" | "beneficiary";
	ledgerFromId: string;
	/** Ledger or beneficiary credited. */
	counterpartyId: string;
	/** Decimal text as typed. */
	amount: string;
	/** What the amount is in (ISO 4217), where that is known; it is not sent. */
	currency?: string;
	reference?: string;
	/** To a beneficiary, the two switches where they were given; the request has `true` otherwise. Of a single payment they are not on record. */
	allowFastPayment?: boolean;
	allowInterLedger?: boolean;
}

/** The states in which a transfer was accepted, and so counts as made; `waiting`: for strong authentication. */
export const paidStates = ["accepted", "waiting"] as const;

/** The states of an intent in the journal. */
export const intentStates = ["planned", "sending", ...paidStates, "refused", "not-sent", "in-doubt", "not-created", "abandoned"] as const;

/** @param state of an intent in the journal */
export const isPaid = (state: string): boolean => paidStates.some((paid) => paid === state);

/** The field of the body that names who is credited. */
export const payeeField = { ledger: "ledgerToId", beneficiary: "beneficiaryId" } as const;

/**
 * The transfer that a body asks for. The operation says of which kind it is, and nothing else that stands in the body is read:
 * whom the service pays is what is guarded and settled.
 */
export function transferFromBody(operation: AnyOperation, body: unknown, currency?: string): Transfer {
	const kind = "beneficiaryId" in operation.body.shape ? "beneficiary" : "ledger";
	const transfer = {
		kind,
		ledgerFromId: textAt(body, "ledgerFromId") ?? "",
		counterpartyId: textAt(body, payeeField[kind]) ?? "",
		amount: textAt(body, "amount") ?? "",
		currency,
		reference: textAt(body, "reference"),
	} as const;
	if (kind === "ledger") return transfer;
	return { ...transfer, allowFastPayment: flagAt(body, "allowFastPayment"), allowInterLedger: flagAt(body, "allowInterLedger") };
}

/** The body that asks for a transfer; what is undefined in it gets the description's default when it is sent, or is left out. */
export function transferBody(transfer: Transfer): Record<string, unknown> {
	const { kind, ledgerFromId, counterpartyId, amount, reference, allowFastPayment, allowInterLedger } = transfer;
	const body = { ledgerFromId, [payeeField[kind]]: counterpartyId, amount, reference };
	return kind === "ledger" ? body : { ...body, allowFastPayment, allowInterLedger };
}
