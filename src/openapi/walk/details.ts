/**
 * The open questions of what was chosen, one by one: a field that was not found, a form that the document leaves open, the currency. Nothing
 * is guessed: what has no answer is not bound. Pure.
 */
import { decimalsOf } from "../../api/amount.js";
import type { Codec } from "../../ports/binding.js";
import type { Choice } from "../../ports/terminal.js";
import type { Imports } from "../import.js";
import { type Asked, type Detail, type Draft, nothing, opensOf, withDropped, withForm, withPlace } from "./draft.js";
import { constantQuestion, placeQuestion, referenceQuestion } from "./place-details.js";
import { firstQuestion, idsQuestion, sizeQuestion } from "./service-details.js";
import { addressOf, formWords } from "./words.js";

/** The open questions, in the order in which a person is asked. @param asked keys of those that were answered */
export function openDetails(draft: Draft, imports: Imports, asked: ReadonlySet<string>): Detail[] {
	return [
		placeQuestion,
		referenceQuestion,
		amountQuestion,
		currencyQuestion,
		formQuestion,
		constantQuestion,
		firstQuestion,
		sizeQuestion,
		idsQuestion,
	].flatMap((make) => make(draft, imports).filter(({ key }) => !asked.has(key)));
}

const each = (asked: readonly Asked[]): string[] =>
	asked.map(({ candidate, open }) => {
		const { binding } = candidate.proposal;
		const at = open.isAnswer
			? `${binding.answer?.record ?? ""}${binding.answer?.fields?.[open.ours]?.at ?? ""}`
			: (binding.request?.fields?.[open.ours]?.at ?? "");
		return `- ${at} in ${open.isAnswer ? "the answer of " : ""}${addressOf(candidate.fit.theirs)}`;
	});

/** The answer of somebody who does not know: then the amount is not guessed. */
const unknown = "unknown";

/** Amounts that may be in minor units: one answer holds for all of them, or each has its own. */
function amountQuestion(draft: Draft): Detail[] {
	const all = opensOf(draft, "minor-units");
	const keyOf = ({ candidate, open }: Asked): string =>
		`amount:${candidate.fit.operation.id}:${open.ours}${open.isAnswer ? ":answer" : ""}`;
	const question = (key: string, about: readonly Asked[], more: readonly Choice[]): Detail => ({
		key,
		above: ["The document does not say for sure how these amounts are written:", ...each(about)],
		message: "How is an amount of 12.34 written there?",
		choices: [
			{ value: "minor-units", label: "1234", hint: "minor units, such as cents" },
			{ value: "number", label: "12.34", hint: "a number" },
			{ value: "decimal-text", label: '"12.34"', hint: "text" },
			...more,
			{ value: unknown, label: "Not known: leave these operations out" },
		],
		fallback: unknown,
		after: (answer) => {
			if (answer === nothing) return draft;
			if (answer !== unknown) return about.reduce((next, one) => withAmount(next, one, answer as Codec), draft);
			return about.reduce(
				(next, { candidate }) => withDropped(next, candidate.fit.operation.id, "how amounts are written is not known"),
				draft,
			);
		},
	});
	const singly = all.map((one) => ({ ...question(keyOf(one), [one], []), within: "amounts" }));
	const together = question("amounts", all, [{ value: nothing, label: "Not all in the same way: ask me for each" }]);
	return all.length < 2 ? singly : [{ ...together, nothing: "each" }, ...singly];
}

/** An amount's form. In minor units the currency is sent too where the service takes one; as text they cannot be written. */
function withAmount(draft: Draft, asked: Asked, codec: Codec): Draft {
	const next = withForm(draft, asked, { codec });
	const { operation, request, theirs } = asked.candidate.fit;
	const chosen = next.chosen.get(operation.id);
	if (codec !== "minor-units" || asked.open.isAnswer || chosen === undefined) return next;
	if (typeOf(asked) === "text")
		return withDropped(next, operation.id, `${addressOf(theirs)} takes minor units as text, which purser does not write`);
	const currency = request.find(({ ours }) => ours.name === "currency");
	const isBound = chosen.proposal.binding.request?.fields?.currency !== undefined;
	return currency === undefined || isBound ? next : withPlace(next, chosen, "currency", currency.theirs);
}

/** Amounts in minor units whose currency no field tells. */
function currencyQuestion(draft: Draft, { document }: Imports): Detail[] {
	const about = [...draft.chosen.values()].flatMap((candidate): Asked[] => {
		const { request, answer } = candidate.proposal.binding;
		const open = (isAnswer?: true) => ({ candidate, open: { about: "minor-units" as const, ours: "amount", isAnswer, text: "" } });
		const isUntold = (fields: Readonly<Record<string, { codec?: Codec; currency?: string }>> = {}): boolean =>
			fields.amount?.codec === "minor-units" && fields.amount.currency === undefined && fields.currency === undefined;
		return [...(isUntold(request?.fields) ? [open()] : []), ...(isUntold(answer?.fields) ? [open(true)] : [])];
	});
	// Which amounts are in minor units comes first.
	if (about.length === 0 || opensOf(draft, "minor-units").length > 0) return [];
	const check = (code: string): string | undefined =>
		decimalsOf(code) === undefined ? "is no currency of ISO 4217, such as EUR" : undefined;
	return [
		{
			key: "currency",
			above: [`${document.title}: no field tells the currency of these amounts, and minor units need one:`, ...each(about)],
			message: "Are they all in one currency?",
			choices: [
				{ value: nothing, label: "No, or not known", hint: "a payment takes the ledger's own, or is not sent" },
				{ value: "other", label: "Yes, in one that I name" },
			],
			nothing: "unknown",
			typed: { value: "other", message: "Which currency, such as EUR?", check },
			after: (answer) =>
				answer === nothing ? draft : about.reduce((next, one) => withForm(next, one, { codec: "minor-units", currency: answer }), draft),
		},
	];
}

const forms: readonly { codec: Codec | "plain"; label: string; types: readonly string[] }[] = [
	{ codec: "plain", label: "2026-12-31", types: ["text", "any"] },
	...(["date:YYYYMMDD", "date:DD/MM/YYYY", "date:MM/DD/YYYY", "date:DD.MM.YYYY"] as const).map((codec) => ({
		codec,
		label: formWords({ codec }),
		types: ["text", "any"],
	})),
	{ codec: "epoch-seconds", label: "1798675200", types: ["integer", "number", "any"] },
	{ codec: "epoch-milliseconds", label: "1798675200000", types: ["integer", "number", "any"] },
];

/** Dates in a form that the document leaves open: one question for those of one kind. */
function formQuestion(draft: Draft): Detail[] {
	const groups = new Map<string, Asked[]>();
	for (const one of opensOf(draft, "form")) {
		const type = typeOf(one);
		const key = `${/amount/i.test(one.open.ours) ? "amount" : "date"} ${type}`;
		groups.set(key, [...(groups.get(key) ?? []), one]);
	}
	return [...groups].map(([key, about]): Detail => {
		const isAmount = key.startsWith("amount");
		const type = key.split(" ")[1] as string;
		const choices: Choice[] = isAmount
			? (["number", "decimal-text", "minor-units"] as const).map((codec) => ({ value: codec, label: formWords({ codec }) }))
			: forms
					.filter(({ types }) => types.includes(type))
					.map(({ codec, label }) => ({
						value: codec,
						label,
						hint: codec.includes("epoch") ? formWords({ codec: codec as Codec }) : undefined,
					}));
		return {
			key: key.replace(" ", "s:"),
			above: [`The document does not say in which form ${isAmount ? "these amounts are" : "these dates are"} written:`, ...each(about)],
			message: isAmount ? "How is an amount written there?" : "How is 31 December 2026 written there?",
			choices,
			after: (answer) =>
				about.reduce(
					(next, one) =>
						isAmount
							? withAmount(next, one, answer as Codec)
							: withForm(next, one, { codec: answer === "plain" ? undefined : (answer as Codec) }),
					draft,
				),
		};
	});
}

function typeOf({ candidate: { fit }, open }: Asked): string {
	const matches = open.isAnswer ? fit.answer.matches : fit.request;
	return matches.find(({ ours }) => ours.name === open.ours)?.theirs.type ?? "any";
}
