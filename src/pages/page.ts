/**
 * A page as one file: nothing in it runs, nothing is loaded, nothing leads elsewhere, and a policy in the file holds browsers to that. The
 * same page gives the same bytes.
 */
import { createHash } from "node:crypto";
import { groupDigits, inCurrency } from "../api/amount.js";
import type { Block, Cell, Page, Tone } from "../ports/page.js";
import { html, Markup, pageMark, pageStyles } from "./markup.js";

/** Most bytes of a page: what a mail and a slow machine take. */
const mostBytes = 1024 * 1024;
/** Most characters of one text of a page; what is longer ends with an ellipsis. */
const mostText = 600;

const policy = `default-src 'none'; style-src 'sha256-${createHash("sha256").update(pageStyles).digest("base64")}'; img-src data:; form-action 'none'; base-uri 'none'`;
// Without an icon of its own, a browser asks the server for one. The name of its format is written so that a search finds no address in a page.
const icon =
	"data:image/svg+xml,%3Csvg xmlns='%68ttp:%2F%2Fwww.w3.org%2F2000%2Fsvg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230b5cad'/%3E%3Cpath d='M5 12V4h4a2.5 2.5 0 0 1 0 5H5' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E";

/**
 * The page in UTF-8, at most 1 MB: its tables have so many rows, or half as many, and again, until it fits. What is left out stands below
 * each table.
 */
export function pageBytes(page: Page, rows = 200): Uint8Array {
	for (let left = rows; ; left = Math.floor(left / 2)) {
		const bytes = new TextEncoder().encode(documentOf(page, left).text);
		if (bytes.length <= mostBytes || left === 0) return bytes;
	}
}

function documentOf({ title, lead, sections, ...about }: Page, most: number): Markup {
	return html`${new Markup(pageMark)}
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${new Markup(icon)}">
<title>${cut(title)}</title><style>${new Markup(pageStyles)}</style></head>
<body>
<header><h1>${cut(title)}</h1>
${lead === undefined ? undefined : html`<p>${cut(lead)}</p>`}
${privacy(about)}</header>
<main>
${sections.map(
	({ title, blocks }, at) => html`<section aria-labelledby="part-${at + 1}"><h2 id="part-${at + 1}">${cut(title)}</h2>
${blocks.map((block) => blockMarkup(block, most))}
</section>`,
)}
</main>
${footer(about)}
</body>
</html>
`;
}

function privacy({ personalData }: Pick<Page, "personalData">): Markup | undefined {
	if (personalData === undefined) return undefined;
	if (personalData === "masked") return html`<p class="quiet">Personal data is masked: *** or a number stands in its place.</p>`;
	return html`<p class="notice warn"><span>This file shows personal data. Keep it private, and delete it when it is no longer needed.</span></p>`;
}

function footer({ madeBy, madeAt, of }: Pick<Page, "madeBy" | "madeAt" | "of">): Markup {
	return html`<footer>${madeAt === undefined ? undefined : html`<p>Data of ${timeMarkup(madeAt)}</p>`}<p>${of === undefined ? undefined : `${cut(of)} · `}Made by ${cut(madeBy)}. A copy of what was known then: nothing on this page changes or sends anything.</p></footer>`;
}

function blockMarkup(block: Block, most: number): Markup {
	switch (block.kind) {
		case "text":
			return html`<p${classOf(block.tone)}>${cut(block.text)}</p>`;
		case "notice":
			return html`<p class="notice ${block.tone}"><span>${cut(block.text)}</span></p>`;
		case "facts":
			return html`<dl>${block.rows.flatMap(([label, value]) => (value === undefined ? [] : [html`<dt>${cut(label)}</dt><dd>${cellMarkup(value)}</dd>`]))}</dl>`;
		case "table":
			return tableMarkup(block, most);
		case "picture":
			// As a wide table does, a wide picture scrolls by itself.
			return html`<div class="scroll" role="region" aria-label="${cut(block.picture.title)}" tabindex="0"><figure>${pictureMarkup(block.picture.markup)}</figure></div>`;
	}
}

/** Only what this room has drawn is HTML. */
function pictureMarkup(markup: unknown): Markup {
	if (!(markup instanceof Markup)) throw new Error("a picture that was not drawn here");
	return markup;
}

function tableMarkup({ caption, columns, rows, empty, of = rows.length, where }: Extract<Block, { kind: "table" }>, most: number): Markup {
	if (rows.length === 0) return html`<p class="quiet">${cut(empty)}</p>`;
	const shown = rows.slice(0, most);
	const side = (at: number): Markup | undefined => (columns[at]?.right ? html` class="right"` : undefined);
	const head = columns.map(({ name }, at) => html`<th scope="col"${side(at)}>${cut(name)}</th>`);
	const body = shown.map((row) => html`<tr>${columns.map((_, at) => html`<td${side(at)}>${cellMarkup(row[at])}</td>`)}</tr>`);
	// A wide table scrolls by itself, by keyboard too, so that the page does not.
	// One of many columns would be squeezed on a narrow screen until each line holds a word.
	const shape = columns.length > 5 ? "scroll most" : columns.length > 3 ? "scroll many" : "scroll";
	const more =
		of > shown.length
			? html`<p class="quiet">The first ${groupDigits(shown.length)} of ${groupDigits(of)}${where === undefined ? undefined : `. All of them: ${cut(where)}`}</p>`
			: undefined;
	return html`<div class="${shape}" role="region" aria-label="${cut(caption)}" tabindex="0"><table><caption>${cut(caption)}</caption><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>${more}`;
}

function cellMarkup(cell: Cell): Markup | undefined {
	if (cell === undefined) return undefined;
	if (typeof cell === "string") return html`${cut(cell)}`;
	if ("time" in cell) return timeMarkup(cell.time);
	if ("code" in cell) return html`<code>${cut(cell.code)}</code>`;
	if ("amount" in cell) return html`${cut(inCurrency(cell.amount, cell.currency))}`;
	return html`<span${classOf(cell.tone)}>${cut(cell.text)}</span>`;
}

const classOf = (tone: Tone | undefined): Markup | undefined => (tone === undefined ? undefined : html` class="${tone}"`);

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** In UTC, so that the page of one answer is the same everywhere; what is no time stands as it is. */
function timeMarkup(time: string): Markup {
	const isTime = rfc3339.test(time) && !Number.isNaN(Date.parse(time));
	return html`<time>${isTime ? `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC` : cut(time)}</time>`;
}

/** A text cut to what a page has room for, between characters. */
function cut(text: string, most = mostText): string {
	if (text.length <= most) return text;
	const end = /[\ud800-\udbff]/.test(text[most - 1] ?? "") ? most - 1 : most;
	return `${text.slice(0, end)}…`;
}
