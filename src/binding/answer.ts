/**
 * An answer under our names, and written under the deployment's. Pure.
 */
import type { AnyOperation } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import type { AnswerField, OperationBinding, ServiceBinding } from "../ports/binding.js";
import { read, written } from "./codecs.js";
import { type Bound, boundFields, currencyField, inside } from "./fields.js";
import { fromWire, toWire } from "./names.js";
import { foundAt, placeOf, put, valueAt, without } from "./pointer.js";

/** How an answer of one operation looks at a deployment. */
export class AnswerForm {
	readonly #operation: AnyOperation;
	readonly #binding: OperationBinding | undefined;
	readonly #fields: readonly Bound<AnswerField>[];
	/** Places of the record, of a list's entries and of their number. */
	readonly #record: readonly string[];
	readonly #records: readonly string[];
	readonly #total: readonly string[];
	readonly #isList: boolean;
	readonly #names: ReadonlySet<string>;

	constructor(operation: AnyOperation, binding: OperationBinding | undefined, service: ServiceBinding | undefined) {
		this.#operation = operation;
		this.#binding = binding;
		this.#fields = boundFields(binding?.answer?.fields);
		this.#record = placeOf(binding?.answer?.record ?? "");
		this.#records = placeOf(binding?.answer?.records ?? service?.paging?.records ?? "/content");
		this.#total = placeOf(service?.paging?.total ?? "/totalElements");
		this.#isList = "pageSize" in operation.query.shape && (binding?.answer !== undefined || service?.paging !== undefined);
		this.#names = namesOf(operation);
	}

	/** The data under our names. A page becomes one of ours; a bare list stays one. */
	read(data: unknown): unknown {
		if (!this.#isList) return this.#readRecord(data);
		const isBare = Array.isArray(data);
		const entries = isBare ? data : valueAt(data, this.#records);
		const content = Array.isArray(entries) ? entries.map((one) => (isRecord(one) ? this.#readRecord(one) : one)) : entries;
		return isBare ? content : { content, totalElements: valueAt(data, this.#total) };
	}

	#readRecord(data: unknown): unknown {
		if (this.#binding?.answer === undefined) return fromWire(this.#withoutOtherIds(data), this.#binding);
		const record = valueAt(data, this.#record);
		const rest = without(
			record,
			this.#fields.map(({ theirs }) => theirs),
		);
		const apart = this.#binding.answer.others === "apart";
		const kept = apart ? withoutNames(rest, this.#names) : fromWire(rest, this.#binding);
		const ours: Record<string, unknown> = isRecord(kept) ? { ...kept } : {};
		const { created = [] } = this.#operation;
		// A new record's id counts only where the binding says that it stands.
		if (this.#fields.some(({ ours: [head = ""] }) => created.includes(head))) for (const name of created) delete ours[name];
		const bound = currencyField(this.#fields);
		const currency = bound && read(valueAt(record, bound.theirs), bound.field, undefined);
		for (const { field, ours: name, theirs } of this.#fields)
			for (const { indexes, value } of foundAt(record, theirs))
				put(ours, name, indexes, read(value, field, typeof currency === "string" ? currency : undefined));
		return ours;
	}

	/** Where a new record's id has another name, what stands under ours is something else. */
	#withoutOtherIds(data: unknown): unknown {
		const { fields = {} } = this.#binding ?? {};
		const { created = [] } = this.#operation;
		if (!created.some((name) => Object.hasOwn(fields, name))) return data;
		const theirs = Object.values(fields);
		return without(
			data,
			created.filter((name) => !theirs.includes(name)).map((name) => [name]),
		);
	}

	/** The data under the deployment's names: the other way round. */
	write(data: unknown): unknown {
		if (!this.#isList) return this.#writeRecord(data);
		const content = valueAt(data, ["content"]);
		const entries = Array.isArray(content) ? content.map((one) => this.#writeRecord(one)) : content;
		if (this.#records.length === 0) return entries;
		const page = inside(this.#records, entries) as Record<string, unknown>;
		const count = valueAt(data, ["totalElements"]);
		if (count !== undefined) put(page, this.#total, [], count);
		return page;
	}

	#writeRecord(data: unknown): unknown {
		if (this.#binding?.answer === undefined) return toWire(data, this.#binding);
		const rest = without(
			data,
			this.#fields.map(({ ours }) => ours),
		);
		const apart = this.#binding.answer.others === "apart";
		const theirs: Record<string, unknown> = apart ? {} : { ...(toWire(rest, this.#binding) as object) };
		const told = valueAt(data, ["currency"]);
		const currency = typeof told === "string" ? told : undefined;
		for (const { field, ours, theirs: place } of this.#fields)
			for (const { indexes, value } of foundAt(data, ours))
				put(theirs, place, indexes, value === null ? null : written(value, field, currency));
		return inside(this.#record, theirs);
	}
}

/** The names of an answer that mean something to us. */
function namesOf(operation: AnyOperation): Set<string> {
	const described = "shape" in operation.answer ? Object.keys(operation.answer.shape as object) : [];
	const known = [...described, ...(operation.created ?? []), ...(operation.record?.ids ?? []), ...(operation.record?.fields ?? [])];
	return new Set(known.map((name) => name.split(".", 1)[0] as string));
}

function withoutNames(record: unknown, names: ReadonlySet<string>): unknown {
	return isRecord(record) ? Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name))) : record;
}
