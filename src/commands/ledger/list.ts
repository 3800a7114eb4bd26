import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { maskedAccount } from "../../api/operations/account.js";
import { listLedgers, viewLedger } from "../../api/operations/ledger.js";
import { listCommand } from "../families/list.js";

const { page, pageSize, ...filters } = listLedgers.query.shape;

export default listCommand({
	path: "ledger list",
	summary: "List ledgers with their balances",
	details:
		"The newest first where the service sorts by age, or as --sort-direction says. IBANs are shortened for people; --json gives them whole.",
	examples: [
		{ run: "ledger list", note: "Every ledger you may see" },
		{ run: "ledger list --end-user-id 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --status ACTIVE", note: "The active ones of one corporate" },
		{ run: "ledger list --output ndjson --limit 5000", note: "A record a line, for a script" },
	],
	operation: listLedgers,
	filters,
	view: viewLedger,
	columns: (style) => ({
		id: ({ id }) => id,
		name: ({ name }) => name,
		status: ({ status }) => style.status(status),
		available: ({ available, currency }) => style.money(available, currency) ?? "not given",
		balance: ({ total, currency }) => style.money(total, currency) ?? "not given",
		IBAN: ({ iban }) => maskedAccount(iban),
	}),
	none: "No ledgers found.",
	next: ([first, second]) => {
		if (first === undefined) return [];
		const from = typed(first.id, "LEDGER");
		return [purser`pay ledger --ledger-from-id ${from} ${second && ["--ledger-to-id", typed(second.id, "LEDGER")]}`];
	},
});
