/**
 * Which operation of a document may be which of ours: by the words of its names, by its method, and by our ids and fields in it.
 */
import type { AnyOperation } from "../api/operation.js";
import { catalog } from "../api/operations/catalog.js";
import { idKindOf } from "../api/text/ids.js";
import type { TheirDocument, TheirField, TheirOperation } from "./document.js";
import { entriesOf, isList, matchFields, ourAnswer, ourRequest, recordFields } from "./fields.js";
import { type Act, actsOf, strangeIn, thingsIn, wordsOf } from "./words.js";

/** Of each of ours its act, the things that it is about (one of each group), and after a comma what may stand beside them. */
const sought: Readonly<Record<string, string>> = {
	"terms.get": "get|list terms",
	"corporate.create": "create company",
	"corporate.get": "get company",
	"corporate.update": "update company",
	"corporate.list": "list company",
	"related.create": "create person, company",
	"related.get": "get person, company",
	"related.update": "update person, company",
	"related.delete": "delete person, company",
	"related.list": "list person, company",
	"email.sendLink": "send email, person company verification link",
	"phone.sendCode": "send phone, person company verification code",
	"phone.verifyCode": "verify phone|code, person company verification code phone",
	"corporate.diligenceReview": "get review, company",
	"kyb.request": "request kyb, company verification",
	"kyc.link": "send kyc, person company verification link",
	"transaction.interLedger": "create payment internal, ledger",
	"transaction.beneficiary": "create payment external|payee, ledger",
	"transaction.get": "get payment",
	"transaction.list": "list payment, ledger",
	"ledger.get": "get ledger",
	"ledger.list": "list ledger, company",
	"beneficiary.get": "get payee",
	"beneficiary.list": "list payee, company",
};

/** Most candidates that are looked at more closely. */
const mostCompared = 40;

/** What speaks of something else than one plain record or payment; and what a sentence says of an operation that is not to be used. */
const never =
	/\b(bulk|batch|simulat\w*|preview|estimat\w*|quot(e|es|ation)|dry run|sandbox|draft|template|standing|recurring|schedul\w*|mandates?|direct debits?|incoming|inbound|refunds?|recalls?|revers\w*|cancel\w*|approv\w*|reject\w*|history|limits?|fees?|rates?|webhooks?|events?|export|import|cards?|reserve|authori[sz]\w*|no money|not move|collects?|pulls?|before you commit)\b/i;
const old = /\b(deprecated|legacy|superseded|obsolete|use .{1,80} instead)\b/i;

/** The operations that may be one of ours, those with the fewest doubts first; plain is the only one without any. */
export interface Ranked {
	operation: AnyOperation;
	candidates: readonly { theirs: TheirOperation; doubts: readonly string[] }[];
	plain?: TheirOperation;
}

const spaced = (text: string): string => wordsOf(text).join(" ");
const namesOf = ({ id, path }: TheirOperation): string => spaced(`${id} ${path.split("/").findLast((part) => !part.includes("{"))}`);

/** What an operation does: told by its method, and of a POST by the first word that says it. */
function actsIn(theirs: TheirOperation): readonly Act[] {
	const read: Act = entriesOf(theirs) === undefined || theirs.path.endsWith("}") ? "get" : "list";
	const byMethod: Partial<Record<string, Act[]>> = { GET: [read], PATCH: ["update"], PUT: ["update"], DELETE: ["delete"] };
	const verb = spaced(`${theirs.id} ${theirs.path} ${theirs.summary}`)
		.split(" ")
		.find((word) => actsOf(word).length > 0);
	return byMethod[theirs.method] ?? (verb === undefined ? ["create", "send", "request", "verify"] : actsOf(verb));
}

/** Whether an operation of theirs names all that one of ours is about, and does it. */
function isAbout(theirs: TheirOperation, want: string): boolean {
	const [act = [], ...groups] = (want.split(", ")[0] as string).split(" ").map((group) => group.split("|"));
	const named: readonly string[] = thingsIn(`${namesOf(theirs)} ${spaced(theirs.summary.split(/[.;,(]/)[0] as string)}`);
	return groups.every((group) => group.some((thing) => named.includes(thing))) && actsIn(theirs).some((one) => act.includes(one));
}

/** What keeps an operation of theirs from being plainly ours. Each id of its path is one of ours, and each id that we require has a place. */
function doubtsOf(operation: AnyOperation, theirs: TheirOperation, want: string): string[] {
	const [isMoney, ours, names] = [operation.effect === "money", ourRequest(operation), namesOf(theirs)];
	const { found } = matchFields(ours, theirs.request);
	const ofRecord = operation.effect === "read" ? matchFields(ourAnswer(operation), recordFields(theirs, isList(operation))).found : found;
	const lost = theirs.request.find((one) => one.place === "path" && ![...found.values()].includes(one));
	const homeless = ours.find(
		({ name, required }) => required && !isMoney && (name === "code" || Object.hasOwn(idKindOf, name)) && !found.has(name),
	);
	const text = `${names} ${spaced(theirs.path)} ${theirs.summary} ${isMoney ? theirs.description : ""}`;
	const word = never.exec(text)?.[0] ?? old.exec(theirs.description)?.[0];
	const strange = [...strangeIn(names), ...thingsIn(names).filter((thing) => !want.includes(thing))];
	const hasBalance = !operation.id.startsWith("ledger.") || [...ofRecord.keys()].some((name) => /amount$|^(currency|iban)$/i.test(name));
	const fewest = operation.id === "terms.get" ? 1 : /\.(create|get|update|list)$/.test(operation.id) ? 2 : 0;
	const doubts: [boolean, string][] = [
		[word !== undefined, `it speaks of ${word}`],
		[theirs.isDeprecated, "it is deprecated"],
		[strange.length > 0, `its name also says ${strange.slice(0, 2).join(", ")}`],
		[lost !== undefined, `its path needs ${lost?.at}`],
		[homeless !== undefined, `it does not take ${homeless?.name}`],
		[ofRecord.size < fewest, "too few of our fields are in it"],
		[!hasBalance, "neither a balance, a currency nor an IBAN is in it"],
		[isMoney && !found.has("amount"), "its amount is not given"],
		[theirs.bodyType === "other", "its body is neither JSON nor a form"],
	];
	return doubts.flatMap(([isSo, doubt]) => (isSo ? [doubt] : []));
}

/** Our operations in a document. One is plain for one of ours alone, and where the document is about a service like ours. */
export function rankOperations({ operations }: TheirDocument): Ranked[] {
	const ranked = catalog.flatMap((operation): Ranked[] => {
		const want = sought[operation.id];
		if (want === undefined) return [];
		const fitting = operations.filter((theirs) => isAbout(theirs, want));
		const candidates = fitting.slice(0, mostCompared).map((theirs) => ({ theirs, doubts: doubtsOf(operation, theirs, want) }));
		candidates.sort((one, other) => one.doubts.length - other.doubts.length);
		const [plain, ...more] = candidates.filter(({ doubts }) => doubts.length === 0);
		return [{ operation, candidates, plain: more.length > 0 || fitting.length > mostCompared ? undefined : plain?.theirs }];
	});
	const isShared = (one: Ranked): boolean => ranked.some((other) => other !== one && other.plain === one.plain);
	const families = new Set(ranked.flatMap(({ operation, plain }) => (plain === undefined ? [] : [operation.id.split(".")[0]])));
	return ranked.map((one) => (isShared(one) || families.size < 2 ? { ...one, plain: undefined } : one));
}

export interface Found extends Pick<TheirOperation, "method" | "path" | "summary"> {
	/** Places of the request as a mapping names them, `!` behind those that are required, and closed lists in brackets. */
	request: readonly string[];
	/** Pointers of the answer. */
	answer: readonly string[];
}

const compact = (at: string, { values = [] }: TheirField): string =>
	`${at}${values.length > 0 ? ` (${values.slice(0, 12).join("|")})` : ""}`;

/** The operations that speak of the words, the best first; without a word all of them. */
export function findOperations({ operations }: TheirDocument, words: readonly string[]): Found[] {
	const wanted = words.flatMap(wordsOf);
	const found = operations.map((one): [number, Found] => {
		const request = one.request
			.filter(({ at }) => at !== "")
			.map((place) => compact(`${place.place} ${place.at}${place.required ? "!" : ""}`, place));
		const answer = one.answer.filter(({ pointer }) => pointer !== "").map((field) => compact(field.pointer, field));
		const texts = [`${one.id} ${one.path} ${one.method}`, one.summary, [...request, ...answer].join(" "), one.description].map(wordsOf);
		// Each word counts once, where it says most; an operation that has all of them comes before one that has fewer.
		const ranks = wanted.map((word) =>
			texts.findIndex((text) => text.some((known) => known === word || (word.length > 3 && known.startsWith(word)))),
		);
		const score = wanted.length === 0 ? 1 : ranks.reduce((sum, rank) => sum + (rank < 0 ? 0 : 14 - rank), 0);
		return [score, { method: one.method, path: one.path, summary: one.summary || one.description.slice(0, 120), request, answer }];
	});
	const best = found.filter(([score]) => score > 0).sort(([one], [other]) => other - one);
	return best.map(([, one]) => one);
}
