import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { beneficiaryRecord, getBeneficiary, listBeneficiaries, maskedAccount, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { call } from "../../http/call.js";
import { askedRecord } from "../../onboarding/records/reading.js";
import { yesNo } from "../../onboarding/records/record.js";
import { showCommand } from "../families/show.js";

export default showCommand({
	path: "beneficiary show",
	summary: "Show a beneficiary",
	examples: {
		'beneficiary show "Example Supplies Ltd"': "Who it is and whether it can be paid",
		'beneficiary show "Example Supplies Ltd" --json': "The record as received, with the whole account number",
	},
	operation: getBeneficiary,
	choicesFrom: listBeneficiaries,
	answer: beneficiaryRecord,
	read: async (context, params) => askedRecord("beneficiary", params.beneficiaryId, (await call(context, getBeneficiary, { params })).data),
	called: (record) => [["corporate", viewBeneficiary(record).endUserId]],
	rows: (record, style) => {
		const one = viewBeneficiary(record);
		return [
			["Beneficiary", one.name && style.bold(one.name)],
			["Your name for it", one.friendlyName === one.name ? undefined : one.friendlyName],
			["Id", one.id],
			["Status", style.status(one.status)],
			["Active", yesNo(one.active)],
			["Account", maskedAccount(one.account)],
			["Currency", one.currency],
			["Hosted ledger", one.hostedLedgerId],
			["Company", [style.called("corporate", one.endUserId), one.endUserId].filter(Boolean).join(" · ")],
		];
	},
	next: (record, { beneficiaryId }) =>
		viewBeneficiary(record).status === "VALID" ? [purser`pay beneficiary --to ${typed(beneficiaryId, "BENEFICIARY")}`] : [],
});
