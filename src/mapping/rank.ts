/**
 * Which operation of a document may be which of ours: by the words of its names, by its method, and by our ids and fields in it.
 */
import type { AnyOperation } from "../api/operation.js";
import { catalog } from "../api/operations/catalog.js";
import { idKindOf } from "../api/text/ids.js";
import type { TheirDocument, TheirOperation } from "./document.js";
import { entriesOf, isList, matchFields, ourAnswer, ourRequest, recordsOf } from "./fields.js";
import { actsOf, spaced, strangeIn, thingsIn } from "./words.js";

/** Of a record of ours, what it is of: that may stand beside a list of them, and beside a person. */
const owners: Readonly<Record<string, string>> = {
	...{ corporate: "", related: "corporate", ledger: "corporate", beneficiary: "corporate", transaction: "ledger" },
};

/** Of what is no plain record what is done, the things that it is about, and after a comma what may stand beside them. */
const sought: Readonly<Record<string, string>> = {
	"terms.get": "GET|LIST terms",
	"email.sendLink": "SEND email, related corporate verification link",
	"phone.sendCode": "SEND phone, related corporate verification code",
	"phone.verifyCode": "VERIFY phone|code, related corporate verification code phone",
	"corporate.diligenceReview": "GET review, corporate",
	"kyb.request": "REQUEST kyb, corporate verification",
	"kyc.link": "SEND kyc, related corporate verification link",
	"transaction.interLedger": "CREATE transaction internal, ledger",
	"transaction.beneficiary": "CREATE transaction external|beneficiary, ledger",
};

const mostCompared = 40;

/** What speaks of something else than one plain record or payment; and what a sentence says of an operation that is not to be used. */
const never =
	/\b(bulk|batch|simulat\w*|preview|estimat\w*|quot(e|es|ation)|dry run|sandbox|draft|template|standing|recurring|schedul\w*|mandates?|direct debits?|incoming|inbound|refunds?|recalls?|revers\w*|cancel\w*|approv\w*|reject\w*|history|limits?|fees?|rates?|webhooks?|events?|export|import|cards?|reserve|authori[sz]\w*|no money|not move|collects?|pulls?|before you commit)\b/i;
const old = /\b(deprecated|legacy|superseded|obsolete|use .{1,80} instead)\b/i;

/** The operations that may be one of ours, those with the fewest doubts first; plain is the only one without any. */
export interface Ranked {
	operation: AnyOperation;
	candidates: readonly TheirOperation[];
	plain?: TheirOperation;
}

const namesOf = ({ id, path }: TheirOperation): string => spaced(`${id} ${path.split("/").findLast((part) => !part.includes("{"))}`);

/** Whether an operation of theirs does what one of ours does, and names all that it is about. */
function isAbout(theirs: TheirOperation, want: string): boolean {
	const [doing = [], ...groups] = (want.split(", ")[0] as string).split(" ").map((group) => group.split("|"));
	const read = entriesOf(theirs) === undefined || theirs.path.endsWith("}") ? "GET" : "LIST";
	const acts = spaced(`${theirs.id} ${theirs.path} ${theirs.summary}`).split(" ").map(actsOf);
	const posted = acts.find((some) => some.length > 0) ?? ["CREATE", "SEND", "REQUEST", "VERIFY"];
	const does = { GET: [read], POST: posted, PUT: ["PATCH"], PATCH: ["PATCH"], DELETE: ["DELETE"] }[theirs.method];
	const named = thingsIn(`${namesOf(theirs)} ${spaced(theirs.summary.split(/[.;,(]/)[0] as string)}`);
	return does.some((one) => doing.includes(one)) && groups.every((group) => group.some((thing) => named.includes(thing)));
}

/**
 * How much keeps an operation of theirs from being plainly ours: what it speaks of, words that mean nothing to us, an id of its path that is
 * none of ours, an id that we require and that has no place, too few of our fields.
 */
function doubtsOf(operation: AnyOperation, theirs: TheirOperation, want: string): number {
	const [isMoney, ours, names] = [operation.effect === "money", ourRequest(operation), namesOf(theirs)];
	const { found } = matchFields(ours, theirs.request);
	const ofRecord =
		operation.effect === "read" ? matchFields(ourAnswer(operation), recordsOf(theirs, isList(operation)).fields).found : found;
	const isVital = (name: string): boolean => /^(code|amount)$/.test(name) || (!isMoney && Object.hasOwn(idKindOf, name));
	// An account of which nothing tells that it holds money.
	const isLogin = operation.id.startsWith("ledger.") && ![...ofRecord.keys()].some((name) => /amount$|^(currency|iban)$/i.test(name));
	const fewest = operation.id === "terms.get" ? 1 : /\.(create|get|update|list)$/.test(operation.id) ? 2 : 0;
	const said = `${names} ${spaced(theirs.path)} ${theirs.summary} ${isMoney ? theirs.description : ""}`;
	const doubts = [
		never.test(said) || old.test(theirs.description),
		strangeIn(names).length > 0 || thingsIn(names).some((thing) => !want.includes(thing)),
		theirs.request.some((one) => one.place === "path" && ![...found.values()].includes(one)),
		ours.some(({ name, required }) => required && isVital(name) && !found.has(name)),
		ofRecord.size < fewest || isLogin,
		theirs.bodyType === "other",
	];
	return doubts.filter(Boolean).length;
}

/** Our operations in a document. One is plain for one of ours alone, and where the document is about a service like ours. */
export function rankOperations({ operations }: TheirDocument): Ranked[] {
	const ranked = catalog.flatMap((operation): Ranked[] => {
		const [thing = "", act = ""] = operation.id.split(".");
		const owner = act === "list" || thing === "related" ? owners[thing] : "";
		const want = sought[operation.id] ?? (thing in owners ? `${actsOf(act)[0]} ${thing}, ${owner}` : undefined);
		// No deployment is asked for it.
		if (want === undefined) return [];
		const fitting = operations.filter((theirs) => isAbout(theirs, want));
		const candidates = fitting.slice(0, mostCompared).map((theirs) => ({ theirs, doubts: doubtsOf(operation, theirs, want) }));
		candidates.sort((one, other) => one.doubts - other.doubts);
		const [plain, ...more] = candidates.filter(({ doubts }) => doubts === 0);
		const isPlain = more.length === 0 && fitting.length <= mostCompared;
		return [{ operation, candidates: candidates.map(({ theirs }) => theirs), plain: isPlain ? plain?.theirs : undefined }];
	});
	const isShared = (one: Ranked): boolean => ranked.some((other) => other !== one && other.plain === one.plain);
	const families = new Set(ranked.flatMap(({ operation, plain }) => (plain === undefined ? [] : [operation.id.split(".")[0]])));
	return ranked.map((one) => (isShared(one) || families.size < 2 ? { ...one, plain: undefined } : one));
}
