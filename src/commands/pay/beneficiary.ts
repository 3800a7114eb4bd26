import { getBeneficiary, listBeneficiaries } from "../../api/operations/beneficiary.js";
import { createBeneficiaryTransaction } from "../../api/operations/transaction.js";
import { payCommand } from "../families/pay.js";

export default payCommand({
	path: "pay beneficiary",
	summary: "Send money to an external beneficiary",
	details:
		"Shows who is paid, the balance and what is left, the likely rail and anything unusual, then asks; --yes instead in a script. The service chooses the rail; both switches are always sent. It documents no protection against sending twice: when no answer comes (exit 7), settle the doubt before sending again.",
	examples: [
		{
			run: "pay beneficiary --ledger-from-id 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --beneficiary-id 8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21 --amount 250.00",
			note: "Asks before it sends",
		},
		{ run: "pay beneficiary", note: "Choose ledger and beneficiary by name" },
		{
			run: "pay beneficiary --ledger-from-id … --beneficiary-id … --amount 250.00 --no-allow-fast-payment",
			note: "Without an instant rail",
		},
		{
			run: "pay beneficiary --ledger-from-id … --beneficiary-id … --amount 250.00 --dry-run",
			note: "The exact request, without sending it",
		},
		{ run: "pay beneficiary --file payment.yaml --amount 250.00", note: "From a file; flags win" },
	],
	operation: createBeneficiaryTransaction,
	lookUps: [getBeneficiary, listBeneficiaries],
	label: "Looking at ledger and beneficiary",
});
