/**
 * An import as people read it.
 */

import type { Fault } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import type { Candidate, ImportReport } from "../import.js";
import { addressOf, directionOf, fieldRows } from "./words.js";

/** What an import found, and what was stored of it. */
export type Imported = ImportReport & {
	/** Where something was stored, and for which operations; absent in a dry run. */
	profile?: string;
	stored?: string[];
	/** Of a dry run: what a script has to answer, each by its key. */
	questions?: Fault[];
	/** Bindings that nobody has confirmed; nothing is sent by them. */
	unconfirmed?: string[];
	/** What was chosen and could not be stored. */
	left?: { operation: string; why: string }[];
	/** What the document says of events; absent where it says nothing. `scheme`: one that is built in, where its headers say so. */
	events?: { names: string[]; scheme: string | null };
	/** What now holds for the whole of the service, in sentences. */
	told?: string[];
};

export function importedText(data: Imported, style: Style): string {
	const { operations } = data;
	const shown = operations.filter(({ state }) => state !== "none");
	const parts = [foundText(data, style), ...shown.map((one) => paragraph(one, data, style)), ...eventsText(data), closing(data, style)];
	return parts.join("\n");
}

/** Most names that are listed. */
const mostNames = 8;

function eventsText({ events }: Imported): string[] {
	if (events === undefined) return [];
	const { names, scheme } = events;
	const more = names.length > mostNames ? `, and ${names.length - mostNames} more` : "";
	const signed = scheme === null ? "the document does not say how they are signed" : `signed by the scheme ${scheme}`;
	return [`  ${names.length === 1 ? "1 event" : `${names.length} events`}, ${signed}: ${names.slice(0, mostNames).join(", ")}${more}`];
}

/** The document, and how much of what we need it has. */
export function foundText({ document, operations }: ImportReport, style: Style): string {
	const count = (state: string): number => operations.filter((one) => one.state === state).length;
	const parts = [
		...(count("sure") > 0 ? [`${count("sure")} sure`] : []),
		...(count("ask") > 0 ? [`${count("ask")} to ask`] : []),
		...(count("bound") > 0 ? [`${count("bound")} bound`] : []),
		`${count("none")} not found`,
	];
	return `${style.bold(document.title || "Untitled")} ${document.version}: ${parts.join(", ")}`;
}

function paragraph({ operation, state, candidates }: Imported["operations"][number], data: Imported, style: Style): string {
	const [best, ...others] = candidates;
	const word = state === "ask" ? style.warn("ask  ") : state === "sure" ? style.good("sure ") : style.dim("bound");
	const line = `  ${word} ${style.accent(operation.padEnd(26))} ${best === undefined ? "" : `${best.method} ${best.path}`}`;
	// After an import only what was done is told: the reasons were read before.
	if (best === undefined || state === "bound" || data.profile !== undefined) return line;
	return [
		line,
		`        ${best.evidence.join(" · ")}`,
		...(state === "ask"
			? others.map(({ method, path, evidence }) => style.dim(`        or ${method} ${path}: ${evidence.join(" · ")}`))
			: []),
	].join("\n");
}

function closing({ profile, stored = [], left = [], told = [], questions = [], operations }: Imported, style: Style): string {
	const missing = operations.filter(({ state }) => state === "none").map(({ operation }) => operation);
	const lines = [
		...left.map(({ operation, why }) => `${style.warn("Not stored")}: ${operation}: ${why}.`),
		...(missing.length === 0 ? [] : [`Not found, and left as purser describes them: ${missing.join(", ")}.`]),
		...told.map((one) => `${one}.`),
	];
	if (profile === undefined) {
		const count = questions.length === 1 ? "one open question" : `${questions.length} open questions`;
		const script = questions.length === 0 ? [] : [`A script has ${count} to answer: --json shows each with its key and its answers.`];
		return [...lines, ...script, "Nothing was stored."].join("\n");
	}
	const count = `${stored.length} ${stored.length === 1 ? "operation" : "operations"}`;
	return ["", ...lines, `${style.good("Stored")} in the profile ${style.bold(profile)}: ${count}.`].join("\n");
}

/** One choice with its fields. */
export function chosenText(candidate: Candidate, style: Style): string {
	const { fit, proposal } = candidate;
	return [
		`${style.bold(fit.operation.title)}: ${addressOf(fit.theirs)}`,
		...(fit.operation.effect === "money" ? [`  ${directionOf(candidate)}`] : []),
		...style
			.pairs(fieldRows(proposal))
			.split("\n")
			.map((line) => `  ${line}`),
	].join("\n");
}
