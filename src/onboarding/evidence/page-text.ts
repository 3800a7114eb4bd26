/**
 * The readable lines of an HTML page, for a terminal. Every step is linear in the size of the page and the result is bounded,
 * because a due-diligence review is whatever the deployment answers.
 */

/** How much of a page is read, in bytes. */
const maxBytes = 1024 * 1024;
const maxLines = 400;
const maxColumns = 400;

/** Whether a media type is that of an HTML page. */
export const isPage = (contentType: string | undefined): boolean => contentType === "text/html" || contentType === "application/xhtml+xml";

export interface PageText {
	lines: string[];
	/** True when the page went on beyond what is read here. */
	cut: boolean;
}

/** Tags removed, blocks on lines of their own, the cells of a row with a line between them, entities read, white space collapsed. */
export function readPage(bytes: Uint8Array): PageText {
	const html = new TextDecoder("utf-8").decode(bytes.subarray(0, maxBytes));
	const lines = removeTags(html)
		.split("\n")
		.map((line) => entities(cellsOf(line.replace(/[ \t\r\f]+/g, " "))).trim())
		.filter((line) => line !== "");
	const shown = lines.slice(0, maxLines).map((line) => (line.length > maxColumns ? `${line.slice(0, maxColumns)}…` : line));
	return { lines: shown, cut: bytes.length > maxBytes || lines.length > shown.length };
}

/** A row stays readable without columns: an empty cell shows that it is one. */
const cellsOf = (line: string): string =>
	line
		.split("\u0001")
		.map((cell) => cell.trim())
		.filter((cell, at) => at > 0 || cell !== "")
		.join(" | ");

const blocks = new Set(
	"address article aside blockquote body br caption dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol p pre section table tbody tfoot thead title tr ul".split(
		" ",
	),
);
const unread = new Set(["script", "style", "template", "noscript", "svg"]);

function removeTags(html: string): string {
	const parts: string[] = [];
	let at = 0;
	while (at < html.length) {
		const open = html.indexOf("<", at);
		if (open < 0) break;
		parts.push(flatten(html.slice(at, open)));
		at = afterTag(html, open, parts);
	}
	if (at < html.length) parts.push(flatten(html.slice(at)));
	return parts.join("");
}

/** Line breaks of the source are only white space. U+0001 marks the gap before a cell, so it must not come from the page itself. */
const flatten = (text: string): string => text.replaceAll("\n", " ").replaceAll("\u0001", "");

/** The tag's name. Only as many characters are read as a name can have. */
function nameAt(html: string, open: number): string | undefined {
	return /^<\/?([a-zA-Z][a-zA-Z0-9]{0,15})/.exec(html.slice(open, open + 18))?.[1]?.toLowerCase();
}

/** Where reading goes on after the tag, the comment or the bare "<" at `open`. */
function afterTag(html: string, open: number, parts: string[]): number {
	if (html.startsWith("<!--", open)) return beyond(html, "-->", open + 4);
	const name = nameAt(html, open);
	if (name === undefined) {
		if ("!?/".includes(html.charAt(open + 1) || " ")) return beyond(html, ">", open);
		// Several "<" in a row are taken at once, because only the last can begin a tag.
		let last = open;
		while (html.charAt(last + 1) === "<") last += 1;
		const end = Math.max(last, open + 1);
		parts.push(html.slice(open, end));
		return end;
	}
	const end = beyond(html, ">", open);
	const closes = html.charAt(open + 1) === "/";
	if (unread.has(name) && !closes) {
		const closing = new RegExp(`</${name}`, "gi");
		closing.lastIndex = end;
		const found = closing.exec(html);
		return found ? beyond(html, ">", found.index) : html.length;
	}
	if (blocks.has(name)) parts.push(name === "li" && !closes ? "\n- " : "\n");
	else if ((name === "td" || name === "th") && !closes) parts.push("\u0001");
	return end;
}

function beyond(html: string, mark: string, from: number): number {
	const at = html.indexOf(mark, from);
	return at < 0 ? html.length : at + mark.length;
}

const named: Readonly<Record<string, string>> = {
	amp: "&",
	lt: "<",
	gt: ">",
	quot: '"',
	apos: "'",
	nbsp: " ",
	eacute: "é",
	egrave: "è",
	agrave: "à",
	ccedil: "ç",
	ndash: "–",
	mdash: "—",
	hellip: "…",
	euro: "€",
};

function entities(text: string): string {
	return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,8}));/g, (whole, decimal?: string, hex?: string, name?: string) => {
		if (name !== undefined) return named[name] ?? whole;
		const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
		return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
	});
}
