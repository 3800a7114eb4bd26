import * as z from "zod/mini";
import { optionals } from "../../api/answer.js";
import { id, moment } from "../../api/fields.js";
import { listTransactions } from "../../api/operations/transaction.js";
import { field, withRecords } from "../../api/schema.js";
import { plainId } from "../../api/text/ids.js";
import { momentForms, readMoment } from "../../api/typed.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { invalidField, type Kind } from "../../errors.js";
import { type Names, type Reconciled, type Reconciliation, reconcile, reconciliationText } from "../../payments/matching/reconcile.js";
import { toolsOf } from "../../payments/matching/resend.js";
import { partyOperations } from "../../payments/rules/intent-text.js";
import type { Called } from "../../ports/resolver.js";

export default defineCommand({
	path: "pay reconcile",
	summary: "Compare the payments of a day with what the service lists",
	details:
		"Every payment of yours and every debit of the service in that time: matched, different, sent and not listed, listed and not sent by purser, in doubt, and refused or not created but listed. Credits, fees and reversals are counted apart. It changes nothing. Exit 0: all matched; 7: something is in doubt; 8: the only difference is that something is not yet listed; 9: there are differences, or a ledger could not be read.",
	examples: {
		"pay reconcile": "Since midnight, the ledgers that were debited",
		'pay reconcile --ledger "Main account" --since 2026-03-01 --until 2026-03-31': "One ledger, one month",
		"pay reconcile --since 1d -o csv": "Every finding as a row",
	},
	operations: [listTransactions, ...partyOperations].map(({ id }) => id),
	input: z.strictObject({
		ledger: z.optional(
			field(z.array(id("ledger", "Ledger")), { description: "A ledger; may be repeated. Without it those that were debited in that time" }),
		),
		since: z.optional(moment(`From then on: ${momentForms}; since midnight without it`, "start")),
		until: z.optional(moment("Until then, in the same forms; a day to its end", "end")),
	}),
	answer: () =>
		withRecords(
			z.strictObject({
				...{ since: z.string(), until: z.string(), counts: z.record(z.string(), z.number()) },
				ledgers: z.array(
					z.strictObject({
						...{ ledgerId: z.string(), ...optionals(["unread", "lacks"]) },
						...{ credits: z.number(), fees: z.number(), reversals: z.number() },
					}),
				),
				found: z.array(
					z.strictObject({
						...{ list: z.string(), ledgerId: z.string(), ...optionals(["intent", "batch", "state", "next"]), row: z.optional(z.number()) },
						...optionals(["sent", "listed"], z.looseObject({})),
						differs: z.optional(z.array(z.string())),
					}),
				),
				names: z.record(z.string(), z.string()),
			}),
			rowSchema(),
		),
	async run(context, { ledger = [], since, until }): Promise<Answer<Reconciliation & { names: Names }>> {
		const { utc = false } = context.settings.flags;
		const from = new Date(since ?? readMoment("today", { now: context.clock.now(), utc, end: false }));
		const to = until === undefined ? undefined : new Date(until);
		if (to !== undefined && to < from)
			throw invalidField("validation", "until", "must not be before --since", "--until is before --since", "Correct one of them.");
		const ledgers = ledger.map((one) => plainId(one));
		const found = await context.report.during("Reading both sides", async (progress) =>
			reconcile(await toolsOf(context, context.service, progress), { ledgers, since: from, until: to }),
		);
		const named = found.found.flatMap(({ sent, listed }): Called[] => [
			[sent?.kind ?? "ledger", sent?.counterpartyId ?? listed?.receiverLedgerId],
		]);
		const wanted: Called[] = [...found.ledgers.map(({ ledgerId }) => ["ledger", ledgerId] as const), ...named];
		const nameOf = await context.names.of(wanted);
		const names: Names = Object.fromEntries(wanted.map(([kind, one = ""]) => [one, nameOf(kind, one)]));
		const data = { ...found, names };
		const written = { ...data, found: found.found.map((one) => ({ ...one, next: one.next && context.report.shown(one.next) })) };
		return { data, exit: outcomeOf(found), lines: found.found.map(rowOf), written };
	},
	text: reconciliationText,
});

function outcomeOf({ counts, ledgers }: Reconciliation): Kind | undefined {
	if (counts.inDoubt > 0) return "unknown";
	if (counts.different + counts.notListed + counts.notOurs + counts.notMadeButListed > 0) return "partial";
	// A list that is not complete only for what is not yet listed is no difference.
	if (ledgers.some(({ unread, lacks }) => unread !== undefined || (lacks !== undefined && counts.notYetListed === 0))) return "partial";
	return counts.notYetListed > 0 ? "pending" : undefined;
}

const rowColumns = [
	...["list", "ledgerId", "intent", "batch", "row", "state", "sentAt", "sentAmount", "sentCurrency", "sentReference", "counterpartyId"],
	...["transactionId", "status", "listedAt", "listedAmount", "listedCurrency", "listedReference", "receiver", "differs"],
];

const rowSchema = () =>
	z.strictObject(Object.fromEntries(rowColumns.map((name) => [name, z.nullable(name === "row" ? z.number() : z.string())])));

/** A finding as a row: the same columns for every list, null where there is nothing. */
function rowOf({ list, ledgerId, intent, batch, row, state, sent, listed, differs }: Reconciled) {
	const columns = {
		...{ list, ledgerId, intent, batch, row, state },
		...{ sentAt: sent?.begun, sentAmount: sent?.amount, sentCurrency: sent?.currency, sentReference: sent?.reference },
		...{ counterpartyId: sent?.counterpartyId, transactionId: listed?.id, status: listed?.status, listedAt: listed?.createdAt },
		...{ listedAmount: listed?.amount, listedCurrency: listed?.currency, listedReference: listed?.reference },
		...{ receiver: listed?.receiverName ?? listed?.receiverLedgerId, differs: differs?.join(", ") },
	};
	return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value ?? null]));
}
