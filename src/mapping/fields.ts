/**
 * Our fields among theirs: by exactly their names or a synonym with all that stands around them, by type, and held against descriptions.
 */
import type { AnyOperation } from "../api/operation.js";
import { describe, type Field } from "../api/schema.js";
import { idKindOf } from "../api/text/ids.js";
import type { RequestPlace } from "../ports/mapping.js";
import type { TheirDocument, TheirField, TheirOperation, TheirPlace } from "./document.js";
import { pagingFields } from "./request/paging.js";
import { phrasesOf, spaced, strangeIn, thingsIn, wordsOf } from "./words.js";

/** One of our values: a leaf of a request or an answer. */
export interface OurField {
	/** Dotted. */
	name: string;
	required: boolean;
	/** Undefined in an answer, whose fields the description does not type. */
	field?: Field;
	/** Another name of ours for it: a record's id is that of its kind too. */
	alias?: string;
}

/** A phone in one text stands for both of its parts. */
const isPhone = (name: string): boolean => /(^|\.)phone$/.test(name);
/** Whether it is yes or no: in an answer its name says so. */
export const isSwitch = ({ name, field }: Pick<OurField, "name" | "field">): boolean =>
	field?.kind === "boolean" || /(^|\.)(is|allow)[A-Z]\w*$|Verified$|^termsAccepted$|^active$/.test(name);
export const isList = ({ query }: AnyOperation): boolean => "pageSize" in query.shape;

function leavesOf(shape: Field, prefix = "", required = true): OurField[] {
	return (shape.fields ?? []).flatMap((field): OurField[] => {
		const name = prefix + field.name;
		const parts = leavesOf(field, `${name}.`, required && field.required);
		const whole = { name, required: required && field.required && parts.length === 0, field };
		return parts.length > 0 && !isPhone(name) ? parts : [whole, ...parts];
	});
}

/** Our values of a request, without paging; of a payment its currency too. */
export function ourRequest({ params, query, body, effect }: AnyOperation): OurField[] {
	const all = [params, query, ...(body ? [body] : [])].flatMap((shape) => leavesOf(describe(shape)));
	const paging: readonly string[] = [...pagingFields, "sortAttribute"];
	return [...all.filter(({ name }) => !paging.includes(name)), ...(effect === "money" ? [{ name: "currency", required: false }] : [])];
}

/** Fields of answers that others of ours say too, and parts of some. */
const twice = /^(email|status\.kyb|beneficiaryId|accountNumber|registeredName|partnerName|shares|\w*[aA]ddress|accountOwnerInfo)$/;
const parts: Readonly<Record<string, string>> = {
	information: "reference",
	sender: "sender.ledgerId",
	receiver: "receiver.ledgerId receiver.beneficiaryId",
	kycInfo: "kycInfo.status kycInfo.type",
	phone: "phone phone.countryCode phone.number",
};

/** Our values of an answer that the program reads, the record's own id first. */
export function ourAnswer(operation: AnyOperation): OurField[] {
	const { answer = {}, created = [], record } = operation;
	const [id = record?.ids[0]] = created;
	const described = isList(operation) ? [] : Object.keys(answer);
	const names = new Set([...described, ...(record?.fields ?? [])].flatMap((name) => parts[name]?.split(" ") ?? [name]));
	const kind = Object.keys(idKindOf).find((name) => idKindOf[name] === operation.id.split(".")[0]);
	const left = [...names].filter((name) => name !== id && name !== kind && (name === "emailAddress" || !twice.test(name)));
	const own = id === undefined ? [] : [{ name: id, required: true, alias: id === "id" ? kind : "id" }];
	return [...own, ...left.map((name) => ({ name, required: /^(kybStatus|accountOwnerId)$/.test(name) }))];
}

/** Headers that are a credential's, the client's, or say something of the request itself. */
export const ofEveryRequest =
	/^(authorization|cookie|accept.*|content-.*|user-agent|if-.*|traceparent)$|key|token|secret|signature|idempot|request-?id|correlation/i;

/** Whether it is an idempotency key: by its name, or of a header by what is said of it. */
export const isKey = ({ place, at, type, description }: TheirPlace): boolean =>
	!/object|list/.test(type) &&
	((/header|body/.test(place) && /(^|\/)[\w-]*idempot[\w-]*$/i.test(at)) || (place === "header" && /idempot/i.test(description)));

/** A header that purser sends by itself; not an idempotency key, nor one by which their JSON has a name of its own. */
function isOfClient(one: TheirPlace): boolean {
	const isJson = one.at.toLowerCase() !== "accept" || one.values === undefined || one.values.includes("application/json");
	return one.place === "header" && ofEveryRequest.test(one.at) && isJson && !isKey(one);
}

/** What theirs requires, always or because something is sent that stands inside the same thing, and nothing is sent for. */
export function missingIn(request: readonly TheirPlace[], sent: readonly RequestPlace[]): TheirPlace[] {
	const pointers = sent.flatMap((one) => (one.place === "body" ? [one.at] : []));
	const isNeeded = ({ place, pointer, required }: TheirPlace): boolean => {
		if (place !== "body" || !required) return required;
		const around = pointer.replace(/\/[^/]*$/, "");
		return (
			around === "" ||
			pointers.some((one) => one.startsWith(`${around}/`)) ||
			request.some((one) => one.place === "body" && one.pointer === around && isNeeded(one))
		);
	};
	return request.filter((one) => {
		const { place, at } = one;
		const isGiven = sent.some((other) => other.place === place && other.at.toLowerCase() === at.toLowerCase());
		const isInside = place === "body" && pointers.some((pointer) => pointer.startsWith(`${at}/`) || at.startsWith(`${pointer}/`));
		const isTold = one.type === "object" && request.some((other) => other.required && other.pointer.startsWith(`${one.pointer}/`));
		const isOurs = place === "path" || at === "" || at.includes("*") || isOfClient(one);
		return !isOurs && !isGiven && !isInside && !isTold && isNeeded(one);
	});
}

/** What is linked to the entries of a list, or is wrong with them, and stands beside them. */
const beside = /\/(included|links|errors|warnings)$/i;

/** The pointer of a list's entries; undefined where the answer has none, or several. A record with a list in it is none. */
export function entriesOf({ answer }: TheirOperation): string | undefined {
	const lists = answer.filter(({ type, pointer }) => type === "list" && answer.some((one) => one.pointer.startsWith(`${pointer}/*/`)));
	const [list, ...more] = lists.filter(({ path, pointer }) => path.length <= 2 && !pointer.includes("*") && !beside.test(pointer));
	const around = list?.pointer.replace(/\/[^/]*$/, "");
	const isRecord = answer.some(({ pointer }) => new RegExp(`^${around}/(\\w*id|status)$`, "i").test(pointer));
	return more.length > 0 || isRecord ? undefined : list?.pointer;
}

/** Where the record of an answer stands, or a list's entries (undefined: nowhere), and its fields with their pointers from there. */
export function recordsOf(theirs: TheirOperation, ofList: boolean): { at?: string; fields: TheirField[] } {
	const { answer } = theirs;
	const record = answer.find(({ path, type, pointer }) => path.length === 1 && type === "object" && wrappers.test(pointer.slice(1)));
	const at = ofList ? entriesOf(theirs) : (record?.pointer ?? "");
	const start = ofList && at !== undefined ? `${at}/*` : (at ?? "");
	const depth = start.split("/").filter((part) => part !== "" && part !== "*").length;
	const inside = answer.filter(({ pointer }) => pointer.startsWith(`${start}/`) && !pointer.slice(start.length).includes("*"));
	const fields = inside.map((field) => ({ ...field, pointer: field.pointer.slice(start.length), path: field.path.slice(depth) }));
	return { at, fields };
}

/** What is said of a field and of what stands around it. */
const descriptionsOf = (field: TheirField, all: readonly TheirField[]): string[] =>
	[field, ...all.filter((one) => one.pointer !== "" && field.pointer.startsWith(`${one.pointer}/`))].map(({ description }) => description);

/** What stands around a whole record and says nothing. */
const wrappers = /^(data|payload|body|request|attribute|result|response|content|record)$/;

/** The words of its names, without what says nothing; in a path with the collection before an id: `/companies/{id}` is a company's. */
const textOf = ({ path }: TheirField): string => {
	const all = path.map(spaced);
	return all.filter((words, at) => at === all.length - 1 || !wrappers.test(words)).join(" ");
};

/** Whether words say one of our names, part after part: each by itself, or by what else it is called. */
function says(words: string, [part, ...rest]: readonly string[], before = ""): boolean {
	if (part === undefined) return words === "";
	return phrasesOf(part, before).some((one) => `${words} `.startsWith(`${one} `) && says(words.slice(one.length + 1), rest, part));
}

/** What descriptions say of something that is not the field of ours, whatever its name is. */
const contrary: readonly [RegExp, RegExp][] = [
	[/^registeredAddress/, /\b(mailing|correspondence|billing|delivery|shipping|home|private|trading|operating|operational|business)\b/i],
	[/reference$/, /unique|duplicate|idempoten|dedup|end[- ]to[- ]end|\b(internal|your own|never|not (shown|sent|visible))\b/i],
	[/Percentage$/, /fraction|\b0(\.0+)? ?(to|-|–|\.\.) ?1\b|basis|mille/i],
];

/** Whether a value of ours can stand in one of theirs: no text in a number, no free text in a closed list, no list in one value. */
function fits({ name, field }: OurField, { type, values, most = "100" }: TheirField): boolean {
	const leaf = name.split(".").at(-1) as string;
	if (/^(legalType|metadata)$/.test(leaf)) return type === "any" || type === "object";
	if (type === "object" || (type === "list") !== (field?.kind === "list")) return false;
	if (isSwitch({ name, field })) return type === "any" || type === "boolean" || values?.length === 2;
	if (isPhone(name) || type === "boolean") return type === "text";
	if (leaf === "directSharesPercentage") return most === "100";
	if (type === "number" || type === "integer") return field?.kind !== "text" || leaf in idKindOf || leaf.endsWith("Date");
	const isOfList = field === undefined || Boolean(field.meta.known ?? field.meta.choose ?? field.choices);
	return values === undefined || isOfList || leaf === "currency";
}

/**
 * The one place of each of our fields that has one, and of the others what may be theirs.
 * @param payment of a payment: the names of {@link contradictedIn}, and what is said of the operation
 */
export function matchFields<T extends TheirField>(ours: readonly OurField[], theirs: readonly T[], payment?: Payment) {
	const named = theirs.map((field) => ({ field, text: textOf(field) }));
	const isParty = payment && partiesIn(theirs, payment);
	const called = ours.map((one) => {
		const names = [one.name, one.alias ?? one.name].map((name) => name.split("."));
		const is = (field: T, text: string): boolean =>
			isParty && parties.test(one.name) ? isParty(one.name, field) : names.some((name) => says(text, name));
		const all = named.flatMap(({ field, text }) => (is(field, text) ? [field] : []));
		return { one, all, fitting: all.filter((field) => fits(one, field)) };
	});
	const [found, maybe] = [new Map<string, T>(), new Map<string, readonly T[]>()];
	for (const { one, all, fitting } of called) {
		const [best, ...more] = fitting;
		const isShared = called.some((other) => other.one !== one && other.fitting.some((field) => field === best));
		const words = best === undefined ? "" : descriptionsOf(best, theirs).join(" . ");
		const isContrary = contrary.some(([name, text]) => name.test(one.name) && text.test(words));
		if (best !== undefined && more.length === 0 && !isShared && !isContrary) found.set(one.name, best);
		else if (all.length > 0) maybe.set(one.name, all);
	}
	return { found, maybe };
}

/** Who pays whom in a request or an answer of theirs: told by its names alone, and open where a description says otherwise. Never guessed. */
type Side = "debit" | "credit";
type Payment = { contradicted: ReadonlySet<string>; sentences: string };

/** Of our payments, the fields that say a party. */
const parties = /^(ledgerFromId|ledgerToId|beneficiaryId|sender\.ledgerId|receiver\.(ledgerId|beneficiaryId))$/;

/** What names say, and what sentences say, in which "from" and "to" stand anywhere. */
const sides: Readonly<Record<Side, RegExp>> = {
	debit:
		/\b(from|source|(?<!direct )debit|debited|debitor|debtor|payer|origin|originator|originating|sender|sending|ordering|remitter|funding|withdraw|paying)\b/,
	credit:
		/\b(to(?! (be )?(deb|cred)it)|target|destination|dest|credit(?! transfer)|credited|creditor|payee|beneficiary|recipient|receiver|receiving|counterparty)\b/,
};
const words: Readonly<Record<Side, RegExp>> = {
	debit:
		/\b(debit(ed|or|s)?|debtor|payer|pays|sender|sends|sending|withdrawn|withdraws?|leaves?|goes down|(taken|drawn|comes?|moves?|moved|paid|sent|transferred) (out of|from)|out of|source|originat\w*)\b/i,
	credit:
		/\b(credit(ed|or|s)?|creditor|payee|receiv\w*|recipient|beneficiary|destination|deposited|arrives?|(paid|goes|moves?|moved|sent|transferred) (in|into|to)|top(ped)? up|gets)\b/i,
};

/** What else may stand in the name of an account or a payee; anything more makes it something else: `debtorName`, `toCurrency`. */
const partyWords =
	/^(id|identifier|uuid|guid|no|number|party|internal|virtual|payment|main|own|be|to|the|customer|company|business|ledger|account|wallet)$/;

/** The side that a name says, where it says one alone: "account to debit" says debit. */
function sideOfName(name: string): Side | undefined {
	const [side, ...more] = (["debit", "credit"] as const).filter((one) => sides[one].test(spaced(name)));
	return more.length > 0 ? undefined : side;
}

/** The side of a field, and how deep the nearest name stands that says it. */
function sideOf(path: readonly string[]): { side?: Side; depth: number } {
	const depth = path.findLastIndex((name) => sideOfName(name) !== undefined);
	return { side: sideOfName(path[depth] ?? ""), depth };
}

/** The names of fields of which some description in the document speaks of the other side too: nowhere does such a name say who pays. */
export function contradictedIn({ operations }: TheirDocument): ReadonlySet<string> {
	const isContradicted = (field: TheirField, all: readonly TheirField[]): boolean => {
		const { side } = sideOf(field.path);
		return side !== undefined && descriptionsOf(field, all).some((text) => words[side === "debit" ? "credit" : "debit"].test(text));
	};
	const lists = operations.flatMap(({ request, answer }) => [request, answer]);
	return new Set(lists.flatMap((all) => all.filter((one) => isContradicted(one, all)).map(({ path }) => path.at(-1) as string)));
}

/** What says that somebody else's money is fetched: the names of both sides may then mean anything. */
const inward =
	/\b(collect\w*|pulls?|pulled|direct debits?|top[- ]?ups?|incoming|inbound|inward|refund\w*|revers\w*|recall\w*|chargeback\w*|request to pay|request money|pay-?in)\b/i;

/** Tells parties among some fields. None is one where a field says the direction, or sentences that money is fetched. */
function partiesIn(fields: readonly TheirField[], { contradicted, sentences }: Payment) {
	const turns = ({ values = [] }: TheirField): boolean => new Set(values.map(sideOfName)).size > 1;
	const isEither = inward.test(sentences) || fields.some(turns);
	return (name: string, { type, values, format = "", pointer, path }: TheirField): boolean => {
		const wanted = /^(ledgerFrom|sender)/.test(name) ? "debit" : "credit";
		const { side, depth } = sideOf(path);
		const isId = /^(text|any|integer|number)$/.test(type) && values === undefined && !/date|time|uri|email/.test(format);
		const named = path.slice(depth).flatMap(wordsOf);
		// A bare side inside something else is that thing's: of a clearing, the destination is no account.
		const isOther = strangeIn(path.slice(0, depth).join(" ")).some((word) => !wrappers.test(word));
		const isBare = named.every((word) => sides[wanted].test(word));
		const things = thingsIn(named.join(" "));
		const isKind = /ledger/i.test(name) ? things.includes("ledger") || !things.includes("beneficiary") : !things.includes("ledger");
		const isNamed = side === wanted && named.every((word) => sides[wanted].test(word) || partyWords.test(word));
		const isTold = isNamed && isKind && !(isBare && isOther);
		return !isEither && isId && isTold && !pointer.includes("*") && !contradicted.has(path.at(-1) as string);
	};
}
