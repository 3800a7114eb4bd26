import { catalog } from "../api/operations/catalog.js";
import { confirmable } from "../binding/confirmation.js";
import type { StoredProfile } from "./profile-file.js";

/**
 * A profile about to be stored, in which every binding that must be confirmed, was changed, and was never confirmed says so. What an earlier
 * version wrote does not say it: such a binding may count as confirmed by what was paid through it.
 * @param before the profile as it is stored
 */
export function withUnconfirmed(after: StoredProfile, before: StoredProfile | undefined): StoredProfile {
	const digestIn = (profile: StoredProfile | undefined, operation: (typeof catalog)[number]) =>
		profile && confirmable(operation, { ...profile, confirmations: {} })?.digest;
	const held = after.confirmations ?? {};
	const changed = catalog.filter((operation) => {
		const digest = Object.hasOwn(held, operation.id) ? undefined : digestIn(after, operation);
		return digest !== undefined && digest !== digestIn(before, operation);
	});
	if (changed.length === 0) return after;
	return { ...after, confirmations: { ...held, ...Object.fromEntries(changed.map(({ id }) => [id, null])) } };
}
