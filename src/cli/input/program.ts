/**
 * Reads the command line of one command. The only file that uses commander.
 */
import { CommanderError, Option, Command as Parser } from "commander";
import { advice, purser, quoted } from "../../api/advice.js";
import { parseJson } from "../../api/json.js";
import { describe } from "../../api/schema.js";
import { shortened } from "../../api/suggest.js";
import { type Advice, PurserError } from "../../errors.js";
import type { AnyCommand } from "../command.js";
import { helpOf } from "../names.js";
import { afterDashes, argumentsOf, type Flag, flagsOf, type Given, givenTwice, placeholderOf, takesSettings } from "./flags.js";
import { globalFlags } from "./options.js";

export interface Parsed {
	given: Omit<Given, "document">;
	/** `--file`, where the command takes a document. */
	file?: string;
	global: Readonly<Record<string, unknown>>;
}

/**
 * Reads a command's flags and arguments.
 * @throws PurserError usage, for anything that does not fit, with a suggestion where a name is similar
 */
export function parse(command: AnyCommand, typed: readonly string[]): Parsed {
	const flags = flagsOf(command.input);
	const parser = buildParser(command, flags);
	// The words of the command itself, and those after `--` where a flag takes them.
	const at = afterDashes(flags) === undefined ? -1 : typed.indexOf("--");
	const [argv, after] = at < 0 ? [typed, []] : [typed.slice(0, at), typed.slice(at + 1)];
	refuseForgottenValue(argv, parser);
	refuseContradiction(argv, flags);
	try {
		parser.parse([...argv], { from: "user" });
	} catch (cause) {
		throw usageError(command, cause, parser.args[argumentsOf(flags).length]);
	}
	const options = parser.opts() as Record<string, unknown>;
	// A command without a document may have a `--set` of its own.
	const set = takesSettings(command) ? ((options.set as string[] | undefined) ?? []).map((text) => parseSetting(command, text)) : [];
	const twice = set.find(({ path }, at) => set.some((one, other) => other !== at && `${path}.`.startsWith(`${one.path}.`)));
	if (twice !== undefined)
		throw givenTwice(`--set ${twice.path} was given twice, and it takes one value`, `Give --set ${quoted(`${twice.path}=…`)} once.`);
	const others = globalFlags.filter(({ name }) => !flags.some((flag) => flag.name === name));
	return {
		given: { ...valuesOf(parser, flags, after), set },
		file: describe(command.input).meta.document ? (options.file as string | undefined) : undefined,
		global: Object.fromEntries(others.map(({ name }) => [name, name === "no-input" ? options.input === false : options[camel(name)]])),
	};
}

function valuesOf(parser: Parser, flags: readonly Flag[], after: readonly string[]): Pick<Given, "values" | "typed"> {
	const options = parser.opts() as Record<string, unknown>;
	const values = new Map<string, unknown>();
	const typed = new Map<string, string>();
	const give = (flag: Flag, name: string, value: unknown): void => {
		values.set(flag.path.join("."), value);
		typed.set(flag.path.join("."), name);
	};
	const last = afterDashes(flags);
	if (last !== undefined && after.length > 0) give(last, placeholderOf(last).toUpperCase(), after);
	for (const [index, flag] of argumentsOf(flags).entries()) {
		const value = flag.repeated ? parser.args.slice(index) : parser.args[index];
		if (value !== undefined && value.length > 0) give(flag, placeholderOf(flag).toUpperCase(), value);
	}
	for (const flag of flags.filter((one) => !one.positional)) {
		const attribute = camel(flag.name);
		if (parser.getOptionValueSource(attribute) === "cli") give(flag, `--${flag.name}`, interpret(flag, options[attribute]));
	}
	for (const flag of flags) {
		const name = flag.field.meta.alias;
		const value = name === undefined ? undefined : options[camel(name)];
		if (value === undefined) continue;
		const other = typed.get(flag.path.join("."));
		if (other !== undefined) throw givenTwice(`--${name} and ${other} are the same field, and it takes one value`);
		give(flag, `--${name}`, interpret(flag, value));
	}
	return { values, typed };
}

const camel = (name: string): string => name.split("-").reduce((text, part) => text + part.charAt(0).toUpperCase() + part.slice(1));

/**
 * With an empty variable, `--reason $REASON --dry-run` would take `--dry-run` as the reason, and what was to be a dry run would be sent.
 * Such a value can be given with a "=".
 * @throws PurserError usage
 */
function refuseForgottenValue(argv: readonly string[], parser: Parser): void {
	const valued = new Set(parser.options.filter(({ required }) => required).flatMap(({ long, short }) => [long, short]));
	for (let at = 0; at < argv.length && argv[at] !== "--"; at += 1) {
		const flag = argv[at] as string;
		if (!valued.has(flag)) continue;
		const value = argv[++at];
		if (value === undefined || !(/^--\S*$/.test(value) || parser.options.some(({ short }) => short === value))) continue;
		throw new PurserError("usage", {
			code: "VALUE_IS_A_FLAG",
			message: `${flag} needs a value, but ${shortened(value)} follows`,
			fix: `Give ${flag} its value, in quotes where it may be empty. If ${shortened(value)} is the value: ${flag}=${quoted(shortened(value))}`,
		});
	}
}

/** Refuses a flag beside its `--no-` form. Otherwise the last one would win silently, and another rail may cost another price. */
function refuseContradiction(argv: readonly string[], flags: readonly Flag[]): void {
	const words = new Set(argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv);
	const both = flags.find(({ name, field }) => field.kind === "boolean" && words.has(`--${name}`) && words.has(`--no-${name}`));
	if (both !== undefined) throw givenTwice(`--${both.name} and --no-${both.name} contradict each other`);
}

function buildParser(command: AnyCommand, flags: readonly Flag[]): Parser {
	const parser = new Parser(`purser ${command.path}`);
	parser
		.exitOverride()
		.configureOutput({ writeErr: () => {}, writeOut: () => {} })
		.helpOption(false)
		.allowExcessArguments(false);
	const add = (form: string, repeated = false): void => {
		const option = new Option(form);
		parser.addOption(repeated ? option.argParser(oneMore) : option.required ? singleValue(option) : option);
	};
	for (const flag of argumentsOf(flags)) parser.argument(`[${placeholderOf(flag)}${flag.repeated ? "..." : ""}]`);
	for (const flag of flags) {
		const { alias } = flag.field.meta;
		const isSwitch = flag.field.kind === "boolean";
		if (!flag.positional) add(isSwitch ? `--${flag.name}` : `--${flag.name} <${placeholderOf(flag)}>`, flag.repeated);
		if (!flag.positional && isSwitch) add(`--no-${flag.name}`);
		// An argument may have a flag beside it.
		if (alias !== undefined) add(`--${alias} <${placeholderOf(flag)}>`);
	}
	if (describe(command.input).meta.document) add("-f, --file <file>");
	if (takesSettings(command)) add("--set <path=value>", true);
	for (const { form } of globalFlags.filter((one) => !flags.some(({ name }) => name === one.name))) add(form);
	return parser;
}

const oneMore = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value];

/** Refuses a second value, rather than guess which one was meant. */
function singleValue(option: Option): Option {
	return option.argParser((value: string, before: string | undefined) => {
		if (before === undefined) return value;
		const once = `Give ${option.long} once: ${JSON.stringify(before)} or ${JSON.stringify(value)}.`;
		throw givenTwice(`${option.long} was given twice, and it takes one value`, once);
	});
}

/** Parses flags that take JSON; what does not parse stays text, which the check refuses. */
function interpret(flag: Flag, value: unknown): unknown {
	if (flag.field.kind !== "json" || typeof value !== "string") return value;
	try {
		return parseJson(value);
	} catch {
		return value;
	}
}

/** `--set a.b=value`: the value is JSON where it reads as JSON, text otherwise. */
function parseSetting(command: AnyCommand, text: string): { path: string; value: unknown } {
	const at = text.indexOf("=");
	const path = text.slice(0, at);
	if (at < 1 || path.split(".").some((part) => part === "" || part === "__proto__"))
		throw new PurserError("usage", {
			code: "INVALID_SET",
			message: `--set takes path=value, not ${JSON.stringify(text)}`,
			fix: advice`Like: ${purser`${command.path.split(" ")} --set accountOwnerInfo.title=Dr`}`,
		});
	const value = text.slice(at + 1);
	try {
		return { path, value: parseJson(value) };
	} catch {
		return { path, value };
	}
}

function usageError(command: AnyCommand, cause: unknown, extra: string | undefined): PurserError {
	if (!(cause instanceof CommanderError)) throw cause;
	const see = advice`See \`${helpOf(command)}\`.`;
	if (cause.code === "commander.excessArguments" && extra !== undefined)
		return usageFault(
			`Unexpected argument: ${JSON.stringify(shortened(extra))}`,
			advice`A value with spaces needs quotes, and a flag that is on or off takes no value. ${see}`,
		);
	if (cause.code === "commander.unknownOption" && /'--?(pass|secret|token|api-?key|pin)/i.test(cause.message))
		return new PurserError("usage", {
			code: "SECRET_AS_FLAG",
			message: "No flag takes a secret: others on this machine could read it, and the shell would remember it",
			fix: advice`Use a prompt or standard input: ${purser`auth login --password-stdin`}; or PURSER_TOKEN_FILE.`,
		});
	if (cause.code === "commander.optionMissingArgument")
		return usageFault(`${/--[a-z0-9.-]+/i.exec(cause.message)?.[0]} needs a value`, see);
	const [what = "", similar = ""] = cause.message.replace(/^error: u/, "U").split(/\n\((?=Did you mean)/);
	// What releases money is not suggested for a slip of the hand.
	const suggestion = similar === "" || /--(live|yes)\b/.test(similar) ? "" : `${similar.slice(0, -1)} `;
	return usageFault(shortened(what), advice`${suggestion}${see}`);
}

function usageFault(message: string, fix: Advice): PurserError {
	return new PurserError("usage", { code: "USAGE", message, fix });
}
