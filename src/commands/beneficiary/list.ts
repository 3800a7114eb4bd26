import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { beneficiaryRecord, listBeneficiaries, maskedAccount, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { listCommand } from "../families/list.js";

const { page, pageSize, ...filters } = listBeneficiaries.query.shape;

export default listCommand({
	path: "beneficiary list",
	summary: "List external payees",
	details:
		"The newest first where the service sorts by age, or as --sort-direction says. Account numbers are shortened for people; --json gives them whole.",
	examples: {
		"beneficiary list": "Every beneficiary you may see",
		"beneficiary list --status VALID --end-user-id crm-5002": "Those that one company can pay now",
		"beneficiary list --json": "Whole records, for a script",
	},
	operation: listBeneficiaries,
	filters,
	record: beneficiaryRecord,
	view: viewBeneficiary,
	called: ({ endUserId }) => [["corporate", endUserId]],
	columns: (style) => ({
		id: ({ id }) => id,
		name: ({ name, friendlyName }) => name ?? friendlyName,
		account: ({ account }) => maskedAccount(account),
		currency: ({ currency }) => currency,
		status: ({ status, active }) => `${style.status(status)}${active === false ? `, ${style.warn("inactive")}` : ""}`,
		company: ({ endUserId }) => style.called("corporate", endUserId),
	}),
	none: "No beneficiaries found.",
	next: (found) => {
		const payable = found.find(({ status }) => status === "VALID");
		return payable ? [purser`pay beneficiary --to ${typed(payable.id, "BENEFICIARY")}`] : [];
	},
});
