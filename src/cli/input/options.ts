/**
 * The global flags: their names, meanings and how they are read.
 */
import { formatList, formatNames, type OutputFormat } from "../../api/formats.js";
import type { Flags } from "../../context.js";

export interface GlobalFlag {
	/** As help shows it: `-o, --output <format>`. */
	form: string;
	/** Its letter: `-o`. */
	short?: string;
	/** As typed, for completion and the reference. */
	name: string;
	/** The name of its value, where it takes one. */
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
	.map(({ name }) => `--${name}`);

/**
 * Short flags in their long form: `-o json`, `-o=json`, `-ojson` and `-yq`. Everything after this knows long names only, so that what
 * holds for `--yes` where a value was forgotten holds for `-y`. A word that is no such flag stays as it is, and an error names it.
 */
export function longForms(argv: readonly string[]): string[] {
	const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
	return argv.flatMap((word, at) => (at < end ? longForm(word) : [word]));
}

function longForm(word: string): string[] {
	const [, letters = "", equals, value = ""] = /^-([a-z]+)(=(.*))?$/s.exec(word) ?? [];
	const flags = [...letters].map((letter) => globalFlags.find(({ short }) => short === `-${letter}`));
	const [first] = flags;
	if (first?.placeholder !== undefined && letters.length === 1) return [`--${first.name}${equals === undefined ? "" : `=${value}`}`];
	// A joined value only where it is one of few: `-password` is a mistake, and no profile.
	if (first?.values?.includes(letters.slice(1)) && equals === undefined) return [`--${first.name}=${letters.slice(1)}`];
	if (letters !== "" && equals === undefined && flags.every((flag) => flag !== undefined && flag.placeholder === undefined))
		return flags.map((flag) => `--${flag?.name}`);
	return [word];
}

/** The global flags of one run, read. */
export interface Global extends Flags {
	format: OutputFormat;
	/** As given: `id,status`. */
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
