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

/** Tags removed, blocks on lines of their own, cells beside each other, entities read, white space collapsed. */
export function readPage(bytes: Uint8Array): PageText {
	const html = new TextDecoder("utf-8").decode(bytes.subarray(0, maxBytes));
	const lines = withoutTags(html)
		.split("\n")
		.map((line) => entities(line.replace(/[ \t\r\f]+/g, " ")).trim())
		.filter((line) => line.replaceAll("\u0001", "").trim() !== "");
	const shown = aligned(lines.slice(0, maxLines)).map((line) => (line.length > maxColumns ? `${line.slice(0, maxColumns)}…` : line));
	return { lines: shown, cut: bytes.length > maxBytes || lines.length > shown.length };
}

/** Maximum width of a cell that is aligned. */
const maxWidth = 40;

/** Gives rows that follow each other columns of the same width. */
function aligned(lines: readonly string[]): string[] {
	const runs: string[][][] = [[]];
	for (const line of lines) {
		const text = line.trimStart();
		const cells = (text.startsWith("\u0001") ? text.slice(1) : text).split("\u0001").map((cell) => cell.trim());
		if (!line.includes("\u0001") || !runs.at(-1)?.[0]?.[1]) runs.push([]);
		runs.at(-1)?.push(cells);
	}
	return runs.flatMap((rows) => {
		const widths: number[] = [];
		for (const cells of rows)
			for (const [at, { length }] of cells.entries()) if (length <= maxWidth) widths[at] = Math.max(widths[at] ?? 0, length);
		return rows.map((cells) =>
			cells
				.map((cell, at) => cell.padEnd(widths[at] ?? 0))
				.join("  ")
				.trimEnd(),
		);
	});
}

const blocks = new Set(
	"address article aside blockquote body br caption dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol p pre section table tbody tfoot thead title tr ul".split(
		" ",
	),
);
const unread = new Set(["script", "style", "template", "noscript", "svg"]);

/** U+0001 marks the gap before a cell, so it must not come from the page itself. */
function withoutTags(html: string): string {
	const [before = "", ...pieces] = html.replaceAll("\n", " ").replaceAll("\u0001", "").split("<");
	const parts = [before];
	/** What ends the tag, the comment or the element that is being left out. */
	let until: string | undefined;
	for (const piece of pieces) {
		if (until === undefined) {
			const [, slash = "", written] = /^(\/?)([a-zA-Z][a-zA-Z0-9]{0,15})/.exec(piece) ?? [];
			const name = written?.toLowerCase() ?? "";
			if (name === "" && !/^[!?/]/.test(piece)) {
				parts.push("<", piece);
				continue;
			}
			if (blocks.has(name)) parts.push(name === "li" && slash === "" ? "\n- " : "\n");
			else if (/^t[dh]$/.test(name) && slash === "") parts.push("\u0001");
			until = piece.startsWith("!--") ? "-->" : unread.has(name) && slash === "" ? `/${name}` : ">";
		}
		if (until.startsWith("/")) {
			if (!piece.slice(0, until.length).toLowerCase().startsWith(until)) continue;
			until = ">";
		}
		const end = piece.indexOf(until);
		if (end < 0) continue;
		parts.push(piece.slice(end + until.length));
		until = undefined;
	}
	return parts.join("");
}

const named: Readonly<Record<string, string>> = {
	...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", eacute: "é", egrave: "è", agrave: "à", ccedil: "ç" },
	...{ ndash: "–", mdash: "—", hellip: "…", euro: "€" },
};

function entities(text: string): string {
	return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,8}));/g, (whole, decimal?: string, hex?: string, name?: string) => {
		if (name !== undefined) return named[name] ?? whole;
		const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
		return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
	});
}
