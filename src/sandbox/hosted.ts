/**
 * What people open in a browser: the terms, the email link, the KYC page, the review.
 */
import { openEmailLink } from "./contact.js";
import { type Desk, time } from "./desk.js";
import { decideKyc, openKyc, typeOfKyc } from "./kyc.js";
import { having } from "./lookup.js";
import { type Answer, html } from "./message.js";
import { escaped, pageOf } from "./pages.js";
import { reviewPage } from "./review.js";
import { notAllowed } from "./router.js";
import type { Related, State } from "./state.js";

/** One page: the method is GET, HEAD or POST. */
type Page = (desk: Desk, method: string, parts: readonly string[]) => Answer;

const pages: Readonly<Record<string, { methods: readonly string[]; show: Page }>> = {
	terms: { methods: ["GET"], show: termsPage },
	email: { methods: ["GET"], show: emailPage },
	kyc: { methods: ["GET", "POST"], show: kycPage },
	review: { methods: ["GET"], show: review },
};

/** Answers a page of the sandbox, or undefined where the path is none. @throws Refusal 405 */
export function hostedPage(desk: Desk, method: string, path: string): Answer | undefined {
	const [, , kind = "", ...encoded] = path.split("/");
	const page = Object.hasOwn(pages, kind) ? pages[kind] : undefined;
	if (!page) return undefined;
	if (!page.methods.includes(method === "HEAD" ? "GET" : method)) throw notAllowed(method, page.methods);
	return page.show(desk, method, encoded.map(decoded));
}

/** A part with broken percent-encoding stands for itself: nothing is called so. */
function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

const texts = {
	EN: { title: "Terms and conditions", note: "An example without legal force.", version: "Version", published: "Published" },
	FR: { title: "Conditions générales", note: "Exemple sans valeur juridique.", version: "Version", published: "Publiées le" },
} as const;

function termsPage(desk: Desk, _: string, [version, language = "EN", ...more]: readonly string[]): Answer {
	const terms = desk.state.terms.find((one) => one.version === version);
	if (!terms || more.length > 0 || (language !== "EN" && language !== "FR")) return noPage();
	const { title, note, version: versionLabel, published } = texts[language];
	const rows = `<tr><th>${versionLabel}</th><td>${escaped(terms.version)}</td></tr><tr><th>${published}</th><td>${escaped(terms.publishedAt.slice(0, 10))}</td></tr>`;
	return html(200, pageOf(title, `<h1>${title}</h1><p>${note}</p><table>${rows}</table>`, language === "FR" ? "fr" : "en"));
}

const withSecret = ({ related }: State, secret: string, of: (one: Related) => string | undefined): Related | undefined =>
	secret === "" ? undefined : related.find((one) => of(one) === secret);

/** A look (HEAD), as mail scanners take one, verifies nothing. */
function emailPage(desk: Desk, method: string, [secret = "", ...more]: readonly string[]): Answer {
	const related = more.length > 0 ? undefined : withSecret(desk.state, secret, ({ emailLink }) => emailLink?.secret);
	const { onSuccess, onFailure, expires = 0 } = related?.emailLink ?? {};
	const verified = related !== undefined && (method === "HEAD" ? expires > time(desk) : openEmailLink(desk, related));
	const location = verified ? onSuccess : onFailure;
	if (location !== undefined) return { status: 302, headers: { location: new URL(location).href }, body: new Uint8Array() };
	if (!verified) return gone("This link is not valid any more. Ask for a new one.");
	return html(200, pageOf("Email verified", "<h1>Your email address is verified</h1><p>You can close this page.</p>"));
}

function kycPage(desk: Desk, method: string, [secret = "", decision, ...more]: readonly string[]): Answer {
	const posted = method === "POST";
	if (more.length > 0 || (posted ? decision !== "complete" && decision !== "decline" : decision !== undefined)) return noPage();
	const related = withSecret(desk.state, secret, ({ kyc }) => kyc.secret);
	if (!related || !openKyc(desk, related)) return gone("This link is not valid any more. Ask for a new one.");
	const name = escaped(`${String(related.fields.firstName)} ${String(related.fields.lastName)}`);
	if (posted) {
		const complete = decision === "complete";
		decideKyc(desk, related, complete ? "VALIDATED" : "DECLINED", complete ? undefined : "DOCUMENT_NOT_READABLE");
		const text = complete ? `The verification of ${name} is complete.` : `The verification of ${name} was declined.`;
		return html(200, pageOf("Identity verification", `<h1>Thank you</h1><p>${text} You can close this page.</p>`));
	}
	const asked = typeOfKyc(desk, related) === "FULL_KYC" ? "show your identity document and then your face" : "show your identity document";
	return html(
		200,
		pageOf(
			"Identity verification",
			`<h1>Identity verification</h1><p>${name}, please ${asked}. In the sandbox you decide how it ends.</p>
<form method="post" action="/_sandbox/kyc/${escaped(secret)}/complete"><button>Complete</button></form>
<form method="post" action="/_sandbox/kyc/${escaped(secret)}/decline"><button class="no">Decline</button></form>`,
		),
	);
}

function review(desk: Desk, _: string, [id = "", ...more]: readonly string[]): Answer {
	const [corporate] = having(desk.state.corporates, "id", id.toLowerCase());
	return corporate && more.length === 0 ? html(200, reviewPage(desk, corporate)) : noPage();
}

const gone = (text: string): Answer => html(410, pageOf("Not valid", `<h1>Not valid</h1><p>${escaped(text)}</p>`));
const noPage = (): Answer => html(404, pageOf("Not found", "<h1>Not found</h1><p>There is no such page.</p>"));
