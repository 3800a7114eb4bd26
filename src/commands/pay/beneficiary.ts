import { getBeneficiary, listBeneficiaries } from "../../api/operations/beneficiary.js";
import { createBeneficiaryTransaction } from "../../api/operations/transaction.js";
import { payCommand } from "../families/pay.js";

export default payCommand({
	path: "pay beneficiary",
	summary: "Send money to an external beneficiary",
	details:
		"Shows who is paid, the balance and what is left, the likely rail and anything unusual, then asks; --yes instead in a script. The service chooses the rail; both switches are always sent. It documents no protection against sending twice: when no answer comes (exit 7), settle the doubt before sending again.",
	examples: {
		'pay beneficiary --from "Main account" --to "Example Supplies Ltd" --amount 250.00': "By name or id; asks before it sends",
		"pay beneficiary": "Choose ledger and beneficiary by name",
		'pay beneficiary --from "Main account" --to "Example Supplies Ltd" --amount 250.00 --dry-run': "The exact request, without sending it",
	},
	operation: createBeneficiaryTransaction,
	lookUps: [getBeneficiary, listBeneficiaries],
	label: "Reading ledger and beneficiary",
});
