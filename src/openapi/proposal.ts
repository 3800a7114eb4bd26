/**
 * A fit as a binding that can be stored: where each value stands, and in which form.
 */
import { idKindOf } from "../api/text/ids.js";
import { kybStatuses, transactionStatuses } from "../api/values.js";
import type { AnswerField, Codec, OperationBinding, RequestField } from "../ports/binding.js";
import type { Match } from "./fields.js";
import type { ForeignDocument, ForeignField } from "./foreign.js";
import { kindConstant } from "./kinds.js";
import { isNeeded, type PlacedField } from "./places.js";
import type { Fit } from "./score.js";
import { idempotencyKeyOf } from "./service.js";

/** One of our values and where it is proposed to stand. */
export interface ProposedField {
	ours: string;
	/** `answer` for a value that is read. */
	place: RequestField["place"] | "answer";
	/** A name, or a JSON Pointer from the body's root. */
	theirs: string;
	codec: Codec | null;
	sure: boolean;
}

export interface Proposed {
	binding: OperationBinding;
	fields: ProposedField[];
	open: Open[];
}

/** What a person must be asked about one field. */
export interface Open {
	/** Which field says who pays or is paid; in which form a value is written; how a list is divided. */
	about: "side" | "minor-units" | "form" | "pages";
	ours: string;
	/** It is read, not sent. */
	isAnswer?: true;
	/** The question in words. */
	text: string;
}

/** What says, in a name or a sentence, that an amount may be counted in parts or in multiples of the currency's unit. */
const minorWords =
	/minor|cents?\b|\bct\b|centimes?\b|c[eé]ntimos?\b|centesimi|rappen|pfennig|gros(z|ch)|\bpence\b|penny|pennies|öre\b|øre\b|\bfils\b|paise|sub-?units?|smallest|lowest denomination|hundredth|thousand|\bmills?\b|implied|(without|no) (a |any )?decimal|multiplied by|(times|[x×*]) ?1(00|000)\b/i;

/** Whether a field holds whole numbers alone, or shows one long enough for an amount with two decimals left out. */
const isWhole = ({ type, format, pattern, example }: ForeignField): boolean =>
	type === "integer" ||
	/^u?int\d*$/i.test(format ?? "") ||
	(pattern !== undefined && /\d|\[0-9/.test(pattern) && !/[.,]/.test(pattern.replace(/\{[^}]*\}/g, ""))) ||
	/^\d{3,}$/.test(example ?? "");

/** @param server another base address than the profile's, of the same origin */
export function proposed(fit: Fit, document: Pick<ForeignDocument, "title" | "sha256">, server?: string): Proposed {
	const fields: ProposedField[] = [];
	const open: Open[] = [];
	const request = requestOf(fit, fields, open);
	const answer = answerOf(fit, fields, open);
	const kind = kindConstant(fit.operation.id, fit.theirs);
	const isOwnMethod = fit.theirs.method === fit.operation.method;
	const idempotency = fit.operation.effect === "money" ? idempotencyKeyOf(fit.theirs) : undefined;
	const binding: OperationBinding = {
		...(isOwnMethod ? {} : { method: fit.theirs.method }),
		path: fit.theirs.path,
		...(server === undefined ? {} : { server }),
		...(kind === undefined ? {} : { constants: [{ place: "body", at: kind.at, value: kind.value }] }),
		request: { fields: request, others: "refused" },
		...(answer === undefined ? {} : { answer }),
		source: {
			document: document.title.slice(0, 200) || "untitled",
			sha256: document.sha256,
			pointer: fit.theirs.pointer.slice(0, 400),
			...(idempotency === undefined ? {} : { idempotency }),
		},
	};
	return { binding, fields, open };
}

function requestOf(fit: Fit, fields: ProposedField[], open: Open[]): Record<string, RequestField> {
	const found: Record<string, RequestField> = {};
	const take = (name: string, field: PlacedField, isSure: boolean): void => {
		const { codec, isSure: isCodecSure } = isNumberedId(name, field)
			? { codec: "number" as const, isSure: true }
			: codecOf(name, field, fit.theirs.body);
		found[name] = { place: field.place, at: field.at, ...(codec === undefined ? {} : { codec }) };
		fields.push({ ours: name, place: field.place, theirs: field.at, codec: codec ?? null, sure: isSure && isCodecSure });
		if (!isCodecSure) open.push(formQuestion(name, codec));
	};
	for (const { ours, theirs, isSure } of fit.request) {
		// A currency is told where the deployment wants one.
		if (
			ours.name === "currency" &&
			fit.operation.effect === "money" &&
			!isNeeded(
				theirs,
				fit.request.flatMap((one) => (one.ours.name === "currency" ? [] : one.theirs.pointer)),
			) &&
			!fit.request.some((one) => minorWords.test(one.theirs.description + one.theirs.at))
		)
			continue;
		take(ours.name, theirs, isSure);
	}
	if (fit.operation.effect === "money") {
		const isInternal = fit.operation.id === "transaction.interLedger";
		const sides = [
			["debit", "ledgerFromId", "who is debited"],
			["credit", isInternal ? "ledgerToId" : "beneficiaryId", "who is credited"],
		] as const;
		for (const [side, name, words] of sides) {
			const party = fit.parties[side];
			if (party === undefined) open.push({ about: "side", ours: name, text: `${name}: which field says ${words}?` });
			else
				take(
					name,
					party.field as PlacedField,
					isToldByName(party.field as PlacedField) && fit.parties.debit !== undefined && fit.parties.credit !== undefined,
				);
		}
	}
	return found;
}

/** A side that stands in the address is told by where it stands, not by its name. */
const isToldByName = ({ place, required }: PlacedField): boolean => place === "body" && required;

/** An id that stands in a body as a number. In an address each value is text. */
const isNumberedId = (name: string, { place, type }: PlacedField): boolean =>
	place === "body" && type === "integer" && Object.hasOwn(idKindOf, name);

function formQuestion(ours: string, codec: Codec | undefined): Open {
	if (codec === "minor-units") return { about: "minor-units", ours, text: `${ours}: is it in minor units (cents)?` };
	return { about: "form", ours, text: `${ours}: in which form is it written?` };
}

/**
 * The form that a value is written in; undefined is as the description has it.
 * @param around all values beside it: what stands around an amount may say what it is in
 */
function codecOf(name: string, field: ForeignField, around: readonly ForeignField[] = []): { codec?: Codec; isSure: boolean } {
	const leaf = name.split(".").at(-1) as string;
	if (/amount$/i.test(leaf)) {
		const outer = around.filter(({ pointer }) => field.pointer.startsWith(`${pointer}/`)).map(({ description }) => description);
		const text = [field.path.join(" ").replace(/([a-z])([A-Z])/g, "$1 $2"), field.description, ...outer].join(" ");
		if (isWhole(field) || minorWords.test(text.replace(/_/g, " "))) return { codec: "minor-units", isSure: false };
		return field.type === "text" ? { codec: "decimal-text", isSure: true } : { isSure: field.type === "number" };
	}
	if (/^(is|allow)[A-Z]/.test(leaf) && field.type === "text") return { codec: "boolean-text", isSure: true };
	if (leaf === "directSharesPercentage" && field.type === "text") return { codec: "decimal-text", isSure: true };
	if (/Date$/.test(leaf)) return dateCodec(field);
	return { isSure: true };
}

function dateCodec({ type, format, example = "" }: ForeignField): { codec?: Codec; isSure: boolean } {
	if (type === "integer" || type === "number")
		return { codec: example.length > 11 ? "epoch-milliseconds" : "epoch-seconds", isSure: false };
	if (format === "date" || format === "date-time" || example === "" || /^\d{4}-/.test(example)) return { isSure: true };
	if (/^\d{8}$/.test(example)) return { codec: "date:YYYYMMDD", isSure: true };
	if (/^\d\d\.\d\d\.\d{4}$/.test(example)) return { codec: "date:DD.MM.YYYY", isSure: true };
	return /^\d\d\/\d\d\/\d{4}$/.test(example)
		? { codec: Number(example.slice(0, 2)) > 12 ? "date:DD/MM/YYYY" : "date:MM/DD/YYYY", isSure: false }
		: { isSure: false };
}

/** Words of a status for the statuses that we know; a value of theirs that fits none stays unknown, and nothing is taken for final. */
const statusWords: Readonly<Record<string, readonly [string, RegExp][]>> = {
	status: [
		["APPROVED", /^(approved|completed?|settled|executed|succeeded|success|successful|booked|done|processed|paid|posted)$/i],
		["DECLINED", /^(declined|rejected|failed|failure|refused|denied)$/i],
		["PENDING", /^(pending|processing|in[_-]?progress|created|submitted|queued|accepted|received|initiated|open)$/i],
		["ABORTED", /^(aborted|cancell?ed|voided)$/i],
		["RELEASED", /^released$/i],
		["REVERSED", /^(reversed|returned|refunded)$/i],
	],
	kybStatus: [
		["VALIDATED", /^(validated|verified|approved|accepted|passed|cleared|confirmed)$/i],
		["DECLINED", /^(declined|rejected|failed|refused|denied)$/i],
		[
			"PENDING_VERIFICATION",
			/^(pending|pending[_-]?verification|in[_-]?review|under[_-]?review|reviewing|submitted|processing|in[_-]?progress)$/i,
		],
		["NEED_ADDITIONAL_INFORMATION", /^(need.*|information[_-]?required|more[_-]?info.*|action[_-]?required|incomplete|additional.*)$/i],
		["NOT_STARTED", /^(not[_-]?started|none|new|not[_-]?requested|unverified|draft)$/i],
		["COMPLETING", /^(completing|in[_-]?preparation|started)$/i],
	],
};

function valuesOf(operation: string, name: string, theirs: readonly string[] | undefined): Record<string, string> | undefined {
	const kind = name === "kybStatus" ? "kybStatus" : name === "status" && operation.startsWith("transaction.") ? "status" : undefined;
	if (kind === undefined || theirs === undefined) return undefined;
	const known: readonly string[] = kind === "status" ? transactionStatuses : kybStatuses;
	if (theirs.every((value) => known.includes(value))) return undefined;
	const values: Record<string, string> = {};
	for (const [ours, words] of statusWords[kind] ?? []) {
		const value = theirs.find((one) => one === ours) ?? theirs.find((one) => words.test(one));
		if (value !== undefined) values[ours] = value;
	}
	return Object.keys(values).length === 0 ? undefined : values;
}

function answerOf(fit: Fit, fields: ProposedField[], open: Open[]): OperationBinding["answer"] {
	const { operation, answer } = fit;
	if (answer.matches.length === 0 || operation.document) return undefined;
	const found: Record<string, AnswerField> = {};
	for (const { ours, theirs, isSure } of answer.matches as readonly Match[]) {
		const values = valuesOf(operation.id, ours.name, theirs.values);
		const { codec, isSure: isCodecSure } = values === undefined ? codecOf(ours.name, theirs) : { codec: undefined, isSure: true };
		found[ours.name] = { at: theirs.pointer, ...(codec === undefined ? {} : { codec }), ...(values === undefined ? {} : { values }) };
		if (!isCodecSure && codec !== undefined)
			open.push({ ...formQuestion(`${ours.name} of the answer`, codec), ours: ours.name, isAnswer: true });
		const whole = `${answer.records === undefined ? "" : `${answer.records}/*`}${answer.record}${theirs.pointer}`;
		fields.push({ ours: ours.name, place: "answer", theirs: whole, codec: codec ?? null, sure: isSure && isCodecSure });
	}
	return {
		...(answer.record === "" ? {} : { record: answer.record }),
		...(answer.records === undefined ? {} : { records: answer.records }),
		fields: found,
		others: "apart",
		...(operation.created === undefined ? {} : statusesOf(answer.statuses)),
	};
}

/** Which statuses mean done, and which accepted but waiting. */
function statusesOf(all: readonly number[]): { statuses?: { accepted?: number[]; waiting?: number[] } } {
	const accepted = all.filter((status) => status !== 202);
	const waiting = all.filter((status) => status === 202);
	if (all.length === 0) return {};
	return { statuses: { ...(accepted.length > 0 ? { accepted } : {}), ...(waiting.length > 0 ? { waiting } : {}) } };
}
