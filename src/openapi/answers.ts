/**
 * Where an answer's record stands, and our fields in it.
 */
import type { AnyOperation } from "../api/operation.js";
import { describe } from "../api/schema.js";
import { type Match, matchFields, type OurField } from "./fields.js";
import type { ForeignAnswer, ForeignField, ForeignOperation } from "./foreign.js";
import { entriesOf } from "./naming.js";
import { sideOf } from "./parties.js";

export interface AnswerMatch {
	/** JSON Pointer of the record, from the root or from each entry. */
	record: string;
	/** JSON Pointer of a list's entries; undefined where there is no list. */
	records?: string;
	/** Pointers are from the record. */
	matches: readonly Match[];
	statuses: readonly number[];
}

/** The names under which a record's own id may stand. */
const idNames: Readonly<Record<string, string>> = {
	corporate: "corporateId",
	related: "corporateRelatedId",
	transaction: "transactionId",
	ledger: "ledgerId",
	beneficiary: "beneficiaryId",
};

/** Our values of an answer. */
function ourAnswer(operation: AnyOperation): OurField[] {
	const described = (describe(operation.answer).fields ?? []).map(({ name }) => name);
	const isList = "pageSize" in operation.query.shape;
	const names = new Set([...(isList ? [] : described), ...(operation.record?.fields ?? []), ...(operation.created ?? [])]);
	const own = idNames[operation.id.split(".")[0] as string];
	// The record's own id is looked for under all its names, and bound once.
	const hasId = [...names].some((name) => name === "id" || name === own);
	for (const name of [own, "information", "sender", "receiver", "email", "phone", "address", "status.kyb", "accountNumber"])
		names.delete(name as string);
	// Of what is looked at one by one, each part has a place of its own.
	if (names.delete("kycInfo")) for (const part of ["status", "statusReason"]) names.add(`kycInfo.${part}`);
	if (hasId) names.add("id");
	return [...names].map((name) => ({ name, kind: "json", required: false, values: 0 }));
}

const isRecordAt = (fields: readonly ForeignField[], pointer: string): boolean =>
	fields.some((field) => field.pointer === pointer && field.type === "object");

/** Finds the record that most of our fields stand in: at the root, or one level inside. */
export function matchAnswer(operation: AnyOperation, theirs: ForeignOperation): AnswerMatch {
	const answer: ForeignAnswer = theirs.answers.find(({ fields }) => fields.length > 0) ?? {
		status: 200,
		types: [],
		root: "none",
		fields: [],
	};
	const statuses = theirs.answers.map(({ status }) => status);
	const ours = ourAnswer(operation);
	const isList = "pageSize" in operation.query.shape;
	const records = isList ? (answer.root === "list" ? "" : entriesOf(answer.fields, theirs.path)) : undefined;
	const start = records === undefined ? "" : `${records}/*`;
	const inside = answer.fields.filter(({ pointer }) => pointer.startsWith(`${start}/`));
	const depth = start.split("/").filter((part) => part !== "" && part !== "*").length;
	const levels = [
		"",
		...inside
			.filter(({ pointer, type }) => type === "object" && isRecordAt(inside, pointer) && !pointer.slice(start.length + 1).includes("/"))
			.map(({ pointer }) => pointer.slice(start.length)),
	];
	let best: AnswerMatch = { record: "", records, matches: [], statuses };
	let most = -1;
	for (const record of levels.slice(0, 12)) {
		const prefix = `${start}${record}`;
		const below = inside
			.filter(({ pointer, path }) => pointer.startsWith(`${prefix}/`) && !pointer.slice(prefix.length).includes("*") && path.length > depth)
			.map(
				(field): ForeignField => ({
					...field,
					pointer: field.pointer.slice(prefix.length),
					path: field.path.slice(depth + (record === "" ? 0 : 1)),
				}),
			);
		const matches = withParties(operation, withId(operation, matchFields(ours, below), below), below);
		const value = matches.reduce((sum, { score, theirs: { path } }) => sum + score / path.length, 0);
		if (value > most + 0.3) {
			most = value;
			best = { record, records, matches, statuses };
		}
	}
	return best;
}

/** The record's id: `id` beside the record's fields, or a name that says whose. */
function withId(operation: AnyOperation, matches: readonly Match[], fields: readonly ForeignField[]): Match[] {
	const own = idNames[operation.id.split(".")[0] as string];
	const target = operation.created?.[0] ?? (operation.record?.ids.includes("id") ? "id" : undefined);
	if (target === undefined || own === undefined) return [...matches];
	const rest = matches.filter(({ ours }) => ours.name !== "id" && ours.name !== target);
	const top = fields.filter(({ path, type }) => path.length === 1 && type !== "object" && type !== "list" && type !== "boolean");
	const plain = top.find(({ pointer }) => /^\/(id|uuid|guid|identifier)$/i.test(pointer));
	const [named] = matchFields([{ name: own, kind: "text", required: true, values: 0 }], top);
	const field = plain ?? named?.theirs;
	if (field === undefined) return rest;
	const ours: OurField = { name: target, kind: "text", required: true, values: 0 };
	return [
		...rest.filter((one) => one.theirs !== field),
		{ ours, theirs: field, score: 0.95, isSure: plain !== undefined || named?.isSure === true },
	];
}

/** Who paid whom, in a payment that is read: the names must say it. */
function withParties(operation: AnyOperation, matches: readonly Match[], fields: readonly ForeignField[]): Match[] {
	if (operation.record?.ids.includes("transactionId") !== true) return [...matches];
	const found: Match[] = matches.filter(({ ours }) => ours.name !== "beneficiaryId");
	const ends = fields.filter(
		({ path, type }) =>
			type !== "object" && type !== "list" && /(id|account|ledger|wallet|name|^source|^destination)$/i.test(path.at(-1) as string),
	);
	const take = (name: string, fits: (field: ForeignField, side: string) => boolean): void => {
		const right = ends.filter((field) => fits(field, sideOf(field.path)?.side ?? ""));
		const [field] = right;
		if (field === undefined || right.length > 1 || found.some((one) => one.theirs === field)) return;
		found.push({ ours: { name, kind: "text", required: false, values: 0 }, theirs: field, score: 0.85, isSure: true });
	};
	const speaksOf = (field: ForeignField, words: RegExp): boolean => words.test(field.path.join(" "));
	const isId = (field: ForeignField): boolean =>
		/(id|account|ledger|wallet)$/i.test(field.path.at(-1) as string) && !speaksOf(field, /iban|bank/i);
	take("sender.ledgerId", (field, side) => side === "debit" && isId(field) && !speaksOf(field, /name/i));
	take(
		"receiver.beneficiaryId",
		(field, side) =>
			side === "credit" &&
			/id$/i.test(field.path.at(-1) as string) &&
			speaksOf(field, /payee|beneficiary|recipient|counterparty|creditor/i) &&
			!speaksOf(field, /account|ledger|wallet/i),
	);
	take("receiver.ledgerId", (field, side) => side === "credit" && isId(field) && speaksOf(field, /account|ledger|wallet/i));
	take("sender.name", (field, side) => side === "debit" && /name$/i.test(field.path.at(-1) as string));
	take("receiver.name", (field, side) => side === "credit" && /name$/i.test(field.path.at(-1) as string));
	return found;
}
