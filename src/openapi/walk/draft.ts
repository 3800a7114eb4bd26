/**
 * What a person has chosen so far in an import, and how an answer changes it. Nothing is stored here. Pure.
 */
import type { AnswerField, BoundValue, OperationBinding, RequestField, ServiceBinding } from "../../ports/binding.js";
import type { Choice } from "../../ports/terminal.js";
import type { Candidate } from "../import.js";
import type { PlacedField } from "../places.js";
import type { Open } from "../proposal.js";

export interface Draft {
	/** By operation of ours. */
	chosen: ReadonlyMap<string, Candidate>;
	service: ServiceBinding;
	/** Operations that were chosen and cannot be bound, with the reason. */
	dropped: ReadonlyMap<string, string>;
}

/** An open question and the candidate that has it. */
export interface Asked {
	candidate: Candidate;
	open: Open;
}

/** One question about details. */
export interface Detail {
	/** By which a script answers it, the same whatever else is open. It is not asked twice. */
	key: string;
	/** The key of the question that asks for several at once, this one among them. */
	within?: string;
	above: readonly string[];
	message: string;
	choices: readonly Choice[];
	/** The answer of Enter alone, where the first one would be a guess. */
	fallback?: string;
	/** What a script says for {@link nothing}; `none` without it. */
	nothing?: string;
	/** A choice of this value asks for a text. */
	typed?: { value: string; message: string; check(answer: string): string | undefined };
	/** What follows from the answer. */
	after(answer: string): Draft;
}

/** The answer that leaves something as it is, or out. */
export const nothing = "";

export const opensOf = (draft: Draft, about: Open["about"]): Asked[] =>
	[...draft.chosen.values()].flatMap((candidate) =>
		candidate.proposal.open.filter((open) => open.about === about).map((open) => ({ candidate, open })),
	);

export function withChosen(draft: Draft, candidate: Candidate): Draft {
	return { ...draft, chosen: new Map(draft.chosen).set(candidate.fit.operation.id, candidate) };
}

export function withDropped(draft: Draft, id: string, why: string): Draft {
	const chosen = new Map(draft.chosen);
	chosen.delete(id);
	return { ...draft, chosen, dropped: new Map(draft.dropped).set(id, why) };
}

/** The candidates with their open questions of one kind answered. */
export function settled(draft: Draft, about: Open["about"]): Draft {
	const chosen = [...draft.chosen].map(([id, { fit, proposal }]): [string, Candidate] => [
		id,
		{ fit, proposal: { ...proposal, open: proposal.open.filter((open) => open.about !== about) } },
	]);
	return { ...draft, chosen: new Map(chosen) };
}

/** The form of one field, which settles the question about it. */
export function withForm(draft: Draft, { candidate, open }: Asked, { codec, currency }: Pick<BoundValue, "codec" | "currency">): Draft {
	const form = { ...(codec === undefined ? {} : { codec }), ...(currency === undefined ? {} : { currency }) };
	const id = candidate.fit.operation.id;
	const current = draft.chosen.get(id) ?? candidate;
	const { binding } = current.proposal;
	const part = open.isAnswer ? binding.answer?.fields : binding.request?.fields;
	const before: RequestField | AnswerField | undefined = part?.[open.ours];
	if (before === undefined) return draft;
	const { codec: _codec, currency: _currency, ...place } = before;
	const fields = { ...part, [open.ours]: { ...place, ...form } };
	const changed = open.isAnswer
		? { ...binding, answer: { ...binding.answer, fields: fields as Record<string, AnswerField> } }
		: { ...binding, request: { ...binding.request, fields: fields as Record<string, RequestField> } };
	return withChosen(
		draft,
		rebound(current, changed, (one) => one.ours !== open.ours || one.isAnswer !== open.isAnswer),
	);
}

/** One of our fields at a place of the request, which settles the question where it stands. */
export function withPlace(draft: Draft, candidate: Candidate, ours: string, { place, at }: PlacedField): Draft {
	const { binding } = candidate.proposal;
	const fields = { ...binding.request?.fields, [ours]: { place, at } };
	const changed = { ...binding, request: { ...binding.request, fields } };
	return withChosen(
		draft,
		rebound(candidate, changed, (one) => one.about !== "side" || one.ours !== ours),
	);
}

/** @param stays whether a question is still open */
export function rebound({ fit, proposal }: Candidate, binding: OperationBinding, stays: (open: Open) => boolean): Candidate {
	return { fit, proposal: { ...proposal, binding, open: proposal.open.filter(stays) } };
}
