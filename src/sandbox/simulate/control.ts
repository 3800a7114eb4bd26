/**
 * What only a sandbox can do: act for people, compliance and time. Described like the service's operations, so that the same code calls them.
 */
import * as z from "zod/mini";
import { answer } from "../../api/answer.js";
import { amount, flag, identifier, plain } from "../../api/fields.js";
import { operation } from "../../api/operation.js";
import { field } from "../../api/schema.js";
import { faultForm, faultKinds } from "./faults.js";

const provenance = { method: "assumed", path: "assumed", request: "assumed", answer: "assumed" } as const;

/** An operation that lets something happen. */
const control = <const Name extends string, S extends Record<string, z.ZodMiniType>>(name: Name, title: string, shape: S) =>
	operation({
		id: `sandbox.${name}` as const,
		title,
		effect: "write",
		send: `POST /_sandbox/control/${name}`,
		body: () => z.strictObject(shape),
		answer: answer(["done"], "assumed"),
		auth: "none",
		provenance,
	});

/** An operation that reads something the service does not show. */
const reading = <const Name extends string>(name: Name, title: string, names: readonly string[]) =>
	operation({
		id: `sandbox.${name}` as const,
		title,
		effect: "read",
		send: `GET /_sandbox/${name}`,
		answer: answer(names, "assumed"),
		auth: "none",
		provenance,
	});

/** How something ends; the first where nothing is given. */
const outcome = <const O extends readonly [string, ...string[]]>(outcomes: O, description: string) =>
	z._default(field(z.enum(outcomes), { description }), outcomes[0] as never);

const reason = () => z.optional(plain("Why"));

export const simulateEmail = control("email", "Open the emailed verification link, as the person would", {
	relatedId: identifier("related", "The person"),
});

export const simulateKyc = control("kyc", "Complete or decline a KYC", {
	relatedId: identifier("related", "The person"),
	outcome: outcome(["VALIDATED", "DECLINED", "PROCESSING", "PENDING_REVIEW"], "How it ends"),
	reason: reason(),
});

export const simulateKyb = control("kyb", "Decide a KYB, as compliance would", {
	corporateId: identifier("corporate", "Company"),
	outcome: outcome(["VALIDATED", "NEED_ADDITIONAL_INFORMATION", "DECLINED"], "How it is decided"),
	reason: reason(),
});

export const publishTerms = control("terms", "Publish new terms and conditions", {});

export const simulateTransaction = control("transaction", "End or reverse a transaction", {
	transactionId: identifier("transaction", "The transaction"),
	outcome: outcome(["APPROVED", "DECLINED", "ABORTED", "RELEASED", "REVERSED"], "Its final status"),
	reason: reason(),
});

export const advanceClock = control("clock", "Let time pass", { seconds: amount("Seconds to advance by") });

export const fundLedger = control("fund", "Put money on a ledger", {
	ledgerId: identifier("ledger", "The ledger"),
	amount: amount("How much, in the ledger's currency"),
});

export const setFault = control("fault", "Simulate a fault, or clear all simulated faults", {
	fault: z.optional(plain(`${faultForm}; kinds: ${faultKinds.join(", ")}`, { positional: true, placeholder: "fault" })),
	clear: flag("Clear all simulated faults first"),
});

export const simulateBeneficiary = control("beneficiary", "Review a beneficiary, as compliance would", {
	beneficiaryId: identifier("beneficiary", "The beneficiary"),
	outcome: outcome(["VALID", "DECLINED", "PENDING_REVIEW", "PENDING"], "Its status afterwards"),
});

export const readWebhookSecret = reading("webhook-secret", "The secret that signs the sandbox's deliveries", ["secret"]);

export const readIdentity = reading("identity", "Which sandbox this is: one that is started anew is another", ["identity"]);

const readSummary = reading("summary", "How many transactions there are", ["transactions"]);

export const controls = [
	simulateEmail,
	simulateKyc,
	simulateKyb,
	publishTerms,
	simulateTransaction,
	advanceClock,
	fundLedger,
	simulateBeneficiary,
	setFault,
	readWebhookSecret,
	readIdentity,
	readSummary,
] as const;

export type ControlId = (typeof controls)[number]["id"];
