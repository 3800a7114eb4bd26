import type { Style } from "../../ports/style.js";
import type { CommandSpec, FlagSpec } from "../contract.js";
import { wrapSentence } from "../output/wrap.js";

type Row = readonly [nouns: readonly string[], text: string];

/** The page of `purser --help`: each task with its commands. A row is one command, or a few that belong together. */
const tasks: Readonly<Record<string, readonly Row[]>> = {
	Onboard: [
		[["onboard"], "Onboard a company: by questions, or from a file"],
		[["corporate", "related"], "Companies, their owners and directors"],
		[["terms"], "Terms and conditions"],
		[["email", "phone"], "Verify an email address, a phone number"],
		[["kyb", "kyc"], "The check of a company, of its persons"],
	],
	Pay: [
		[["pay"], "Send money: one payment or a file; follow it"],
		[["ledger"], "Ledgers and their balances"],
		[["beneficiary"], "External payees"],
	],
	Look: [
		[["home"], "What waits for you"],
		[["overview"], "Companies that need something, and what"],
		[["history"], "Every change requested from the service"],
		[["events"], "What the service reports, as it happens"],
	],
	"Set up": [
		[["auth", "profile", "team"], "Log in; connections; one journal for a team"],
		[["config", "api"], "Where settings come from; the service's operations"],
		[["doctor", "completion"], "What is wrong, and how to mend it; completion for your shell"],
	],
	Test: [
		[["demo"], "The whole job, start to end, on a sandbox"],
		[["sandbox"], "A local test service"],
	],
};

export function rootHelp(style: Style): string {
	const groups = Object.entries(tasks);
	const names = groups.flatMap(([task, rows]) => rows.map(([nouns], at) => [at === 0 ? task : "", nouns.join(", ")] as const));
	const texts = groups.flatMap(([, rows]) => rows.map(([, text]) => text));
	const width = Math.max(...names.map(([, nouns]) => nouns.length));
	return [
		wrapSentence("purser onboards companies and sends money at a banking service.", style.columns, 0),
		"",
		`${style.bold("Usage")}  purser COMMAND [flags]`,
		"",
		...names.map(([task, nouns], at) => {
			const head = `${style.bold(task.padEnd(taskWidth))}${style.accent(nouns)}${" ".repeat(width - nouns.length + 2)}`;
			return `${head}${wrapSentence(texts[at] as string, style.columns, taskWidth + width + 2)}`;
		}),
		"",
		wrapSentence("More: purser COMMAND --help · purser help (topics) · purser help flags", style.columns, 0),
	].join("\n");
}

const taskWidth = 9;

export function topicList(topics: readonly (readonly [name: string, summary: string])[], style: Style): string {
	return [style.bold("Topics (purser help TOPIC)"), aligned(topics, style), "", "More topics: purser help advanced"].join("\n");
}

export function groupHelp(words: readonly string[], commands: readonly CommandSpec[], style: Style): string {
	const rows = words.length === 1 ? Object.values(tasks).flat() : [];
	const title = rows.find(([nouns]) => nouns.includes(words[0] as string))?.[1];
	return [
		...(title ? [title, ""] : []),
		examples(
			commands.flatMap((command) => command.examples.slice(0, 1)),
			style,
		),
		"",
		style.bold("Commands"),
		aligned(
			commands.map((command) => [command.path, command.summary]),
			style,
		),
		"",
		style.dim("More: purser COMMAND --help"),
	].join("\n");
}

/** The page of one command. Its first screen, 24 lines at 80 columns, has the sentence, usage, examples and required flags. */
export function commandHelp(command: CommandSpec, style: Style): string {
	const args = command.flags.filter((flag) => flag.argument);
	const flags = command.flags.filter((flag) => !flag.argument);
	const required = flags.filter((flag) => flag.required === "always").map(typedFlag);
	const usage = ["purser", command.path, ...args.map(usageOf), ...required, "[flags]"].join(" ");
	const head = [
		wrapSentence(`${command.summary}.`, style.columns, 0),
		"",
		`${style.bold("Usage")}\n  ${style.wrapped(usage, style.columns - 6).join("\n      ")}`,
		"",
	];
	const parts = [...head, examples(command.examples, style)];
	if (command.details) parts.push("", wrapSentence(command.details, style.columns, 0));
	const meanings = args.map(({ name, description }) => [name, description] as const);
	if (args.length > 0) parts.push("", style.bold("Arguments"), aligned(meanings, style));
	if (flags.length > 0) parts.push("", style.bold("Flags"), aligned(flags.map(flagRow), style));
	parts.push("", style.dim("More: purser help flags · purser help exit-codes"));
	if (flags.some(({ source }) => source === "assumed")) parts.push(style.dim(wrapSentence(unconfirmed, style.columns, 0)));
	return parts.join("\n");
}

const unconfirmed = "Fields marked * are not confirmed for your service: purser api list";

/** A flag with its value, as it is typed: by its shorter name where it has one. */
const typedFlag = ({ name, alias = name, placeholder, ids }: FlagSpec): string => {
	// A record may be named in other ways than by its id.
	const value = placeholder === "uuid" ? (ids ?? placeholder) : placeholder;
	return value === undefined ? alias : `${alias} <${value}>`;
};

const namedFlag = ({ name, short, alias, ...flag }: FlagSpec): string =>
	typedFlag({ ...flag, name: [short, alias, name].filter(Boolean).join(", ") });

export function usageOf({ name, repeated, required }: FlagSpec): string {
	const word = `${name}${repeated ? "…" : ""}`;
	return required === "no" ? `[${word}]` : word;
}

const maxKnown = 6;

function flagRow(flag: FlagSpec): [string, string] {
	const { description, choices, known, fallback } = flag;
	const remarks = [
		flag.required === "always" ? "required" : "",
		flag.repeated ? "may be repeated" : "",
		choices ? choices.join(" | ") : known && known.length <= maxKnown ? `like ${known.join(", ")}` : "",
		fallback !== undefined ? `default ${fallback}` : "",
	].filter(Boolean);
	return [namedFlag(flag), `${description}${flag.source === "assumed" ? " *" : ""}${remarks.length > 0 ? ` [${remarks.join("; ")}]` : ""}`];
}

/** Most examples of a page; the reference has all of them. */
const most = 3;

function examples(all: CommandSpec["examples"], style: Style): string {
	const lines = all.slice(0, most).map(({ run, note }) => `  ${style.dim(`# ${note}`)}\n  ${style.accent(`purser ${run}`)}`);
	return [style.bold("Examples"), ...lines].join("\n");
}

/** Columns for what a name means: in a narrow terminal more names stand on a line of their own. */
const leastRoom = 30;

function aligned(rows: readonly (readonly [string, string])[], style: Style): string {
	const room = Math.max(leastRoom, style.columns - 4 - Math.min(38, Math.max(...rows.map(([name]) => name.length))));
	const width = Math.min(Math.max(...rows.map(([name]) => name.length)), style.columns - 4 - room);
	return rows
		.map(([name, text]) => {
			const lines = wrapSentence(text, room, 0).split("\n");
			const head = name.length > width ? `  ${name}\n  ${" ".repeat(width)}  ${lines[0]}` : `  ${name.padEnd(width)}  ${lines[0]}`;
			return [head, ...lines.slice(1).map((line) => `  ${" ".repeat(width)}  ${line}`)].join("\n").trimEnd();
		})
		.join("\n");
}
