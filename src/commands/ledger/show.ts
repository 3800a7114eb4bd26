import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { maskedAccount } from "../../api/operations/beneficiary.js";
import { getLedger, ledgerRecord, listLedgers, viewLedger } from "../../api/operations/ledger.js";
import { call } from "../../http/call.js";
import { askedRecord } from "../../onboarding/records/reading.js";
import { showCommand } from "../families/show.js";

export default showCommand({
	path: "ledger show",
	summary: "Show a ledger with its balance",
	examples: {
		'ledger show "Main account"': "Balance, what can be spent, what is held",
		"ledger show Savings --json": "The record as received, with the whole IBAN",
	},
	operation: getLedger,
	choicesFrom: listLedgers,
	answer: ledgerRecord,
	read: async (context, params) => askedRecord("ledger", params.ledgerId, (await call(context, getLedger, { params })).data),
	called: (record) => [["corporate", viewLedger(record).endUserId]],
	rows: (record, style) => {
		const ledger = viewLedger(record);
		return [
			["Ledger", ledger.name && style.bold(ledger.name)],
			["Id", ledger.id],
			["Status", style.status(ledger.status)],
			["Available", style.money(ledger.available, ledger.currency)],
			["Balance", style.money(ledger.total, ledger.currency)],
			["Reserved", style.money(ledger.reserved, ledger.currency)],
			["IBAN", maskedAccount(ledger.iban)],
			["Company", [style.called("corporate", ledger.endUserId), ledger.endUserId].filter(Boolean).join(" · ")],
		];
	},
	next: (_, { ledgerId }) => [purser`pay list --ledger-id ${typed(ledgerId, "LEDGER")}`],
});
