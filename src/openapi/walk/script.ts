/**
 * An import without a terminal: what is sure and what the command line says, and what is left open. Pure.
 */
import type { Fault } from "../../errors.js";
import { withoutUnsure } from "../adopt.js";
import { adoptionFaults, type Candidate, type Imports, noOperation, questionsOf } from "../import.js";
import { isWhole } from "../match.js";
import { type Given, questionOf, settledBy } from "./answers.js";
import { type Detail, type Draft, withChosen } from "./draft.js";
import type { Walked } from "./walk.js";

/** What the command line says beside the document. */
export interface Said {
	picks: readonly Candidate[];
	/** Operations of which it says that the document has none. */
	refused: readonly string[];
	given: Given;
	baseUrl: string;
}

export interface Scripted {
	/** What can be stored: what was picked, and what is known to be the operation; both without open questions that keep it from being used. */
	walked: Walked;
	/** What was picked and cannot be stored as it is. */
	unfit: readonly Fault[];
	/** Every open question with its key and its answers. */
	open: readonly Fault[];
	/** Keys that were answered and not asked. */
	unused: readonly string[];
}

/** @throws PurserError usage, where an answer does not fit */
export function scripted(imports: Imports, { picks, refused, given, baseUrl }: Said): Scripted {
	const { operations } = imports.matched;
	const isPicked = ({ fit }: Candidate): boolean => picks.some((one) => one.fit.operation === fit.operation);
	const isSaid = (id: string): boolean => refused.includes(id) || picks.some(({ fit }) => fit.operation.id === id);
	const stateOf = (id: string) => imports.report.operations.find(({ operation }) => operation === id)?.state;
	const known = operations
		.filter(({ operation: { id }, isKnown }) => isKnown && stateOf(id) !== "bound" && !isSaid(id))
		.map(({ candidates }) => candidates[0] as Candidate);
	const empty: Draft = { chosen: new Map(), service: imports.matched.service, dropped: new Map() };
	const asked = new Set<string>();
	const { draft, open } = settledBy(given, [...known.map(withoutUnsure), ...picks].reduce(withChosen, empty), imports, asked);
	const chosen = [...draft.chosen.values()];
	const proposedAs = ({ fit }: Candidate) => known.find((one) => one.fit === fit);
	const faulty = chosen.filter((one) => {
		const proposed = proposedAs(one);
		return proposed === undefined ? adoptionFaults(one, baseUrl).length > 0 : !isWhole(one.fit.operation, answered(proposed, one), baseUrl);
	});
	// What no answer settles: which operation it is, is the question then.
	const stuck = faulty.filter((one) => !open.some((detail) => concerns(detail, one)));
	const isWhich = ({ field: id }: Fault): boolean =>
		!isSaid(id) && !draft.dropped.has(id) && (stuck.some(({ fit }) => fit.operation.id === id) || !draft.chosen.has(id));
	const which = questionsOf(imports.report).filter(isWhich);
	const details = open.map(questionOf);
	const unfit = faulty.filter(isPicked).flatMap((one) => {
		const about = open.filter((detail) => concerns(detail, one)).map(questionOf);
		return about.length > 0 ? about : adoptionFaults(one, baseUrl);
	});
	return {
		walked: { chosen: chosen.filter((one) => !faulty.includes(one)), service: draft.service, dropped: draft.dropped, refused },
		unfit: unfit
			.filter(({ field, message }, at) => unfit.findIndex((one) => one.field === field && one.message === message) === at)
			.map(withFlag),
		open: [...which, ...details].map(withFlag),
		unused: [...given.keys()].filter((key) => !asked.has(key)),
	};
}

/** A question as people read it in an error: with what answers it. */
const withFlag = (question: Fault): Fault =>
	question.answers === undefined ? question : { ...question, flag: `--answer ${question.field}=…:` };

/** A proposal with what was answered; whoever answered a question about a field has been told where it stands. */
function answered({ proposal: { fields, open } }: Candidate, { proposal: now }: Candidate): Candidate["proposal"] {
	const isAnswered = (ours: string, isAnswer: boolean): boolean => {
		const isAbout = (one: (typeof open)[number]): boolean => one.ours === ours && (one.isAnswer ?? false) === isAnswer;
		return open.some(isAbout) && !now.open.some(isAbout);
	};
	return { ...now, fields: fields.map((one) => ({ ...one, sure: one.sure || isAnswered(one.ours, one.place === "answer") })) };
}

/** Whether an answer to a question may settle what keeps a candidate from being stored. */
function concerns({ key }: Detail, { fit, proposal: { open } }: Candidate): boolean {
	const has = (...about: string[]): boolean => open.some((one) => about.includes(one.about));
	if (/^(place|amount):/.test(key)) return key.split(":")[1] === fit.operation.id;
	if (/^(amounts|dates)/.test(key)) return has("minor-units", "form");
	return /-page$|^page-/.test(key) && has("pages");
}

/** The operations that `KEY=ANSWER` says: picks as `--pick` has them, and those that the document does not have. */
export function saidOperations(given: Given, ids: readonly string[]): { picks: string[]; refused: string[]; rest: Given } {
	const said = [...given].filter(([key]) => ids.includes(key));
	return {
		picks: said.filter(([, answer]) => answer !== noOperation).map(([key, answer]) => `${key}=${answer}`),
		refused: said.filter(([, answer]) => answer === noOperation).map(([key]) => key),
		rest: new Map([...given].filter(([key]) => !ids.includes(key))),
	};
}
