/**
 * What was given to a command. The only place that knows commander.
 */

import { CommanderError, Option, Command as Parser } from "commander";
import { advice, purser, quoted } from "../../api/advice.js";
import { parseJson } from "../../api/json.js";
import { shortened } from "../../api/suggest.js";
import { PurserError } from "../../errors.js";
import type { AnyCommand } from "../command.js";
import { helpOf } from "../names.js";
import { type Flag, flagsOf, placeholderOf } from "./flags.js";
import type { Given } from "./input.js";
import { globalFlags } from "./options.js";
import { valueMissing, valueTooMany } from "./value-faults.js";

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
	refuseSwallowed(argv, command, flags);
	refuseBoth(argv, flags);
	const parser = build(command, flags);
	try {
		parser.parse([...argv], { from: "user" });
	} catch (cause) {
		throw usageError(command, cause, parser.args[flags.filter((flag) => flag.positional).length]);
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
	const twice = set.find(({ path }, at) => set.findIndex((one) => one.path === path) !== at);
	if (twice !== undefined) throw givenTwice(`--set ${twice.path}`, `Give --set ${quoted(`${twice.path}=…`)} once.`);
	return {
		given: { values, set },
		from: options.from as string | undefined,
		// A command without a document may have a flag of this name of its own.
		template: command.document === true && options.printTemplate === true,
		global: Object.fromEntries(
			globalFlags
				.map((flag) => flag.name)
				.filter((name) => !flags.some((flag) => flag.name === name))
				.map((name) => [name, name === "no-input" ? options.input === false : options[camel(name)]]),
		),
	};
}

const camel = (name: string): string => name.split("-").reduce((text, part) => text + part.charAt(0).toUpperCase() + part.slice(1));

/**
 * A flag whose value was forgotten (`--reason $REASON --dry-run`, with nothing in the variable) would take the next one for it, and
 * what was to be a dry run would be sent. Who means such a value writes it with a "=".
 * @throws PurserError usage
 */
function refuseSwallowed(argv: readonly string[], command: AnyCommand, flags: readonly Flag[]): void {
	const valued = new Set([
		...globalFlags.filter(({ name, takesValue }) => takesValue && name !== "color").map(({ name }) => `--${name}`),
		...(command.document ? ["--from", "--set"] : []),
		...flags.filter(({ positional, field }) => !positional && field.kind !== "boolean").map(({ name }) => `--${name}`),
	]);
	for (let at = 0; at < argv.length && argv[at] !== "--"; at += 1) {
		const flag = argv[at] as string;
		if (!valued.has(flag)) continue;
		const value = argv[++at];
		if (value === undefined || !/^--\S*$/.test(value)) continue;
		throw new PurserError("usage", {
			code: "VALUE_IS_A_FLAG",
			message: `${flag} needs a value, and ${shortened(value)} stands in its place`,
			fix: `Give ${flag} its value, in quotes where it may be empty. If ${shortened(value)} is meant as the value: ${flag}=${quoted(shortened(value))}`,
		});
	}
}

/** On and off at once: the last one would win, and for a rail that is another price. */
function refuseBoth(argv: readonly string[], flags: readonly Flag[]): void {
	const words = new Set(argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv);
	const both = flags.find(({ name, field }) => field.kind === "boolean" && words.has(`--${name}`) && words.has(`--no-${name}`));
	if (both === undefined) return;
	throw new PurserError("usage", {
		code: "GIVEN_TWICE",
		message: `--${both.name} and --no-${both.name} contradict each other`,
		fix: "Give one of them.",
	});
}

function build(command: AnyCommand, flags: readonly Flag[]): Parser {
	const parser = new Parser(`purser ${command.path}`);
	parser
		.exitOverride()
		.configureOutput({ writeErr: () => {}, writeOut: () => {} })
		.helpOption(false)
		.allowExcessArguments(false);
	for (const flag of flags.filter((one) => one.positional)) parser.argument(`[${placeholderOf(flag)}${flag.repeated ? "..." : ""}]`);
	for (const flag of flags.filter((one) => !one.positional)) addFlag(parser, flag);
	if (command.document) addDocument(parser);
	for (const { name, flags: form, takesValue } of globalFlags) {
		if (flags.some((one) => one.name === name)) continue;
		parser.addOption(takesValue && name !== "color" ? once(new Option(form), name) : new Option(form));
		if (name === "color") parser.addOption(new Option("--no-color"));
	}
	return parser;
}

function addFlag(parser: Parser, flag: Flag): void {
	if (flag.field.kind === "boolean") {
		parser.addOption(new Option(`--${flag.name}`));
		parser.addOption(new Option(`--no-${flag.name}`));
		return;
	}
	const option = new Option(`--${flag.name} <${placeholderOf(flag)}>`);
	parser.addOption(flag.repeated ? many(option) : once(option, flag.name));
}

function addDocument(parser: Parser): void {
	parser.addOption(once(new Option("--from <file>"), "from"));
	parser.addOption(many(new Option("--set <path=value>")));
	parser.addOption(new Option("--print-template"));
}

function many(option: Option): Option {
	return option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
}

/** Which of two values was meant is not for the tool to guess. */
function once(option: Option, name: string): Option {
	return option.argParser((value: string, before: string | undefined) => {
		if (before === undefined) return value;
		throw givenTwice(`--${name}`, `Give --${name} once: ${JSON.stringify(before)} or ${JSON.stringify(value)}.`);
	});
}

function givenTwice(what: string, fix: string): PurserError {
	return new PurserError("usage", { code: "GIVEN_TWICE", message: `${what} was given twice, and it takes one value`, fix });
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
			fix: advice`Like: ${purser`${command.path.split(" ")} --set accountOwnerInfo.title=Dr`}`,
		});
	const value = text.slice(at + 1);
	try {
		return { path, value: parseJson(value) };
	} catch {
		return { path, value };
	}
}

/** @param extra the first argument too many, where there is one */
function usageError(command: AnyCommand, cause: unknown, extra: string | undefined): PurserError {
	if (!(cause instanceof CommanderError)) throw cause;
	if (cause.code === "commander.excessArguments" && extra !== undefined)
		return new PurserError("usage", {
			code: "USAGE",
			message: `Unexpected argument: ${JSON.stringify(shortened(extra))}`,
			fix: advice`A value with spaces needs quotes, and a flag that is on or off takes no value. See \`${helpOf(command)}\`.`,
		});
	if (cause.code === "commander.unknownOption" && /'--?(pass|secret|token|api-?key|pin)/i.test(cause.message))
		return new PurserError("usage", {
			code: "SECRET_AS_FLAG",
			message: "No flag takes a secret: others on this machine could read it, and the shell would remember it",
			fix: advice`Use a prompt or standard input: ${purser`auth login --password-stdin`}; or PURSER_TOKEN_FILE.`,
		});
	if (cause.code === "commander.optionMissingArgument") return valueMissing(command, cause.message);
	const switched = cause.code === "commander.unknownOption" ? valueTooMany(command, cause.message) : undefined;
	if (switched !== undefined) return switched;
	const [message, suggestion] = cause.message.replace(/^error: /, "").split("\n");
	return new PurserError("usage", {
		code: "USAGE",
		message: shortened((message as string).charAt(0).toUpperCase() + (message as string).slice(1)),
		fix: advice`${suggestion ? `${suggestion.replace(/^\(|\)$/g, "")} ` : ""}See \`${helpOf(command)}\`.`,
	});
}
