/**
 * Ledgers and beneficiaries to choose from by name, so that nobody has to type an identifier.
 */
import { listAt } from "../api/answer.js";
import { listBeneficiaries, viewBeneficiary } from "../api/beneficiary.js";
import { listLedgers, viewLedger } from "../api/ledger.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { largestPage } from "../api/paging.js";
import type { Choice } from "../context.js";
import { maskedAccount } from "./account.js";
import { type Ask, mayGoOn } from "./facts.js";

/** The active ledgers with what is available on each. Empty where the deployment cannot list them: then the id is typed. */
export async function ledgerChoices(ask: Ask): Promise<Choice[]> {
	const ledgers = (await firstPage(ask, listLedgers)).map(viewLedger);
	return ledgers.flatMap((ledger) => {
		if (ledger.id === undefined || (ledger.status !== undefined && ledger.status !== "ACTIVE")) return [];
		const available = ledger.available === undefined ? "balance not told" : `${ledger.available} ${ledger.currency ?? ""} available`;
		return [{ value: ledger.id, label: `${ledger.name ?? "without a name"} · ${available.trim()}`, hint: ledger.id }];
	});
}

/** The beneficiaries with masked account and status, those that can be paid first. */
export async function beneficiaryChoices(ask: Ask): Promise<Choice[]> {
	const beneficiaries = (await firstPage(ask, listBeneficiaries)).map(viewBeneficiary);
	const payable = (one: { status?: string; active?: boolean }): number => (one.status === "VALID" && one.active !== false ? 0 : 1);
	return beneficiaries
		.sort((one, other) => payable(one) - payable(other))
		.flatMap((one) => {
			if (one.id === undefined) return [];
			const parts = [one.name ?? one.friendlyName ?? "without a name", maskedAccount(one.account), one.currency, one.status];
			return [{ value: one.id, label: parts.filter(Boolean).join(" · "), hint: one.id }];
		});
}

async function firstPage(ask: Ask, operation: AnyOperation) {
	try {
		const input: Input = { query: { pageSize: String(largestPage) } };
		return listAt((await ask(operation, input)).data);
	} catch (cause) {
		if (!mayGoOn(cause)) throw cause;
		return [];
	}
}
