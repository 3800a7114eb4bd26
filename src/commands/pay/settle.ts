import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { filePath, id, plain } from "../../api/fields.js";
import { getBeneficiary } from "../../api/operations/beneficiary.js";
import { getTransaction, listTransactions } from "../../api/operations/transaction.js";
import { quantityOf } from "../../api/quantity.js";
import { field } from "../../api/schema.js";
import { idStartFault } from "../../api/text/ids.js";
import { serviceOf } from "../../client/service.js";
import type { Context } from "../../context.js";
import { batchNamed } from "../../payments/batch/send/named.js";
import { warnOfJournal } from "../../payments/rules/journal-here.js";
import { type Parties, withParties } from "../../payments/rules/parties.js";
import { confirmBatch, confirmOne } from "../../payments/settlement/confirm.js";
import { readStatementFile, sourceFaults, statementLedger } from "../../payments/settlement/input.js";
import { idsHeard } from "../../payments/settlement/lists/named.js";
import { lookBeforeWord, type SeenBefore } from "../../payments/settlement/look-before-decision.js";
import { type DoubtFilter, oneDoubt, openDoubts } from "../../payments/settlement/matching/doubts.js";
import {
	type SettleResult,
	settleByEvents,
	settleByService,
	settleByStatement,
	settleByTransaction,
	settleByWord,
	type Tools,
} from "../../payments/settlement/settle.js";
import { canBeShown, confirmQuestion, confirmRowsText, isConfirmable, lookOf, settledText } from "../../payments/settlement/text.js";
import { toolsOf } from "../../payments/settlement/verify-transaction.js";
import type { IntentRecord } from "../../ports/intent.js";
import { defineCommand } from "../../shell/command.js";

const intentField = z.optional(
	field(z.string().check(z.regex(/^[1-9]\d{0,14}$/, "must be the number of an intent; see `purser pay doubts`")), {
		description: "The intent; all in doubt without it",
		positional: true,
		placeholder: "intent",
	}),
);

function refineTransaction(typed: string, check: { addIssue(issue: { code: "custom"; message: string }): void }): void {
	const message = idStartFault("transaction", typed);
	if (message !== undefined) check.addIssue({ code: "custom", message });
}

/** The doubt that a person is asked about, and what the service listed then. The person's word is about this attempt, whatever happens meanwhile. */
interface Doubt {
	record: IntentRecord;
	seen?: SeenBefore;
}

const input = z
	.strictObject({
		intent: intentField,
		batch: z.optional(plain("Only the rows of this batch: its number, or its plan", { placeholder: "batch" })),
		transaction: z.optional(
			field(z.string().check(z.superRefine(refineTransaction)), {
				description: "The transaction that it became: its id, or at least its first 8 characters, which must fit no other of the ledger",
				placeholder: "id",
			}),
		),
		by: z.optional(
			field(z.enum(["events"]), {
				description: "By what events named alone: each transaction is read; settles what was created, and nothing as not created",
			}),
		),
		statement: z.optional(filePath("A statement of the debited ledger, as CSV", { placeholder: "file" })),
		columns: z.optional(
			field(z.array(plain("Column")), {
				description: "FIELD=COLUMN of the statement: id, date, amount, currency, reference, counterparty, payeeLedger",
				placeholder: "field=column",
			}),
		),
		ledgerId: z.optional(id("ledger", "The ledger that the statement is of")),
		created: z.optional(field(z.boolean(), { description: "Your word: it was created" })),
		id: z.optional(plain("With --created: the id it was created with", { placeholder: "id" })),
		notCreated: z.optional(field(z.boolean(), { description: "Your word: it was not created, and may be sent again" })),
		notThis: z.optional(
			field(z.array(plain("Transaction")), {
				description: "With --not-created: a listed transaction that you know to be another payment; may be repeated",
				placeholder: "transaction",
			}),
		),
		confirmAbsent: z.optional(
			field(z.boolean(), {
				description: "With --batch and --look: your word for each row that two checks did not show: it was not created",
			}),
		),
		look: z.optional(
			field(z.string().check(z.regex(/^[1-9]\d{0,14}$/, "must be the number of a check; `purser pay settle` shows it")), {
				description: "The check that you rely on: the newer of the two that agree",
				placeholder: "number",
			}),
		),
		reason: z.optional(plain("How you know, for the record; no personal data", { placeholder: "text" })),
	})
	.check(
		z.superRefine((input, check) => {
			for (const { field: path, message } of sourceFaults(input)) check.addIssue({ code: "custom", path: [path], message });
		}),
	);

export default defineCommand({
	path: "pay settle",
	summary: "Settle doubts: by the service's list, events, a statement, a transaction or your word",
	details:
		"Identical payments are counted: if there are as many matching transactions as doubts, all were created. A payment that is not listed counts as not created only when you confirm it, after two complete checks that agree, both after the settling time (24 hours; the setting settle-after) and ten minutes apart: you are asked at a terminal, and a script gives the newer check with --look. If the profile says that the service's list is complete (absence=list), two checks are proof by themselves, but only if every payment known to be made is listed as it was sent and the clocks are known. Only what was not created may be paid again. Exit 7 while something stays in doubt.",
	examples: [
		{ run: "pay settle", note: "Check every open doubt at the service" },
		{ run: "pay settle 17", note: "One doubt, and those identical to it" },
		{ run: "pay settle --batch 7", note: "For every row of a batch that is in doubt" },
		{ run: "pay settle 17 --transaction 3f1c9a52", note: "It became this transaction; the service is asked" },
		{ run: "pay settle 17 --by events", note: "By what `events listen` or `events follow` heard, where the service has no list" },
		{
			run: "pay settle --statement march.csv --columns id=Ref --columns date=Booked --columns amount=Amount",
			note: "By a statement of the ledger",
		},
		{
			run: 'pay settle 17 --not-created --look 5 --reason "Not on the bank\'s own list either"',
			note: "Confirm what check 5 and an earlier one did not find",
		},
		{
			run: 'pay settle --batch 7 --confirm-absent --look 5 --reason "Asked the bank, ticket 4711"',
			note: "The same for each row of a batch",
		},
		{
			run: 'pay settle 17 --not-created --reason "The bank confirmed by phone, ticket 4711"',
			note: "Your word, on record; the service's list is checked first",
		},
	],
	effect: "read",
	decidesMoney: true,
	operations: [listTransactions.id, getTransaction.id, getBeneficiary.id],
	input,
	prepare: async (context, input) => {
		if ((!input.created && !input.notCreated) || input.look !== undefined) return { ...input, doubt: undefined };
		const tools = await toolsOf(context, serviceOf(context));
		const record = await oneDoubt(tools.journal, input.intent as string);
		const seen = input.notCreated
			? await context.reporter.during("Checking the service's transactions", (progress) =>
					lookBeforeWord({ ...tools, progress }, record, input.notThis ?? [], context.reporter.warn),
				)
			: undefined;
		const doubt: Doubt = { record, seen };
		return { ...input, doubt };
	},
	// Naming a look already confirms what it showed.
	confirm: ({ intent, notCreated, look }) =>
		notCreated && look === undefined ? `Intent ${intent} was not created? If it was, it can now be paid twice` : undefined,
	run: async (context, input): Promise<SettledView[]> => {
		await warnOfJournal(context, (await context.settings()).profile);
		const settled = await settle(context, input);
		const cancelled = await cancelledAmong(context, settled);
		const named = await withParties(context, (await context.settings()).profile, settled);
		return named.map((one) => ({ ...withConfirmation(context, one), ...(cancelled.has(one.batch ?? "") && { batchCancelled: true }) }));
	},
	text: (settled, style) =>
		settled.length === 0
			? "Nothing is in doubt."
			: [...settled.map((one) => settledText(one, style)), ...confirmRowsText(settled, style)].join("\n"),
	lines: (settled) => settled,
	outcomes: ["unknown", "guard"],
	outcome: (settled) => (settled.some(({ state }) => state === "in-doubt") ? "unknown" : undefined),
	next: (settled) => {
		const [first] = settled;
		const batches = [...new Set(settled.flatMap(({ batch }) => (batch === undefined ? [] : [batch])))];
		const canResume = (batch: string): boolean =>
			settled.some((one) => one.batch === batch && one.state === "not-created" && !one.batchCancelled);
		// For rows of batches, the command of the batch says what is left to do.
		if (batches.length > 0) return batches.map((batch) => purser`pay batch ${canResume(batch) ? "resume" : "status"} ${batch}`);
		if (first?.state === "accepted" && first.transfer !== undefined && canBeShown(first)) return [purser`pay show ${first.id}`];
		return first ? [purser`history show ${first.intent}`] : [];
	},
});

/** Settles by what was given: a transaction, the person's word or a statement; otherwise by the service's list. */
async function settle(
	context: Context,
	{ intent, batch: named, doubt, ...given }: z.output<typeof input> & { doubt?: Doubt },
): Promise<SettleResult[]> {
	const tools = await toolsOf(context, serviceOf(context));
	if (tools.dry) context.reporter.warn("This is a dry run: it shows what would be settled, and nothing is recorded");
	if (given.transaction !== undefined) return settleByTransaction(tools, intent as string, given.transaction, given.reason);
	const confirmed = { look: quantityOf(given.look ?? "0"), reason: given.reason as string };
	if (given.notCreated && given.look !== undefined) return confirmOne(tools, intent as string, confirmed);
	if (given.created || given.notCreated) {
		const { record, seen } = doubt as Doubt;
		return settleByWord(tools, record, {
			state: given.created ? "accepted" : "not-created",
			id: given.id,
			reason: given.reason as string,
			seen,
		});
	}
	const batch = named === undefined ? undefined : (await batchNamed(context, named)).batch;
	if (given.confirmAbsent) return confirmBatch(tools, batch as string, confirmed);
	if (given.by === "events") return settleByHeard(context, tools, { intent, batch });
	if (given.statement === undefined) {
		const looked = await context.reporter.during("Checking the service's transactions", (progress) =>
			settleByService({ ...tools, progress }, { intent, batch }),
		);
		return askToConfirm(context, tools, looked);
	}
	const ledgerId = await statementLedger(tools.journal, { intent, batch }, given.ledgerId);
	const statement = await readStatementFile(context.files, given.statement, ledgerId, given.columns);
	return askToConfirm(context, tools, await settleByStatement(tools, ledgerId, statement, { intent, batch }));
}

/** Settles by the transactions that events named; without any, everything stays in doubt. */
async function settleByHeard(context: Context, tools: Tools, which: DoubtFilter): Promise<SettleResult[]> {
	const { profile } = await context.settings();
	const named = (await context.hasInbox(profile))
		? await idsHeard(await context.inbox(profile), await openDoubts(tools.journal, which), await context.ids())
		: [];
	const hear = advice`No event named a transaction since then. Hear them: ${purser`events listen`}, or ask for them: ${purser`events follow`}`;
	if (named.length === 0) context.reporter.warn(hear);
	return context.reporter.during("Reading what events named", (progress) => settleByEvents({ ...tools, progress }, named, which));
}

/** What became of a doubt; the command that confirms the absence, where two looks did not find it; whether its batch is cancelled. */
type SettledView = SettleResult & Parties & { confirm?: string; batchCancelled?: true };

function withConfirmation(context: Context, one: SettleResult & Parties): SettledView {
	if (!isConfirmable(one)) return one;
	return { ...one, confirm: context.shown(purser`pay settle ${one.intent} --not-created --look ${lookOf(one)} --reason TEXT`) };
}

/** Asks a person about each payment that two looks did not find. `--yes` confirms none of them, because nobody has read those looks then. */
async function askToConfirm(context: Context, tools: Tools, settled: SettleResult[]): Promise<SettleResult[]> {
	if (!context.flags.interactive || context.flags.yes || tools.dry) return settled;
	const answers: SettleResult[] = [];
	for (const one of settled) {
		const look = lookOf(one);
		const asked = look !== undefined && isConfirmable(one);
		const prompts = asked ? await context.prompts() : undefined;
		if (look === undefined || !(await prompts?.confirm({ message: confirmQuestion(one, context.shown), fallback: false })))
			answers.push(one);
		else answers.push(...(await confirmOne(tools, one.intent, { look, reason: `confirmed at a terminal, after check ${look}` })));
	}
	return answers;
}

/** The cancelled ones among the batches whose rows were not created. */
async function cancelledAmong(context: Context, settled: readonly SettleResult[]): Promise<ReadonlySet<string>> {
	const found = new Set<string>();
	const asked = new Set(settled.flatMap(({ batch, state }) => (batch !== undefined && state === "not-created" ? [batch] : [])));
	if (asked.size === 0) return found;
	const { profile } = await context.settings();
	const batches = await context.batches(profile);
	for (const batch of asked) if ((await batches.show(batch))?.state === "abandoned") found.add(batch);
	return found;
}
