/**
 * What people open in a browser: the terms, the email link, the KYC page, the review.
 */
import { corporateOf, type Desk, time } from "./desk.js";
import { type Answer, html, Refusal } from "./message.js";
import { escaped, pageOf } from "./pages.js";
import { reviewPage } from "./review.js";
import type { Related } from "./state.js";

/** Answers a page of the sandbox, or undefined where the path is none. */
export function hostedPage(desk: Desk, method: string, path: string): Answer | undefined {
	const [, , kind, first = "", second] = path.split("/");
	if (kind === "terms" && method === "GET") return termsPage(desk, first, second);
	if (kind === "email" && method === "GET") return emailPage(desk, first);
	if (kind === "kyc") return kycPage(desk, method, first, second);
	if (kind === "review" && method === "GET") return html(200, reviewPage(desk, corporateOf(desk, first)));
	return undefined;
}

function termsPage(desk: Desk, version: string, language: string | undefined): Answer {
	const terms = desk.state.terms.find((one) => one.version === version);
	if (!terms) return gone("There are no such terms.");
	const french = language === "FR";
	return html(
		200,
		pageOf(
			french ? "Conditions générales" : "Terms and conditions",
			`<h1>${french ? "Conditions générales" : "Terms and conditions"} ${escaped(version)}</h1><p>${french ? "Exemple sans valeur juridique." : "An example without legal force."}</p><p>${escaped(terms.publishedAt)}</p>`,
		),
	);
}

function emailPage(desk: Desk, secret: string): Answer {
	const related = desk.state.related.find((one) => one.emailLink?.secret === secret);
	if (!related?.emailLink || related.emailLink.expires < time(desk)) return gone("This link is not valid any more. Ask for a new one.");
	const { onSuccess } = related.emailLink;
	verifyEmail(related);
	if (onSuccess !== undefined && /^https?:\/\//.test(onSuccess))
		return { status: 302, headers: { location: onSuccess }, body: new Uint8Array() };
	return html(200, pageOf("Email verified", "<h1>Your email address is verified</h1><p>You can close this page.</p>"));
}

/** Opening the link verifies the address, once. */
export function verifyEmail(related: Related): void {
	if (related.email) related.email.verified = true;
	related.emailLink = undefined;
}

function kycPage(desk: Desk, method: string, secret: string, decision: string | undefined): Answer {
	const related = desk.state.related.find((one) => one.kyc.secret === secret);
	if (!related || (related.kyc.expires ?? 0) < time(desk)) return gone("This link is not valid any more. Ask for a new one.");
	const name = `${String(related.fields.firstName)} ${String(related.fields.lastName)}`;
	if (method === "POST" && (decision === "complete" || decision === "decline")) {
		decideKyc(related, decision === "complete" ? "VALIDATED" : "DECLINED", decision === "complete" ? undefined : "DOCUMENT_NOT_READABLE");
		return html(
			200,
			pageOf(
				"Identity verification",
				`<h1>Thank you</h1><p>The verification of ${escaped(name)} is ${related.kyc.status === "VALIDATED" ? "complete" : "declined"}. You can close this page.</p>`,
			),
		);
	}
	if (method !== "GET") return undefined as never;
	return html(
		200,
		pageOf(
			"Identity verification",
			`<h1>Identity verification</h1><p>${escaped(name)}, please show your document and, where asked, your face.</p>
<form method="post" action="/_sandbox/kyc/${secret}/complete"><button>Complete</button></form>
<form method="post" action="/_sandbox/kyc/${secret}/decline"><button class="no">Decline</button></form>`,
		),
	);
}

/** Ends a KYC; its link stops working. @throws Refusal 409 where none was requested */
export function decideKyc(related: Related, status: string, reason?: string): void {
	if (related.company || related.kyc.status === "NOT_STARTED")
		throw new Refusal(409, "KYC_NOT_REQUESTED", "No KYC link was asked for this related entity");
	related.kyc = { ...related.kyc, status, reason, secret: undefined };
}

function gone(text: string): Answer {
	return html(410, pageOf("Not valid", `<h1>Not valid</h1><p>${escaped(text)}</p>`));
}
