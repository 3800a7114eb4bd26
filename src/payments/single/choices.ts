/**
 * Offers ledgers and beneficiaries by name, so that nobody has to type an identifier.
 */

import { inCurrency } from "../../api/amount.js";
import type { Received } from "../../api/answer.js";
import type { AnyOperation } from "../../api/operation.js";
import { maskedAccount } from "../../api/operations/account.js";
import { listBeneficiaries, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { listLedgers, viewLedger } from "../../api/operations/ledger.js";
import type { Service } from "../../ports/service.js";
import type { Choice } from "../../ports/terminal.js";
import { canProceed } from "../rules/failed-look.js";

/**
 * The ledgers with their available balances. Empty if the deployment cannot list them; the id is then typed.
 * @param which `payable`: only ledgers that can be debited or credited
 */
export async function ledgerChoices(service: Pick<Service, "offer">, which: "payable" | "all"): Promise<Choice[]> {
	const ledgers = (await latest(service, listLedgers)).map(viewLedger);
	return ledgers.flatMap((ledger) => {
		const inactive = ledger.status !== undefined && ledger.status !== "ACTIVE";
		if (ledger.id === undefined || (inactive && which === "payable")) return [];
		const available = ledger.available === undefined ? "balance not told" : `${inCurrency(ledger.available, ledger.currency)} available`;
		return [{ value: ledger.id, label: `${ledger.name ?? "without a name"} · ${available}`, hint: ledger.id }];
	});
}

/** The beneficiaries with masked account and status, payable ones first. */
export async function beneficiaryChoices(service: Pick<Service, "offer">): Promise<Choice[]> {
	const beneficiaries = (await latest(service, listBeneficiaries)).map(viewBeneficiary);
	const payable = (one: { status?: string; active?: boolean }): number => (one.status === "VALID" && one.active !== false ? 0 : 1);
	return beneficiaries
		.sort((one, other) => payable(one) - payable(other))
		.flatMap((one) => {
			if (one.id === undefined) return [];
			const parts = [one.name ?? one.friendlyName ?? "without a name", maskedAccount(one.account), one.currency, one.status];
			return [{ value: one.id, label: parts.filter(Boolean).join(" · "), hint: one.id }];
		});
}

async function latest(service: Pick<Service, "offer">, operation: AnyOperation): Promise<Received[]> {
	try {
		return await service.offer(operation, {});
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return [];
	}
}
