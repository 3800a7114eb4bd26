/**
 * A mapping drafted from a document, as the text of its file: what is plain is filled in, everything else is `?` with what is asked.
 */
import type { AnyOperation } from "../api/operation.js";
import { idKindOf } from "../api/text/ids.js";
import { beneficiaryStatuses, kybStatuses, ledgerStatuses, transactionStatuses } from "../api/values.js";
import type { TheirDocument, TheirField, TheirOperation, TheirPlace } from "./document.js";
import {
	contradictedIn,
	isKey,
	isList,
	isSwitch,
	matchFields,
	missingIn,
	type OurField,
	ofEveryRequest,
	ourAnswer,
	ourRequest,
	recordsOf,
} from "./fields.js";
import { open } from "./file.js";
import { type Ranked, rankOperations } from "./rank.js";
import { dayForms } from "./request/forms.js";

/** A line of the file: with parts below it, or with a value; a note stands behind it, a comment before it. */
interface Line extends Partial<Record<"value" | "note" | "above", string>> {
	key: string;
	parts?: readonly Line[];
}

/** What stands in no scalar without quotes, or would be read as another value there. */
const scalar = (text: string): string =>
	/^([A-Za-z/][\w ./{}*()@$~-]*|\d+)$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$|\s$/i.test(text) ? text : JSON.stringify(text);

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

/** An operation of ours and theirs, and the names that tell no party in the whole document. */
type Pair = { operation: AnyOperation; plain: TheirOperation; contradicted: ReadonlySet<string> };

/** The text of the file. */
export function draftMapping(document: TheirDocument): string {
	const ranked = rankOperations(document);
	const contradicted = contradictedIn(document);
	const above = `Fill in every "?", then run: purser api check FILE --against DOCUMENT. Search: purser api find WORD… --in DOCUMENT. How: purser help mapping
An operation or a field that the service does not have: none. Times without a zone: zone: Europe/Paris, before operations.
`;
	const head: Line[] = [{ key: "purser", value: "mapping", above }, ...line("version", "1")];
	const parts = ranked.map((one) => operationLine(one, contradicted));
	return yamlOf([...head, ...sharedLines(document), { key: "operations", parts }]);
}

function operationLine({ operation, plain, candidates }: Ranked, contradicted: Pair["contradicted"]): Line {
	const others = candidates.filter((theirs) => theirs !== plain).slice(0, 3);
	const or = others.map((theirs) => `or ${sendOf(theirs)}  ${theirs.summary || theirs.id}\n`).join("");
	if (plain === undefined) {
		const fields = ourRequest(operation).map(({ name, required }) => (required ? `${name} (required)` : name));
		const above = `${operation.title}: which operation does this? purser api find …; where there is none: ${operation.id}: none\n${or}`;
		const answer = ourAnswer(operation).map(({ name }) => name);
		return { key: operation.id, above, parts: line("send", open, rest("fields", fields) + rest("answer", answer)) };
	}
	const isAsked = operation.effect === "money" && plain.statuses.includes(202);
	const parts: Line[] = [
		...line("send", sendOf(plain)),
		...line("body", plain.bodyType === "form" ? "form" : undefined),
		...requestLines({ operation, plain, contradicted }),
		...answerLines({ operation, plain, contradicted }),
		...line("statuses", isAsked ? open : undefined, "done: [201, 202], or waiting: [202] where it has to be approved"),
	];
	return { key: operation.id, above: `${plain.summary || plain.id || operation.title}\n${or}`, parts };
}

/** Our fields in theirs, each with its line; who pays whom is told by other rules than what else there is. */
function fieldLines<T extends TheirField>(pair: Pair, ours: readonly OurField[], theirs: readonly T[], textOf: (one: T) => string) {
	const { operation, plain, contradicted } = pair;
	const sentences = operation.effect === "money" ? [plain.id, plain.path, plain.summary, plain.description].join(" ") : "";
	const isPayment = operation.id.startsWith("transaction.");
	const { found, maybe } = matchFields(ours, theirs, isPayment ? { contradicted, sentences } : undefined);
	// A phone's two parts stand in two places, or in one.
	for (const whole of ["phone", "accountOwnerInfo.phone"]) {
		const parts = [`${whole}.countryCode`, `${whole}.number`];
		if (found.has(whole) || !parts.every((name) => found.has(name))) for (const name of parts) found.delete(name);
	}
	const lines = ours.flatMap((one): Line[] => {
		const [field, perhaps = []] = [found.get(one.name), maybe.get(one.name)];
		const note = [
			one.field?.meta.description ?? "where does it stand? A place, or none",
			...perhaps.map((other) => `perhaps ${textOf(other)}`),
		].join("; ");
		if (field === undefined) return line(one.name, one.required || perhaps.length > 0 ? open : undefined, note);
		const written = writtenAs(pair, one, field);
		return written.length === 0 ? line(one.name, textOf(field)) : group(one.name, [...line("at", textOf(field)), ...written]);
	});
	return { found: [...found.values()], lines };
}

/** What has no line, for the person who completes the file. */
const rest = (what: string, names: readonly string[]): string => (names.length === 0 ? "" : `${what}: ${names.join(", ")}. `);

function requestLines(pair: Pair): Line[] {
	const { operation, plain } = pair;
	const theirs = plain.request.filter(
		({ place, at }) => at !== "" && !at.includes("*") && !(place === "header" && ofEveryRequest.test(at)),
	);
	const textOf = ({ place, at }: TheirPlace): string => `${place} ${at}`;
	const { found, lines } = fieldLines(pair, ourRequest(operation), theirs, textOf);
	const needed = missingIn(theirs, found);
	const left = theirs.filter((one) => ![...found, ...needed].includes(one) && !theirs.some(({ at }) => at.startsWith(`${one.at}/`)));
	const constants = needed.flatMap((one) => line(textOf(one), open, `required. ${rest("one of", one.values ?? [])}${one.description}`));
	const given =
		"always sent. One of our fields stands under fields instead, and so does what is given each time with --set NAME=…: set.NAME: body /NAME";
	return [
		{ key: "fields", parts: lines, note: rest("theirs that are not used", left.map(textOf)) },
		...group("constants", constants, given),
	];
}

function answerLines(pair: Pair): Line[] {
	const { operation, plain } = pair;
	const { at, fields } = recordsOf(plain, isList(operation));
	const { lines } = fieldLines(pair, ourAnswer(operation), fields, ({ pointer }) => pointer);
	if (operation.document || lines.length === 0) return [];
	return group("answer", [...line(isList(operation) ? "records" : "record", (at ?? open) || undefined), { key: "fields", parts: lines }]);
}

/** What holds for all operations, each with what is asked; of the key with what there is for it. */
function sharedLines({ operations }: TheirDocument): Line[] {
	const keys = operations
		.flatMap(({ request }) => request.filter(isKey))
		.map((one) => `${one.place} ${one.at}${one.description && ` (${one.description})`}`);
	const form = "{ style: page, offset, cursor or link, at: name, next: /cursor, records: /list, total: /number, size: { at, most } }";
	return [
		...line("paging", open, `${form}, or leave it out`),
		...line("errors", open, "{ code: /place, message: /place, details: /place }, or leave it out"),
		...line("ids", open, '{ ledger: "acct_[0-9a-z]{12}" }, the form of each kind that is no UUID, or leave it out'),
		...line("idempotency", open, `{ key: header NAME, keeps: 24h }, or leave it out. ${rest("theirs", [...new Set(keys)].slice(0, 3))}`),
	];
}

const moments = `${dayForms.join(", ")}, epoch-seconds or epoch-milliseconds`;

/** Of which fields of ours the form is asked, and of what the document says which form it tells: "" where it is written as ours is. */
const forms: readonly [name: RegExp, asked: string, told: Readonly<Record<string, string>>][] = [
	[/amount$/i, "how is 12.34 written? number, text, or minor-units (with currency, where no field tells it)", {}],
	[/^(creation|update)Date$/, moments, { "date-time": "" }],
	[/Date$/, moments, { date: "" }],
	[
		/(Country|nationality|isoCountryCode)$/,
		"alpha-2 where they write FR; leave form out for FRA",
		{ "^[A-Z]{3}$": "", "^[A-Z]{2}$": "alpha-2", "2": "alpha-2" },
	],
	[/(^|\.)phone$/, "e164 where they write +33639980001", { e164: "e164" }],
];

/** Statuses on which something depends: a word of theirs that is one of ours may mean another thing. */
const statuses: Readonly<Record<string, readonly string[]>> = {
	...{ "corporate.kybStatus": kybStatuses, "transaction.status": transactionStatuses },
	...{ "ledger.status": ledgerStatuses, "beneficiary.status": beneficiaryStatuses },
};

/** In which form, and with which values, a field of theirs is written: only where the document tells it. */
function writtenAs({ operation, plain }: Pair, ours: OurField, theirs: TheirField): Line[] {
	const { name, field } = ours;
	const [, asked, told] = forms.find(([form]) => form.test(name)) ?? [];
	if (told !== undefined) {
		const says = [theirs.format, theirs.pattern, theirs.longest].find((one) => one !== undefined && Object.hasOwn(told, one));
		const form = says === undefined ? open : told[says];
		return line("form", form || undefined, `${asked}. ${theirs.description}`);
	}
	if (Object.hasOwn(idKindOf, name))
		return line("form", plain.bodyType === "json" && field !== undefined && theirs.type === "integer" ? "number" : undefined);
	if (/^(boolean|object)$/.test(theirs.type) || /currency$/.test(name)) return [];
	if (isSwitch(ours)) return valuesOf(["true", "false"], theirs.values);
	if (/status$/i.test(name)) return valuesOf(statuses[`${operation.id.split(".")[0]}.${name}`], theirs.values);
	const values = field?.choices ?? field?.meta.known;
	return values === undefined ? [] : valuesOf(values, theirs.values);
}

/** Theirs that are ours but for case and signs; where one of them is none of ours, each is asked: a word of theirs may mean another thing. */
function valuesOf(ours: readonly string[] = [], theirs: readonly string[] = []): Line[] {
	const asked = `which of theirs is each of ours? Take out a line that has none, and values where all are the same. theirs: ${theirs.slice(0, 60).join(", ") || "not documented"}`;
	if (theirs.length === 0 || ours.length === 0) return line("values", open, asked);
	if (theirs.every((value) => ours.includes(value)) && ours[0] !== "true") return [];
	const plain = (value: string): string => value.toUpperCase().replace(/[^\p{L}\p{N}]/gu, "");
	const isAll = theirs.every((value) => ours.some((one) => plain(one) === plain(value)));
	const each = ours.flatMap((one) => line(one, isAll ? theirs.find((value) => plain(one) === plain(value)) : open));
	return group("values", each, asked);
}
