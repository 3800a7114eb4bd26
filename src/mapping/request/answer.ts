/**
 * An answer under our names. Pure.
 */
import type { AnyOperation } from "../../api/operation.js";
import { isRecord } from "../../api/schema.js";
import type { MappedOperation, Mapping } from "../../ports/mapping.js";
import { read } from "./forms.js";
import { currencyField, foundAt, placedFields, placeOf, put, valueAt, without } from "./places.js";
import { inZone } from "./zone.js";

/** Reads the answers of one operation. A page becomes one of ours; a bare list stays one. */
export function answerReader(operation: AnyOperation, entry: MappedOperation | undefined, { paging, zone }: Mapping) {
	const fields = placedFields(entry?.answer?.fields);
	const inRecord = placeOf(entry?.answer?.record ?? "");
	const records = placeOf(entry?.answer?.records ?? paging?.records ?? "/content");
	const total = placeOf(paging?.total ?? "/totalElements");
	const isList = "pageSize" in operation.query.shape && (entry?.answer !== undefined || paging !== undefined);
	const names = namesOf(operation);

	const recordOf = (data: unknown): unknown => {
		const record = inRecord.length === 0 ? data : valueAt(data, inRecord);
		if (fields === undefined) return timesIn(record, zone);
		// What means something to us under a name of ours stands only where the mapping says so; what we do not know is shown as it is.
		const taken = fields.map(({ theirs }) => theirs);
		const rest = without(record, taken);
		const ours = isRecord(rest) ? Object.fromEntries(Object.entries(rest).filter(([name]) => !names.has(name))) : {};
		const told = currencyField(fields);
		const currency = told && read(valueAt(record, told.theirs), told.field, undefined);
		for (const { field, ours: name, theirs } of fields)
			for (const { indexes, value } of foundAt(record, theirs))
				put(ours, name, indexes, read(value, field, typeof currency === "string" ? currency : undefined));
		return timesIn(ours, zone);
	};

	return (data: unknown): unknown => {
		if (!isList) return recordOf(data);
		const isBare = Array.isArray(data);
		const entries = isBare ? data : valueAt(data, records);
		const content = Array.isArray(entries) ? entries.map((one) => (isRecord(one) ? recordOf(one) : one)) : entries;
		return isBare ? content : { content, totalElements: valueAt(data, total) };
	};
}

/** A record whose times have their zone; a name of ours tells that it is one's. */
function timesIn(record: unknown, zone: string | undefined): unknown {
	if (zone === undefined || !isRecord(record)) return record;
	const withZone = ([name, value]: [string, unknown]) => [name, /(Date|At|Time)$/.test(name) ? inZone(value, zone) : value];
	return Object.fromEntries(Object.entries(record).map(withZone));
}

/** The names of an answer that mean something to us. */
function namesOf(operation: AnyOperation): Set<string> {
	const described = "shape" in operation.answer ? Object.keys(operation.answer.shape as object) : [];
	const known = [...described, ...(operation.created ?? []), ...(operation.record?.ids ?? []), ...(operation.record?.fields ?? [])];
	return new Set(known.map((name) => name.split(".", 1)[0] as string));
}
