/**
 * The open questions of where values stand: a field that was not found, the reference of a payment, and what a service requires beside. Pure.
 */
import { describe } from "../../api/schema.js";
import type { Choice } from "../../ports/terminal.js";
import type { Candidate } from "../import.js";
import { namedPlaces, type PlacedField, unfilled } from "../places.js";
import { type Detail, type Draft, nothing, rebound, withChosen, withDropped, withPlace } from "./draft.js";
import { addressOf } from "./words.js";

const sides: Readonly<Record<string, string>> = {
	ledgerFromId: "who is debited: the ledger that the money leaves",
	ledgerToId: "who is credited: the ledger where the money arrives",
	beneficiaryId: "who is credited: the beneficiary where the money arrives",
};

/** Required fields of ours without a place. */
export function placeQuestion(draft: Draft): Detail[] {
	return [...draft.chosen.values()].flatMap((candidate) => {
		const { operation, theirs } = candidate.fit;
		const bound = candidate.proposal.binding.request?.fields ?? {};
		const shapes = [operation.params, ...(operation.body ? [operation.body] : [])].flatMap((shape) => describe(shape).fields ?? []);
		const missing = shapes.filter(
			({ name, required }) => required && !Object.keys(bound).some((one) => one === name || one.startsWith(`${name}.`)),
		);
		const isMoney = operation.effect === "money";
		const places = freePlaces(candidate, isMoney);
		const single = places.length === 0 ? [] : missing.filter(({ fields, element }) => fields === undefined && element === undefined);
		return single.map(({ name, meta }): Detail => {
			return {
				key: `place:${operation.id}:${name}`,
				above: [`${addressOf(theirs)}: no field was recognised as ${name}.`],
				message: `Which field says ${(isMoney ? sides[name] : undefined) ?? `the ${plainName(meta.description) ?? name}`}?`,
				choices: [...places.map(placeChoice), { value: nothing, label: "None of these: leave the operation out" }],
				fallback: nothing,
				after: (answer) => {
					const place = places.find((one) => placeChoice(one).value === answer);
					if (place !== undefined) return withPlace(draft, candidate, name, place);
					return withDropped(draft, operation.id, `${name} has no place in ${addressOf(theirs)}`);
				},
			};
		});
	});
}

/** A description as a part of a question: `The beneficiary` is asked for as `the beneficiary`. */
const plainName = (description: string | undefined): string | undefined =>
	description?.replace(/^(The )?[A-Z](?![A-Z])/, (start) => start.toLowerCase()).replace(/^the /, "");

/** The reference of payments, where none was recognised: the text that the payee reads, and by which a payment is found again. */
export function referenceQuestion(draft: Draft): Detail[] {
	const open = [...draft.chosen.values()].filter(
		({ fit, proposal }) => fit.operation.effect === "money" && proposal.binding.request?.fields?.reference === undefined,
	);
	const texts = (one: Candidate): PlacedField[] =>
		freePlaces(one, true).filter(({ place, type, format }) => place === "body" && type === "text" && format === undefined);
	const places = open.flatMap(texts).filter((one, at, all) => all.findIndex((other) => other.at === one.at) === at);
	if (places.length === 0) return [];
	return [
		{
			key: "reference",
			above: [`No field was recognised as the reference of ${open.map(({ fit }) => addressOf(fit.theirs)).join(" and ")}.`],
			message: "Which field holds the text that the payee reads?",
			choices: [...places.map(placeChoice), { value: nothing, label: "None of these: payments have no reference there" }],
			after: (answer) =>
				open.reduce((next, candidate) => {
					const place = texts(candidate).find((one) => placeChoice(one).value === answer);
					return place === undefined ? next : withPlace(next, candidate, "reference", place);
				}, draft),
		},
	];
}

/** Places of a request that nothing of ours takes yet, those of the path first. */
function freePlaces({ fit: { theirs }, proposal: { binding } }: Candidate, isMoney: boolean): PlacedField[] {
	const taken = new Set(Object.values(binding.request?.fields ?? {}).map(({ place, at }) => `${place} ${at}`));
	return namedPlaces(theirs).filter(
		({ place, at, type, values }) =>
			!taken.has(`${place} ${at}`) &&
			!at.includes("*") &&
			["text", "any", "integer", "number"].includes(type) &&
			(!isMoney || values === undefined),
	);
}

const placeChoice = ({ place, at, description, required }: PlacedField): Choice => ({
	value: `${place} ${at}`,
	label: place === "body" ? at : `${at} (${place})`,
	hint: [required ? "required" : "", description.slice(0, 80)].filter((one) => one !== "").join(" · "),
});

/** Values that the service requires, of which it says the possible ones, and that purser does not have. */
export function constantQuestion(draft: Draft): Detail[] {
	return [...draft.chosen.values()].flatMap((candidate) => {
		const { operation, theirs } = candidate.fit;
		const { binding } = candidate.proposal;
		const open = unfilled(theirs, binding).filter(({ values, type }) => values !== undefined || type === "boolean");
		return open.map(({ place, at, values, type }): Detail => {
			const all = type === "boolean" ? ["true", "false"] : [...(values ?? [])].slice(0, 50);
			return {
				key: `constant:${operation.id}:${place}:${at}`,
				above: [`${addressOf(theirs)} wants ${at}, which says something that purser does not know.`],
				message: `What is ${at} in every ${operation.effect === "money" ? "payment" : "request"} of this kind?`,
				choices: [...all.map((value) => ({ value, label: value })), { value: nothing, label: "Send nothing there" }],
				after: (answer) => {
					if (answer === nothing || place === "path") return draft;
					const constant = { place, at, value: type === "boolean" ? answer === "true" : answer };
					const changed = { ...binding, constants: [...(binding.constants ?? []), constant] };
					return withChosen(
						draft,
						rebound(candidate, changed, () => true),
					);
				},
			};
		});
	});
}
