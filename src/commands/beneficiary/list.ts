import { z } from "zod";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { listBeneficiaries, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { listAll } from "../../client/pages.js";
import { limitField, limitOf } from "../../onboarding/records/listing.js";
import { maskedAccount } from "../../payments/single/account.js";
import { defineCommand } from "../../shell/command.js";

const { page, pageSize, ...filters } = listBeneficiaries.query.shape;

export default defineCommand({
	path: "beneficiary list",
	summary: "List external payees",
	details: "Account numbers are shortened for people; --json gives them whole.",
	examples: [
		{ run: "beneficiary list", note: "Every beneficiary you may see" },
		{
			run: "beneficiary list --status VALID --end-user-id 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f",
			note: "Those that one company can pay now",
		},
		{ run: "beneficiary list --json", note: "Whole records, for a script" },
	],
	effect: "read",
	operations: [listBeneficiaries.id],
	input: z.strictObject({ ...filters, limit: limitField() }),
	run: (context, { limit, ...query }) => listAll(context, listBeneficiaries, { query }, limitOf(limit)),
	text: (records, style) => {
		if (records.length === 0) return "No beneficiaries found.";
		const rows = records.map((record) => {
			const one = viewBeneficiary(record);
			const status = one.active === false ? `${style.status(one.status)}, ${style.warn("inactive")}` : style.status(one.status);
			return [one.id ?? "", one.name ?? one.friendlyName ?? "", maskedAccount(one.account) ?? "", one.currency ?? "", status];
		});
		return style.table(["id", "name", "account", "currency", "status"], rows);
	},
	lines: (records) => records,
	next: (records) => {
		const payable = records.map(viewBeneficiary).find((one) => one.status === "VALID");
		return payable ? [purser`pay beneficiary --beneficiary-id ${typed(payable.id, "BENEFICIARY")}`] : [];
	},
});
