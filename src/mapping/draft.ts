/**
 * A mapping drafted from a document, as the text of its file: what is plain is filled in, everything else is `?` with what is asked.
 */
import type { AnyOperation } from "../api/operation.js";
import { idPatternFault } from "../api/text/ids.js";
import type { TheirDocument, TheirField, TheirOperation, TheirPlace } from "./document.js";
import { entriesOf, isList, matchFields, type OurField, ofEveryRequest, ourAnswer, ourRequest, recordFields, saidOf } from "./fields.js";
import { open } from "./file.js";
import { minor, writtenAs } from "./forms.js";
import { contradictedIn, partyOf, type Side } from "./parties.js";
import { type Ranked, rankOperations } from "./rank.js";

/** A line of the file: with parts below it, or with a value; a note stands behind it, a comment before it. */
interface Line extends Partial<Record<"value" | "note" | "above", string>> {
	key: string;
	parts?: readonly Line[];
}

/** What stands in no scalar without quotes, or would be read as another value there. */
const scalar = (text: string): string =>
	/^([A-Za-z/][\w ./{}*()@$~-]*|\d+)$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$|\s$/i.test(text) ? text : JSON.stringify(text);

/** The lines as YAML. */
function yamlOf(lines: readonly Line[], indent = ""): string {
	const texts = lines.map(({ key, value, parts = [], note, above = "" }) => {
		const own = value === undefined ? (parts.length === 0 ? " {}" : "") : ` ${scalar(value)}`;
		const comment = note ? `  # ${note.slice(0, 2_000)}` : "";
		return `${above.replace(/^(?=.)/gm, `${indent}# `)}${indent}${scalar(key)}:${own}${comment}\n${yamlOf(parts, `${indent}  `)}`;
	});
	return texts.join("");
}

/** A value, with what is asked where it is open. */
const line = (key: string, value?: string, note?: string): Line[] =>
	value === undefined ? [] : [{ key, value, ...(value === open && { note }) }];
const group = (key: string, parts: readonly Line[], note?: string): Line[] => (parts.length === 0 ? [] : [{ key, parts, note }]);
const sendOf = ({ method, path }: TheirOperation): string => `${method} ${path}`;

/** An operation of ours and theirs, and what the document says for all: names that tell no party, and whether its introduction speaks of minor units. */
interface Pair {
	operation: AnyOperation;
	plain: TheirOperation;
	contradicted: ReadonlySet<string>;
	isMinor: boolean;
}

/** The text of the file. */
export function draftMapping(document: TheirDocument): string {
	const ranked = rankOperations(document);
	const around = { contradicted: contradictedIn(document), isMinor: minor.test(document.description) };
	const above = `Fill in every "?", then run: purser api check FILE --against DOCUMENT. Search: purser api find WORD… --in DOCUMENT. How: purser help mapping
Drafted from ${document.title || "a document"} ${document.version}; address: ${document.server}
An operation or a field that the service does not have: none. Times without a zone: zone: Europe/Paris, before operations.
`;
	const operations = ranked.map((one) => operationLine(one, around));
	const head: Line[] = [{ key: "purser", value: "mapping", above }, ...line("version", "1")];
	return yamlOf([...head, ...sharedLines(document, ranked), { key: "operations", parts: operations }]);
}

function operationLine({ operation, plain, candidates }: Ranked, around: Omit<Pair, "operation" | "plain">): Line {
	const others = candidates.filter(({ theirs }) => theirs !== plain).slice(0, 3);
	const or = others
		.map(
			({ theirs, doubts }) =>
				`or ${sendOf(theirs)}  ${theirs.summary || theirs.id} (${doubts.join("; ") || "nothing speaks against it"})\n`,
		)
		.join("");
	if (plain === undefined) {
		const fields = ourRequest(operation).map(({ name, required }) => (required ? `${name} (required)` : name));
		const above = `${operation.title}: which operation does this? purser api find …, or none\n${or}`;
		const answer = ourAnswer(operation).map(({ name }) => name);
		const names = `fields: ${fields.join(", ")}${answer.length === 0 ? "" : `; answer: ${answer.join(", ")}`}`;
		return { key: operation.id, above, parts: line("send", open, names) };
	}
	const isAsked = operation.effect === "money" && plain.statuses.includes(202);
	const parts: Line[] = [
		...line("send", sendOf(plain)),
		...line("body", plain.bodyType === "form" ? "form" : undefined),
		...requestLines({ operation, plain, ...around }),
		...answerLines({ operation, plain, ...around }),
		...line("statuses", isAsked ? open : undefined, "done: [201, 202], or waiting: [202] where it has to be approved"),
	];
	return { key: operation.id, above: `${plain.summary || plain.id || operation.title}\n${or}`, parts };
}

/** Whether a request must have a field: always, or because something is sent that stands inside the same thing. */
export const isNeeded = ({ required, requiredWith }: TheirField, sent: readonly string[]): boolean =>
	required || (requiredWith !== undefined && sent.some((one) => one.startsWith(`${requiredWith}/`)));

type Party = readonly [Side, "ledger" | "payee"];
const parties: Readonly<Record<string, Party>> = {
	...{ ledgerFromId: ["debit", "ledger"], ledgerToId: ["credit", "ledger"], beneficiaryId: ["credit", "payee"] },
	...{ "sender.ledgerId": ["debit", "ledger"], "receiver.ledgerId": ["credit", "ledger"], "receiver.beneficiaryId": ["credit", "payee"] },
};

/** Our fields in theirs, each with its line; who pays whom is told by other rules than what else there is. */
function fieldLines<T extends TheirField>(pair: Pair, ours: readonly OurField[], theirs: readonly T[], textOf: (one: T) => string) {
	const { operation, plain, contradicted } = pair;
	const isParty = ({ name }: OurField): boolean => operation.id.startsWith("transaction.") && name in parties;
	const others = ours.filter((one) => !isParty(one));
	const { found, maybe } = matchFields(others, theirs);
	const sentences = operation.effect === "money" ? [plain.id, plain.path, plain.summary, plain.description].join(" ") : "";
	for (const { name } of ours.filter(isParty)) {
		const field = partyOf(theirs, parties[name] as Party, contradicted, sentences);
		if (field !== undefined && ![...found.values()].includes(field)) found.set(name, field);
	}
	// A phone's two parts stand in two places, or in one.
	for (const whole of ["phone", "accountOwnerInfo.phone"]) {
		const parts = [`${whole}.countryCode`, `${whole}.number`];
		if (found.has(whole) || !parts.every((name) => found.has(name))) for (const name of parts) found.delete(name);
	}
	const lines = ours.flatMap((one): Line[] => {
		const [field, perhaps = []] = [found.get(one.name), maybe.get(one.name)];
		const note = [one.field?.meta.description ?? "", ...perhaps.map((other) => `perhaps ${textOf(other)}`)].join("; ");
		if (field === undefined) return line(one.name, one.required || perhaps.length > 0 ? open : undefined, note);
		const around = { isMinor: pair.isMinor, isJson: plain.bodyType === "json" };
		const { form, values, asked } = writtenAs(operation.id, one, field, saidOf(field, theirs).join(" "), around);
		if (form === undefined && values === undefined) return line(one.name, textOf(field));
		const each = typeof values === "object" ? Object.entries(values).flatMap(([key, value]) => line(key, value)) : [];
		const listed = typeof values === "string" ? line("values", values) : group("values", each);
		const isAlone = one.name === "amount" && form === "minor-units" && !found.has("currency");
		const alone = line("currency", isAlone ? open : undefined);
		return group(one.name, [...line("at", textOf(field)), ...line("form", form), ...listed, ...alone], asked);
	});
	return { found: [...found.values()], perhaps: [...maybe.values()].flat(), lines };
}

/** What has no line, for the person who completes the file. */
const rest = (what: string, names: readonly string[]): string => (names.length === 0 ? "" : `${what}: ${names.join(", ")}. `);
const unnamed = (ours: readonly OurField[], lines: readonly Line[]): string => {
	const left = ours.map(({ name }) => name).filter((name) => !lines.some(({ key }) => key === name));
	return rest("without a place", left);
};

function requestLines(pair: Pair): Line[] {
	const { operation, plain } = pair;
	const ours = ourRequest(operation);
	const theirs = plain.request.filter(
		({ place, at }) => at !== "" && !at.includes("*") && !(place === "header" && ofEveryRequest.test(at)),
	);
	const textOf = ({ place, at }: TheirPlace): string => `${place} ${at}`;
	const { found, lines } = fieldLines(pair, ours, theirs, textOf);
	const sent = found.flatMap(({ place, at }) => (place === "body" ? [at] : []));
	const left = theirs.filter(
		(one) => !found.includes(one) && !(one.type === "object" && theirs.some(({ at }) => at.startsWith(`${one.at}/`))),
	);
	const needed = left.filter((one) => isNeeded(one, sent));
	const constants = needed.flatMap((one) => line(textOf(one), open, `required. ${rest("one of", one.values ?? [])}${one.description}`));
	const unused = left.filter((one) => !needed.includes(one)).map(textOf);
	return [
		{ key: "fields", parts: lines, note: rest("theirs that are not used", unused) + unnamed(ours, lines) },
		...group("constants", constants),
	];
}

function answerLines(pair: Pair): Line[] {
	const { operation, plain } = pair;
	const [ours, theirs] = [ourAnswer(operation), recordFields(plain, isList(operation))];
	const { found, perhaps, lines } = fieldLines(pair, ours, theirs, ({ pointer }) => pointer);
	const [first = [], ...more] = [...found, ...perhaps].map(({ pointer }) => pointer.split("/").slice(0, -1));
	const until = first.findIndex((part, at) => more.some((one) => one[at] !== part));
	const record = isList(operation) ? "" : first.slice(0, until < 0 ? first.length : until).join("/");
	const inRecord = ({ value, parts, note, ...one }: Line): Line => ({
		...one,
		note: note?.replaceAll(`perhaps ${record}/`, "perhaps /"),
		value: value?.replace(record, ""),
		parts: parts?.map((part) => (part.key === "at" ? { ...part, value: part.value?.replace(record, "") } : part)),
	});
	const entries = isList(operation) ? (entriesOf(plain) ?? open) : "";
	const at = [...line("record", record || undefined), ...line("records", entries || undefined)];
	return operation.document || lines.length === 0
		? []
		: group("answer", [...at, { key: "fields", parts: lines.map(inRecord), note: unnamed(ours, lines) }]);
}

/** Whether it is an idempotency key: by its name, or of a header by what is said of it. */
const isKey = ({ place, at, type, description }: TheirPlace): boolean =>
	!/object|list/.test(type) &&
	((/header|body/.test(place) && /(^|\/)[\w-]*idempot[\w-]*$/i.test(at)) || (place === "header" && /idempot/i.test(description)));

const asked = {
	page: /^(page|page[_-]?(number|no|num|index))$/i,
	offset: /^(offset|skip)$/i,
	cursor: /^(cursor|after|starting[_-]?after|page[_-]?token|next[_-]?token)$/i,
	size: /^(page[_-]?size|size|limit|per[_-]?page)$/i,
	next: /^(next|next[_-]?(cursor|page[_-]?token|token)|cursor)$/i,
	// A `count` alone may be that of one page: a list that ends too early would prove a record absent.
	total: /^total([_-]?(elements|count|items|results|records))?$/i,
	code: /^(error_?)?code$/i,
	message: /^((error_?)?message|detail)$/i,
};

/** The one field of a name. */
function named<T extends TheirField>(all: readonly T[], name: keyof typeof asked): T | undefined {
	const isIt = ({ pointer, path, type, format = "" }: TheirField): boolean =>
		!pointer.includes("*") && !/object|list/.test(type) && !/date|time/.test(format) && asked[name].test(path.at(-1) ?? "");
	const [one, ...more] = all.filter(isIt);
	return more.length > 0 ? undefined : one;
}

/** What a document tells of all operations: pages of lists, errors, forms of ids, the idempotency key. */
function sharedLines({ errors, operations }: TheirDocument, ranked: readonly Ranked[]): Line[] {
	const plain = ranked.flatMap((one) => (one.plain === undefined ? [] : [{ ...one, plain: one.plain }]));
	const list = plain.findLast(({ operation }) => isList(operation))?.plain;
	const ids = plain.flatMap(({ operation, plain: { request } }) => {
		const [kind = "", act] = operation.id.split(".");
		const place = act === "get" ? request.find(({ required, at }) => required && /id$/i.test(at)) : undefined;
		const pattern = place?.pattern?.replace(/^\^|\$$/g, "") ?? "";
		const value = idPatternFault(pattern) === undefined ? pattern : open;
		return line(
			kind,
			place === undefined || place.format === "uuid" ? undefined : value,
			"their form, like acct_[0-9a-z]{12}; leave it out where it is a UUID",
		);
	});
	const payments = plain.flatMap(({ operation, plain: theirs }) => (operation.effect === "money" ? [theirs] : []));
	const keys = (payments.length > 0 ? payments : operations).flatMap(({ request }) => request.filter(isKey));
	const [key, ...others] = new Set(keys.map(({ place, at }) => `${place} ${at}`));
	const said =
		keys.find(({ description }) => description !== "")?.description ??
		operations.find(({ description }) => /idempot/i.test(description))?.description ??
		"";
	const keeps = line("keeps", open, `24h, 7d; leave it out where nobody knows. ${said}`);
	return [
		...group("paging", list === undefined ? [] : pagingLines(list)),
		...group("errors", [...line("code", named(errors, "code")?.pointer), ...line("message", named(errors, "message")?.pointer)]),
		...group("ids", ids),
		...group("idempotency", key === undefined ? [] : [...line("key", others.length > 0 ? open : key), ...keeps]),
	];
}

function pagingLines(list: TheirOperation): Line[] {
	const query = list.request.filter(({ place }) => place === "query");
	const at = (name: keyof typeof asked): string | undefined => named(query, name)?.at;
	const [style, ...more] = (["cursor", "page", "offset"] as const).filter((one) => at(one) !== undefined);
	if (style === undefined || more.length > 0)
		return line("style", open, "page, offset, cursor or link; leave paging out where lists have no pages");
	const size = group("size", [...line("at", at("size")), ...line("most", named(query, "size")?.most ?? open)]);
	return [
		...[...line("style", style), ...line("at", at(style))],
		...line("next", style === "cursor" ? (named(list.answer, "next")?.pointer ?? open) : undefined, "where the next cursor stands"),
		...line("first", style === "page" ? open : undefined, "is the first page 0 or 1?"),
		...(at("size") === undefined ? [] : size),
		...[...line("records", entriesOf(list) || undefined), ...line("total", named(list.answer, "total")?.pointer)],
	];
}
