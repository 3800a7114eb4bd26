/**
 * The command line: which command is meant, and what was given to it. The only place that knows commander.
 */
import { CommanderError, Option, Command as Parser } from "commander";
import { parseJson } from "../api/json.js";
import { PurserError } from "../errors.js";
import type { AnyCommand } from "./command.js";
import { type Flag, flagsOf, kebab, placeholderOf } from "./flags.js";
import type { Given } from "./input.js";
import { globalFlags } from "./options.js";

/** A command line taken apart as far as the command's path. */
export interface Route {
	/** The words of the path as far as they are known: `["corporate"]`. */
	words: string[];
	/** The command's path, where the words name one. */
	path?: string;
	/** What is left for the command: flags and arguments. */
	rest: string[];
	/** The first word that names nothing. */
	stray?: string;
	help: boolean;
	version: boolean;
}

const valued = new Set(globalFlags.filter((flag) => flag.takesValue && flag.name !== "color").map((flag) => `--${flag.name}`));

const colourWords = new Set(["always", "auto", "never"]);

/** Finds the command that is meant. Global flags may stand before, between or after its words. */
export function route(argv: readonly string[], paths: readonly string[]): Route {
	const words: string[] = [];
	const rest: string[] = [];
	let stray: string | undefined;
	let at = 0;
	for (; at < argv.length && argv[at] !== "--"; at += 1) {
		const word = argv[at] as string;
		if (word.startsWith("-") && word !== "-") {
			rest.push(word);
			if (takesNext(word, argv[at + 1])) rest.push(argv[++at] as string);
		} else if (leads([...words, word], paths)) words.push(word);
		else {
			if (!paths.includes(words.join(" "))) stray = word;
			break;
		}
	}
	rest.push(...argv.slice(at));
	const path = words.join(" ");
	const before = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
	return {
		words,
		path: paths.includes(path) ? path : undefined,
		rest,
		stray,
		help: before.includes("--help") || before.includes("-h"),
		version: words.length === 0 && (before.includes("--version") || before.includes("-V")),
	};
}

function takesNext(word: string, next: string | undefined): boolean {
	return next !== undefined && (valued.has(word) || (word === "--color" && colourWords.has(next)));
}

function leads(words: readonly string[], paths: readonly string[]): boolean {
	const text = words.join(" ");
	return paths.some((path) => path === text || path.startsWith(`${text} `));
}

/** What commander read, not yet interpreted. */
export interface Parsed {
	given: Omit<Given, "document">;
	/** `--from`, where the command takes a document. */
	from?: string;
	template: boolean;
	/** Global flags by name, as given. */
	global: Readonly<Record<string, unknown>>;
}

/**
 * Reads a command's flags and arguments.
 * @throws PurserError usage, for anything that does not fit, with a suggestion where one is near
 */
export function parse(command: AnyCommand, argv: readonly string[]): Parsed {
	const flags = flagsOf(command.input);
	const parser = build(command, flags);
	try {
		parser.parse([...argv], { from: "user" });
	} catch (cause) {
		throw usageError(command, cause);
	}
	const options = parser.opts() as Record<string, unknown>;
	const values = new Map<string, unknown>();
	const positionals = flags.filter((flag) => flag.positional);
	for (const [index, flag] of positionals.entries()) {
		const value = flag.repeated ? parser.args.slice(index) : parser.args[index];
		if (value !== undefined && value.length > 0) values.set(flag.path.join("."), value);
	}
	for (const flag of flags.filter((one) => !one.positional)) {
		const attribute = camel(flag.name);
		if (parser.getOptionValueSource(attribute) === "cli") values.set(flag.path.join("."), interpret(flag, options[attribute]));
	}
	// A command without a document may have a `--set` of its own.
	const set = command.document ? ((options.set as string[] | undefined) ?? []).map((text) => setting(command, text)) : [];
	return {
		given: { values, set },
		from: options.from as string | undefined,
		template: options.printTemplate === true,
		global: Object.fromEntries(
			globalFlags
				.map((flag) => flag.name)
				.filter((name) => !flags.some((flag) => flag.name === name))
				.map((name) => [name, name === "no-input" ? options.input === false : options[camel(name)]]),
		),
	};
}

const camel = (name: string): string => name.split("-").reduce((text, part) => text + part.charAt(0).toUpperCase() + part.slice(1));

function build(command: AnyCommand, flags: readonly Flag[]): Parser {
	const parser = new Parser(`purser ${command.path}`);
	parser
		.exitOverride()
		.configureOutput({ writeErr: () => {}, writeOut: () => {} })
		.helpOption(false)
		.allowExcessArguments(false);
	for (const flag of flags.filter((one) => one.positional)) parser.argument(`[${placeholderOf(flag)}${flag.repeated ? "..." : ""}]`);
	for (const flag of flags.filter((one) => !one.positional)) {
		if (flag.field.kind === "boolean") {
			parser.addOption(new Option(`--${flag.name}`));
			parser.addOption(new Option(`--no-${flag.name}`));
		} else {
			const option = new Option(`--${flag.name} <${placeholderOf(flag)}>`);
			if (flag.repeated) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
			parser.addOption(option);
		}
	}
	if (command.document) {
		parser.addOption(new Option("--from <file>"));
		parser.addOption(
			new Option("--set <path=value>").argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]),
		);
		parser.addOption(new Option("--print-template"));
	}
	for (const flag of globalFlags) if (!flags.some((one) => one.name === flag.name)) parser.addOption(new Option(flag.flags));
	if (!flags.some((flag) => flag.name === "color")) parser.addOption(new Option("--no-color"));
	return parser;
}

/** JSON-valued flags are parsed; what does not parse is left as text, for the check to say so. */
function interpret(flag: Flag, value: unknown): unknown {
	if (flag.field.kind !== "json" || typeof value !== "string") return value;
	try {
		return parseJson(value);
	} catch {
		return value;
	}
}

/** `--set a.b=value`: the value is JSON where it reads as JSON, text otherwise. */
function setting(command: AnyCommand, text: string): { path: string; value: unknown } {
	const at = text.indexOf("=");
	const path = text.slice(0, at);
	if (at < 1 || path.split(".").some((part) => part === "" || part === "__proto__"))
		throw new PurserError("usage", {
			code: "INVALID_SET",
			message: `--set takes path=value, not ${JSON.stringify(text)}`,
			fix: `Like: purser ${command.path} --set accountOwnerInfo.title=Dr`,
		});
	const value = text.slice(at + 1);
	try {
		return { path, value: parseJson(value) };
	} catch {
		return { path, value };
	}
}

function usageError(command: AnyCommand, cause: unknown): PurserError {
	if (!(cause instanceof CommanderError)) throw cause;
	const [message, suggestion] = cause.message.replace(/^error: /, "").split("\n");
	return new PurserError("usage", {
		code: "USAGE",
		message: (message as string).charAt(0).toUpperCase() + (message as string).slice(1),
		fix: `${suggestion ? `${suggestion.replace(/^\(|\)$/g, "")} ` : ""}See \`purser ${command.path} --help\`.`,
	});
}

/** The nearest of the names by edits, where one is near enough to be meant. */
export function nearest(word: string, names: readonly string[]): string | undefined {
	const scored = names.map((name) => ({ name, distance: edits(kebab(word), name) })).sort((one, other) => one.distance - other.distance);
	const best = scored[0];
	return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.name : undefined;
}

/** Levenshtein distance, with a neighbouring swap as one edit. */
function edits(from: string, to: string): number {
	const rows: number[][] = [[...Array(to.length + 1).keys()]];
	for (let i = 1; i <= from.length; i += 1) {
		const row = [i];
		const above = rows[i - 1] as number[];
		for (let j = 1; j <= to.length; j += 1) {
			const same = from[i - 1] === to[j - 1];
			let best = Math.min((above[j] as number) + 1, (row[j - 1] as number) + 1, (above[j - 1] as number) + (same ? 0 : 1));
			if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
				best = Math.min(best, ((rows[i - 2] as number[])[j - 2] as number) + 1);
			row.push(best);
		}
		rows.push(row);
	}
	return (rows[from.length] as number[])[to.length] as number;
}
