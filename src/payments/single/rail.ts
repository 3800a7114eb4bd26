/**
 * Forecasts the rail that a transfer will take (specification 4, rules 2 and 3). The service decides.
 */
import type { Transfer } from "../../api/operations/transfer.js";

const instantNames: Readonly<Record<string, string>> = { EUR: "SEPA instant", GBP: "UK Faster Payments" };
const standardNames: Readonly<Record<string, string>> = { EUR: "standard SEPA" };

/**
 * The forecast, for people.
 * @param switches of a transaction to a beneficiary (specification 2.8); a missing one is on
 * @param hosted whether the beneficiary's account is a ledger at the service; undefined if that could not be read
 */
export function railForecast(
	switches: Pick<Transfer, "allowFastPayment" | "allowInterLedger">,
	hosted: boolean | undefined,
	currency: string | undefined,
): string {
	const outside = outsideRail(switches.allowFastPayment !== false, currency);
	if (hosted === false) return outside;
	if (switches.allowInterLedger === false) return `${outside}; never inter-ledger (switched off)`;
	return hosted
		? "inter-ledger (the account is hosted at the service)"
		: `inter-ledger if the account is hosted at the service, else ${outside}`;
}

function outsideRail(fast: boolean, currency: string | undefined): string {
	const standard = standardNames[currency ?? ""] ?? "the standard rail";
	if (!fast) return `${standard}, no instant rail (switched off)`;
	const instant = instantNames[currency ?? ""];
	return `instant where possible${instant ? ` (${instant})` : ""}, else ${standard}`;
}
