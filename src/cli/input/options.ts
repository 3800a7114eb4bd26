/**
 * The global flags: their names, meanings and how they are read.
 */
import { formatList, formatNames, type OutputFormat } from "../../api/formats.js";
import type { Flags } from "../../context.js";

export interface GlobalFlag {
	/** As commander writes it. */
	flags: string;
	/** Its letter: `-o`. */
	short?: string;
	/** As typed, for completion and the reference. */
	name: string;
	takesValue: boolean;
	description: string;
	values?: readonly string[];
}

/** In the order of --help. None takes a secret. */
export const globalFlags: readonly GlobalFlag[] = [
	{ flags: "--profile <name>", short: "-p", name: "profile", takesValue: true, description: "Profile to use (PURSER_PROFILE)" },
	{ flags: "--base-url <url>", name: "base-url", takesValue: true, description: "Base address instead of the profile's (PURSER_BASE_URL)" },
	{ flags: "--json", name: "json", takesValue: false, description: "Print the answer as one JSON document" },
	{
		flags: "--output <format>",
		short: "-o",
		name: "output",
		takesValue: true,
		description: `${formatList} (PURSER_OUTPUT)`,
		values: formatNames,
	},
	{ flags: "--columns <names>", name: "columns", takesValue: true, description: "Columns of a list or record, in this order: id,status" },
	{ flags: "--no-input", name: "no-input", takesValue: false, description: "Never ask; fail with what is missing (PURSER_NO_INPUT)" },
	{ flags: "--yes", short: "-y", name: "yes", takesValue: false, description: "Skip confirmation prompts" },
	{ flags: "--live", name: "live", takesValue: false, description: "With --yes: send it to a live service" },
	{ flags: "--dry-run", name: "dry-run", takesValue: false, description: "Show the exact request of a change, send nothing" },
	{ flags: "--quiet", short: "-q", name: "quiet", takesValue: false, description: "No hints and no progress" },
	{ flags: "--verbose", name: "verbose", takesValue: false, description: "Show more details of what is done" },
	{ flags: "--debug", name: "debug", takesValue: false, description: "Log every call on standard error, redacted" },
	{
		flags: "--color [when]",
		name: "color",
		takesValue: true,
		description: "always, auto or never (NO_COLOR, FORCE_COLOR)",
		values: ["always", "auto", "never"],
	},
	{ flags: "--utc", name: "utc", takesValue: false, description: "Show times in UTC instead of local time" },
	{ flags: "--timeout <seconds>", name: "timeout", takesValue: true, description: "Maximum time for one call (PURSER_TIMEOUT)" },
];

/** Those that need a value; `--color` may stand without one. */
export const valuedFlags: readonly string[] = globalFlags
	.filter(({ name, takesValue }) => takesValue && name !== "color")
	.map(({ name }) => `--${name}`);

/** `-o, --output <format>`, as help shows it. */
export const shownForm = ({ short, flags }: GlobalFlag): string => (short === undefined ? flags : `${short}, ${flags}`);

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
	if (first?.takesValue && letters.length === 1) return [`--${first.name}${equals === undefined ? "" : `=${value}`}`];
	// A joined value only where it is one of few: `-password` is a mistake, and no profile.
	if (first?.values?.includes(letters.slice(1)) && equals === undefined) return [`--${first.name}=${letters.slice(1)}`];
	if (letters !== "" && equals === undefined && flags.every((flag) => flag?.takesValue === false))
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
