/**
 * The global flags: their names, meanings and how they are read.
 */

import { secondsOf } from "../../api/quantity.js";
import type { Flags } from "../../context.js";
import { PurserError } from "../../errors.js";
import { formatList, formatNamed, formatNames, type OutputFormat, outputFormats } from "../output/formats.js";

export interface GlobalFlag {
	/** As help shows it: `-o, --output <format>`. */
	form: string;
	short?: string;
	name: string;
	placeholder?: string;
	description: string;
	values?: readonly string[];
}

function globalFlag(form: string, description: string, values?: readonly string[]): GlobalFlag {
	const [, short, name = "", placeholder] = /^(?:(-\w), )?--([\w-]+)(?: [<[](.+)[>\]])?$/.exec(form) ?? [];
	return { form, short, name, placeholder, description, values };
}

/** In the order of --help. None takes a secret. */
export const globalFlags: readonly GlobalFlag[] = [
	globalFlag("-p, --profile <name>", "Profile to use (PURSER_PROFILE)"),
	globalFlag("--base-url <url>", "Base address instead of the profile's (PURSER_BASE_URL)"),
	globalFlag("--json", "Print the answer as one JSON document"),
	globalFlag("-o, --output <format>", `${formatList} (PURSER_OUTPUT)`, formatNames),
	globalFlag("--columns <names>", "Columns of a list or record, in this order: id,status"),
	globalFlag("--no-input", "Never ask; fail with what is missing (PURSER_NO_INPUT)"),
	globalFlag("-y, --yes", "Skip confirmation prompts"),
	globalFlag("--live", "With --yes: send it to a live service"),
	globalFlag("--dry-run", "Show the exact request of a change, send nothing"),
	globalFlag("-q, --quiet", "No hints and no progress"),
	globalFlag("--verbose", "Show more details of what is done"),
	globalFlag("--debug", "Log every call on standard error, redacted"),
	globalFlag("--color [when]", "always, auto or never (NO_COLOR, FORCE_COLOR)", ["always", "auto", "never"]),
	globalFlag("--utc", "Show times in UTC instead of local time"),
	globalFlag("--timeout <seconds>", "Maximum time for one call (PURSER_TIMEOUT)"),
];

/** Those that need a value; `--color` may stand without one. */
export const valuedFlags: readonly string[] = globalFlags
	.filter(({ name, placeholder }) => placeholder !== undefined && name !== "color")
	.flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [short])]);

export interface Global extends Flags {
	format: OutputFormat;
	columns?: string;
	quiet: boolean;
	verbose: boolean;
	utc: boolean;
	noInput: boolean;
	colour: "always" | "auto" | "never";
}

type Variables = Readonly<Record<string, string | undefined>>;

/** A variable counts as set when it is there, not empty, and not a plain no. */
export function isSet(value: string | undefined): boolean {
	return value !== undefined && value !== "" && value !== "0" && value.toLowerCase() !== "false";
}

/**
 * Whether colours are used: `--color` > NO_COLOR > FORCE_COLOR > the terminal.
 * @returns the colour level: 0 none, 1 to 3
 */
export function colourLevel(when: Global["colour"], variables: Variables, terminal: 0 | 1 | 2 | 3): 0 | 1 | 2 | 3 {
	if (when === "never") return 0;
	if (when === "always") return terminal || 1;
	if (variables.NO_COLOR !== undefined && variables.NO_COLOR !== "") return 0;
	const force = variables.FORCE_COLOR;
	if (force === "0" || force === "false") return 0;
	if (force !== undefined) return force === "2" ? 2 : force === "3" ? 3 : terminal || 1;
	return terminal;
}

/** Whether a person can be asked: both ends are terminals, it is no CI job, and nothing forbids it. */
export function canAsk(stdin: boolean, stderr: boolean, noInput: boolean, format: OutputFormat, variables: Variables): boolean {
	return stdin && stderr && !noInput && format.people && !isSet(variables.CI) && !isSet(variables.PURSER_NO_INPUT);
}

/**
 * @param argv the whole command line; before it is parsed, `--json` and `--profile` are searched in it, so that a usage error has the right format and names the profile
 * @param given global flags by name, as parsed; empty before parsing
 * @throws PurserError usage, for a value that makes no sense
 */
export function readGlobal(argv: readonly string[], given: Readonly<Record<string, unknown>>, env: Variables): Global {
	const parsed = Object.keys(given).length > 0;
	const is = (name: string): boolean => given[name] === true;
	return {
		profile: parsed ? text(given.profile) : valueIn(argv, "--profile", "-p"),
		baseUrl: text(given["base-url"]),
		output: text(given.output) ?? (is("json") ? "json" : undefined),
		columns: text(given.columns),
		timeout: seconds(text(given.timeout)),
		...{ dryRun: is("dry-run"), yes: is("yes"), live: is("live"), debug: is("debug"), verbose: is("verbose") },
		...{ utc: is("utc"), quiet: is("quiet"), noInput: is("no-input"), interactive: false },
		format: formatOf(argv, given, env, parsed),
		colour: colourOf(given.color ?? (argv.includes("--no-color") ? "never" : undefined)),
	};
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function formatOf(argv: readonly string[], given: Readonly<Record<string, unknown>>, env: Variables, parsed: boolean): OutputFormat {
	const output = text(given.output);
	if (given.json === true && output !== undefined && formatNamed(output)?.people)
		throw usage(`--json and --output ${output} contradict each other`, "Give one of them.");
	if (given.json === true && (output === undefined || output === "json")) return outputFormats.json;
	const asked = output ?? (parsed ? undefined : formatIn(argv)) ?? (isSet(env.PURSER_OUTPUT) ? env.PURSER_OUTPUT : undefined) ?? "text";
	const format = formatNamed(asked);
	if (format !== undefined) return format;
	if (!parsed) return outputFormats.text;
	throw usage(`There is no output format ${JSON.stringify(asked)}`, `Choose ${formatList}.`);
}

const formatIn = (argv: readonly string[]): string | undefined => (argv.includes("--json") ? "json" : valueIn(argv, "--output", "-o"));

function valueIn(argv: readonly string[], flag: string, short: string): string | undefined {
	const at = argv.findIndex((word) => word === flag || word === short);
	if (at >= 0) return argv[at + 1];
	const joined = (form: string) => argv.find((word) => word.startsWith(form))?.slice(form.length);
	return joined(`${flag}=`) ?? joined(short);
}

function colourOf(when: unknown): Global["colour"] {
	if (when === undefined) return "auto";
	if (typeof when === "boolean") return when ? "always" : "never";
	if (when === "always" || when === "auto" || when === "never") return when;
	throw usage(`--color takes always, auto or never, not ${JSON.stringify(when)}`, "Like: --color never");
}

function seconds(value: string | undefined): number | undefined {
	if (value === undefined) return undefined;
	const parsed = Math.round((secondsOf(value) ?? 0) * 1000);
	if (parsed > 0 && parsed < 100_000_000) return parsed;
	const must = "takes a number of seconds greater than 0, or a time like 30s or 2m";
	throw usage(`--timeout ${must}, not ${JSON.stringify(value)}`, "Like: --timeout 30");
}

function usage(message: string, fix: string): PurserError {
	return new PurserError("usage", { code: "USAGE", message, fix });
}

/** An answer that is updated is not a single document. */
export function refuseWatch({ watch }: Record<string, unknown>, { format }: Global): void {
	if (watch !== true || format.streams) return;
	const message = `${format.people ? "A table" : "--json"} is one document, and --watch prints one answer after another`;
	const fix = "Use --output ndjson (one line per answer), or leave --watch out.";
	throw new PurserError("usage", { code: "WATCH_IS_NO_DOCUMENT", message, fix });
}
