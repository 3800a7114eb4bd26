/**
 * Refuses fields added with `--set` that resemble a field of the payment itself. A deployment that deviates from the specification might
 * use such a field for the payment, and neither the preview nor the guards nor the journal would show it.
 */
import type { AnyOperation } from "../../api/operation.js";
import { createBeneficiaryTransaction, createInterLedger } from "../../api/operations/transaction.js";
import { PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";

/** The body fields of both kinds of payment. */
const paymentFields = [createInterLedger, createBeneficiaryTransaction].flatMap(({ body }) => Object.keys(body.shape));

/**
 * Refuses an added field whose name differs from a payment's own only in case or punctuation (`Amount`, `ledger-to-id`), that belongs to
 * the
 * other kind of payment, or that the mapping uses on the wire for such a field.
 * @param added the names of the fields
 * @param optionNames names of the options that go with the payment, such as its currency
 * @throws PurserError validation: nothing was sent
 */
export function refuseAmbiguousFields(
	added: readonly string[],
	optionNames: readonly string[],
	operation: AnyOperation,
	{ mapping }: Profile,
): void {
	const known = [...Object.keys(operation.body.shape), ...optionNames];
	// Fast path: most payments have no added fields.
	if (added.length === 0) return;
	const fieldByFoldedName = new Map([...paymentFields, ...known].map((name) => [folded(name), name]));
	const entry = mapping?.operations[operation.id];
	for (const [field, placed] of Object.entries((entry !== "none" && entry?.fields) || {}))
		if (placed !== "none" && placed.place === "body") fieldByFoldedName.set(folded(placed.at), field);
	const details = added.flatMap((name) => {
		const field = fieldByFoldedName.get(folded(name));
		return field === undefined ? [] : [{ field: name, message: faultMessage(name, field, known) }];
	});
	if (details.length === 0) return;
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: "A field added with --set could be mistaken for one of the payment's own; nothing was sent",
		fix: "Give the field by its own name, or leave it out, and run the command again.",
		details,
	});
}

function faultMessage(name: string, field: string, known: readonly string[]): string {
	if (!known.includes(field)) return `cannot be added: ${field} belongs to the other kind of payment`;
	return `cannot be added: it would be next to ${field}${name === field ? "" : ", and could be mistaken for it"}`;
}

/** Ignores case, punctuation and compatibility forms, because servers differ in which names they treat as equal. */
function folded(name: string): string {
	return name
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, "");
}
