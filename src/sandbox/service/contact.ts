/**
 * Email and phone of a person: the link, the code, and what they verify (specification 3; 4, rules 7 and 8).
 */
import { type Desk, secretOf, time } from "../desk.js";
import { Refusal } from "../message.js";
import type { Related } from "../state.js";
import { personOf } from "./kyc.js";
import { mustFit } from "./rules.js";

type Body = Record<string, unknown>;

const minute = 60 * 1000;
const mostTries = 5;

/** Send an email verification link: valid 48 hours, and only the one sent last. @throws Refusal 400, 404, 409 */
export function sendEmailLink(desk: Desk, body: Body): unknown {
	const related = personOf(desk, body);
	mustFit("emailLink", body);
	const { emailSubject, urlOnSuccess, urlOnFailure } = body as Record<string, string | null | undefined>;
	if (!related.email) throw new Refusal(409, "EMAIL_REQUIRED", "This person has no email address");
	const secret = secretOf(desk);
	related.emailLink = {
		secret,
		expires: time(desk) + 48 * 60 * minute,
		onSuccess: urlOnSuccess ?? undefined,
		onFailure: urlOnFailure ?? undefined,
	};
	const link = `${desk.options.origin}/_sandbox/email/${secret}`;
	const subject = emailSubject ?? "Verify your email address";
	tell(desk, related, "email", related.email.address, `${subject}: ${link}`, link);
	return { ttl: "PT48H" };
}

/** Opening the link verifies the address, once. Returns false, and verifies nothing, where it has expired or was never sent. */
export function openEmailLink(desk: Desk, related: Related): boolean {
	if (!related.email || !related.emailLink || related.emailLink.expires <= time(desk)) return false;
	related.email.verified = true;
	related.emailLink = undefined;
	return true;
}

/** Send phone verification code: in the sandbox always 123456. @throws Refusal 400, 404, 409 */
export function sendPhoneCode(desk: Desk, body: Body): unknown {
	const related = personOf(desk, body);
	if (!related.phone) throw new Refusal(409, "PHONE_REQUIRED", "This person has no phone number");
	related.phoneCode = { code: "123456", expires: time(desk) + 10 * minute, tries: 0 };
	tell(desk, related, "sms", `${related.phone.countryCode}${related.phone.number}`, "Your code is 123456");
	return { ttl: "PT10M" };
}

/** Verify phone verification code: 5 tries, 10 minutes, once. @throws Refusal 400 INVALID_PHONE_CODE, 404, 409 */
export function verifyPhoneCode(desk: Desk, body: Body): undefined {
	const related = personOf(desk, body);
	const sent = related.phoneCode;
	if (!sent || !related.phone || sent.expires <= time(desk)) throw new Refusal(400, "INVALID_PHONE_CODE", "No code is valid; send one");
	if (sent.tries >= mostTries) throw new Refusal(400, "INVALID_PHONE_CODE", "Too many tries; send a new code");
	sent.tries += 1;
	if (body.code !== sent.code) throw new Refusal(400, "INVALID_PHONE_CODE", `The code is wrong; tries left: ${mostTries - sent.tries}`);
	related.phone.verified = true;
	related.phoneCode = undefined;
	return undefined;
}

function tell(desk: Desk, related: Related, kind: "email" | "sms", to: string, text: string, link?: string): void {
	desk.state.outbox = [...desk.state.outbox.slice(-999), { kind, relatedId: related.id, to, at: desk.now().toISOString(), text, link }];
}
