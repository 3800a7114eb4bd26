/**
 * The global flags of one run, read from what was given and from the environment.
 */
import { formatList, formatNamed, type OutputFormat, outputFormats } from "../../api/formats.js";
import { secondsOf } from "../../api/quantity.js";
import { PurserError } from "../../errors.js";
import type { AnyCommand } from "../command.js";
import { type Global, isSet, longForms } from "./options.js";

/**
 * @param typed the whole command line; before it is parsed, `--json` and `--profile` are searched in it, so that a usage error has the right format and names the profile
 * @param given global flags by name, as parsed; empty before parsing
 * @throws PurserError usage, for a value that makes no sense
 */
export function readGlobal(
	typed: readonly string[],
	given: Readonly<Record<string, unknown>>,
	env: Readonly<Record<string, string | undefined>>,
): Global {
	const argv = longForms(typed);
	const parsed = Object.keys(given).length > 0;
	return {
		profile: parsed ? text(given.profile) : valueIn(argv, "--profile"),
		baseUrl: text(given["base-url"]),
		output: text(given.output) ?? (given.json === true ? "json" : undefined),
		columns: text(given.columns),
		timeout: parsed ? seconds(text(given.timeout), "--timeout") : undefined,
		dryRun: given["dry-run"] === true,
		yes: given.yes === true,
		live: given.live === true,
		debug: given.debug === true,
		verbose: given.verbose === true,
		utc: given.utc === true,
		quiet: given.quiet === true,
		noInput: given["no-input"] === true,
		interactive: false,
		format: formatOf(argv, given, env, parsed),
		colour: colourOf(argv, given),
	};
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function formatOf(
	argv: readonly string[],
	given: Readonly<Record<string, unknown>>,
	env: Readonly<Record<string, string | undefined>>,
	parsed: boolean,
): OutputFormat {
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

const formatIn = (argv: readonly string[]): string | undefined => (argv.includes("--json") ? "json" : valueIn(argv, "--output"));

function valueIn(argv: readonly string[], flag: string): string | undefined {
	const at = argv.indexOf(flag);
	return at >= 0 ? argv[at + 1] : argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}

function colourOf(argv: readonly string[], given: Readonly<Record<string, unknown>>): Global["colour"] {
	const value = given.color ?? (argv.includes("--no-color") ? false : undefined);
	if (value === undefined) return "auto";
	if (value === true || value === "always") return "always";
	if (value === false || value === "never") return "never";
	if (value === "auto") return "auto";
	throw usage(`--color takes always, auto or never, not ${JSON.stringify(value)}`, "Like: --color never");
}

function seconds(value: string | undefined, flag: string): number | undefined {
	if (value === undefined) return undefined;
	const parsed = Math.round((secondsOf(value) ?? 0) * 1000);
	if (parsed > 0 && parsed < 100_000_000) return parsed;
	throw usage(
		`${flag} takes a number of seconds greater than 0, or a time like 30s or 2m, not ${JSON.stringify(value)}`,
		`Like: ${flag} 30`,
	);
}

function usage(message: string, fix: string): PurserError {
	return new PurserError("usage", { code: "USAGE", message, fix });
}

/**
 * Columns are chosen from what is drawn, which is known only once it was read: before a change they would be refused too late.
 * @throws PurserError usage
 */
export function refuseColumns({ effect, path }: AnyCommand, { columns, format }: Global): void {
	if (columns === undefined || (effect === "read" && format.write === undefined)) return;
	throw new PurserError("usage", {
		code: "COLUMNS_OF_NO_LIST",
		message:
			effect === "read"
				? "--columns chooses columns of a table, and JSON has none"
				: `--columns is for lists and records, and purser ${path} changes something`,
		fix:
			effect === "read"
				? "Use --output text, csv or tsv, or choose fields of the JSON with jq."
				: "Leave --columns out; --output csv writes every field of the answer.",
	});
}

/** An answer that is updated is not a single document. */
export function refuseWatch({ watch }: Record<string, unknown>, { format }: Global): void {
	if (watch !== true || format.streams) return;
	throw new PurserError("usage", {
		code: "WATCH_IS_NO_DOCUMENT",
		message: `${format.people ? "A table" : "--json"} is one document, and --watch prints one answer after another`,
		fix: "Use --output ndjson (one line per answer), or leave --watch out.",
	});
}
