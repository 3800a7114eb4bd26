/**
 * Applies a profile's mapping of an operation: our values → the deployment's request, and its answer → ours. Pure. Without a mapping
 * everything stays as it is.
 */
import { advice, purser } from "../../api/advice.js";
import type { AnyOperation, Method } from "../../api/operation.js";
import { isRecord } from "../../api/schema.js";
import type { IdForms } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { ErrorForm, MappedOperation, Mapping } from "../../ports/mapping.js";
import { inZone, read } from "./forms.js";
import { currencyField, foundAt, placedFields, placeOf, put, valueAt, without } from "./places.js";
import { type Facts, requestWriter, type Values } from "./request.js";

/** An operation as a deployment has it. */
export interface AppliedMapping {
	method: Method;
	/** With `{named}` parameters, which are keys of `params` in {@link Values}. */
	path: string;
	/** How a body is written. */
	body: "json" | "form";
	/** How the deployment tells an error, where the mapping says so. */
	errors?: ErrorForm;
	/** Statuses that mean done or waiting, where the mapping says so; no other 2xx proves anything then. */
	statuses?: MappedOperation["statuses"];
	/** The forms of the deployment's ids. */
	ids: IdForms;
	/** Our values → the deployment's. @throws PurserError validation or guard, where one cannot be written */
	toRequest(ours: Values, facts?: Facts): Values;
	/** An answer's data under our names. */
	fromAnswer(data: unknown): unknown;
}

/** The entry of an operation; undefined where it is as described. @throws PurserError usage, where the deployment does not have it */
export function entryOf(operation: AnyOperation, mapping: Mapping | undefined): MappedOperation | undefined {
	const { operations = {} } = mapping ?? {};
	const entry = Object.hasOwn(operations, operation.id) ? operations[operation.id] : undefined;
	if (entry !== "none") return entry;
	throw new PurserError("usage", {
		code: "OPERATION_ABSENT",
		message: `This service has no operation for: ${operation.title}. Nothing was sent`,
		why: `The mapping says that ${operation.id} is none`,
		fix: advice`Do it in the service's own way, or correct the mapping: ${purser`help mapping`}`,
	});
}

/**
 * @param mapping without faults: they are found before it is stored
 * @throws PurserError usage, where the deployment does not have the operation
 */
export function appliedMapping(operation: AnyOperation, mapping: Mapping | undefined): AppliedMapping {
	const entry = entryOf(operation, mapping);
	const known = {
		method: entry?.method ?? operation.method,
		path: entry?.path ?? operation.path,
		body: entry?.body ?? "json",
		errors: mapping?.errors,
		statuses: entry?.statuses,
		ids: mapping?.ids ?? {},
	} as const;
	// Most profiles map nothing, and every request passes here.
	if (mapping === undefined) return { ...known, toRequest: (ours) => ours, fromAnswer: (data) => data };
	return { ...known, toRequest: requestWriter(operation, entry, mapping), fromAnswer: answerReader(operation, entry, mapping) };
}

/** Reads the answers of one operation. A page becomes one of ours; a bare list stays one. */
function answerReader(operation: AnyOperation, entry: MappedOperation | undefined, { paging, zone }: Mapping) {
	const fields = placedFields(entry?.answer?.fields);
	const taken = fields?.map(({ theirs }) => theirs) ?? [];
	const inRecord = placeOf(entry?.answer?.record ?? "");
	const isList = "pageSize" in operation.query.shape && (entry?.answer !== undefined || paging !== undefined);
	// The names of an answer that mean something to us.
	const known = [
		...Object.keys(operation.answer ?? {}),
		...(operation.created ?? []),
		...(operation.record?.ids ?? []),
		...(operation.record?.fields ?? []),
	];
	const names = new Set(known.map((name) => name.split(".", 1)[0] as string));

	const recordOf = (data: unknown): unknown => {
		const record = inRecord.length === 0 ? data : valueAt(data, inRecord);
		if (fields === undefined) return timesIn(record, zone);
		// What means something to us under a name of ours stands only where the mapping says so; what we do not know is shown as it is.
		const rest = without(record, taken);
		const ours = isRecord(rest) ? Object.fromEntries(Object.entries(rest).filter(([name]) => !names.has(name))) : {};
		const placed = currencyField(fields);
		const currency = placed && read(valueAt(record, placed.theirs), placed.field, undefined);
		for (const { field, ours: name, theirs } of fields)
			for (const { indexes, value } of foundAt(record, theirs))
				put(ours, name, indexes, read(value, field, typeof currency === "string" ? currency : undefined));
		return timesIn(ours, zone);
	};

	return (data: unknown): unknown => {
		if (!isList) return recordOf(data);
		const isBare = Array.isArray(data);
		const entries = isBare ? data : valueAt(data, placeOf(entry?.answer?.records ?? paging?.records ?? "/content"));
		const content = Array.isArray(entries) ? entries.map((one) => (isRecord(one) ? recordOf(one) : one)) : entries;
		return isBare ? content : { content, totalElements: valueAt(data, placeOf(paging?.total ?? "/totalElements")) };
	};
}

/** A record whose times have their zone; a name of ours tells that it is one's. */
function timesIn(record: unknown, zone: string | undefined): unknown {
	if (zone === undefined || !isRecord(record)) return record;
	const withZone = ([name, value]: [string, unknown]) => [name, /(Date|At|Time)$/.test(name) ? inZone(value, zone) : value];
	return Object.fromEntries(Object.entries(record).map(withZone));
}
