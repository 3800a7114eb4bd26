import { Decimal, formatJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { sanitizeJson, sanitizeLine, sanitizeText } from "../../api/text/sanitize.js";
import { faultRows } from "../../errors.js";
import type { Named } from "../../ports/resolver.js";
import type { Style } from "../../ports/style.js";
import type { Output } from "../../ports/terminal.js";
import type { Answer, AnyCommand } from "../command.js";
import type { ShownError } from "./error-json.js";
import type { OutputFormat } from "./formats.js";
import type { Cells } from "./table.js";
import { wrapLines, wrapSentence } from "./wrap.js";

export interface Writing {
	format: OutputFormat;
	style: Style;
	stdout: Output;
	columns?: string;
	/** A program reads the text: one record a line. */
	piped: boolean;
	line(text: string): void;
}

/**
 * Writes the answer of a command to standard output. All formats are given the same data.
 * @throws PurserError usage, where a column is asked for that there is not
 */
export async function writeAnswer(command: AnyCommand, answer: Answer<unknown>, writing: Writing): Promise<void> {
	const { style, stdout, columns: asked } = writing;
	const { data, raw } = answer;
	const lines = answer.lines ?? (Array.isArray(data) ? data : undefined);
	const { write, separator } = writing.format;
	const records = lines ?? [data];
	if (separator !== undefined) {
		const { tableLines } = await import("./table.js");
		for (const line of tableLines(command, sanitizeData(records), { separator, asked })) await stdout.write(line);
		return;
	}
	if (write !== undefined) {
		const shown = asked === undefined ? records : (await import("./table.js")).withMembers(command, records, asked);
		const whole = asked === undefined ? data : lines === undefined ? shown[0] : shown;
		for (const line of write(whole, () => shown, formatJson)) await stdout.write(`${sanitizeJson(line)}\n`);
		return;
	}
	if (raw !== undefined) {
		await stdout.write(stdout.isTerminal ? sanitizeText(raw) : raw);
		return;
	}
	const safe = sanitizeData(data);
	const isEmpty = writing.piped && lines?.length === 0;
	const cells = isEmpty ? undefined : await cellsFor(command, safe, lines && sanitizeData(lines), writing);
	if (cells !== undefined && writing.piped) return stdout.write((await import("./table.js")).pipedRows(cells.rows));
	const text = (cells === undefined ? command.text(safe, style) : drawn(cells, lines === undefined, style)).trimEnd();
	if (text === "") return;
	// An empty list is no record: whoever counts lines counts none, and a person who sees standard error is told.
	if (isEmpty) writing.line(text);
	else await stdout.write(`${wrapLines(text, stdout.isTerminal ? stdout.columns : undefined)}\n`);
}

const drawn = ({ names, rows }: Cells, isOne: boolean, style: Style): string =>
	isOne ? style.pairs(names.map((name, at) => [name, rows[0]?.[at]])) : style.table(names, rows);

/** The fields that were asked for, and in a pipe a list as it is drawn; undefined where the text is written. */
async function cellsFor(
	command: AnyCommand,
	data: unknown,
	lines: readonly unknown[] | undefined,
	{ style, columns, piped }: Writing,
): Promise<Cells | undefined> {
	if (columns === undefined && !(piped && lines !== undefined)) return undefined;
	const { fieldCells, listCells } = await import("./table.js");
	return columns === undefined ? listCells(command, data, lines?.length, style) : fieldCells(command, lines ?? [data], columns);
}

const maxDetails = 100;

/**
 * An error for people: what failed, why, what to do next.
 * @param columns of the terminal it is written to; undefined where it is none
 */
export function errorText(error: ShownError, style: Style, columns?: number): string {
	const { failure } = error;
	// What the service itself answered is not changed.
	const local = (text: string): string => (failure.status === undefined ? style.localized(text) : text);
	const rows = [headText(error, local(failure.message), style, columns)];
	// These two name the missing flags in their message.
	const details = ["MISSING_INPUT", "CONFIRMATION_NEEDED"].includes(failure.code) ? [] : (failure.details ?? []);
	for (const { where, message } of faultRows(details.slice(0, maxDetails))) {
		const name = sanitizeLine(where);
		const text = wrapSentence(`${name}${name ? " " : ""}${sanitizeLine(local(message))}`, columns, 4);
		rows.push(`  ${style.bold(name)}${text.slice(name.length)}`);
	}
	if (details.length > maxDetails) rows.push(`  … and ${details.length - maxDetails} more; --json has all of them`);
	if (failure.why) rows.push(`  ${style.dim("Why:")}  ${wrapSentence(sanitizeLine(local(failure.why)), columns, 8)}`);
	if (failure.apiCode)
		rows.push(`  ${style.dim("Code:")} ${sanitizeLine(failure.apiCode)}${failure.status ? ` (HTTP ${failure.status})` : ""}`);
	if (failure.moneyMayHaveMoved)
		rows.push(
			`  ${wrapSentence(`${style.warn(`Money may have moved${failure.intent ? ` (intent ${sanitizeLine(failure.intent)})` : ""}.`)} Do not send it again before this is settled.`, columns, 2)}`,
		);
	const [first, ...more] = sanitizeText(failure.fix).split("\n");
	rows.push(
		`  ${style.dim("Next:")} ${wrapSentence(first ?? "", columns, 8)}`,
		...more.map((line) => `        ${wrapSentence(line, columns, 8)}`),
	);
	if (failure.answer !== undefined) rows.push(`  ${style.dim("--json shows the answer as it was received.")}`);
	return rows.join("\n");
}

function headText({ kind, failure: { code } }: ShownError, message: string, style: Style, columns: number | undefined): string {
	// Whoever cancelled made no mistake.
	const label = kind === "interrupted" || code === "DECLINED_BY_OPERATOR" ? "" : `${style.bad("Error:")} `;
	const text = wrapSentence(sanitizeLine(message), columns, label === "" ? 0 : 7);
	// A payment that would be made twice must not be overlooked.
	return label + (code === "DUPLICATE" ? style.bold(text) : text);
}

/** For programs: an answer that is one record, with a key `resolved`. */
export function withNamed(answer: unknown, named: readonly Named[], { people }: OutputFormat): unknown {
	if (named.length === 0 || people || !isRecord(answer) || Object.hasOwn(answer, "resolved")) return answer;
	return { ...answer, resolved: named };
}

/** What a dry run shows: an exact request that would have been sent. */
interface RequestView {
	operation: string;
	method: string;
	url: string;
	headers: Readonly<Record<string, string>>;
	body?: unknown;
}

export async function writeDryRun(requests: readonly RequestView[], { write }: OutputFormat, style: Style, stdout: Output): Promise<void> {
	if (write !== undefined) {
		const answer = { dryRun: true, requests };
		for (const line of write(answer, () => [answer], formatJson)) await stdout.write(`${sanitizeJson(line)}\n`);
		return;
	}
	const parts = requests.map(({ method, url, headers, body }) =>
		[
			`${style.bold(method)} ${sanitizeLine(url)}`,
			...Object.entries(headers).map(([name, value]) => `${style.dim(`${name}:`)} ${sanitizeLine(value)}`),
			...(body === undefined ? [] : ["", sanitizeJson(formatJson(body, 2))]),
		].join("\n"),
	);
	await stdout.write(`${parts.join("\n\n")}\n\n${style.dim("Dry run: nothing was sent.")}\n`);
}

export function sanitizeData<T>(data: T): T {
	return copy(data) as T;
}

function copy(value: unknown): unknown {
	if (typeof value === "string") return sanitizeLine(value);
	if (value instanceof Decimal || value instanceof Uint8Array || value === null || typeof value !== "object") return value;
	if (Array.isArray(value)) return value.map(copy);
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [sanitizeLine(key), copy(part)]));
}
