/**
 * The open questions about the whole service: pages, and the forms of ids. Pure.
 */
import type { Imports } from "../import.js";
import { idKindsIn, idPatternOf } from "../service.js";
import { type Detail, type Draft, nothing, settled, withDropped } from "./draft.js";
import { idWords } from "./words.js";

const hasList = (draft: Draft): boolean => [...draft.chosen.values()].some(({ fit }) => "pageSize" in fit.operation.query.shape);

export function firstQuestion(draft: Draft, { matched }: Imports): Detail[] {
	const { paging } = draft.service;
	if (paging === undefined || !matched.unsaid.paging.includes("first") || !hasList(draft)) return [];
	const after = (first: 0 | 1): Draft => settled({ ...draft, service: { ...draft.service, paging: { ...paging, first } } }, "pages");
	return [
		{
			key: "first-page",
			nothing: "unknown",
			above: [
				`Lists have pages (${paging.at}), and the document does not say the number of the first one.`,
				"A list that is read from the second page on lacks records.",
			],
			message: "Which number has the first page?",
			choices: [
				{ value: "1", label: "1" },
				{ value: "0", label: "0" },
				{ value: nothing, label: "Not known: leave the lists out" },
			],
			after: (answer) => (answer === nothing ? withoutLists(draft) : after(answer === "0" ? 0 : 1)),
		},
	];
}

export function sizeQuestion(draft: Draft, { matched }: Imports): Detail[] {
	const { paging } = draft.service;
	if (paging === undefined || !matched.unsaid.paging.includes("size") || !hasList(draft)) return [];
	const size = paging.size?.at;
	const after = (most: number): Draft =>
		settled(
			{ ...draft, service: { ...draft.service, paging: { ...paging, ...(size === undefined ? {} : { size: { at: size, most } }) } } },
			"pages",
		);
	if (size === undefined) return [];
	return [
		{
			key: "page-size",
			nothing: "unknown",
			above: [`Lists are read by counting records (${paging.at}), and the document does not say how many one answer has at most.`],
			message: "How many records may be asked for at once?",
			choices: [
				...["10", "20", "25", "50", "100"].map((value) => ({ value, label: value })),
				{ value: nothing, label: "Not known: leave the lists out" },
			],
			after: (answer) => (answer === nothing ? withoutLists(draft) : after(Number(answer))),
		},
	];
}

function withoutLists(draft: Draft): Draft {
	const lists = [...draft.chosen.values()].filter(({ fit }) => "pageSize" in fit.operation.query.shape);
	return lists.reduce((next, { fit }) => withDropped(next, fit.operation.id, "how its pages are asked for is not known"), draft);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const anyId = "[0-9A-Za-z_-]{6,64}";

/** The pattern of the answers that say one. */
const patterns: Readonly<Record<string, string>> = { digits: "[0-9]{4,18}", any: anyId };

/** The pattern that was chosen, or that of a pasted id. */
const patternIn = (answer: string): string =>
	Object.hasOwn(patterns, answer) ? (patterns[answer] as string) : (idPatternOf(answer) ?? anyId);

/** Ids that are any text to the document: purser takes only an id of the right form for the proof that something was made. */
export function idsQuestion(draft: Draft, { matched }: Imports): Detail[] {
	const used = idKindsIn([...draft.chosen.values()].map(({ fit }) => fit));
	const kinds = matched.unsaid.ids.filter((kind) => used.has(kind) && draft.service.ids?.[kind] === undefined);
	if (kinds.length === 0) return [];
	const withIds = (pattern: string): Draft => ({
		...draft,
		service: { ...draft.service, ids: { ...draft.service.ids, ...Object.fromEntries(kinds.map((kind) => [kind, pattern])) } },
	});
	return [
		{
			key: "ids",
			nothing: "uuid",
			above: [`The document does not say what ids look like (${kinds.map((kind) => idWords[kind]).join(", ")}).`],
			message: "What does an id of this service look like?",
			choices: [
				{ value: nothing, label: "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f", hint: "a UUID" },
				{ value: "digits", label: "20041877", hint: "digits" },
				{ value: "any", label: "anything else", hint: "letters, digits, _ and -, 6 to 64 of them" },
				{ value: "example", label: "Like one that I paste" },
			],
			typed: {
				value: "example",
				message: "Paste an id of this service",
				check: (answer) => (/^[0-9A-Za-z_-]{6,64}$/.test(answer) ? undefined : "must be letters, digits, _ and -, 6 to 64 of them"),
			},
			after: (answer) => (answer === nothing || uuid.test(answer) ? draft : withIds(patternIn(answer))),
		},
	];
}
