/**
 * The pages that people open in a browser: terms, email link, KYC, and the due-diligence review of a company.
 */

import { createHash } from "node:crypto";
import { isRecord } from "../../api/schema.js";
import { type Backend, byId, findCorporate, relatedOf, termsAccepted } from "../backend.js";
import { notAllowed, type Response } from "../message.js";
import { holdingsOf, isUbo } from "../service/ownership.js";
import { decideKyc, isKycOpen, missingForKyb, typeOfKyc } from "../service/verification.js";
import type { Corporate, Related } from "../state.js";

/** Whether a request's target is a page: opened by people, from an email or another site too. */
export const isPage = (target: string): boolean => /^\/_sandbox\/(terms|kyc)(\/|$)/.test(target);

/** Answers a page of the sandbox, or undefined where the path is none. @throws HttpError 405 */
export function hostedPage(backend: Backend, method: string, path: string): Response | undefined {
	if (!isPage(path)) return undefined;
	const [, , kind, ...parts] = path.split("/");
	const methods = kind === "kyc" ? ["GET", "POST"] : ["GET"];
	if (!methods.includes(method === "HEAD" ? "GET" : method)) throw notAllowed(method, methods);
	return kind === "kyc" ? kycPage(backend, method, parts) : termsPage(backend, parts);
}

/** The same for each language that the terms are asked for in. */
function termsPage(backend: Backend, [version, language = "EN", ...more]: readonly string[]): Response {
	const terms = backend.state.terms.find((one) => one.version === version);
	if (!terms || more.length > 0 || (language !== "EN" && language !== "FR")) return noPage();
	const rows = [
		["Version", terms.version],
		["Published", terms.publishedAt.slice(0, 10)],
		["For", "Companies"],
	] as const;
	const note = "An example without legal force: it stands where the service's own document would.";
	const title = "Terms and conditions";
	return htmlResponse(200, htmlPage(title, `<h1>${title}</h1><p class="quiet">${note}</p>${factTable(rows)}`));
}

function kycPage(backend: Backend, method: string, [secret = "", decision, ...more]: readonly string[]): Response {
	const posted = method === "POST";
	if (more.length > 0 || (posted ? decision !== "complete" && decision !== "decline" : decision !== undefined)) return noPage();
	const related = secret === "" ? undefined : backend.state.related.find(({ kyc }) => kyc.secret === secret);
	if (!related || !isKycOpen(backend, related)) return gone();
	if (!posted) return htmlResponse(200, htmlPage("Identity verification", kycForm(backend, related, secret)));
	decideKyc(
		backend,
		related,
		decision === "complete" ? "VALIDATED" : "DECLINED",
		decision === "complete" ? undefined : "DOCUMENT_NOT_READABLE",
	);
	return kycEnd(related);
}

function kycEnd(related: Related): Response {
	const { status, onComplete, onFailure } = related.kyc;
	const complete = status === "VALIDATED";
	const location = complete ? onComplete : onFailure;
	if (location !== undefined) return { status: 303, headers: { location: new URL(location).href }, body: new Uint8Array() };
	const name = escaped(nameOf(related));
	const page = complete
		? endPage("Identity verified", `<p class="good">The verification of ${name} is complete.</p>`, "You can close this page.")
		: endPage(
				"Verification declined",
				`<p class="bad">The identity of ${name} could not be verified: the document was not readable.</p>`,
				"Ask the company that sent you the link for a new one, and try again.",
			);
	return htmlResponse(200, page);
}

function kycForm(backend: Backend, related: Related, secret: string): string {
	const corporate = String(findCorporate(backend, related.corporateId).fields.corporateName);
	const full = typeOfKyc(backend, related) === "FULL_KYC";
	const rows = [
		["Person", nameOf(related)],
		["On behalf of", corporate],
		["Verification", full ? "Document and face" : "Document only"],
		["Link valid until", new Date(related.kyc.expires ?? 0).toISOString().slice(0, 16).replace("T", " ").concat(" UTC")],
	] as const;
	const target = `/_sandbox/kyc/${escaped(secret)}`;
	return `<h1>Identity verification</h1>
${factTable(rows)}
<p class="quiet">This is a test: no camera, no document. You choose how the verification ends.</p>
<form method="post" action="${target}/complete"><button>Complete</button></form>
<form method="post" action="${target}/decline"><button class="no">Decline</button></form>`;
}

/** A page at which a person's way ends. @param content HTML @param next what to do now */
const endPage = (title: string, content: string, next: string): string => htmlPage(title, `<h1>${title}</h1>${content}<p>${next}</p>`);
const gone = (): Response =>
	htmlResponse(
		410,
		endPage(
			"This link no longer works",
			"<p>It was used before, is older than 30 days, or a newer link replaced it.</p>",
			"If you have already verified your identity, there is nothing left to do. Otherwise ask the company that sent it to you for a new one.",
		),
	);
const noPage = (): Response =>
	htmlResponse(404, endPage("Page not found", "<p>There is no page at this address.</p>", "Check that the whole link was copied."));

/** The company, who owns and directs it, and what its verification still waits for. */
export function reviewPage(backend: Backend, corporate: Corporate): Response {
	const related = relatedOf(backend, corporate.id);
	const cells = (one: Related): string[] => columns(backend, one).map((value) => `<td>${escaped(value)}</td>`);
	const rows = related.map((one) => `<tr>${cells(one).join("")}</tr>`).join("");
	const head = ["Name", "Role", "Shares", "KYC"].map((label) => `<th scope="col">${label}</th>`).join("");
	const missing = corporate.kyb.status === "VALIDATED" ? [] : missingForKyb(backend, corporate);
	// Names in the place of ids.
	const named = (one: string): string => related.reduce((words, { id, ...who }) => words.replace(id, nameOf(who)), one);
	const waits = missing.map((one) => `<li>${escaped(named(one))}</li>`).join("");
	const { fields, kyb } = corporate;
	const company = [
		["Identifier", corporate.id] as const,
		...Object.entries(fields).map(([name, value]) => [labelOf(name), text(value)] as const),
		["Terms accepted", termsAccepted(backend, corporate) ? "yes" : "no"] as const,
		["KYB", kyb.reason === undefined ? kyb.status : `${kyb.status}: ${kyb.reason}`] as const,
	];
	const page = htmlPage(
		"Due diligence review",
		`<h1>${escaped(text(corporate.fields.corporateName) ?? "")}</h1>
<p class="quiet">Due diligence review of ${escaped(backend.now().toISOString().slice(0, 10))}</p>
<h2>Company</h2>
${factTable(company)}
<h2>Related entities</h2>
<div class="scroll" role="region" aria-label="Related entities" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>${waits === "" ? "" : `\n<h2>Needed before the KYB can be validated</h2>\n<ul>${waits}</ul>`}`,
	);
	return htmlResponse(200, page);
}

/** `tradeName` → `Trade name`. */
const labelOf = (name: string): string => {
	const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
	return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

const nameOf = ({ company, fields }: Pick<Related, "company" | "fields">): string =>
	company ? String(fields.corporateName) : `${String(fields.firstName)} ${String(fields.lastName)}`;

function columns(backend: Backend, one: Related): string[] {
	const director = one.fields.isDirector === true;
	const roles = [one.accountOwner && "account owner", director && "director", isUbo(one) && "UBO", one.company && "company"];
	const shares = holdingsOf(one).map(({ owned, share }) => {
		const company = owned === one.corporateId ? undefined : byId(backend.state.related, owned);
		return `${text(share)} %${company ? ` of ${nameOf(company)}` : ""}`;
	});
	const type = typeOfKyc(backend, one);
	return [
		nameOf(one),
		roles.filter(Boolean).join(", ") || "—",
		shares.join(", ") || "—",
		one.company ? type : `${one.kyc.status} (${type})`,
	];
}

/** Text, or the values of a record in a row; undefined where there is none. */
function text(value: unknown): string | undefined {
	if (value === undefined || value === null || value === "") return undefined;
	return isRecord(value) ? Object.values(value).map(String).join(", ") : String(value);
}

/** Text safe inside HTML, in an attribute too. */
function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const stylesheet = `
:root { color-scheme: light dark; --ink: #1d2733; --quiet: #5b6877; --paper: #fff; --line: #dfe4ea; --accent: #0b5cad; --on: #fff; --good: #1b6e3c; --bad: #b3261e; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --quiet: #9eabb9; --paper: #161d25; --line: #2c3844; --accent: #6db3f2; --on: #0e1318; --good: #7fd19c; --bad: #f2938c; } }
body { font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.05rem; }
.quiet, footer { color: var(--quiet); } .good { color: var(--good); } .bad { color: var(--bad); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-top: 1px solid var(--line); vertical-align: top; } table.facts th { width: 40%; font-weight: 400; }
.scroll { overflow-x: auto; } .scroll td { overflow-wrap: break-word; } .scroll td:first-child { overflow-wrap: anywhere; min-width: 9rem; }
form { display: inline-block; margin: 1.25rem .75rem 0 0; }
button { font: inherit; padding: .65rem 1.5rem; border: 1px solid var(--accent); background: var(--accent); color: var(--on); }
button.no { background: none; border-color: var(--bad); color: var(--bad); }`;

// Without an icon of its own, a browser asks the server for one.
const icon =
	"data:image/svg+xml,%3Csvg xmlns='http:%2F%2Fwww.w3.org%2F2000%2Fsvg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='8' fill='%230b5cad'/%3E%3Cpath d='M4.5 8.5l2.5 2.5 4.5-5' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E";

/** A whole page. @param content HTML, in which foreign text is escaped already */
function htmlPage(title: string, content: string): string {
	return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="${icon}"><title>${escaped(title)}</title><style>${stylesheet}</style></head>
<body>
<main>
${content}
</main>
<footer>A page of purser's local test service. Nothing here is real.</footer>
</body>
</html>
`;
}

const styleHash = createHash("sha256").update(stylesheet).digest("base64");

/** A page as an answer: it runs and loads nothing, and no site frames it. */
function htmlResponse(status: number, page: string): Response {
	const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;
	return {
		status,
		headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "content-security-policy": policy },
		body: new TextEncoder().encode(page),
	};
}

/** Labels and texts as a table. Both are escaped here; a row without a text is left out. */
function factTable(rows: readonly (readonly [string, string | undefined])[]): string {
	const lines = rows.flatMap(([label, text]) =>
		text === undefined ? [] : `<tr><th scope="row">${escaped(label)}</th><td>${escaped(text)}</td></tr>`,
	);
	return `<table class="facts">${lines.join("")}</table>`;
}
