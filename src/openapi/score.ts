/**
 * How well a foreign operation fits one of ours, with the reasons in words.
 */
import type { AnyOperation } from "../api/operation.js";
import { type Act, type OperationWords, operationWords, type Thing } from "../api/operations/vocabulary.js";
import { describe } from "../api/schema.js";
import { type AnswerMatch, matchAnswer } from "./answers.js";
import { type Match, matchFields } from "./fields.js";
import type { ForeignOperation } from "./foreign.js";
import { carriesCode, companyCheck, furtherDoubts, kindByParties } from "./kinds.js";
import type { Presented } from "./naming.js";
import { moneyShare, type Party, partiesOf, type Side, withPath } from "./parties.js";
import { namedPlaces, ourRequest, type PlacedField, takesId, withLastId } from "./places.js";

type EvidenceKind = "noun" | "fields" | "shape" | "family";

/** A foreign operation that may be ours. */
export interface Fit {
	operation: AnyOperation;
	theirs: ForeignOperation;
	presented: Presented;
	/** 0 to 1. */
	score: number;
	/** Kinds of evidence that were found. */
	kinds: ReadonlySet<EvidenceKind>;
	evidence: readonly string[];
	/** What keeps it from being sure. */
	doubts: readonly string[];
	request: readonly Match<PlacedField>[];
	parties: Partial<Record<Side, Party>>;
	answer: AnswerMatch;
}

const leastScore = 0.32;

/**
 * @param least the score from which it is a candidate; 0 for one that a person picked
 * @returns undefined where it cannot be that operation
 */
export function fitOf(operation: AnyOperation, theirs: ForeignOperation, shown: Presented, least = leastScore): Fit | undefined {
	const words = operationWords[operation.id];
	if (words === undefined) return undefined;
	const isPicked = least === 0;
	const act = actOf(words, theirs, shown);
	if (act === 0 && !isPicked) return undefined;
	const isMoney = operation.effect === "money";
	const check = operation.id === "kyb.request" ? companyCheck(shown, theirs) : 0;
	const groups = nounsOf(words, shown, check);
	if ((groups[0]?.weight ?? 0) === 0 && !isPicked) return undefined;
	const { parties, request } = requestFound(operation, theirs, shown);
	if (isMoney && !request.some(({ ours }) => ours.name === "amount")) return undefined;
	if (isMoney && groups[1] !== undefined) groups[1].weight = Math.max(groups[1].weight, kindByParties(operation.id, parties, theirs));
	const doubts: string[] = [];
	const against = strangeness(words, shown, doubts, isMoney || check > 0);
	const place = idScore(words, shown, request, doubts);
	const answer = matchAnswer(operation, theirs);
	const share = fieldShare(operation, request, parties, answer, theirs, shown);
	const more = furtherDoubts(
		theirs,
		[...request.map((match) => match.theirs), ...Object.values(parties).map(({ field }) => field)],
		isMoney,
	);
	const nouns = groups.reduce((sum, { weight }) => sum + weight, 0) / groups.length;
	const bonus = (words.also ?? []).reduce((sum, thing) => sum + (shown.things.has(thing) ? 0.05 : -0.02), 0);
	const score = 0.42 * nouns + 0.16 * act + 0.14 * place + 0.24 * share.score + bonus - against - more.penalty;
	if (score < least && !isPicked) return undefined;
	const hasFields = share.score >= 0.5 && share.words !== "";
	const evidence = evidenceWords(words, shown, act, place, hasFields ? share.words : undefined, theirs);
	const kinds = kindsOf(groups[0]?.weight ?? 0, hasFields, act >= 0.95 && place >= 0.7);
	const all = [...doubts, ...more.doubts];
	return { operation, theirs, presented: shown, score: Math.min(1, score), kinds, evidence, doubts: all, request, parties, answer };
}

function kindsOf(noun: number, hasFields: boolean, hasShape: boolean): Set<EvidenceKind> {
	const kinds = new Set<EvidenceKind>();
	if (noun >= 0.74) kinds.add("noun");
	if (hasFields) kinds.add("fields");
	if (hasShape) kinds.add("shape");
	return kinds;
}

/** How strongly each group of our nouns is named; the first may be told by more than words. */
function nounsOf(words: OperationWords, shown: Presented, first: number): { weight: number }[] {
	return words.things.map((group, at) => ({
		weight: group.reduce((most, thing) => Math.max(most, shown.things.get(thing) ?? 0), at === 0 ? first : 0),
	}));
}

function evidenceWords(
	words: OperationWords,
	shown: Presented,
	act: number,
	place: number,
	fields: string | undefined,
	{ method }: ForeignOperation,
): string[] {
	const found = words.things.flat().flatMap((thing) => shown.words.get(thing) ?? []);
	return [
		...(found.length === 0 ? [] : [`its words: ${[...new Set(found)].join(", ")}`]),
		...(place > 0.7 ? [idWords(words, shown)].filter((one) => one !== "") : []),
		...(fields === undefined ? [] : [fields]),
		...(act >= 0.95 ? [`${method} ${shown.isList ? "answers a list" : "of one record"}`] : []),
	];
}

/** Our fields among theirs; of money, who pays whom is told by its names alone. */
function requestFound(operation: AnyOperation, theirs: ForeignOperation, { own }: Presented): Pick<Fit, "parties" | "request"> {
	const isMoney = operation.effect === "money";
	const places = namedPlaces(theirs);
	// A value of ours is one: it never stands for each of a list.
	const single = places.filter(({ at }) => !at.includes("*"));
	if (!isMoney) {
		const ours = ourRequest(operation, false);
		return {
			parties: {},
			request: withLastId(ours, matchFields(ours, single), places, {
				path: theirs.path,
				isOwn: operationWords[operation.id]?.id === "own",
			}),
		};
	}
	const inBody = places.filter(({ place }) => place === "body");
	const told = partiesOf(inBody, operation.id === "transaction.interLedger" ? "ledger" : "payee", own);
	const inPath = places.filter(({ place }) => place === "path");
	const parties = withPath(told, inPath, inBody, {
		sentences: [theirs.id, theirs.path, theirs.summary, theirs.description].join(" "),
		own,
	});
	const taken = [parties.debit?.field, parties.credit?.field];
	return {
		parties,
		request: matchFields(
			ourRequest(operation, true),
			single.filter((field) => !taken.includes(field)),
		),
	};
}

function actOf(words: OperationWords, theirs: ForeignOperation, shown: Presented): number {
	// One record is asked for by its id: what takes none is a search.
	if (words.id === "own" && !takesId(theirs)) return 0;
	return words.code === undefined ? actScore(words, theirs, shown) : codeScore(words, theirs, shown);
}

function actScore(words: OperationWords, theirs: ForeignOperation, shown: Presented): number {
	const fits = words.act.some((act) => shown.acts.has(act));
	if (!fits) return 0;
	const [first] = words.act;
	if (theirs.method === "GET" && !["get", "list"].includes(first as string)) return 0.6;
	if (theirs.method === "PUT" && first !== "update") return 0.5;
	if (theirs.method === "POST" && ["get", "list", "update", "delete"].includes(first as string)) return shown.actIsNamed ? 0.85 : 0;
	return first !== undefined && shown.acts.has(first) ? 1 : 0.75;
}

/** What a code says: "verify a phone" without one sends it, and "verification" with one checks it. Where nobody can tell, the words do. */
function codeScore(words: OperationWords, theirs: ForeignOperation, shown: Presented): number {
	const isChecked = carriesCode(theirs);
	if (isChecked === undefined) return actScore(words, theirs, shown);
	if (isChecked !== (words.code === "taken")) return 0;
	const acts = isChecked || shown.acts.has("verify") ? [...shown.acts, ...words.act] : shown.acts;
	return actScore(words, theirs, { ...shown, acts: new Set<Act>(acts) });
}

/**
 * What an operation's names say beside what ours is about.
 * @param mayEndBeside whether a name may end in what else stands there: "to a ledger", "verification of a company"
 */
function strangeness(words: OperationWords, shown: Presented, doubts: string[], mayEndBeside: boolean): number {
	const main = new Set<Thing>([...words.things.flat(), ...(words.also ?? [])]);
	const allowed = new Set<Thing>([...main, ...(words.beside ?? [])]);
	const foreign = shown.named.filter((group) => !group.some((thing) => allowed.has(thing)));
	let against = Math.min(0.3, foreign.length * 0.12);
	if (foreign.length > 0)
		doubts.push(`also speaks of ${[...new Set(foreign.flat().map((thing) => shown.words.get(thing) ?? thing))].slice(0, 3).join(", ")}`);
	against += Math.min(0.36, shown.unknown.length * 0.12);
	if (shown.unknown.length > 0)
		doubts.push(
			`also says ${shown.unknown
				.slice(0, 3)
				.map((word) => JSON.stringify(word))
				.join(", ")}`,
		);
	const heads = shown.heads.filter((head) =>
		typeof head === "string" ? true : !head.some((thing) => (mayEndBeside ? allowed : main).has(thing)),
	);
	against += Math.min(0.4, heads.length * 0.17);
	if (heads.length > 0 && foreign.length === 0 && shown.unknown.length === 0) doubts.push("its name ends in another thing");
	return against;
}

function idScore(words: OperationWords, shown: Presented, request: readonly Match<PlacedField>[], doubts: string[]): number {
	const elsewhere = request.some(({ ours, theirs }) => /Id$/.test(ours.name) && theirs.place !== "path");
	if (words.id === undefined) return 0.8;
	if (words.id === "none") return shown.pathIds === 0 ? 1 : -0.6;
	if (words.id === "owner") return shown.pathIds > 0 && !shown.endsWithId ? 1 : elsewhere ? 0.8 : 0.2;
	if (shown.endsWithId) return 1;
	if (shown.pathIds === 0) return elsewhere ? 0.8 : -0.8;
	if (shown.collection.endsWith("{}")) return 0.9;
	doubts.push("the path goes on after the id");
	return -0.5;
}

function idWords(words: OperationWords, shown: Presented): string {
	if (words.id === "own") return shown.endsWithId ? "its path ends with the record's id" : "it takes the record's id";
	if (words.id === "owner") return "it takes the owner's id";
	return shown.pathIds === 0 ? "its path takes no id" : "";
}

function fieldShare(
	operation: AnyOperation,
	request: readonly Match[],
	parties: Partial<Record<Side, Party>>,
	answer: AnswerMatch,
	theirs: ForeignOperation,
	shown: Presented,
): { score: number; words: string } {
	if (operation.document && shown.isHtml) return { score: 1, words: "it answers a page or a PDF" };
	if (operation.effect === "money") return moneyShare(request, parties);
	if (operation.effect === "read" && operation.record !== undefined) {
		const count = answer.matches.length;
		const most = Math.min(5, operation.record.fields.length);
		return {
			score: Math.min(1, count / most),
			words: count === 0 ? "" : `its answer has ${count} of our fields, such as ${sample(answer.matches)}`,
		};
	}
	const body = operation.body === undefined ? [] : (describe(operation.body).fields ?? []);
	const inBody = request.filter(({ ours }) => !(ours.name in operation.params.shape));
	if (body.length === 0) {
		const isAll = (theirs.body ?? []).every((field) => !field.required || request.some((match) => match.theirs.pointer === field.pointer));
		return isAll && request.length > 0 ? { score: 0.7, words: "it takes an id and nothing else" } : { score: 0.3, words: "" };
	}
	const most = Math.min(6, Math.max(1, body.length > 8 ? 6 : 2));
	return {
		score: Math.min(1, inBody.length / most),
		words: inBody.length === 0 ? "" : `it takes ${inBody.length} of our fields, such as ${sample(inBody)}`,
	};
}

const sample = (matches: readonly Match[]): string =>
	matches
		.slice(0, 3)
		.map(({ ours }) => ours.name)
		.join(", ");
