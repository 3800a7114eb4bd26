/**
 * Email and phone of a person: the link, the code, and what they verify (specification 3; 4, rules 7 and 8).
 */
import { type Backend, timeOf } from "../backend.js";
import { HttpError } from "../message.js";
import type { Related } from "../state.js";
import { validate } from "./validation.js";
import { personOf } from "./verification.js";

type Body = Record<string, unknown>;

const minute = 60 * 1000;
const mostTries = 5;
const theCode = "123456";

/** Send an email verification link: valid 48 hours. @throws HttpError 400, 404, 409 */
export function mailLink(backend: Backend, body: Body): unknown {
	const related = personOf(backend, body);
	validate("emailLink", body);
	if (!related.email) throw new HttpError(409, "EMAIL_REQUIRED", "This person has no email address");
	related.emailLink = timeOf(backend) + 48 * 60 * minute;
	return { ttl: "PT48H" };
}

/** Opening the link verifies the address, once. Returns false, and verifies nothing, where it has expired or was never sent. */
export function openEmailLink(backend: Backend, related: Related): boolean {
	if (!related.email || !related.emailLink || related.emailLink <= timeOf(backend)) return false;
	related.email.verified = true;
	related.emailLink = undefined;
	return true;
}

/** Send phone verification code: in the sandbox always 123456. @throws HttpError 400, 404, 409 */
export function textCode(backend: Backend, body: Body): unknown {
	const related = personOf(backend, body);
	if (!related.phone) throw new HttpError(409, "PHONE_REQUIRED", "This person has no phone number");
	related.phoneCode = { expires: timeOf(backend) + 10 * minute, tries: 0 };
	return { ttl: "PT10M" };
}

/** Verify phone verification code: 5 tries, 10 minutes, once. @throws HttpError 400 INVALID_PHONE_CODE, 404, 409 */
export function checkCode(backend: Backend, body: Body): void {
	const related = personOf(backend, body);
	const sent = related.phoneCode;
	if (!sent || !related.phone || sent.expires <= timeOf(backend))
		throw new HttpError(400, "INVALID_PHONE_CODE", "No code is valid; send one");
	if (sent.tries >= mostTries) throw new HttpError(400, "INVALID_PHONE_CODE", "Too many tries; send a new code");
	sent.tries += 1;
	if (body.code !== theCode) throw new HttpError(400, "INVALID_PHONE_CODE", `The code is wrong; tries left: ${mostTries - sent.tries}`);
	related.phone.verified = true;
	related.phoneCode = undefined;
}
