import { z } from "zod";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { listLedgers, viewLedger } from "../../api/operations/ledger.js";
import { listAll } from "../../client/pages.js";
import { limitField, limitOf } from "../../onboarding/records/listing.js";
import { maskedAccount } from "../../payments/single/account.js";
import { defineCommand } from "../../shell/command.js";

const { page, pageSize, ...filters } = listLedgers.query.shape;

export default defineCommand({
	path: "ledger list",
	summary: "List ledgers with their balances",
	details: "IBANs are shortened for people; --json gives them whole.",
	examples: [
		{ run: "ledger list", note: "Every ledger you may see" },
		{ run: "ledger list --end-user-id 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --status ACTIVE", note: "The active ones of one corporate" },
		{ run: "ledger list --output ndjson --limit 5000", note: "A record a line, for a script" },
	],
	effect: "read",
	operations: [listLedgers.id],
	input: z.strictObject({ ...filters, limit: limitField() }),
	run: (context, { limit, ...query }) => listAll(context, listLedgers, { query }, limitOf(limit)),
	text: (records, style) => {
		if (records.length === 0) return "No ledgers found.";
		const rows = records.map((record) => {
			const ledger = viewLedger(record);
			return [
				ledger.id ?? "",
				ledger.name ?? "",
				style.status(ledger.status),
				style.money(ledger.available, ledger.currency) ?? "not told",
				style.money(ledger.total, ledger.currency) ?? "not told",
				maskedAccount(ledger.iban) ?? "",
			];
		});
		return style.table(["id", "name", "status", "available", "balance", "IBAN"], rows);
	},
	lines: (records) => records,
	next: (records) => {
		const [first, second] = records.map(viewLedger);
		if (first === undefined) return [];
		const from = typed(first.id, "LEDGER");
		return [purser`pay ledger --ledger-from-id ${from} ${second && ["--ledger-to-id", typed(second.id, "LEDGER")]}`];
	},
});
