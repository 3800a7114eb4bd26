/**
 * What a deployment's answers say that ours say otherwise: fields of another generation of the service, days and seconds in the place of
 * moments.
 */
import { isRecord } from "../../api/schema.js";
import { foundAt, put, valueAt } from "../../binding/pointer.js";
import type { AnswerField, Codec } from "../../ports/binding.js";

/** Names that another generation of the service has for a field, and where ours stands. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
	registeredName: ["corporateName"],
	"status.kyb.value": ["kybStatus"],
	"status.kyb.reason": ["kybStatusReason"],
	emailAddress: ["email.address"],
	emailAddressVerified: ["email.verified"],
	phoneVerified: ["phone.verified"],
	corporateId: ["id"],
	corporateRelatedId: ["id"],
	transactionId: ["id"],
	ledgerId: ["id"],
	beneficiaryId: ["receiver.beneficiaryId", "id"],
	reference: ["information.reference"],
	name: ["friendlyName"],
	iban: ["accountNumber"],
};

/** A record with everything that a binding of its answer asks for, in forms that can be written. */
export function asked(record: unknown, fields: Readonly<Record<string, AnswerField>>): unknown {
	if (!isRecord(record)) return record;
	const whole = structured(record);
	for (const [name, field] of Object.entries(fields)) {
		const parts = name.split(".");
		if (foundAt(whole, parts).length === 0) {
			const value = (otherNames[name] ?? []).map((other) => valueAt(record, other.split("."))).find((one) => one !== undefined);
			if (value !== undefined) put(whole, parts, [], value);
		}
		for (const { indexes, value } of foundAt(whole, parts)) put(whole, parts, indexes, moment(value, field.codec));
	}
	return whole;
}

/** A copy whose objects and lists can be changed. */
function structured(record: Record<string, unknown>): Record<string, unknown> {
	const copied = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(copied);
		return isRecord(value) ? structured(value) : value;
	};
	return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, copied(value)]));
}

/** A moment as far as the deployment's form can say it. */
function moment(value: unknown, codec: Codec | undefined): unknown {
	if (typeof value !== "string" || codec === undefined || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return value;
	if (codec.startsWith("date:")) return value.slice(0, "2026-03-01".length);
	return codec === "epoch-seconds" ? value.replace(/\.\d+Z$/, "Z") : value;
}
