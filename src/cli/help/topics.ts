/**
 * `purser help TOPIC`: the exit codes, the environment, the JSON form, the flags; all other topics are pages (`guides.ts`).
 */
import { formatList } from "../../api/formats.js";
import { kinds } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import { type FlagSpec, takesNumber } from "../contract.js";
import { globalFlags, shownForm } from "../input/options.js";
import { type GuideName, guideNames, guides } from "./guides.js";

/** Variables that purser reads, in the order of the page. None stands for --yes. */
export const variables: readonly (readonly [string, string])[] = [
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
	["ACCESSIBLE", "Static lines, no meaning in a colour or a glyph alone"],
	["CI", "Never ask, no spinner"],
	["HTTPS_PROXY, NO_PROXY", "Proxy for https, and for which hosts there is none"],
	["NODE_EXTRA_CA_CERTS", "File with more certificate authorities"],
];

const json: readonly string[] = [
	"With --json the answer is one JSON document on standard output: the data itself, no envelope.",
	"The service's fields are unchanged, numbers are written as they were received; fields of purser are added to them.",
	"If a record was named by something other than its id, the answer has a key resolved: [{ argument, given, kind, id, name }] (purser help names). If the answer is a list, it is a line of its own on standard error.",
	"--output ndjson writes one record per line where a command answers with a list.",
	"On an error standard output stays empty and standard error gets one line:",
	'  {"error":{"code","kind","exit","message","why","fix","status","apiCode","details":[{"field","row","message"}],"moneyMayHaveMoved","intent"}}',
	"A command that only reads shows an answer that was not understood in error.answer, as it was received (exit 1).",
	'Warnings are lines of their own on standard error: {"warning":{"message"}}; together with an error they are inside it.',
	"Times are RFC 3339 in UTC. Field names, error codes and exit codes are stable; human wording is not.",
];

const references = {
	"exit-codes": "What each exit code means, and whether to run again",
	environment: "The variables that purser reads",
	json: "The form of answers and errors for programs",
	flags: "The flags of every command",
} as const;

/** A topic whose text is made of the program's own data. */
export type Reference = keyof typeof references;
export type Topic = GuideName | Reference;

export const topicNames: readonly Topic[] = [...guideNames, ...(Object.keys(references) as Reference[])];

export const isReference = (topic: Topic): topic is Reference => Object.hasOwn(references, topic);

/** Each topic with what it is about. */
export const topicRows: readonly (readonly [name: Topic, summary: string])[] = topicNames.map((name) => [
	name,
	isReference(name) ? references[name] : guides[name].summary,
]);

interface ExitCode {
	exit: number;
	kind: string;
	when: string;
	again: string;
}

function kindRows(): ExitCode[] {
	const rows = Object.entries(kinds).map(([kind, { exit, when, again }]) => ({ exit, kind, when, again }));
	return [{ exit: 0, kind: "", when: "done; a valid dry run; an empty list", again: "" }, ...rows];
}

/** The exit codes by number, 0 included; `interrupted` has one for each signal. */
export function exitCodeRows(): ExitCode[] {
	return kindRows().flatMap((row) => (row.kind === "interrupted" ? [row, { ...row, exit: 143 }, { ...row, exit: 129 }] : [row]));
}

function exitCodes(style: Style): string {
	const rows = kindRows().map(({ exit, kind, when, again }) => [kind === "interrupted" ? "130/143/129" : String(exit), kind, when, again]);
	return style.table(["code", "kind", "when", "safe to run again?"], rows);
}

/** One row for each variable: a line of the page may name two. */
export function variableRows(): { name: string; meaning: string }[] {
	return variables.flatMap(([names, meaning]) => names.split(", ").map((name) => ({ name, meaning })));
}

/** The global flags in the form of a command's own. */
export function globalFlagSpecs(): FlagSpec[] {
	const given = globalFlags.map(({ name, short, flags, takesValue, description, values }): FlagSpec => {
		const placeholder = /[<[](.+)[>\]]$/.exec(flags)?.[1];
		const type = values ? "choice" : takesNumber(placeholder) ? "number" : takesValue ? "text" : "boolean";
		const ids = name === "profile" ? "profile" : undefined;
		return { name: `--${name}`, short, placeholder, description, type, required: "no", choices: values, ids };
	});
	return [...given, { name: "--help", description: "Help for this command", type: "boolean", required: "no" }];
}

/** A topic of the program's own data, for --json. */
export function referenceData(topic: Reference): unknown {
	switch (topic) {
		case "exit-codes":
			return exitCodeRows();
		case "environment":
			return variableRows();
		case "json":
			return json;
		case "flags":
			return globalFlagSpecs();
	}
}

/** The same topic for people. */
export function referenceText(topic: Reference, style: Style): string {
	switch (topic) {
		case "exit-codes":
			return exitCodes(style);
		case "environment":
			return style.pairs([...variables]);
		case "json":
			return json.join("\n");
		case "flags":
			return style.pairs([
				...globalFlags.map((flag): [string, string] => [shownForm(flag), flag.description]),
				["--help", "Help for this command"],
			]);
	}
}
