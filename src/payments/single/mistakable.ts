/**
 * Fields that `--set` adds to a payment and that somebody could read as one of its own: another service than the one described may
 * pay by them, and nothing that was shown, guarded or recorded would tell.
 */
import type { AnyOperation } from "../../api/operation.js";
import { createBeneficiaryTransaction, createInterLedger } from "../../api/operations/transaction.js";
import { PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";

/** Every field by which either kind of payment says who pays whom what. */
const ofPayments = [createInterLedger, createBeneficiaryTransaction].flatMap(({ body }) => Object.keys(body.shape));

/**
 * Refuses a field whose name is one of a payment's own but for capitals and signs (`Amount`, `ledger-to-id`), one of the other kind of
 * payment, or one that the profile gives to such a field on the wire.
 * @param given the input with what was added
 * @param said the names of what is said beside the payment, such as its currency
 * @throws PurserError validation: nothing was sent
 */
export function refuseMistakable(given: object, said: readonly string[], operation: AnyOperation, { overrides }: Profile): void {
	const known = [...Object.keys(operation.body.shape), ...said];
	const added = Object.keys(given).filter((name) => !known.includes(name));
	// Most payments have none, and go on at once.
	if (added.length === 0) return;
	const renamed = overrides[operation.id]?.fields ?? {};
	const meant = new Map([...ofPayments, ...known].map((name) => [folded(name), name]));
	for (const [field, wire] of Object.entries(renamed)) meant.set(folded(wire), field);
	const details = added.flatMap((name) => {
		const field = meant.get(folded(name));
		return field === undefined ? [] : [{ field: name, message: saying(name, field, known) }];
	});
	if (details.length === 0) return;
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: "What --set adds could be taken for a field of the payment itself; nothing was sent",
		fix: "Give the field by its own name, or leave it out, and run the command again.",
		details,
	});
}

function saying(name: string, field: string, known: readonly string[]): string {
	if (!known.includes(field)) return `cannot be added: ${field} is of the other kind of payment`;
	return `cannot be added: it would stand beside ${field}${name === field ? "" : ", which it could be taken for"}`;
}

/** Servers differ in what they take for one name. */
function folded(name: string): string {
	return name
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, "");
}
