/**
 * The commands that play the other side: each sends one control operation, and only to a sandbox.
 */
import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { at, listAt, type Received, textAt } from "../../api/answer.js";
import type { AnyOperation } from "../../api/operation.js";
import { type Command, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import { call } from "../../http/call.js";
import * as control from "../../sandbox/simulate/control.js";

interface Own<B extends z.ZodMiniObject> extends Pick<Command<B, Received>, "path" | "summary" | "details" | "examples"> {
	text?: Command<B, Received>["text"];
	next?(data: Received, body: z.output<B>): readonly Advice[];
}

/** A command that sends the body of a control operation. */
function simulation<B extends z.ZodMiniObject>(operation: AnyOperation & { body: B }, { next, ...own }: Own<B>) {
	return defineCommand<B, Received>({
		effect: "write",
		operations: [operation.id],
		input: operation.body,
		async run(context, body) {
			await onlySandbox(context);
			// A sandbox grants it without a question.
			await context.ask.change({ title: own.summary });
			const { data } = await call(context, operation, { body });
			return { data, next: next?.(data, body) };
		},
		text: (data, style) => `${style.good("Done")}: ${textAt(data, "done") ?? "as requested"}`,
		...own,
	});
}

/** @throws PurserError guard, on a profile that is not marked sandbox */
async function onlySandbox(context: Context): Promise<void> {
	const { profile } = await context.settings.read();
	if (profile.environment === "sandbox") return;
	throw new PurserError("guard", {
		code: "SANDBOX_ONLY",
		message: `The profile ${profile.name} is not a sandbox; nothing was sent`,
		fix: advice`Start one with \`${purser`sandbox serve`}\`, and choose its profile with --profile.`,
	});
}

export const email = simulation(control.simulateEmail, {
	path: "sandbox simulate email",
	summary: "Open the emailed verification link, as the person would",
	examples: [{ run: "sandbox simulate email 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", note: "The account owner opens the link" }],
	next: (_, { relatedId }) => [purser`email status ${relatedId}`],
});

export const kyc = simulation(control.simulateKyc, {
	path: "sandbox simulate kyc",
	summary: "Complete or decline a KYC, as the person would",
	examples: [
		{
			run: "sandbox simulate kyc 8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80 --outcome DECLINED --reason DOCUMENT_EXPIRED",
			note: "A KYC that is declined",
		},
	],
	next: (_, { relatedId }) => [purser`kyc status ${relatedId}`],
});

export const kyb = simulation(control.simulateKyb, {
	path: "sandbox simulate kyb",
	summary: "Decide a KYB, as compliance would",
	examples: [
		{
			run: 'sandbox simulate kyb 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --outcome NEED_ADDITIONAL_INFORMATION --reason "A director is missing"',
			note: "Compliance wants more",
		},
	],
	next: (_, { corporateId }) => [purser`kyb status ${corporateId}`],
});

export const terms = simulation(control.publishTerms, {
	path: "sandbox simulate terms",
	summary: "Publish new terms: nobody has accepted them yet",
	examples: [{ run: "sandbox simulate terms --version 2.0", note: "New terms" }],
	next: () => [purser`terms show`],
});

export const beneficiary = simulation(control.simulateBeneficiary, {
	path: "sandbox simulate beneficiary",
	summary: "Review a beneficiary, as compliance would",
	examples: [{ run: "sandbox simulate beneficiary BENEFICIARY --outcome DECLINED", note: "It is refused" }],
});

export const transaction = simulation(control.simulateTransaction, {
	path: "sandbox simulate transaction",
	summary: "End or reverse a transaction",
	examples: [{ run: "sandbox simulate transaction 9b8a7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d --outcome REVERSED", note: "The money comes back" }],
	next: (_, { transactionId }) => [purser`pay show ${transactionId}`],
});

export const fund = simulation(control.fundLedger, {
	path: "sandbox simulate fund",
	summary: "Put money on a ledger of the sandbox",
	examples: [{ run: "sandbox simulate fund aaaaaaaa-0001-4000-8000-000000000001 --amount 5000.00", note: "Money from nowhere" }],
	next: (_, { ledgerId }) => [purser`ledger show ${ledgerId}`],
});

export const clock = simulation(control.advanceClock, {
	path: "sandbox simulate clock",
	summary: "Let time pass in the sandbox",
	examples: [{ run: "sandbox simulate clock --seconds 172800", note: "Two days later" }],
	next: () => [purser`ledger list`],
});

const faultsOf = (data: Received): string[] => {
	const faults = at(data, "faults");
	return Array.isArray(faults) ? faults.map(String) : [];
};

export const fault = simulation(control.setFault, {
	path: "sandbox simulate fault",
	summary: "Simulate a fault in the sandbox, or clear all",
	examples: [{ run: "sandbox simulate fault transaction.interLedger=drop-after:x1", note: "The next reply is lost after the money moved" }],
	text: (data, style) => {
		const faults = faultsOf(data);
		if (faults.length === 0) return "All simulated faults cleared";
		return [`${style.good("Simulated faults")}:`, ...faults.map((one) => `  ${one}`)].join("\n");
	},
	next: (data) => (faultsOf(data).length === 0 ? [] : [purser`sandbox simulate fault --clear`]),
});

export const reset = simulation(control.resetSandbox, {
	path: "sandbox reset",
	summary: "Reset the sandbox to the state it started with",
	details:
		"Companies, payments, messages, simulated faults and the moved clock are gone; logins stay. The journal treats it as a new sandbox from then on: what was sent before is neither a duplicate nor a doubt in it.",
	examples: [{ run: "sandbox reset", note: "Start again" }],
	next: () => [purser`ledger list`],
});

/** Of a message. */
const names = ["at", "kind", "to", "text"];

export const inbox = defineCommand({
	path: "sandbox simulate inbox",
	summary: "Read the emails and SMS that the sandbox would have sent",
	examples: [{ run: "sandbox simulate inbox", note: "Everything, newest first" }],
	effect: "read",
	operations: [control.readOutbox.id],
	input: z.strictObject({}),
	async run(context) {
		await onlySandbox(context);
		return { data: listAt((await call(context, control.readOutbox, {})).data, "messages").reverse() };
	},
	text: (messages, style) => {
		const rows = messages.map((message) => names.map((name) => textAt(message, name) ?? ""));
		if (style.cells) return style.table(names, rows);
		if (rows.length === 0) return "Nothing was sent yet.";
		// Links are copied, so they are not in a table, whose columns would cut them.
		return rows.map(([, kind = "", to, text]) => `${style.bold(kind)} to ${to}\n  ${text}`).join("\n");
	},
});

export const webhookSecret = defineCommand({
	path: "sandbox webhook-secret",
	summary: "Print the secret that signs the sandbox's events",
	details: "A sandbox makes its secret by itself, so it may be shown. In a pipe nothing but the secret is written.",
	examples: [{ run: "sandbox webhook-secret", note: "To be piped to `purser events secret add sandbox`" }],
	effect: "read",
	operations: [control.readWebhookSecret.id],
	input: z.strictObject({}),
	async run(context) {
		await onlySandbox(context);
		return { data: { secret: textAt((await call(context, control.readWebhookSecret, {})).data, "secret") ?? "" } };
	},
	text: ({ secret }) => secret,
});
