import * as z from "zod/mini";
import { filePath, id, moment, plain } from "../../api/fields.js";
import { getBeneficiary, listBeneficiaries } from "../../api/operations/beneficiary.js";
import { getLedger } from "../../api/operations/ledger.js";
import { listTransactions } from "../../api/operations/transaction.js";
import { field } from "../../api/schema.js";
import { plainId } from "../../api/text/ids.js";
import { momentForms } from "../../api/typed.js";
import { serviceOf } from "../../client/service.js";
import { type Kind, PurserError } from "../../errors.js";
import { type Reconciled, type Reconciliation, reconcile, reconciliationText } from "../../payments/matching/reconcile.js";
import { toolsOf } from "../../payments/matching/resend.js";
import { readStatementFile } from "../../payments/matching/statement.js";
import { namesSeen } from "../../payments/rules/parties.js";
import { defineCommand } from "../../shell/command.js";

type Answer = Reconciliation & { names: Readonly<Record<string, string>> };

export default defineCommand({
	path: "pay reconcile",
	summary: "Compare the payments of a day with what the service lists",
	details:
		"Every payment of yours and every debit of the service in that time: matched, different, sent and not listed, listed and not sent by purser, in doubt, and refused or not created and listed all the same. Credits, fees and reversals are counted apart. It changes nothing. Exit 0: all matched; 7: something is in doubt; 8: the only difference is that something is not yet listed; 9: there are differences, or a ledger could not be read.",
	examples: [
		{ run: "pay reconcile", note: "Since midnight, the ledgers that were debited" },
		{ run: 'pay reconcile --ledger "Main account" --since 2026-03-01 --until 2026-03-31', note: "One ledger, one month" },
		{ run: "pay reconcile --since 1d -o csv", note: "Every finding as a row" },
		{ run: 'pay reconcile --ledger "Main account" --statement march.csv --since 2026-03-01', note: "Against a statement" },
	],
	effect: "read",
	operations: [listTransactions.id, getLedger.id, getBeneficiary.id, listBeneficiaries.id],
	input: z.strictObject({
		ledger: z.optional(
			field(z.array(id("ledger", "Ledger")), { description: "A ledger; may be repeated. Without it those that were debited in that time" }),
		),
		since: z.optional(moment(`From then on: ${momentForms}; since midnight without it`, "start")),
		until: z.optional(moment("Until then, in the same forms; a day to its end", "end")),
		statement: z.optional(filePath("A statement of the ledger, as CSV, in place of the service's list", { placeholder: "file" })),
		columns: z.optional(
			field(z.array(plain("Column")), {
				description: "FIELD=COLUMN of the statement: id, date, amount, currency, reference, counterparty, payeeLedger",
				placeholder: "field=column",
			}),
		),
	}),
	run: async (context, { ledger = [], since, until, statement, columns }): Promise<Answer> => {
		const { profile } = await context.settings();
		const [only] = ledger;
		if (statement !== undefined && (only === undefined || ledger.length > 1))
			throw new PurserError("usage", {
				code: "INVALID_INPUT",
				message: "A statement is of one ledger",
				fix: "Name it: --ledger NAME",
				details: [{ field: "ledger", message: "is required once with --statement" }],
			});
		const from = since === undefined ? midnight(context.clock.now()) : new Date(since);
		if (until !== undefined && new Date(until) < from)
			throw new PurserError("validation", {
				code: "INVALID_INPUT",
				message: "--until is before --since",
				fix: "Correct one of them.",
				details: [{ field: "until", message: "must not be before --since" }],
			});
		const lines =
			statement === undefined || only === undefined ? undefined : await readStatementFile(context.files, statement, only, columns);
		const found = await context.reporter.during("Reading both sides", async (progress) =>
			reconcile(await toolsOf(context, serviceOf(context), progress), {
				ledgers: ledger.map((one) => plainId(one)),
				since: from,
				until: until === undefined ? undefined : new Date(until),
				statement: lines,
			}),
		);
		const nameOf = await namesSeen(context, profile);
		const ids = [
			...found.ledgers.map(({ ledgerId }) => ledgerId),
			...found.found.flatMap(({ sent, listed }) => [sent?.counterpartyId, listed?.receiverLedgerId]),
		];
		const names = ids.flatMap((one) => {
			const name = one === undefined ? undefined : nameOf(one);
			return one === undefined || name === undefined ? [] : [[one, name] as const];
		});
		return { ...found, names: Object.fromEntries(names) };
	},
	text: (answer, style) => reconciliationText(answer, style, (one) => answer.names[one]),
	lines: ({ found }) => found.map(rowOf),
	written: (answer, shown) => ({ ...answer, found: answer.found.map((one) => ({ ...one, next: one.next && shown(one.next) })) }),
	outcomes: ["unknown", "pending", "partial"],
	outcome: ({ counts, ledgers }): Kind | undefined => {
		if (counts.inDoubt > 0) return "unknown";
		if (counts.different + counts.notListed + counts.notOurs + counts.notMadeButListed > 0) return "partial";
		// A list that is not complete only for what is not yet listed is no difference.
		if (ledgers.some(({ unread, lacks }) => unread !== undefined || (lacks !== undefined && counts.notYetListed === 0))) return "partial";
		return counts.notYetListed > 0 ? "pending" : undefined;
	},
});

/** A finding as a row: the same columns for every list. */
const rowOf = ({ list, ledgerId, intent, batch, row, state, sent, listed, differs }: Reconciled) => ({
	list,
	ledgerId,
	intent: intent ?? null,
	batch: batch ?? null,
	row: row ?? null,
	state: state ?? null,
	sentAt: sent?.begun ?? null,
	sentAmount: sent?.amount ?? null,
	sentCurrency: sent?.currency ?? null,
	sentReference: sent?.reference ?? null,
	counterpartyId: sent?.counterpartyId ?? null,
	transactionId: listed?.id ?? null,
	status: listed?.status ?? null,
	listedAt: listed?.createdAt ?? null,
	listedAmount: listed?.amount ?? null,
	listedCurrency: listed?.currency ?? null,
	listedReference: listed?.reference ?? null,
	receiver: listed?.receiverName ?? listed?.receiverLedgerId ?? null,
	differs: differs?.join(", ") ?? null,
});

/** The beginning of the day, by this machine's clock and zone. */
function midnight(now: Date): Date {
	const day = new Date(now);
	day.setHours(0, 0, 0, 0);
	return day;
}
