/**
 * The parts of a page as HTML.
 */
import { groupDigits, inCurrency } from "../../api/amount.js";
import { sanitizeText } from "../../api/text/sanitize.js";
import type { Block, Cell, Tone } from "../../ports/page.js";
import { shortTime } from "../output/times.js";
import { drawingMarkup } from "./drawing.js";
import { html, type Markup } from "./markup.js";

/** Most characters of one text of a page; what is longer ends with an ellipsis. */
const mostText = 1_000;
/** Most characters of a text with its own lines. */
const mostLines = 200_000;

/** A text cut to what a page has room for. */
export const cut = (text: string, most = mostText): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** A block as HTML. */
export function blockMarkup(block: Block): Markup {
	switch (block.kind) {
		case "text":
			return html`<p${classOf(block.tone)}>${cut(block.text)}</p>`;
		case "notice":
			return html`<p class="notice ${block.tone}"><span>${cut(block.text)}</span></p>`;
		case "facts":
			return html`<dl>${block.rows.flatMap(([label, value]) => (value === undefined ? [] : html`<dt>${cut(label)}</dt><dd>${cellMarkup(value)}</dd>`))}</dl>`;
		case "table":
			return tableMarkup(block);
		case "checklist":
			return html`<ul>${block.items.map(
				({ state, tone, label, note, at, atWords }) =>
					html`<li><span class="state ${tone}">${cut(state)}</span><span>${cut(label)}${at === undefined ? undefined : html` <span class="quiet">${atWords === undefined ? undefined : `${cut(atWords)} `}${timeMarkup(at)}</span>`}</span>${note === undefined ? undefined : html`<span class="note">${cellMarkup(note)}</span>`}</li>`,
			)}</ul>`;
		case "histogram":
			return histogramMarkup(block);
		case "picture":
			// As a wide table does, a wide picture scrolls by itself.
			return html`<div class="scroll" role="region" aria-label="${cut(block.drawing.title)}" tabindex="0"><figure>${drawingMarkup(block.drawing)}</figure></div>`;
		case "lines":
			return html`<div class="lines">${linesMarkup(cut(block.text, mostLines))}</div>`;
	}
}

function tableMarkup({ caption, columns, rows, empty, more }: Extract<Block, { kind: "table" }>): Markup {
	if (rows.length === 0) return html`<p class="quiet">${cut(empty)}</p>`;
	const side = (at: number): Markup | undefined => (columns[at]?.right ? html` class="right"` : undefined);
	const head = columns.map(({ name }, at) => html`<th scope="col"${side(at)}>${cut(name)}</th>`);
	const body = rows.map((row) => html`<tr>${columns.map((_, at) => html`<td${side(at)}>${cellMarkup(row[at])}</td>`)}</tr>`);
	// A wide table scrolls by itself, by keyboard too, so that the page does not.
	// One of many columns would be squeezed on a narrow screen until each line holds a word.
	const shape = columns.length > 5 ? "scroll most" : columns.length > 3 ? "scroll many" : "scroll";
	return html`<div class="${shape}" role="region" aria-label="${cut(caption)}" tabindex="0"><table><caption>${cut(caption)}</caption><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>${more === undefined ? undefined : html`<p class="quiet">${cut(more)}</p>`}`;
}

/** Each bar is as long as its share of the longest one; the number stands beside it. */
function histogramMarkup({ caption, bars }: Extract<Block, { kind: "histogram" }>): Markup {
	const longest = bars.reduce((most, { count }) => Math.max(most, count), 1);
	const rows = bars.map(({ label, count }) => {
		// An amount that occurs is seen, however seldom.
		const width = count === 0 ? 0 : Math.max(0.5, Math.round((count / longest) * 1_000) / 10);
		return html`<tr><th scope="row">${cut(label)}</th><td class="right">${groupDigits(count)}</td><td><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="10"/></svg></td></tr>`;
	});
	return html`<table class="bars"><caption>${cut(caption)}</caption><tbody>${rows}</tbody></table>`;
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

/** In UTC, so that the page of one answer is the same everywhere. */
export const timeMarkup = (time: string): Markup => html`<time>${cut(shortTime(time, true))}</time>`;

/** A text with its line ends; tabs become spaces. */
function linesMarkup(text: string): Markup[] {
	return sanitizeText(text)
		.replaceAll("\t", "    ")
		.split("\n")
		.map((line) => html`${line}`);
}
