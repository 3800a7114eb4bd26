import { sameId } from "../../api/answer.js";
import { createInterLedger } from "../../api/operations/transaction.js";
import { payCommand } from "../families/pay.js";

export default payCommand({
	path: "pay ledger",
	summary: "Send money from one ledger to another",
	details:
		"Shows both ledgers, the balance and what is left, then asks; --yes instead in a script. The service documents no protection against sending twice: when no answer comes (exit 7), settle the doubt before sending again.",
	examples: {
		'pay ledger --from "Main account" --to Savings --amount 10.10': "By name or id; asks before it sends",
		"pay ledger": "Choose the ledgers by name and balance",
		'pay ledger --from "Main account" --to Savings --amount 10.10 --reference "Invoice 2041" --yes --wait --json':
			"In a script, until it is final",
		"pay ledger -f payment.yaml --dry-run": "From a file, checked first",
	},
	operation: createInterLedger,
	lookUps: [],
	label: "Reading both ledgers",
	faults: (input) => {
		const { ledgerFromId, ledgerToId } = input as { ledgerFromId?: string; ledgerToId?: string };
		return sameId(ledgerFromId, ledgerToId) ? [["ledgerToId", "is the ledger to debit; choose another one"]] : [];
	},
});
