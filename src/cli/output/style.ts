/**
 * How human text looks: colours, tables, aligned lines, statuses, times and amounts. Only this file knows chalk, which is loaded where there
 * is something to colour.
 */
import { adviceText } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import { type IdForms, type IdKind, isIdOf } from "../../api/text/ids.js";
import { sanitizeText } from "../../api/text/sanitize.js";
import type { Advice } from "../../errors.js";
import type { NameOf } from "../../ports/resolver.js";
import type { Style } from "../../ports/style.js";
import { localizedTimes, readableTime, shortTime, wallClock } from "./times.js";
import { widthOf, wrapSentence, wrapText } from "./wrap.js";

type Brush = (text: string) => string;

export type Paint = Readonly<Record<"bold" | "dim" | "green" | "red" | "yellow" | "cyan", Brush>>;

const bare: Brush = (text) => text;
export const noPaint: Paint = { bold: bare, dim: bare, green: bare, red: bare, yellow: bare, cyan: bare };

/** @param colours 0 none, 1 16, 2 256, 3 16 million */
export async function paintOf(colours: 0 | 1 | 2 | 3): Promise<Paint> {
	if (colours === 0) return noPaint;
	const { Chalk } = await import("chalk");
	return new Chalk({ level: colours });
}

export interface StyleOptions {
	paint: Paint;
	/** Of a terminal, whose width may change. */
	readonly columns: number;
	now: Date | (() => Date);
	utc?: boolean;
	/** Digests are shown too: people compare them seldom, programs read them in the data. */
	verbose?: boolean;
	/** Makes text of an advice; by default its commands name no profile. */
	shown?(advice: Advice): string;
	ids?: IdForms;
	/** What people call records; by default no name is known. */
	called?: NameOf;
}

export function makeStyle(options: StyleOptions): Style {
	const { paint, now, utc = false, verbose = false, shown = adviceText, ids = {}, called = () => undefined } = options;
	const current = typeof now === "function" ? now : () => now;
	return {
		bold: (text) => paint.bold(text),
		dim: (text) => paint.dim(text),
		good: (text) => paint.green(text),
		bad: (text) => paint.red(text),
		warn: (text) => paint.yellow(text),
		accent: (text) => paint.cyan(text),
		get columns() {
			return options.columns;
		},
		wrapped: (text, width) => wrapText(text, width).split("\n"),
		get now() {
			return current();
		},
		table: (names, rows) => table(names, rows.map(shortCells), { columns: options.columns, dim: (text) => paint.dim(text), ids }),
		list(all, none, columns) {
			if (all.length === 0 && !this.cells) return none;
			const cells = Object.values(columns);
			return this.table(
				Object.keys(columns),
				all.map((one) => cells.map((cell) => cell(one) ?? "")),
			);
		},
		pairs: (rows) => {
			const given: readonly (readonly [string, string | undefined])[] = Array.isArray(rows) ? rows : Object.entries(rows);
			return pairs(verbose ? given : given.filter(([, value]) => !isDigest(value)), (text) => paint.dim(text));
		},
		done(what, rows) {
			return `${this.good(what)}\n${this.pairs(rows)}`;
		},
		status: (word) => statusText(word, paint),
		time: (text) => (text === undefined ? undefined : readableTime(text, current(), utc)),
		moment: (text) => (text === undefined ? undefined : shortTime(text, utc)),
		clock: (moment) => wallClock(moment, utc),
		localized: (text) => localizedTimes(text, utc),
		money: (amount, currency) => (amount === undefined ? undefined : inCurrency(amount, currency)),
		shown,
		called,
		next: (steps) => steps.map((step, at) => stepText(step, shown, at === 0, options)).join("\n"),
	};
}

function stepText(
	step: Advice,
	shown: Style["shown"],
	first: boolean,
	{ paint, columns }: Pick<StyleOptions, "paint" | "columns">,
): string {
	const remark = typeof step === "object" && "words" in step ? step.remark : undefined;
	const below = remark === undefined ? "" : `\n        ${paint.dim(wrapSentence(sanitizeText(shown(remark)), columns, 8))}`;
	return `${paint.dim(first ? "Next:" : "     ")} ${paint.cyan(sanitizeText(shown(step)))}${below}`;
}

const good = new Set(["VALIDATED", "APPROVED", "ACTIVE", "VALID", "ACCEPTED", "YES", "VERIFIED", "DONE"]);
const bad = new Set(["DECLINED", "ABORTED", "REVERSED", "FAILED", "CLOSED", "SUSPENDED", "REFUSED", "IN-DOUBT", "IN DOUBT"]);

/** Yellow where nothing is known of the word. */
function statusText(word: string | undefined, paint: Paint): string {
	if (word === undefined) return paint.dim("unknown");
	if (good.has(word.toUpperCase())) return paint.green(word);
	return bad.has(word.toUpperCase()) ? paint.red(word) : paint.yellow(word);
}

/** Most characters shown of a cell: nobody reads a longer one, and it would widen every row. `--json` has all of it. */
const longestCell = 1_000;

/** Most characters shown of a label, which may be a field's name from the service. */
const longestLabel = 100;

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

const shortCells = (row: readonly string[]): string[] => row.map((cell) => shortened(cell, longestCell));

/** The largest of many numbers. `Math.max(...of)` would overflow the stack with as many arguments as a service can list records. */
const largest = (of: readonly number[]): number => of.reduce((most, one) => Math.max(most, one), 0);

/**
 * Columns of ids keep their width and the others share the rest. Where rows do not fit on one line, ids in the first or last column
 * move below their rows. Where a word would be cut, or a row be a tower of them, each record stands by itself, its cells with their names.
 */
function table(
	names: readonly string[],
	rows: readonly (readonly string[])[],
	{ columns, dim, ids: forms }: { columns: number; dim: Brush; ids: IdForms },
): string {
	const all = names.map((name, at) => columnOf([name, ...rows.map((row) => row[at] ?? "")], forms));
	const ids = idsBelow(all, columns);
	const others = names.map((_, at) => at).filter((at) => at !== ids);
	const shown = others.map((at) => all[at] as Column);
	const below = (row: readonly string[]): string[] => (ids === undefined || !row[ids] ? [] : [`  ${dim(row[ids])}`]);
	const least = shown.reduce((sum, column) => sum + leastOf(column) + 2, -2);
	const cellsOf = (row: readonly string[]): string[] => others.map((at) => row[at] ?? "");
	const layout = { widths: sharedWidths(shown, columns), right: rightOf(cellsOf(names), rows.map(cellsOf)) };
	const drawn = rows.map((row) => drawnRow(cellsOf(row), layout));
	if (rows.length > 0 && (least > columns || drawn.some((lines) => lines.split("\n").length > tallest)))
		return rows
			.flatMap((row) => {
				const named = others.filter((at) => row[at]).map((at) => [names[at] && `${dim(`${names[at]}:`)}`, row[at]].filter(Boolean));
				const cells = named.map((parts) => parts.join(" "));
				return [packed(cells, columns).join("\n  "), ...below(row)];
			})
			.join("\n");
	const lines = rows.flatMap((row, at) => [drawn[at] as string, ...below(row)]);
	return [...(names.length > 0 ? [drawnRow(cellsOf(names).map(dim), layout)] : []), ...lines].join("\n");
}

/** Most lines of a row, beyond which its columns are no longer read across. */
const tallest = 4;

/** The column of ids that moves below its rows, where there is one and the rows are too wide. */
function idsBelow(all: readonly Column[], columns: number): number | undefined {
	const ids = all[0]?.whole ? 0 : all.length - 1;
	const wanted = all.reduce((sum, { natural }) => sum + natural, 2 * (all.length - 1));
	return all.length > 1 && all[ids]?.whole && wanted > columns ? ids : undefined;
}

function packed(parts: readonly string[], columns: number): string[] {
	const lines: string[] = [];
	for (const part of parts) {
		const joined = `${lines.at(-1)} · ${part}`;
		if (lines.length > 0 && widthOf(joined) + 4 <= columns) lines[lines.length - 1] = joined;
		else lines.push(part);
	}
	return lines.flatMap((line) =>
		wrapText(line, columns - 4)
			.split("\n")
			.map((part, at) => (at === 0 ? part : `  ${part}`)),
	);
}

interface Layout {
	widths: readonly number[];
	right: readonly boolean[];
}

const time = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2} (UTC|[+-]\d{2}:\d{2})$/;
const amount = /^-?\d[\d ]*(\.\d+)?( [A-Z]{3}| %)?$/;

/** Columns of amounts or counts alone are aligned to the right, so that digits can be compared; the first column names its row. */
function rightOf(names: readonly string[], rows: readonly (readonly string[])[]): boolean[] {
	return names.map((_, at) => {
		const cells = rows.map((row) => row[at] ?? "").filter((cell) => cell !== "" && cell !== "-");
		return at > 0 && cells.length > 0 && cells.every((cell) => amount.test(cell));
	});
}

function drawnRow(row: readonly string[], { widths, right }: Layout): string {
	const cells = widths.map((width, at) => wrapText(row[at] ?? "", width).split("\n"));
	const height = largest(cells.map(({ length }) => length));
	return Array.from({ length: height }, (_, line) =>
		cells
			.map((cell) => cell[line] ?? "")
			.map((text, at) => {
				const rest = " ".repeat(Math.max(0, (widths[at] as number) - widthOf(text)));
				return right[at] ? rest + text : text + rest;
			})
			.join("  ")
			.trimEnd(),
	).join("\n");
}

interface Column {
	natural: number;
	word: number;
	/** Has ids, which are never cut. */
	whole: boolean;
	/** Has amounts or times, which stay on one line. */
	joined: boolean;
}

/** Whether a cell has an id. A form of the profile's own may allow words too, so that one counts only with a digit. */
const hasId = (cell: string, forms: IdForms): boolean =>
	/[0-9a-f]{8}-[0-9a-f]{4}-/i.test(cell) || (/\d/.test(cell) && Object.keys(forms).some((kind) => isIdOf(kind as IdKind, cell, forms)));

function columnOf(cells: readonly string[], forms: IdForms): Column {
	return {
		natural: largest(cells.map(widthOf)),
		word: largest(cells.map((cell) => largest(cell.split(/\s+/).map(widthOf)))),
		whole: cells.some((cell) => hasId(cell, forms)),
		joined: cells.slice(1).some((cell) => amount.test(cell) || time.test(cell)),
	};
}

function sharedWidths(all: readonly Column[], columns: number): number[] {
	const widths = all.map(({ natural }) => natural);
	const room = columns - 2 * (widths.length - 1);
	for (let over = widths.reduce((sum, width) => sum + width, 0) - room; over > 0; over -= 1) {
		const shrinkable = widths.map((width, at) => (width > leastOf(all[at] as Column) ? width : 0));
		const widest = shrinkable.indexOf(largest(shrinkable));
		if (shrinkable[widest] === 0) break;
		widths[widest] = (widths[widest] as number) - 1;
	}
	return widths;
}

const leastOf = ({ natural, word, whole, joined }: Column): number => (whole || joined ? natural : word);

const isDigest = (value: string | undefined): boolean => value !== undefined && /^[0-9a-f]{64}$/.test(value);

function pairs(rows: readonly (readonly [string, string | undefined])[], dim: (text: string) => string): string {
	const given = rows.filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== "");
	const shown = given.map(([label, value]) => [shortened(label, longestLabel), value] as const);
	const width = largest(shown.map(([label]) => widthOf(label)));
	return shown.map(([label, value]) => `${dim(label + " ".repeat(width - widthOf(label)))}  ${value}`).join("\n");
}
