/**
 * What a foreign operation says that it does, by the words of its path, id and summary.
 */
import { type Act, acts, fillers, type Thing } from "../api/operations/vocabulary.js";
import type { ForeignField, ForeignOperation } from "./foreign.js";
import { fixedParts, isParameter, partsOfPath, type Voice } from "./voice.js";
import { isActWord, listed, type Naming, namedIn, type Phrases, wordsOf } from "./words.js";

/** A text of an operation, and how much it counts. */
interface Told {
	words: readonly string[];
	weight: number;
	/** Where it is a name: a path's last part, or an id. What else it says speaks against us. */
	isName: boolean;
	where: "path" | "id" | "summary" | "around";
}

/** How an operation presents itself. */
export interface Presented {
	/** How strongly each thing is named, 0 to 1. */
	things: ReadonlyMap<Thing, number>;
	/** Words that named it. */
	words: ReadonlyMap<Thing, string>;
	/** Things that names say, those of one phrase together. */
	named: readonly (readonly Thing[])[];
	/** The thing that each name ends in, or an unknown word. */
	heads: readonly (readonly Thing[] | string)[];
	/** Words of names that mean nothing to us. */
	unknown: readonly string[];
	acts: ReadonlySet<Act>;
	/** Whether words, not the method alone, say what is done. */
	actIsNamed: boolean;
	isList: boolean;
	endsWithId: boolean;
	pathIds: number;
	/** The static parts of the path up to and with the collection. */
	collection: string;
	isHtml: boolean;
	/** Words that the document explains itself. */
	own: Phrases;
}

const filler: ReadonlySet<string> = new Set(listed(fillers));
const prepositions: ReadonlySet<string> = new Set([
	"by",
	"for",
	"to",
	"from",
	"in",
	"with",
	"on",
	"via",
	"of",
	"at",
	"between",
	"and",
	"into",
	"against",
	"so",
	"that",
	"which",
	"including",
	"as",
]);
/** Words that may mean others than the thing. */
const weak: ReadonlySet<string> = new Set([
	"customer",
	"client",
	"merchant",
	"balance",
	"operation",
	"party",
	"member",
	"individual",
	"receiver",
	"condition",
	"agreement",
	"session",
	"check",
	"url",
	"start",
	"controller",
	"principal",
	"participant",
	"identity",
	"movement",
	"report",
	"profile",
	"person",
	"creditor",
]);

/** @param voice of the whole document */
export function presented(one: ForeignOperation, { own, isBySummary, common }: Voice): Presented {
	const parts = partsOfPath(one.path);
	const fixed = fixedParts(one.path);
	const [summary = "", ...more] = one.summary.split(/[.;,(]/);
	const telling = (name: string): string[] => wordsOf(name).filter((word) => !common.has(word));
	const names: Told[] = [
		{ words: telling(fixed.at(-1) ?? ""), weight: 1, isName: true, where: "path" },
		{ words: telling(one.id), weight: 1, isName: true, where: "id" },
		{ words: wordsOf(summary), weight: 0.8, isName: false, where: "summary" },
		{ words: fixed.slice(0, -1).flatMap((part) => wordsOf(part)), weight: 0.45, isName: false, where: "around" },
	];
	const texts: Told[] = [
		// A noun that is told by a summary alone is weaker than a name: nothing is sure by it.
		...(isBySummary ? [{ words: wordsOf(summary), weight: 0.73, isName: true, where: "summary" as const }] : names),
		{ words: wordsOf(more.join(" ")), weight: 0.45, isName: false, where: "around" },
		{ words: one.tags.flatMap((tag) => wordsOf(tag)), weight: 0.3, isName: false, where: "around" },
		{ words: wordsOf(one.description), weight: 0.25, isName: false, where: "around" },
	];
	const said = new Said(own);
	for (const text of texts) if (text.words.length > 0) said.take(text);
	const isList = rootIsList(one);
	const endsWithId = parts.length > 0 && isParameter(parts.at(-1) as string);
	const told = actsOf(one, fixed, { isList: isList && !endsWithId, ids: telling(one.id) });
	const unactive = parts.filter((part, at) => !(at === parts.length - 1 && (isParameter(part) || onlyActs(part))));
	return {
		things: said.things,
		words: said.words,
		named: said.named,
		heads: said.heads,
		unknown: [...new Set(said.unknown)],
		...told,
		own,
		isList: isList && !endsWithId,
		endsWithId,
		pathIds: parts.filter(isParameter).length,
		collection: unactive.map((part) => (isParameter(part) ? "{}" : part)).join("/"),
		isHtml: one.answers.some(({ types }) => types.some((type) => /^(text\/html|application\/(pdf|xhtml\+xml))$/.test(type))),
	};
}

/** The things that an operation's sentences speak of, each as strongly as a summary. @param after what its path says of the record it is about */
export function sentencesOf(one: ForeignOperation, { own }: Voice, after: readonly string[]): Pick<Presented, "things" | "words"> {
	const said = new Said(own);
	const [sentence = "", ...more] = one.description.split(/(?<=[.;])\s/);
	for (const text of [one.summary, sentence, after.join(" ")])
		said.take({ words: wordsOf(text), weight: 0.73, isName: false, where: "around" });
	said.take({ words: wordsOf(more.join(" ")), weight: 0.55, isName: false, where: "around" });
	return said;
}

/** What the texts of one operation say together. */
class Said {
	readonly things = new Map<Thing, number>();
	readonly words = new Map<Thing, string>();
	readonly named: Thing[][] = [];
	readonly heads: (readonly Thing[] | string)[] = [];
	readonly unknown: string[] = [];
	readonly #own: Phrases;

	constructor(own: Phrases) {
		this.#own = own;
	}

	take(text: Told): void {
		const naming = namedIn(text.words, this.#own);
		for (const { thing, words: phrase, isWeak } of naming.things) {
			const weight = text.weight * (isWeak ? 0.73 : weak.has(phrase) ? 0.75 : 1);
			if (weight <= (this.things.get(thing) ?? 0)) continue;
			this.things.set(thing, weight);
			this.words.set(thing, phrase);
		}
		const strange = naming.rest.filter(({ word }) => !filler.has(word) && !isActWord(word));
		if (text.isName) {
			for (const at of new Set(naming.things.map((thing) => thing.at)))
				this.named.push(naming.things.filter((thing) => thing.at === at).map(({ thing }) => thing));
			for (const { word } of strange) this.unknown.push(word);
		}
		if (text.isName || text.where === "summary") this.#head(text, naming, strange);
	}

	/** The last thing before the first preposition, or the unknown word after it: "payment instrument" is no payment. */
	#head(text: Told, { things, rest }: Naming, strange: Naming["rest"]): void {
		const end = text.words.findIndex((word, at) => at > 0 && prepositions.has(word) && rest.some((one) => one.at === at));
		const before = ({ at }: { at: number }): boolean => end < 0 || at < end;
		const last = things.filter(before).reduce((most, { at }) => Math.max(most, at), -1);
		const after = strange.find((one) => before(one) && one.at > last);
		if (after !== undefined && (last >= 0 || text.isName)) this.heads.push(after.word);
		else if (last >= 0) this.heads.push(things.filter(({ at }) => at === last).map(({ thing }) => thing));
	}
}

const onlyActs = (part: string): boolean =>
	wordsOf(part).every((word) => isActWord(word) || filler.has(word)) && namedIn(wordsOf(part)).things.length === 0;

/** A list at the root, or as the only list of records near it. */
function rootIsList(one: ForeignOperation): boolean {
	const answer = one.answers.find(({ status }) => status === 200) ?? one.answers[0];
	return answer !== undefined && (answer.root === "list" || entriesOf(answer.fields) !== undefined);
}

const envelopeNames =
	/^(data|items?|content|results?|records?|entries|list|values|rows|elements|payload|response|page|embedded|_embedded|objects|collection)$/i;

/** The pointer of a list's entries. */
export function entriesOf(fields: readonly ForeignField[], collection = ""): string | undefined {
	const lists = fields.filter((field) => field.type === "list" && field.path.length <= 2 && !field.pointer.includes("*"));
	const records = lists.filter(({ pointer }) => fields.some((field) => field.pointer.startsWith(`${pointer}/*/`)));
	const top = records.filter(({ path }) => path.length === 1 || envelopeNames.test(path[0] as string));
	const first = top.filter(({ path }) => envelopeNames.test(path.at(-1) as string));
	if (first.length === 1) return (first[0] as ForeignField).pointer;
	const words = wordsOf(collection);
	const named = top.filter(({ path }) => wordsOf(path.at(-1) as string).some((word) => words.includes(word)));
	if (named.length === 1) return (named[0] as ForeignField).pointer;
	const scalars = fields.filter(({ path, type }) => path.length === 1 && type !== "object" && type !== "list").length;
	return top.length === 1 && scalars <= 6 && !fields.some(({ pointer }) => /^\/(id|[a-zA-Z]*Id|[a-z_]*_id|status)$/.test(pointer))
		? (top[0] as ForeignField).pointer
		: undefined;
}

function actsOf(
	one: ForeignOperation,
	fixed: readonly string[],
	{ isList, ids }: { isList: boolean; ids: readonly string[] },
): { acts: ReadonlySet<Act>; actIsNamed: boolean } {
	const last = fixed.at(-1) ?? "";
	// `post-transfers`: the method before the path's words says nothing more.
	const id = ids[0] === one.method.toLowerCase() && ids.length > 1 ? ids.slice(1) : ids;
	const candidates = [id, onlyActs(last) || one.method === "POST" ? wordsOf(last) : [], wordsOf(one.summary)];
	const said = candidates.map((words) => words.find((word) => isActWord(word))).filter((word) => word !== undefined);
	const of = (word: string): Act[] => (Object.keys(acts) as Act[]).filter((act) => listed(acts[act]).includes(word));
	const found = new Set<Act>(said.length === 0 ? [] : said.flatMap(of));
	const first = said[0];
	if (one.method === "GET") return { acts: new Set<Act>(isList ? ["list"] : ["get"]), actIsNamed: first !== undefined };
	if (one.method === "PATCH") return { acts: new Set<Act>(["update"]), actIsNamed: true };
	if (one.method === "DELETE") return { acts: new Set<Act>(["delete"]), actIsNamed: true };
	if (one.method === "PUT") return { acts: new Set<Act>(["update", ...found]), actIsNamed: first !== undefined };
	const leading = new Set(first === undefined ? [] : of(first));
	if (leading.size === 0) return { acts: new Set<Act>(["create", "send", "verify", "request"]), actIsNamed: false };
	return { acts: leading, actIsNamed: true };
}
