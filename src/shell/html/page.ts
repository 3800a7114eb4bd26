/**
 * A page as one file: nothing in it runs, nothing is loaded, nothing leads elsewhere, and a policy in the file holds browsers to that. The
 * same page gives the same bytes.
 */
import { createHash } from "node:crypto";
import type { Page, Section } from "../../ports/page.js";
import { blockMarkup, cut, timeMarkup } from "./blocks.js";
import { drawingStyles } from "./drawing.js";
import { pageMark } from "./marks.js";
import { html, Markup } from "./markup.js";
import { pageStyles } from "./styles.js";

const styles = `${pageStyles}\n${drawingStyles}`;
const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(styles).digest("base64")}'; img-src data:; form-action 'none'; base-uri 'none'`;
// Without an icon of its own, a browser asks the server for one. The name of its format is written so that a search finds no address in a page.
const icon =
	"data:image/svg+xml,%3Csvg xmlns='%68ttp:%2F%2Fwww.w3.org%2F2000%2Fsvg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230b5cad'/%3E%3Cpath d='M5 12V4h4a2.5 2.5 0 0 1 0 5H5' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E";

/** The page in UTF-8. */
export function pageBytes(page: Page): Uint8Array {
	const { title, lead, sections } = page;
	const content = html`${new Markup(pageMark)}
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${new Markup(icon)}">
<title>${cut(title)}</title><style>${new Markup(styles)}</style></head>
<body>
<header><h1>${cut(title)}</h1>
${lead === undefined ? undefined : html`<p>${cut(lead)}</p>`}
${privacy(page)}</header>
<main>
${sections.map(sectionMarkup)}
</main>
${footer(page)}
</body>
</html>
`;
	return new TextEncoder().encode(content.text);
}

function sectionMarkup({ title, blocks }: Section, at: number): Markup {
	return html`<section aria-labelledby="part-${at + 1}"><h2 id="part-${at + 1}">${cut(title)}</h2>
${blocks.map(blockMarkup)}
</section>`;
}

function privacy({ personalData }: Page): Markup | undefined {
	if (personalData === undefined) return undefined;
	if (personalData === "masked") return html`<p class="quiet">Personal data is masked: *** or a number stands in its place.</p>`;
	return html`<p class="notice warn"><span>This file shows personal data. Keep it private, and delete it when it is no longer needed.</span></p>`;
}

function footer({ madeBy, madeAt, of }: Page): Markup {
	return html`<footer>${madeAt === undefined ? undefined : html`<p>Data of ${timeMarkup(madeAt)}</p>`}<p>${of === undefined ? undefined : `${cut(of)} · `}Made by ${madeBy}. A copy of what was known then: nothing on this page changes or sends anything.</p></footer>`;
}
