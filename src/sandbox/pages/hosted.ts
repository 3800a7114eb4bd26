/**
 * What people open in a browser: the terms, the email link, the KYC page, the review.
 */

import { corporateOf, type Desk, time } from "../desk.js";
import { having } from "../lookup.js";
import { type Answer, html } from "../message.js";
import { notAllowed } from "../router.js";
import { openEmailLink } from "../service/contact.js";
import { decideKyc, openKyc, typeOfKyc } from "../service/kyc.js";
import type { Related, State } from "../state.js";
import { escaped, facts, pageOf } from "./pages.js";
import { reviewPage } from "./review.js";

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
	EN: {
		title: "Terms and conditions",
		labels: ["Version", "Published", "For"],
		audience: "Corporate customers",
		note: "An example without legal force: it stands where the service's own document would.",
		points: [
			"The corporate declares who owns and who directs it, and says so when that changes.",
			"Accounts are opened once the corporate is verified (KYB).",
			"New versions of these terms have to be accepted before any further payment.",
		],
	},
	FR: {
		title: "Conditions générales",
		labels: ["Version", "Publiées le", "Pour"],
		audience: "Clients professionnels",
		note: "Exemple sans valeur juridique, à la place du document du service.",
		points: [
			"La société déclare qui la détient et qui la dirige, et signale tout changement.",
			"Les comptes sont ouverts une fois la société vérifiée (KYB).",
			"Toute nouvelle version doit être acceptée avant de nouveaux paiements.",
		],
	},
} as const;

function termsPage(desk: Desk, _: string, [version, language = "EN", ...more]: readonly string[]): Answer {
	const terms = desk.state.terms.find((one) => one.version === version);
	if (!terms || more.length > 0 || (language !== "EN" && language !== "FR")) return noPage();
	const { title, labels, audience, note, points } = texts[language];
	const values = [terms.version, terms.publishedAt.slice(0, 10), audience];
	const list = points.map((point) => `<li>${point}</li>`).join("");
	const content = `<h1>${title}</h1><p class="quiet">${note}</p>${facts(labels.map((label, at) => [label, values[at]] as const))}<ol>${list}</ol>`;
	return html(200, pageOf(title, content, language === "FR" ? "fr" : "en"));
}

const withSecret = ({ related }: State, secret: string, of: (one: Related) => string | undefined): Related | undefined =>
	secret === "" ? undefined : related.find((one) => of(one) === secret);

/** A look (HEAD), as mail scanners take one, verifies nothing. */
function emailPage(desk: Desk, method: string, [secret = "", ...more]: readonly string[]): Answer {
	const related = more.length > 0 ? undefined : withSecret(desk.state, secret, ({ emailLink }) => emailLink?.secret);
	const { onSuccess, onFailure, expires = 0 } = related?.emailLink ?? {};
	const verified = related !== undefined && (method === "HEAD" ? expires > time(desk) : openEmailLink(desk, related));
	const location = verified ? onSuccess : onFailure;
	if (location !== undefined) return seeOther(location);
	if (!verified) return gone("This link is not valid any more. Ask for a new one.");
	return html(
		200,
		pageOf(
			"Email verified",
			`<h1>Your email address is verified</h1><p class="good">${escaped(related.email?.address ?? "")}</p><p>You can close this page.</p>`,
		),
	);
}

function kycPage(desk: Desk, method: string, [secret = "", decision, ...more]: readonly string[]): Answer {
	const posted = method === "POST";
	if (more.length > 0 || (posted ? decision !== "complete" && decision !== "decline" : decision !== undefined)) return noPage();
	const related = withSecret(desk.state, secret, ({ kyc }) => kyc.secret);
	if (!related || !openKyc(desk, related)) return gone("This link is not valid any more. Ask for a new one.");
	return posted
		? kycEnded(desk, related, decision === "complete")
		: html(200, pageOf("Identity verification", kycAsked(desk, related, secret)));
}

const nameOf = ({ fields }: Related): string => `${String(fields.firstName)} ${String(fields.lastName)}`;

function kycEnded(desk: Desk, related: Related, complete: boolean): Answer {
	const { onComplete, onFailure } = related.kyc;
	decideKyc(desk, related, complete ? "VALIDATED" : "DECLINED", complete ? undefined : "DOCUMENT_NOT_READABLE");
	const location = complete ? onComplete : onFailure;
	if (location !== undefined) return seeOther(location);
	const name = escaped(nameOf(related));
	const text = complete
		? `<p class="good">The verification of ${name} is complete.</p>`
		: `<p class="bad">The verification of ${name} was declined.</p>`;
	return html(200, pageOf("Identity verification", `<h1>Thank you</h1>${text}<p>You can close this page.</p>`));
}

function kycAsked(desk: Desk, related: Related, secret: string): string {
	const corporate = String(corporateOf(desk, related.corporateId).fields.corporateName);
	const full = typeOfKyc(desk, related) === "FULL_KYC";
	const face = full ? "<li>Your face, live in front of the camera</li>" : "";
	const rows = [
		["Person", nameOf(related)],
		["On behalf of", corporate],
		["Verification", full ? "Document and face" : "Document only"],
		["Link valid until", new Date(related.kyc.expires ?? 0).toISOString().slice(0, 16).replace("T", " ").concat(" UTC")],
	] as const;
	const target = `/_sandbox/kyc/${escaped(secret)}`;
	return `<h1>Identity verification</h1>
${facts(rows)}
<p>You would show:</p>
<ol><li>An identity document, front and back</li>${face}</ol>
<p class="quiet">This is the sandbox: no camera, no document. You decide how it ends.</p>
<form method="post" action="${target}/complete"><button>Complete</button></form>
<form method="post" action="${target}/decline"><button class="no">Decline</button></form>`;
}

function review(desk: Desk, _: string, [id = "", ...more]: readonly string[]): Answer {
	const [corporate] = having(desk.state.corporates, "id", id.toLowerCase());
	return corporate && more.length === 0 ? html(200, reviewPage(desk, corporate)) : noPage();
}

/** Leads the person on to where the partner said. */
const seeOther = (location: string): Answer => ({ status: 303, headers: { location: new URL(location).href }, body: new Uint8Array() });
const gone = (text: string): Answer => html(410, pageOf("Not valid", `<h1>Not valid</h1><p>${escaped(text)}</p>`));
const noPage = (): Answer => html(404, pageOf("Not found", "<h1>Not found</h1><p>There is no such page.</p>"));
