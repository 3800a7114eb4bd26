/**
 * Ledgers and beneficiaries as they are fetched, and amounts between text and minor units.
 */
import { decimalsOf, fromMinor, toMinor } from "../../api/amount.js";
import { Decimal } from "../../api/json.js";
import { invalid } from "../message.js";
import type { Beneficiary, Ledger } from "../state.js";

const places = (currency: string): number => decimalsOf(currency) ?? 2;
/** Minor units as the number literal to answer with. */
export const shown = (minor: string, currency: string): Decimal => new Decimal(fromMinor(BigInt(minor), places(currency)));

/**
 * An amount in the currency's minor units.
 * @throws Refusal 400, where it has more decimals than the currency (ISO 4217)
 */
export function minorOf(typed: string, currency: string): bigint {
	if ((typed.split(".")[1]?.replace(/0+$/, "").length ?? 0) > places(currency))
		throw invalid({ field: "amount", rejectedValue: new Decimal(typed), message: `has more decimals than ${currency}` });
	return toMinor(typed, places(currency));
}

/** The ledger as it is fetched. */
export function ledgerRecord(ledger: Ledger): unknown {
	const { total, reserved, currency } = ledger;
	return {
		id: ledger.id,
		endUserId: ledger.endUserId,
		friendlyName: ledger.friendlyName,
		status: ledger.status,
		currency,
		totalAmount: shown(total, currency),
		availableAmount: shown((BigInt(total) - BigInt(reserved)).toString(), currency),
		reservedAmount: shown(reserved, currency),
		iban: ledger.iban,
	};
}

/** The beneficiary as it is fetched; which rails reach it stays the service's knowledge. */
export function beneficiaryRecord({ instant: _, ...beneficiary }: Beneficiary): unknown {
	return beneficiary;
}
