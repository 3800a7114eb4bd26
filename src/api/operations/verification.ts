/**
 * Verifications of a related person: email, identity (KYC) and phone (specification 1, steps 3, 7 and 8).
 */
import * as z from "zod/mini";
import { answer } from "../answer.js";
import { id, line, url } from "../fields.js";
import { operation } from "../operation.js";
import { field, type Source } from "../schema.js";

const person = (source: Source) => id("related", "Person", { positional: true, source });

export const sendEmailLink = operation({
	id: "email.sendLink",
	title: "Send an email verification link",
	effect: "write",
	done: { one: "verification email", many: "verification emails", verb: "sent" },
	send: "POST /api/partner/verifications/email/send",
	body: () =>
		z.strictObject({
			relatedPhysicalPersonId: person("assumed"),
			emailSubject: z.optional(line("Subject of the email", { source: "documented" })),
			urlOnSuccess: z.optional(url("Redirect after success", { source: "documented" })),
			urlOnFailure: z.optional(url("Redirect after failure", { source: "documented" })),
		}),
	answer: answer(["ttl"]),
	provenance: { method: "documented", path: "documented", request: "documented", answer: "documented" },
	specified: true,
});

export const getKycLink = operation({
	id: "kyc.link",
	title: "Get KYC link for a corporate related",
	effect: "write",
	done: { one: "KYC link", many: "KYC links", verb: "created" },
	send: "POST /api/partner/kyc",
	body: () =>
		z.strictObject({
			relatedPhysicalPersonId: person("documented"),
			kycConfiguration: z.prefault(
				field(
					z.strictObject({
						accessType: z._default(field(z.enum(["LINK"]), { description: "How the person starts the KYC" }), "LINK"),
						urlOnComplete: z.optional(url("Redirect after success")),
						urlOnFailure: z.optional(url("Redirect after failure")),
					}),
					{ description: "How the KYC is done" },
				),
				{},
			),
		}),
	answer: answer(["id", "url", "ttl"], "assumed"),
	link: ["url", "link"],
	provenance: { method: "documented", path: "documented", request: "documented", answer: "assumed" },
	specified: true,
});

export const sendPhoneCode = operation({
	id: "phone.sendCode",
	title: "Send phone verification code by sms",
	effect: "write",
	done: { one: "phone code", many: "phone codes", verb: "sent" },
	send: "POST /api/partner/verifications/phone/send",
	body: () => z.strictObject({ relatedPhysicalPersonId: person("assumed") }),
	answer: answer(["ttl"]),
	provenance: { method: "documented", path: "documented", request: "documented", answer: "documented" },
	specified: true,
});

export const verifyPhoneCode = operation({
	id: "phone.verifyCode",
	title: "Verify phone verification code",
	effect: "write",
	done: { one: "phone", many: "phones", verb: "verified" },
	send: "POST /api/partner/verifications/phone/verify",
	body: () =>
		z.strictObject({
			relatedPhysicalPersonId: person("documented"),
			code: field(z.string().check(z.regex(/^[0-9]{6}$/, "must be the 6 digits of the SMS")), {
				description: "The 6 digits of the SMS (5 tries, 10 minutes)",
				placeholder: "digits",
				source: "documented",
			}),
		}),
	provenance: { method: "documented", path: "documented", request: "documented", answer: "documented" },
	specified: true,
});
