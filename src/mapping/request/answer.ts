/**
 * An answer under our names. Pure.
 */
import type { AnyOperation } from "../../api/operation.js";
import { isRecord } from "../../api/schema.js";
import type { AnswerField, MappedOperation, Mapping } from "../../ports/mapping.js";
import { read } from "./forms.js";
import { currencyField, type Placed, placedFields } from "./places.js";
import { foundAt, placeOf, put, valueAt, without } from "./pointer.js";
import { inZone } from "./zone.js";

/** How an answer of one operation looks at a deployment. */
export class AnswerForm {
	readonly #fields: readonly Placed<AnswerField>[] | undefined;
	/** Places of the record, of a list's entries and of their number. */
	readonly #record: readonly string[];
	readonly #records: readonly string[];
	readonly #total: readonly string[];
	readonly #isList: boolean;
	readonly #names: ReadonlySet<string>;
	readonly #zone: string | undefined;

	constructor(operation: AnyOperation, entry: MappedOperation | undefined, { paging, zone }: Mapping) {
		this.#fields = placedFields(entry?.answer?.fields);
		this.#record = placeOf(entry?.answer?.record ?? "");
		this.#records = placeOf(entry?.answer?.records ?? paging?.records ?? "/content");
		this.#total = placeOf(paging?.total ?? "/totalElements");
		this.#isList = "pageSize" in operation.query.shape && (entry?.answer !== undefined || paging !== undefined);
		this.#names = namesOf(operation);
		this.#zone = zone;
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
		const record = this.#record.length === 0 ? data : valueAt(data, this.#record);
		const fields = this.#fields;
		if (fields === undefined) return this.#inZone(record);
		// What means something to us under a name of ours stands only where the mapping says so; what we do not know is shown as it is.
		const rest = without(
			record,
			fields.map(({ theirs }) => theirs),
		);
		const ours = isRecord(rest) ? Object.fromEntries(Object.entries(rest).filter(([name]) => !this.#names.has(name))) : {};
		const told = currencyField(fields);
		const currency = told && read(valueAt(record, told.theirs), told.field, undefined);
		for (const { field, ours: name, theirs } of fields)
			for (const { indexes, value } of foundAt(record, theirs))
				put(ours, name, indexes, read(value, field, typeof currency === "string" ? currency : undefined));
		return this.#inZone(ours);
	}

	#inZone(record: unknown): unknown {
		const zone = this.#zone;
		if (zone === undefined || !isRecord(record)) return record;
		return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, isTime(name) ? inZone(value, zone) : value]));
	}
}

/** Whether a name of ours is that of a time. */
const isTime = (name: string): boolean => /(Date|At|Time)$/.test(name);

/** The names of an answer that mean something to us. */
function namesOf(operation: AnyOperation): Set<string> {
	const described = "shape" in operation.answer ? Object.keys(operation.answer.shape as object) : [];
	const known = [...described, ...(operation.created ?? []), ...(operation.record?.ids ?? []), ...(operation.record?.fields ?? [])];
	return new Set(known.map((name) => name.split(".", 1)[0] as string));
}
