/**
 * The commands that play the other side: each sends one control operation, and only to a sandbox.
 */
import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { at, type Received, recordSchema, textAt } from "../../api/answer.js";
import type { AnyOperation } from "../../api/operation.js";
import { type Command, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import { call } from "../../http/call.js";
import * as control from "../../sandbox/simulate/control.js";

/**
 * A command that sends the body of a control operation, by whose id and title it is named.
 * @param words of the example, after the path
 */
function simulation<B extends z.ZodMiniObject>(
	operation: AnyOperation & { body: B },
	[words, note]: readonly [words: string, note: string],
	next: (body: z.output<B>, data: Received) => readonly Advice[] = () => [],
	text?: Command<B, Received>["text"],
) {
	const path = operation.id.replace(".", " simulate ");
	return defineCommand<B, Received>({
		path,
		summary: operation.title,
		examples: { [`${path} ${words}`.trim()]: note },
		effect: "write",
		operations: [operation.id],
		input: operation.body,
		answer: () => recordSchema(["done", "faults", "version"]),
		async run(context, body) {
			await onlySandbox(context);
			// A sandbox grants it without a question.
			await context.ask.change({ title: operation.title });
			const data = (await call(context, operation, { body })).data as Received;
			return { data, next: next(body, data) };
		},
		text: text ?? ((data, style) => `${style.good("Done")}: ${textAt(data, "done") ?? "as requested"}`),
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

export const email = simulation(
	control.simulateEmail,
	["8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80", "The account owner opens the link"],
	({ relatedId }) => [purser`email status ${relatedId}`],
);

export const kyc = simulation(
	control.simulateKyc,
	["8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80 --outcome DECLINED --reason DOCUMENT_EXPIRED", "A KYC that is declined"],
	({ relatedId }) => [purser`kyc status ${relatedId}`],
);

export const kyb = simulation(
	control.simulateKyb,
	['3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --outcome NEED_ADDITIONAL_INFORMATION --reason "A director is missing"', "Compliance wants more"],
	({ corporateId }) => [purser`kyb status ${corporateId}`],
);

export const terms = simulation(control.publishTerms, ["", "New terms"], () => [purser`terms show`]);

export const beneficiary = simulation(control.simulateBeneficiary, ["BENEFICIARY --outcome DECLINED", "It is refused"]);

export const transaction = simulation(
	control.simulateTransaction,
	["9b8a7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d --outcome REVERSED", "The money comes back"],
	({ transactionId }) => [purser`pay show ${transactionId}`],
);

export const fund = simulation(
	control.fundLedger,
	["aaaaaaaa-0001-4000-8000-000000000001 --amount 5000.00", "Money from nowhere"],
	({ ledgerId }) => [purser`ledger show ${ledgerId}`],
);

export const clock = simulation(control.advanceClock, ["--seconds 172800", "Two days later"], () => [purser`ledger list`]);

const faultsOf = (data: Received): string[] => {
	const faults = at(data, "faults");
	return Array.isArray(faults) ? faults.map(String) : [];
};

export const fault = simulation(
	control.setFault,
	["transaction.interLedger=drop-after:x1", "The next reply is lost after the money moved"],
	(_, data) => (faultsOf(data).length === 0 ? [] : [purser`sandbox simulate fault --clear`]),
	(data, style) => {
		const faults = faultsOf(data);
		if (faults.length === 0) return "All simulated faults cleared";
		return [`${style.good("Simulated faults")}:`, ...faults.map((one) => `  ${one}`)].join("\n");
	},
);

export const webhookSecret = defineCommand({
	path: "sandbox webhook-secret",
	summary: "Print the secret that signs the sandbox's events",
	details: "A sandbox makes its secret by itself, so it may be shown. In a pipe nothing but the secret is written.",
	examples: { "sandbox webhook-secret": "To be piped to `purser events secret add sandbox`" },
	operations: [control.readWebhookSecret.id],
	answer: () => z.strictObject({ secret: z.string() }),
	async run(context) {
		await onlySandbox(context);
		return { data: { secret: textAt((await call(context, control.readWebhookSecret, {})).data, "secret") ?? "" } };
	},
	text: ({ secret }) => secret,
});
