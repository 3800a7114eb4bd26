import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { optionals } from "../../api/answer.js";
import { type FieldFault, filePath, fitting, flag, formed, id, plain } from "../../api/fields.js";
import { createBeneficiaryTransaction, createInterLedger, getTransaction, listTransactions } from "../../api/operations/transaction.js";
import { quantityOf } from "../../api/quantity.js";
import { field } from "../../api/schema.js";
import { isFailed } from "../../api/values.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { invalidField, type Kind, PurserError, type SuggestedCommand } from "../../errors.js";
import { batchNamed } from "../../payments/batch/send/named.js";
import { idsNamed, readNamed } from "../../payments/matching/events.js";
import { acceptListed, type Prepared, prepareNotCreated, reopen, settleByTransaction } from "../../payments/matching/person.js";
import { toolsOf } from "../../payments/matching/resend.js";
import { oneIntent, openDoubts, type SettleResult, settleAs, settleBy } from "../../payments/matching/settle.js";
import { isPayment, type SentRecord, type Tools } from "../../payments/matching/sides.js";
import { readStatementFile } from "../../payments/matching/statement.js";
import { batchSteps, settledText } from "../../payments/matching/text.js";
import { canBeShown, type Parties, partyOperations, withParties } from "../../payments/rules/intent-text.js";
import { warnOfJournal } from "../../payments/rules/journal-here.js";
import { previewResend, settleByResending } from "../../payments/single/resend.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Profile } from "../../ports/profiles.js";
import { evidence, transfer } from "../families/answers.js";

const numbered = /^[1-9]\d{0,14}$/;

const input = z.strictObject({
	intent: z.optional(
		formed(numbered, "the number of an intent; see `purser pay doubts`", "The intent; all in doubt without it", {
			positional: true,
			placeholder: "intent",
		}),
	),
	batch: z.optional(plain("Only the rows of this batch: its number, or its plan", { placeholder: "batch" })),
	by: z.optional(field(z.enum(["events"]), { description: "By the transactions that events named; each is read from the service" })),
	statement: z.optional(filePath("By a statement of the debited ledger, as CSV", { placeholder: "file" })),
	transaction: z.optional(id("transaction", "The transaction that it became, which is read and compared", { placeholder: "id" })),
	acceptListed: flag("What may be it is it, where one transaction and one payment fit no other; with --reason"),
	notCreated: flag("It was not created, and may be sent again; with --check and --reason"),
	check: z.optional(
		formed(
			numbered,
			"the number of a check; `purser pay settle` shows it",
			"With --not-created: the complete check, past the settling time, that you rely on",
			{ placeholder: "number" },
		),
	),
	notThis: z.optional(
		field(z.array(plain("Transaction")), {
			description: "With --not-created: a listed transaction that you know to be another payment",
			placeholder: "transaction",
		}),
	),
	reopen: flag("Open again what was decided; it is in doubt then; with --reason"),
	resend: flag("Send the same request once more, with its idempotency key, where the mapping names one"),
	created: flag("For a change that is no payment: it was carried out; with --reason"),
	id: z.optional(plain("With --created: the id of the record that was created", { placeholder: "id" })),
	reason: z.optional(plain("How you know, for the record; no personal data", { placeholder: "text" })),
});

type Given = z.output<typeof input>;

/** What decides: at most one of them. */
const deciding = ["by", "statement", "transaction", "notCreated", "reopen", "resend", "created"] as const;

function faultsOf(given: Given): (FieldFault | false)[] {
	const { intent, batch, reason, notCreated, acceptListed: accept, transaction, created, reopen: again } = given;
	const [first, ...others] = deciding.filter((name) => given[name] !== undefined && given[name] !== false);
	const words = notCreated || accept || again || created;
	const [named, unnamed, hasReason] = [transaction !== undefined, intent === undefined, reason !== undefined];
	return [
		...others.map((name): FieldFault => [name, `cannot be combined with ${first}: settle by one thing at a time`]),
		words && !reason?.trim() && ["reason", "is required: how you know is recorded"],
		hasReason && !words && !named && ["reason", "only works with --not-created, --accept-listed, --reopen, --created or --transaction"],
		unnamed && (named || again || created || given.resend) && ["intent", "is required here: name the intent"],
		notCreated && unnamed && batch === undefined && ["intent", "is required here: name the intent, or the rows of a batch with --batch"],
		batch !== undefined && !unnamed && ["batch", "settles every row that is in doubt: leave it out, or the intent"],
		accept && (notCreated || named || created || again) && ["acceptListed", "cannot be combined with this"],
		given.id !== undefined && !created && ["id", "only works with --created"],
		given.check !== undefined && !notCreated && ["check", "only works with --not-created"],
		given.notThis !== undefined && !notCreated && ["notThis", "only works with --not-created"],
	];
}

export default defineCommand({
	path: "pay settle",
	summary: "Settle doubts: find out what became of payments that were sent without an answer",
	details:
		"Reads the service's list of each ledger (or a statement, or what events named) and your payments of that time, and says which transaction is which payment. Only a match in every field settles by itself; what may be it is shown beside it, and you decide. That a payment was not created is always your decision: after a complete check past the settling time (24 hours; the setting settle-after), name the check and the reason, and each transaction of that amount that no payment explains as another one. Only then may it be sent again. A decision can be opened again with --reopen. Exit 7 while something stays in doubt, 5 where a payment was made and then declined or returned.",
	examples: {
		"pay settle": "Check every open doubt at the service",
		"pay settle --batch 7": "Every row of a batch that is in doubt",
		"pay settle 17 --transaction 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f":
			"It became this transaction; the service is asked, and both are compared",
		'pay settle --batch 7 --accept-listed --reason "Compared, ticket 4711"': "What is listed and may be a row is it",
		"pay settle 17 --by events": "By what `events listen` received, where the service has no list",
		"pay settle --statement march.csv": "By a statement of the ledger",
		'pay settle 17 --not-created --check 5 --reason "Not on their own list"': "It was not created, as check 5 showed",
		"pay settle 17 --resend": "At a service that keeps idempotency keys: the same request, answered as before",
		'pay settle 17 --reopen --reason "The id is of another payment"': "Open a decision again",
	},
	operations: [createInterLedger, createBeneficiaryTransaction, listTransactions, getTransaction, ...partyOperations].map(({ id }) => id),
	input: fitting(input, faultsOf),
	answer: () =>
		z.array(
			z.strictObject({
				...{ intent: z.string(), state: z.string(), operation: z.string(), begun: z.string(), transfer: z.optional(transfer()) },
				...optionals(["ledgerName", "payeeName", "batch", "id", "status", "why", "finding", "after"]),
				...{ row: z.optional(z.number()), evidence: z.optional(evidence()), check: z.optional(z.looseObject({})) },
				candidates: z.optional(z.array(z.looseObject({}))),
				...optionals(["others", "holders"], z.array(z.string())),
			}),
		),
	async run(context, given): Promise<Answer<SettledView[]>> {
		const decided = await readDecision(context, given);
		if (given.resend) await context.ask.payment(() => previewResend(context, given.intent as string));
		const question = questionOf(given, decided);
		if (question !== undefined) await context.ask.confirm(question);

		const { profile } = await context.settings.read();
		await warnOfJournal(context, profile);
		const settled = await withParties(context, await settle(context, profile, given, decided));
		return { data: settled, exit: outcomeOf(settled), next: nextAfter(settled) };
	},
	text: (settled, style) =>
		settled.length === 0
			? "Nothing is in doubt."
			: [...settled.map((one) => settledText(one, style)), ...batchSteps(settled, style)].join("\n"),
});

/** What a person decides about: rows read as not created, or a change that is no payment. Read before the question; only this is settled. */
interface Decided {
	prepared?: Prepared;
	change?: IntentRecord;
}

/** Reads what a person decides by their own word. Everything else is decided by what the service shows. */
async function readDecision(context: Context, given: Given): Promise<Decided> {
	if (!given.notCreated && !given.created) return {};
	const tools = await toolsOf(context, context.service);
	const change = given.intent === undefined ? undefined : await oneIntent(tools.journal, given.intent);
	if (change !== undefined && !isPayment(change)) return { change };
	if (change !== undefined && given.created) {
		const message = `Intent ${change.intent} is a payment: that it was created is settled by its transaction`;
		const fix = advice`Name the transaction: ${purser`pay settle ${change.intent} --transaction ID`}`;
		throw new PurserError("usage", { code: "INVALID_INPUT", message, fix, intent: change.intent });
	}
	const which = await whichOf(context, given);
	const check = given.check === undefined ? undefined : quantityOf(given.check);
	const decision = { check, reason: given.reason as string, notThis: given.notThis ?? [] };
	const prepared = await context.report.during("Checking the service's transactions", (progress) =>
		prepareNotCreated({ ...tools, progress }, which, decision),
	);
	return { prepared };
}

/** Naming a check confirms what it showed. What is out of the ordinary is confirmed separately. */
function questionOf({ intent, notCreated }: Given, { prepared, change }: Decided): string | undefined {
	if (change !== undefined && notCreated) return `Intent ${intent} was not carried out? If it was, it can now be done twice`;
	const why = prepared?.confirm;
	return why && `${why.charAt(0).toUpperCase()}${why.slice(1)}. Was it not created? If it was, it can now be paid twice`;
}

const whichOf = async (context: Context, { intent, batch }: Given) => ({
	intent,
	batch: batch === undefined ? undefined : (await batchNamed(context, batch)).batch,
});

async function settle(context: Context, profile: Profile, given: Given, { prepared, change }: Decided): Promise<SettleResult[]> {
	const tools = await toolsOf(context, context.service);
	if (tools.dry) context.report.warn("This is a dry run: it shows what would be settled, and nothing is recorded");
	const { transaction } = given;
	const [intent, reason] = [given.intent as string, given.reason as string];
	if (change !== undefined) {
		const became = given.created ? { state: "accepted" as const, id: given.id } : { state: "not-created" as const };
		return [await settleAs(tools, change, { ...became, evidence: { source: "person", reason } })];
	}
	if (prepared !== undefined) return prepared.settle();
	if (transaction !== undefined) return settleByTransaction(tools, intent, transaction, given.reason);
	if (given.reopen) return reopen(tools, intent, reason);
	if (given.resend) return settleByResending(tools, context.service, intent);
	const settled = await settleBySource(context, profile, tools, given);
	return given.acceptListed ? acceptListed(tools, settled, reason) : settled;
}

async function settleBySource(context: Context, profile: Profile, tools: Tools, given: Given): Promise<SettleResult[]> {
	const which = await whichOf(context, given);
	if (given.by === undefined && given.statement === undefined)
		return context.report.during("Checking the service's transactions", (progress) => settleBy({ ...tools, progress }, which));
	const open = await openDoubts(tools.journal, which);
	if (given.statement !== undefined) {
		const ledgerId = onlyLedger(open);
		const lines = await readStatementFile(context.files, given.statement, ledgerId);
		const lacks = "a statement proves nothing of what it does not show";
		return settleBy(tools, { ...which, ledgerId }, { lines, source: "statement", lacks });
	}
	const ids = (await context.journal.hasInbox(profile))
		? await idsNamed(await context.journal.inbox(profile), open, await context.settings.ids())
		: [];
	if (ids.length === 0)
		context.report.warn(
			advice`No event named a transaction since then. Hear them: ${purser`events listen`}, or ask for them: ${purser`events follow`}`,
		);
	const held = await tools.journal.holders(ids);
	const free = ids.filter((one) => !held.has(one));
	return context.report.during("Reading what events named", async (progress) =>
		settleBy(tools, which, { ...(await readNamed(tools.service, free, progress)), source: "events" }),
	);
}

/** The one ledger whose payments are in doubt; empty where none is. @throws PurserError validation, if there is more than one */
function onlyLedger(open: readonly SentRecord[]): string {
	const [ledger = "", ...others] = new Set(open.map(({ transfer }) => transfer.ledgerFromId));
	if (others.length === 0) return ledger;
	const message = "Payments from more than one ledger are in doubt, and a statement covers one";
	throw invalidField("validation", "statement", "is of one ledger", message, "Name the intent, or the batch.");
}

type SettledView = SettleResult & Parties;

function outcomeOf(settled: readonly SettledView[]): Kind | undefined {
	if (settled.some(({ state }) => state === "in-doubt")) return "unknown";
	return settled.some((one) => one.state === "accepted" && isFailed(one.status)) ? "rejected" : undefined;
}

function nextAfter(settled: readonly SettledView[]): SuggestedCommand[] {
	const [first] = settled;
	const batches = new Set(settled.flatMap(({ batch }) => batch ?? []));
	// For rows of batches, the command of the batch says what is left to do.
	if (batches.size > 0) return [...batches].map((batch) => purser`pay batch status ${batch}`);
	if (first?.state === "accepted" && first.transfer !== undefined && canBeShown(first)) return [purser`pay show ${first.id}`];
	return first ? [purser`history show ${first.intent}`] : [];
}
