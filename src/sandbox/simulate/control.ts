/**
 * What only a sandbox can do: act for people, compliance and time. Described like the service's operations, so that the same code calls them.
 */
import * as z from "zod/mini";
import { answer } from "../../api/answer.js";
import { amount, flag, id, plain } from "../../api/fields.js";
import { operation } from "../../api/operation.js";
import { field } from "../../api/schema.js";
import { rotation, webhookFaultKinds } from "../webhooks/faults.js";
import { faultForm, faultKinds } from "./faults.js";

const provenance = { method: "assumed", path: "assumed", request: "assumed", answer: "assumed" } as const;
const base = {
	effect: "write",
	method: "POST",
	params: z.object({}),
	query: z.object({}),
	auth: "none",
	provenance,
	specified: false,
} as const;
const done = () => answer({ done: "What has happened" }, "assumed");

/** How a service tells the documents that it did not accept is assumed. */
const refusedDocuments = () =>
	z.optional(
		field(
			z.array(
				field(z.string().check(z.regex(/^[A-Z0-9_]+=.+$/, "must be TYPE=REASON, like PASSPORT=DOCUMENT_EXPIRED")), {
					description: "A document that is not accepted, and why",
					placeholder: "type=reason",
				}),
			),
			{ description: "Documents that are not accepted, as TYPE=REASON", source: "assumed" },
		),
	);

export const readOutbox = operation({
	...base,
	id: "sandbox.outbox",
	title: "What the sandbox would have sent by email and SMS",
	effect: "read",
	method: "GET",
	path: "/_sandbox/outbox",
	query: z.strictObject({ relatedId: z.optional(id("related", "Only what this person would have received")) }),
	answer: answer({ messages: "[{kind, relatedId, to, at, text, link}]" }, "assumed"),
});

export const simulateEmail = operation({
	...base,
	id: "sandbox.email",
	title: "Open the emailed verification link, as the person would",
	path: "/_sandbox/control/email",
	body: z.strictObject({ relatedId: id("related", "The person", { positional: true }) }),
	answer: done(),
});

export const simulateKyc = operation({
	...base,
	id: "sandbox.kyc",
	title: "Complete or decline a KYC",
	path: "/_sandbox/control/kyc",
	body: z.strictObject({
		relatedId: id("related", "The person", { positional: true }),
		outcome: z._default(
			field(z.enum(["VALIDATED", "DECLINED", "PROCESSING", "PENDING_REVIEW"]), { description: "How it ends" }),
			"VALIDATED",
		),
		reason: z.optional(plain("Why")),
		documents: refusedDocuments(),
	}),
	answer: done(),
});

export const simulateKyb = operation({
	...base,
	id: "sandbox.kyb",
	title: "Decide a KYB, as compliance would",
	path: "/_sandbox/control/kyb",
	body: z.strictObject({
		corporateId: id("corporate", "Company", { positional: true }),
		outcome: z._default(
			field(z.enum(["VALIDATED", "NEED_ADDITIONAL_INFORMATION", "DECLINED"]), { description: "How it is decided" }),
			"VALIDATED",
		),
		reason: z.optional(plain("Why")),
		documents: refusedDocuments(),
	}),
	answer: done(),
});

export const publishTerms = operation({
	...base,
	id: "sandbox.terms",
	title: "Publish new terms and conditions",
	path: "/_sandbox/control/terms",
	body: z.strictObject({ version: z.optional(plain("Version, like 2.0")) }),
	answer: done(),
});

export const simulateTransaction = operation({
	...base,
	id: "sandbox.transaction",
	title: "End or reverse a transaction",
	path: "/_sandbox/control/transaction",
	body: z.strictObject({
		transactionId: id("transaction", "The transaction", { positional: true }),
		outcome: z._default(
			field(z.enum(["APPROVED", "DECLINED", "ABORTED", "RELEASED", "REVERSED"]), { description: "Its final status" }),
			"APPROVED",
		),
		reason: z.optional(plain("Why")),
	}),
	answer: done(),
});

export const advanceClock = operation({
	...base,
	id: "sandbox.clock",
	title: "Let time pass",
	path: "/_sandbox/control/clock",
	body: z.strictObject({ seconds: amount("Seconds to advance by") }),
	answer: done(),
});

export const fundLedger = operation({
	...base,
	id: "sandbox.fund",
	title: "Put money on a ledger",
	path: "/_sandbox/control/fund",
	body: z.strictObject({
		ledgerId: id("ledger", "The ledger", { positional: true }),
		amount: amount("How much, in the ledger's currency"),
	}),
	answer: done(),
});

export const setFault = operation({
	...base,
	id: "sandbox.fault",
	title: "Simulate a fault, or clear all simulated faults",
	path: "/_sandbox/control/fault",
	body: z.strictObject({
		fault: z.optional(
			plain(`${faultForm}; kinds: ${faultKinds.join(", ")}`, {
				positional: true,
				placeholder: "fault",
			}),
		),
		clear: flag("Clear all simulated faults first"),
	}),
	answer: answer({ faults: "Those in force" }, "assumed"),
});

export const simulateBeneficiary = operation({
	...base,
	id: "sandbox.beneficiary",
	title: "Review a beneficiary, as compliance would",
	path: "/_sandbox/control/beneficiary",
	body: z.strictObject({
		beneficiaryId: id("beneficiary", "The beneficiary", { positional: true }),
		outcome: z._default(
			field(z.enum(["VALID", "DECLINED", "PENDING_REVIEW", "PENDING"]), { description: "Its status afterwards" }),
			"VALID",
		),
	}),
	answer: done(),
});

export const setWebhookFault = operation({
	...base,
	id: "sandbox.webhook",
	title: "Let deliveries of events go wrong, or show what waits",
	path: "/_sandbox/control/webhook",
	body: z.strictObject({
		fault: z.optional(
			plain(`KIND[:xTIMES] for the next deliveries: ${webhookFaultKinds.join(", ")}; or ${rotation} for a new secret`, {
				positional: true,
				placeholder: "fault",
			}),
		),
		clear: flag("Clear what was asked for first"),
	}),
	answer: answer({ faults: "In force", waiting: "Not acknowledged", failed: "Given up", bothSignUntil: "After a new secret" }, "assumed"),
});

export const readWebhookSecret = operation({
	...base,
	id: "sandbox.webhookSecret",
	title: "The secret that signs the sandbox's deliveries; the newest of several",
	effect: "read",
	method: "GET",
	path: "/_sandbox/webhook-secret",
	answer: answer({ secret: "whsec_ and base64" }, "assumed"),
});

export const readIdentity = operation({
	...base,
	id: "sandbox.identity",
	title: "Which sandbox this is: one that is started anew or reset is another",
	effect: "read",
	method: "GET",
	path: "/_sandbox/identity",
	answer: answer({ identity: "Made with the sandbox's state" }, "assumed"),
});

export const resetSandbox = operation({
	...base,
	id: "sandbox.reset",
	title: "Make everything as it was when the sandbox was first started",
	path: "/_sandbox/control/reset",
	body: z.strictObject({}),
	answer: done(),
});

export const readSummary = operation({
	...base,
	id: "sandbox.summary",
	title: "Summary of what the sandbox holds",
	effect: "read",
	method: "GET",
	path: "/_sandbox/summary",
	answer: answer(
		{ corporates: "How many", related: "How many", ledgers: "How many", transactions: "How many", terms: "Latest version" },
		"assumed",
	),
});

export const controls = [
	readOutbox,
	simulateEmail,
	simulateKyc,
	simulateKyb,
	publishTerms,
	simulateTransaction,
	advanceClock,
	fundLedger,
	simulateBeneficiary,
	setFault,
	setWebhookFault,
	readWebhookSecret,
	readIdentity,
	resetSandbox,
	readSummary,
] as const;

export type ControlId = (typeof controls)[number]["id"];
