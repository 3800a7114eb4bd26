import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { maskedAccount } from "../../api/operations/beneficiary.js";
import { type LedgerView, ledgerRecord, listLedgers, viewLedger } from "../../api/operations/ledger.js";
import { listCommand } from "../families/list.js";

const { page, pageSize, ...filters } = listLedgers.query.shape;

export default listCommand({
	path: "ledger list",
	summary: "List ledgers with their balances",
	details:
		"The newest first where the service sorts by age, or as --sort-direction says. IBANs are shortened for people; --json gives them whole.",
	examples: {
		"ledger list": "Every ledger you may see",
		"ledger list --end-user-id crm-5002 --status ACTIVE": "The active ones of one company",
		"ledger list -o ndjson --limit 5000": "One record per line, for a script",
	},
	operation: listLedgers,
	filters,
	record: ledgerRecord,
	view: viewLedger,
	called: ({ endUserId }) => [["corporate", endUserId]],
	columns: (style) => ({
		id: ({ id }) => id,
		name: ({ name }) => name,
		status: ({ status }) => style.status(status),
		available: ({ available, currency }) => style.money(available, currency) ?? "not given",
		balance: ({ total, currency }) => style.money(total, currency) ?? "not given",
		IBAN: ({ iban }) => maskedAccount(iban),
		company: ({ endUserId }) => style.called("corporate", endUserId),
	}),
	none: "No ledgers found.",
	next: (found) => {
		const payable = found.filter(({ status = "ACTIVE" }) => status === "ACTIVE");
		const twinOf = (one: LedgerView) => payable.find((other) => other !== one && other.currency === one.currency);
		// Money can be sent from one that has some.
		const funded = payable.filter(({ available }) => /[1-9]/.test(available ?? ""));
		const first = funded.find(twinOf) ?? funded[0] ?? payable[0] ?? found[0];
		if (first === undefined) return [];
		const second = twinOf(first);
		return [purser`pay ledger --from ${typed(first.id, "LEDGER")} ${second && ["--to", typed(second.id, "LEDGER")]}`];
	},
});
