/**
 * The topics of `purser help`: sections of the Markdown pages that are installed with the program, and what is made of the program's own data:
 * exit codes, environment, the JSON form, flags.
 */

import type { Runtime } from "../../context.js";
import { kinds } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import { type Contract, type FlagSpec, takesNumber } from "../contract.js";
import { globalFlags } from "../input/options.js";
import { formatList } from "../output/formats.js";
import { shippedPage } from "../shipped-page.js";

interface Guide {
	summary: string;
	/** Pages by their path from the root of the package, each whole or one section of it by its heading: `README.md#Pay`. */
	sections: readonly string[];
}

const payments = "src/payments/README.md";

export const guides = {
	start: { summary: "Two minutes in the sandbox", sections: ["README.md#Two minutes in the sandbox"] },
	tasks: { summary: "Tasks of a day, each with what to type", sections: ["src/cli/TASKS.md"] },
	words: { summary: "The terms that you will meet", sections: ["README.md#Words you will meet"] },
	names: { summary: "Names, externalIds and other words in place of ids", sections: ["src/names/README.md"] },
	onboarding: {
		summary: "Onboard a company: the wizard, case files, many companies",
		sections: ["README.md#Onboard a company", "src/onboarding/README.md"],
	},
	payments: { summary: "Send a payment, and see whether it arrived", sections: ["README.md#Pay"] },
	batches: { summary: "Pay from a spreadsheet", sections: [`${payments}#Batches`] },
	"wrong-payment": { summary: "It went to the wrong payee, or twice: what can be done", sections: [`${payments}#A wrong payment`] },
	doubts: {
		summary: "No answer came: was it paid? Duplicates, limits, currencies",
		sections: [`${payments}#Settling a doubt`, `${payments}#Duplicates, limits and currencies`],
	},
	troubleshooting: { summary: "When something does not work", sections: ["README.md#Troubleshooting"] },
	approval: { summary: "Approval by a second person", sections: [`${payments}#Approval by a second person`] },
	teams: {
		summary: "One journal for several people and machines",
		sections: ["README.md#A team", "src/journal/README.md#Working as a team"],
	},
	journal: { summary: "Back up, restore and check the journal", sections: ["src/journal/README.md"] },
	scripts: { summary: "Use purser in scripts", sections: ["README.md#Use in scripts"] },
	connect: {
		summary: "Connect your own service: profiles, login, settings",
		sections: ["README.md#Connect your own service", "src/config/README.md"],
	},
	mapping: { summary: "Where your service has other paths, names or forms", sections: ["src/mapping/README.md"] },
	assumptions: { summary: "What is known and what is assumed of the service", sections: ["src/api/README.md"] },
	safety: {
		summary: "What is promised about money, and what breaks it",
		sections: ["README.md#Safety", `${payments}#The promise`, `${payments}#What breaks it`],
	},
	testing: { summary: "The sandbox: play persons, compliance, time and faults", sections: ["src/sandbox/README.md"] },
	commands: { summary: "The reference of all commands", sections: ["src/commands/README.md"] },
	licences: { summary: "Whose code is inside, and its licences", sections: ["dist/THIRD-PARTY-NOTICES"] },
} as const satisfies Readonly<Record<string, Guide>>;

type GuideName = keyof typeof guides;

export const guideNames = Object.keys(guides) as GuideName[];

/** Variables that purser reads, in the order of the page. None stands for --yes. */
const variables: readonly (readonly [string, string])[] = [
	["PURSER_PROFILE", "Profile to use"],
	["PURSER_BASE_URL", "Base address instead of the profile's"],
	["PURSER_TOKEN", "Bearer token, or the value of the fixed header"],
	["PURSER_TOKEN_FILE", "File that holds the token"],
	["PURSER_TOKEN_ORIGIN", "The only address that the token is for: scheme, host and port; without it, that of the stored profile"],
	["PURSER_CONFIG_DIR", "Where profiles and preferences are kept"],
	["PURSER_STATE_DIR", "Where the journal is kept"],
	["PURSER_OPERATOR", "Who asks, for the record: a name or initials (the system's user without it)"],
	["PURSER_NO_INPUT", "Never ask"],
	["PURSER_OUTPUT", formatList],
	["PURSER_TIMEOUT", "Maximum time for one call, in seconds"],
	["PURSER_NO_KEYRING", "Keep secrets in a 0600 file, not in the keyring"],
	["NO_COLOR, FORCE_COLOR", "Colours off, or on"],
	["ACCESSIBLE", "Static lines, no meaning in a colour or a glyph alone; so with TERM=dumb"],
	["CI", "Never ask, no spinner"],
	["HTTPS_PROXY, NO_PROXY", "Proxy for https, and for which hosts there is none"],
	["NODE_EXTRA_CA_CERTS", "File with more certificate authorities"],
];

const json: readonly string[] = [
	"With --json the answer is one JSON document on standard output: the data itself, no envelope.",
	"The service's fields are unchanged, numbers are written as they were received; fields of purser are added to them.",
	"If a record was named by something other than its id, the answer has a key resolved: [{ argument, given, kind, id, name }] (purser help names).",
	"--output ndjson writes one record per line where a command answers with a list.",
	"On an error standard output stays empty and standard error gets one line:",
	'  {"error":{"code","kind","exit","message","why","fix","status","apiCode","details":[{"field","row","message"}],"moneyMayHaveMoved","intent"}}',
	"What was found or done is an answer too where it is not good (a doubt that stays, a declined payment, a failed check): the exit code says it.",
	"A command that only reads shows an answer that was not understood in error.answer, as it was received (exit 1).",
	'Warnings are lines of their own on standard error: {"warning":{"message"}}; together with an error they are inside it.',
	"Times are RFC 3339 in UTC. Field names, error codes and exit codes are stable; human wording is not.",
];

interface ReferenceOf {
	summary: string;
	data(): unknown;
	text(style: Style): string;
}

export const references = {
	"exit-codes": {
		summary: "What each exit code means, and whether to run again",
		data: exitCodeRows,
		text: (style) =>
			style.table(
				["code", "kind", "when", "safe to run again?"],
				kindRows().map(({ exit, kind, when, again }) => [kind === "interrupted" ? "130/143/129" : String(exit), kind, when, again]),
			),
	},
	environment: {
		summary: "The variables that purser reads",
		data: variableRows,
		text: (style) => style.pairs([...variables]),
	},
	json: {
		summary: "The form of answers and errors for programs",
		data: () => json,
		text: () => json.join("\n"),
	},
	flags: {
		summary: "The flags of every command",
		data: globalFlagSpecs,
		text: (style) =>
			style.pairs({ ...Object.fromEntries(globalFlags.map((flag) => [flag.form, flag.description])), "--help": "Help for this command" }),
	},
	advanced: {
		summary: "The other topics",
		data: (): unknown => advancedTopics(),
		text: (style): string => style.pairs(advancedTopics()),
	},
} as const satisfies Readonly<Record<string, ReferenceOf>>;

type Reference = keyof typeof references;
export type Topic = GuideName | Reference;

export const topicNames: readonly Topic[] = [...guideNames, ...(Object.keys(references) as Reference[])];

export const isReference = (topic: Topic): topic is Reference => Object.hasOwn(references, topic);

type Row = readonly [name: Topic, summary: string];

const rows = (): Row[] => topicNames.map((name) => [name, isReference(name) ? references[name].summary : guides[name].summary]);

/** The topics of a working day are the first ten. */
export const everydayTopics = (): Row[] => rows().slice(0, 10);
// The last one is `advanced` itself.
export const advancedTopics = (): Row[] => rows().slice(10, -1);

type ExitCode = Contract["exitCodes"][number];

function kindRows(): ExitCode[] {
	const rows = Object.entries(kinds).map(([kind, { exit, when, again }]) => ({ exit, kind, when, again }));
	return [{ exit: 0, kind: "", when: "done; a valid dry run; an empty list", again: "" }, ...rows];
}

/** The exit codes by number, 0 included; `interrupted` has one for each signal. */
export function exitCodeRows(): ExitCode[] {
	return kindRows().flatMap((row) => (row.kind === "interrupted" ? [row, { ...row, exit: 143 }, { ...row, exit: 129 }] : [row]));
}

/** One row for each variable: a line of the page may name two. */
export function variableRows(): { name: string; meaning: string }[] {
	return variables.flatMap(([names, meaning]) => names.split(", ").map((name) => ({ name, meaning })));
}

export function globalFlagSpecs(): FlagSpec[] {
	const given = globalFlags.map(({ name, short, placeholder, description, values }): FlagSpec => {
		const type = values ? "choice" : takesNumber(placeholder) ? "number" : placeholder === undefined ? "boolean" : "text";
		const ids = name === "profile" ? "profile" : undefined;
		return { name: `--${name}`, short, placeholder, description, type, required: "no", choices: values, ids };
	});
	return [...given, { name: "--help", description: "Help for this command", type: "boolean", required: "no" }];
}

/**
 * The Markdown of a topic.
 * @throws PurserError usage, where the pages were not installed with the program
 */
export async function guideText(name: GuideName, runtime: Pick<Runtime, "system">): Promise<string> {
	const { sections }: Guide = guides[name];
	const texts = sections.map(async (section) => {
		const [page = "", heading] = section.split("#");
		const text = await shippedPage(page, runtime);
		return (heading === undefined ? withoutRooms(text) : sectionOf(text, heading)).trim();
	});
	return (await Promise.all(texts)).join("\n\n");
}

/** How the code is divided is for developers. */
const withoutRooms = (page: string): string => (page.includes("\n## The rooms\n") ? page.replace(sectionOf(page, "The rooms"), "") : page);

function sectionOf(page: string, heading: string): string {
	const lines = page.split("\n");
	const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
	const level = /^#+/.exec(lines[start] ?? "")?.[0].length ?? 0;
	let fenced = false;
	const length = lines.slice(start + 1).findIndex((line) => {
		if (line.startsWith("```")) fenced = !fenced;
		const depth = fenced ? 0 : (/^(#+) /.exec(line)?.[1]?.length ?? 0);
		return depth > 0 && depth <= level;
	});
	return lines.slice(start, length < 0 ? undefined : start + 1 + length).join("\n");
}
