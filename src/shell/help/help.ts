/**
 * Help at every level. Each page opens with examples.
 */
import type { Style } from "../../ports/style.js";
import type { CommandSpec, FlagSpec } from "../contract.js";
import { globalFlags } from "../input/options.js";
import { wrapSentence } from "../output/wrap.js";

const nouns: Readonly<Record<string, string>> = {
	auth: "Log in, log out, see who you are",
	profile: "Connection settings (address, login)",
	onboard: "Onboard a company: by questions, or from a file",
	overview: "Open companies and what blocks them",
	config: "Settings, and where each comes from",
	api: "The service's operations and your overrides",
	terms: "Terms and conditions",
	corporate: "Companies: create, show, update, review",
	related: "Owners, directors and other related entities",
	email: "Verify an email address",
	phone: "Verify a phone number",
	kyb: "Know Your Business: request it, follow it",
	kyc: "Know Your Customer: links and statuses",
	ledger: "Ledgers and their balances",
	beneficiary: "External payees",
	pay: "Send money and follow it",
	history: "Every change requested from the service",
	sandbox: "A local test service",
	completion: "Completion for your shell",
	demo: "The whole job, start to end, on a sandbox",
	help: "Read about a topic",
};

/** The page of `purser` alone. */
export function rootHelp(commands: readonly CommandSpec[], style: Style): string {
	const found = [...new Set(commands.map(({ path }) => path.split(" ")[0] as string))].sort(byOrder);
	return [
		examples(
			[
				["purser demo", "See the whole job on a sandbox of its own"],
				["purser sandbox serve --save-profile sandbox", "A sandbox to try everything on; work in another terminal"],
				["purser auth login --base-url https://api.example.com", "Log in to a service"],
				["purser onboard start", "Onboard a company; every answer is asked for"],
				["purser pay beneficiary", "Send money; what is missing is asked for, and shown before it is sent"],
			],
			style,
		),
		style.bold("Commands"),
		aligned(
			found.map((noun) => [noun, nouns[noun] ?? commands.find(({ path }) => path === noun)?.summary ?? ""]),
			style,
		),
		"",
		globals(style),
		"",
		style.dim(wrapSentence("More: purser COMMAND --help · purser help lists topics to read about", style.columns, 0)),
	].join("\n");
}

/** What `purser help` adds to that page. */
export function topicList(topics: readonly (readonly [name: string, summary: string])[], style: Style): string {
	return [style.bold("Topics (purser help TOPIC)"), aligned(topics, style)].join("\n");
}

function byOrder(one: string, other: string): number {
	const order = Object.keys(nouns);
	return (order.indexOf(one) + 1 || 99) - (order.indexOf(other) + 1 || 99);
}

/** The page of a noun: `purser corporate`. */
export function groupHelp(words: readonly string[], commands: readonly CommandSpec[], style: Style): string {
	const first = commands
		.slice(0, 3)
		.map((command): [string, string] => [`purser ${command.examples[0]?.run}`, command.examples[0]?.note ?? ""]);
	const title = words.length === 1 ? nouns[words[0] as string] : undefined;
	return [
		...(title ? [title, ""] : []),
		examples(first, style),
		style.bold("Commands"),
		aligned(
			commands.map((command) => [command.path, command.summary]),
			style,
		),
		"",
		style.dim("More: purser COMMAND --help"),
	].join("\n");
}

/** The page of one command. */
export function commandHelp(command: CommandSpec, style: Style): string {
	const args = command.flags.filter((flag) => flag.argument);
	const flags = command.flags.filter((flag) => !flag.argument);
	const parts = [
		`${command.summary}.`,
		...(command.details ? [wrapSentence(command.details, style.columns, 0)] : []),
		"",
		examples(
			command.examples.map(({ run, note }): [string, string] => [`purser ${run}`, note]),
			style,
		),
		style.bold("Usage"),
		`  ${["purser", command.path, ...args.map(usageOf), "[flags]"].join(" ")}`,
	];
	if (args.length > 0)
		parts.push(
			"",
			style.bold("Arguments"),
			aligned(
				args.map(({ name, description }) => [name, description]),
				style,
			),
		);
	if (flags.length > 0) parts.push("", style.bold("Flags"), aligned(flags.map(flagRow), style));
	if (command.flags.some(({ source }) => source === "assumed")) parts.push("", style.dim(wrapSentence(assumed, style.columns, 0)));
	const global = globalFlags.map((flag) => `--${flag.name}`).filter((name) => !flags.some((flag) => flag.name === name));
	parts.push("", style.bold("Global flags"), indent(wrapSentence([...global, "(purser help flags)"].join(" "), style.columns - 2, 0)));
	const exits = ["0 done", ...command.exits.map(({ exit, kind }) => `${exit} ${kind}`)].join(" · ");
	parts.push("", style.dim(`Exit codes: ${exits} (purser help exit-codes)`));
	return parts.join("\n");
}

const assumed =
	"* The specification does not show this field. If your service names it otherwise, set that name with purser api set (see purser api list).";

/** An argument as the usage line shows it. */
export function usageOf({ name, repeated, required }: FlagSpec): string {
	const word = `${name}${repeated ? "…" : ""}`;
	return required === "no" ? `[${word}]` : word;
}

/** Maximum number of known values that are printed beside their flag. */
const maxKnown = 6;

function flagRow(flag: FlagSpec): [string, string] {
	const { name, placeholder, description, choices, known, fallback } = flag;
	const remarks = [
		flag.required === "always" ? "required" : "",
		flag.repeated ? "may be repeated" : "",
		choices ? choices.join(" | ") : known && known.length <= maxKnown ? `like ${known.join(", ")}` : "",
		fallback !== undefined ? `default ${fallback}` : "",
	].filter(Boolean);
	return [
		placeholder === undefined ? name : `${name} <${placeholder}>`,
		`${description}${flag.source === "assumed" ? " *" : ""}${remarks.length > 0 ? ` [${remarks.join("; ")}]` : ""}`,
	];
}

function globals(style: Style): string {
	const rows = globalFlags.map((flag): [string, string] => [flag.flags, flag.description]);
	return [style.bold("Global flags"), aligned([...rows, ["--help", "This page"]], style)].join("\n");
}

function examples(rows: readonly (readonly [string, string])[], style: Style): string {
	return `${style.bold("Examples")}\n${rows.map(([run, note]) => `  ${style.dim(`# ${note}`)}\n  ${style.accent(run)}`).join("\n")}\n`;
}

function aligned(rows: readonly (readonly [string, string])[], style: Style): string {
	const width = Math.min(38, Math.max(...rows.map(([name]) => name.length)));
	const room = Math.max(30, style.columns - width - 4);
	return rows
		.map(([name, text]) => {
			const lines = wrapSentence(text, room, 0).split("\n");
			const head = name.length > width ? `  ${name}\n  ${" ".repeat(width)}  ${lines[0]}` : `  ${name.padEnd(width)}  ${lines[0]}`;
			return [head, ...lines.slice(1).map((line) => `  ${" ".repeat(width)}  ${line}`)].join("\n").trimEnd();
		})
		.join("\n");
}

const indent = (text: string): string => text.replace(/^/gm, "  ");
