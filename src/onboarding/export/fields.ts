/**
 * The fields of a case from a record of the service: what it tells and a case can hold. Pure.
 */
import { type Received, textAt } from "../../api/answer.js";
import { check } from "../../api/check/check.js";
import { describe, type Field, isRecord } from "../../api/schema.js";
import { legalFormKeys } from "../../api/values.js";
import { caseSchema } from "../case/case.js";
import { shownValue } from "../case/compare.js";

/** Fields of a record as a case has them, and the dotted names of those that it does not have. */
export interface ReadFields {
	fields: Received;
	/** The service shows none. */
	notShown: string[];
	/** The service shows a value that a case cannot hold. */
	notTaken: string[];
	/** Those of both that a case must have. */
	required: string[];
}

type Part = "corporate" | "accountOwner" | "persons" | "companies";

/** Fields that are made here, and those that a person seldom gives. */
const own: readonly string[] = ["key", "externalId"];

/** The fields of one part of a case. */
export function readFields(part: Part, record: Received): ReadFields {
	const shape = describe(caseSchema).fields?.find(({ name }) => name === part) as Field;
	const read: ReadFields = { fields: {}, notShown: [], notTaken: [], required: [] };
	for (const field of (shape.element ?? shape).fields ?? []) {
		if (own.includes(field.name)) continue;
		const shown = field.name === "legalType" ? legalType(record) : shownValue(field.name, record);
		const isWhole = shown === "" && field.required && check(field.schema, shown).faults.length === 0;
		const value = isWhole ? shown : fitting(field, shown);
		if (value !== undefined) {
			read.fields[field.name] = value;
			continue;
		}
		read[isEmpty(shown) ? "notShown" : "notTaken"].push(field.name);
		if (field.required) read.required.push(field.name);
	}
	return read;
}

/** Whether a text is valid as an externalId. */
export function externalIdAt(record: Received): string | undefined {
	const shown = textAt(record, "externalId");
	return shown !== undefined && shown.trim() !== "" && [...shown].length <= 511 ? shown : undefined;
}

/** A deployment may show the legal form without the key under which it is sent. */
function legalType(record: Received): unknown {
	const shown = shownValue("legalType", record);
	const key = legalFormKeys[textAt(record, "incorporationCountry") ?? ""];
	return typeof shown === "string" && key !== undefined ? { [key]: shown } : shown;
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === "" || (isRecord(value) && Object.values(value).every(isEmpty));
}

/** The value without what the field does not know; undefined where nothing valid is left. */
function fitting(field: Field, value: unknown): unknown {
	if (isEmpty(value)) return undefined;
	const parts =
		field.fields !== undefined && isRecord(value)
			? Object.fromEntries(
					field.fields.map((part) => [part.name, fitting(part, value[part.name])]).filter(([, part]) => part !== undefined),
				)
			: value;
	if (isEmpty(parts)) return undefined;
	const checked = check(field.schema, parts);
	return checked.faults.length > 0 ? undefined : checked.data;
}
