/**
 * The walk through an import at a terminal: what is sure is taken, the rest is asked, and nothing is stored before the end.
 */
import type { AnyOperation } from "../../api/operation.js";
import { PurserError } from "../../errors.js";
import type { ServiceBinding } from "../../ports/binding.js";
import type { Choice, Prompts } from "../../ports/terminal.js";
import { pickedCandidate } from "../adopt.js";
import { adoptionFaults, type Candidate, type Imports } from "../import.js";
import type { Found } from "../match.js";
import { reasonsOf } from "../report.js";
import { type Given, settledBy } from "./answers.js";
import { openDetails } from "./details.js";
import { type Draft, withChosen, withDropped } from "./draft.js";
import { addressOf, directionOf, purposeOf } from "./words.js";

/** What a walk needs of its surroundings. */
export interface Surroundings {
	prompts: Prompts;
	baseUrl: string;
	/** Operations that are asked although they are bound. */
	again: readonly string[];
	/** What the command line answered, and of which operations it said that the document has none. */
	given: Given;
	refused: readonly string[];
	warn(message: string): void;
	/** Shows what was chosen. */
	show(candidate: Candidate): Promise<void>;
}

export interface Walked {
	chosen: readonly Candidate[];
	service: ServiceBinding;
	/** Operations that were chosen and cannot be bound, with the reason. */
	dropped: ReadonlyMap<string, string>;
	/** Of which a person said that the document has none. */
	refused: readonly string[];
}

const answers = { none: "\0none", another: "\0another", later: "\0later", yes: "\0yes", singly: "\0singly" };
const later: Choice = { value: answers.later, label: "Leave the rest for later", hint: "what is chosen so far is stored" };

/** How far a candidate stands before the second to be asked together with others. */
const clearMargin = 0.15;
const clearScore = 0.5;

/**
 * @param picks candidates that were picked on the command line
 * @throws PurserError interrupted, on Ctrl-C; then nothing is to be stored
 */
export async function walk(imports: Imports, picks: readonly Candidate[], outside: Surroundings): Promise<Walked> {
	const refused: string[] = [...outside.refused];
	const start: Draft = { chosen: new Map(), service: imports.matched.service, dropped: new Map() };
	const isOpen = ({ operation, state }: Found): boolean =>
		(state !== "none" && !isBound(imports, operation)) || outside.again.includes(operation.id);
	const isSaid = ({ operation }: Found): boolean => refused.includes(operation.id) || picks.some(({ fit }) => fit.operation === operation);
	const found = imports.matched.operations.filter((one) => isOpen(one) && !isSaid(one));
	const known = found.filter(({ isKnown, operation }) => isKnown && !isBound(imports, operation));
	let draft = [...known.map(({ candidates }) => candidates[0] as Candidate), ...picks].reduce(withChosen, start);
	const unknown = found.filter((one) => !known.includes(one));
	for (const group of groupsOf(unknown)) {
		const step = await asked(group, imports, outside, draft, refused);
		draft = step.draft;
		if (step.isOver) break;
	}
	draft = await detailed(draft, imports, outside);
	for (const candidate of draft.chosen.values()) {
		const [fault] = adoptionFaults(candidate, outside.baseUrl);
		if (fault !== undefined) draft = withDropped(draft, candidate.fit.operation.id, fault.message);
	}
	return { chosen: [...draft.chosen.values()], service: draft.service, dropped: draft.dropped, refused };
}

const isBound = ({ report }: Imports, { id }: AnyOperation): boolean =>
	report.operations.some(({ operation, state }) => operation === id && state === "bound");

/** Those with one clear candidate are asked together, payments by themselves; a PUT that replaces is always asked alone. */
function groupsOf(found: readonly Found[]): Found[][] {
	const clear = found.filter((one) => isClear(one, found));
	const money = clear.filter(({ operation }) => operation.effect === "money");
	const others = clear.filter(({ operation }) => operation.effect !== "money");
	const together = [money, others].filter((group) => group.length > 1);
	const alone = found.filter((one) => !together.some((group) => group.includes(one))).map((one) => [one]);
	// Payments first: whoever leaves the rest for later can pay.
	const isMoney = ([one]: Found[]): boolean => one?.operation.effect === "money";
	const all = [...together, ...alone];
	return [...all.filter(isMoney), ...all.filter((group) => !isMoney(group))];
}

function isClear(one: Found, all: readonly Found[]): boolean {
	const { operation, candidates } = one;
	const [best, ...others] = candidates;
	if (best === undefined || best.fit.score < clearScore || best.fit.theirs.method === "PUT" || operation.id.startsWith("auth."))
		return false;
	if (best.proposal.open.some(({ about }) => about === "side")) return false;
	// One that is the best for another operation of ours is no rival.
	const isTaken = ({ fit }: Candidate): boolean => all.some((other) => other !== one && other.candidates[0]?.fit.theirs === fit.theirs);
	const second = others.find((other) => !isTaken(other));
	return second === undefined || best.fit.score - second.fit.score >= clearMargin;
}

interface Step {
	draft: Draft;
	/** The rest is left for later. */
	isOver: boolean;
}

async function asked(group: readonly Found[], imports: Imports, outside: Surroundings, draft: Draft, refused: string[]): Promise<Step> {
	if (group.length > 1) {
		const best = group.map(({ candidates }) => candidates[0] as Candidate);
		const isMoney = group.every(({ operation }) => operation.effect === "money");
		const answer = await outside.prompts.choose({
			message: isMoney ? "Are these the payments?" : `Are these ${group.length} right?`,
			above: best.flatMap((one, at) => [...(at === 0 ? [] : [""]), ofOurs(one.fit.operation), ...candidateLines(one, outside.baseUrl)]),
			choices: [
				{ value: answers.yes, label: isMoney ? "Yes" : `Yes, all ${group.length}` },
				{ value: answers.singly, label: "Ask me one by one" },
				later,
			],
		});
		if (answer === answers.later) return { draft, isOver: true };
		if (answer === answers.yes) return { draft: best.reduce(withChosen, draft), isOver: false };
	}
	for (const one of group) {
		const chosen = await which(one, imports, outside);
		if (chosen === "later") return { draft, isOver: true };
		if (chosen === "none") refused.push(one.operation.id);
		else {
			await outside.show(chosen);
			draft = withChosen(draft, chosen);
		}
	}
	return { draft, isOver: false };
}

/** One operation: three candidates with their evidence, another one of the document, or none. */
async function which({ operation, candidates }: Found, imports: Imports, outside: Surroundings): Promise<Candidate | "none" | "later"> {
	const byAddress = (address: string): Candidate | undefined => candidates.find(({ fit }) => addressOf(fit.theirs) === address);
	for (;;) {
		const answer = await outside.prompts.choose({
			message: `Which is "${operation.title}"?`,
			above: [ofOurs(operation), ...candidates.flatMap((one) => candidateLines(one, outside.baseUrl))],
			choices: [
				...candidates.map(({ fit }): Choice => ({ value: addressOf(fit.theirs), label: addressOf(fit.theirs) })),
				{ value: answers.none, label: candidates.length === 0 ? "The document does not have it" : "None of these" },
				{ value: answers.another, label: "Another one of the document …" },
				later,
			],
		});
		if (answer === answers.none) return "none";
		if (answer === answers.later) return "later";
		const chosen = answer === answers.another ? await another(operation, imports, outside) : byAddress(answer);
		if (chosen !== undefined) return chosen;
	}
}

/** Any operation of the document; undefined where it cannot be ours, which is told. */
async function another(operation: AnyOperation, imports: Imports, { prompts, warn }: Surroundings): Promise<Candidate | undefined> {
	const all = imports.document.operations;
	const answer = await prompts.choose({
		message: `Which is "${operation.title}"?`,
		choices: [
			{ value: answers.none, label: "Back" },
			...all.map((one) => ({ value: addressOf(one), label: addressOf(one), hint: one.summary || one.id })),
		],
	});
	const theirs = all.find((one) => addressOf(one) === answer);
	if (theirs === undefined) return undefined;
	try {
		return pickedCandidate({ operation, theirs }, imports);
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind !== "validation") throw error;
		warn(`${addressOf(theirs)} cannot be that: nothing of it was recognised`);
		return undefined;
	}
}

const ofOurs = (operation: AnyOperation): string => `${operation.title}: ${purposeOf(operation)}`;

function candidateLines(candidate: Candidate, baseUrl: string): string[] {
	const { fit } = candidate;
	const isMoney = fit.operation.effect === "money";
	return [
		`- ${addressOf(fit.theirs)}${fit.theirs.summary === "" ? "" : ` (${fit.theirs.summary.slice(0, 80)})`}`,
		...(isMoney ? [`  ${directionOf(candidate)}`] : []),
		`  ${reasonsOf(candidate, baseUrl).map(askedNext).join("; ")}`,
	];
}

/** At a terminal a field without a place is asked for once the operation is chosen. */
const askedNext = (reason: string): string =>
	reason.replace(/^not whole: (\S+) is required and has no place$/, "which field is $1 is asked next");

async function detailed(start: Draft, imports: Imports, { given, prompts }: Surroundings): Promise<Draft> {
	const done = new Set<string>();
	let draft = start;
	for (;;) {
		const settled = settledBy(given, draft, imports, done);
		draft = settled.draft;
		const [detail] = openDetails(draft, imports, done);
		if (detail === undefined) return draft;
		done.add(detail.key);
		const { message, above, choices, fallback, typed } = detail;
		const answer = await prompts.choose({ message, above, choices, fallback });
		draft = detail.after(answer === typed?.value ? await prompts.text({ message: typed.message, check: typed.check }) : answer);
	}
}
