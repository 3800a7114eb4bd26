/**
 * The layout of the sandbox's pages: no script, nothing loaded from elsewhere, and a policy that holds browsers to that.
 */
import { createHash } from "node:crypto";
import type { Response } from "../message.js";

/** Text safe inside HTML, in an attribute too. */
export function escaped(text: string): string {
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
export function htmlPage(title: string, content: string): string {
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

/** No site frames a page or reads it, and a page asks for no camera, though a real one would. (Cross-Origin-Opener-Policy: browsers refuse it without TLS.) */
const guards = {
	"x-frame-options": "DENY",
	"cross-origin-resource-policy": "same-origin",
	"permissions-policy": "camera=(), microphone=(), geolocation=()",
} as const;

const styleHash = createHash("sha256").update(stylesheet).digest("base64");

/**
 * A page as an answer.
 * @param leadsTo addresses that its forms end at: browsers hold a redirect after a form to the policy as well
 */
export function htmlResponse(status: number, page: string, leadsTo: readonly string[] = []): Response {
	const forms = ["'self'", ...leadsTo.map((address) => new URL(address).origin)].join(" ");
	const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`;
	return {
		status,
		headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "content-security-policy": policy, ...guards },
		body: new TextEncoder().encode(page),
	};
}

/** Labels and texts as a table. Both are escaped here; a row without a text is left out. */
export function factTable(rows: readonly (readonly [string, string | undefined])[]): string {
	const lines = rows.flatMap(([label, text]) =>
		text === undefined ? [] : `<tr><th scope="row">${escaped(label)}</th><td>${escaped(text)}</td></tr>`,
	);
	return `<table class="facts">${lines.join("")}</table>`;
}
