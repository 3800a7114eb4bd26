/** Payments in doubt, which are settled with the service as it is read. */
import { advice, purser } from "../api/advice.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Profile } from "../ports/profiles.js";

/**
 * A change of bindings may change how the service's payments are read. A payment in doubt is settled by reading them, so it comes first.
 * @throws PurserError guard
 */
export async function refuseOpenDoubts(context: Context, profile: Profile): Promise<void> {
	const open = await (await context.journal(profile)).list({ states: ["in-doubt", "sending"], effect: "money", limit: 1 });
	if (open.length === 0) return;
	throw new PurserError("guard", {
		code: "PAYMENTS_IN_DOUBT",
		message: `The profile ${profile.name} has payments in doubt, and they must be settled with the service as it is read today. Nothing was stored`,
		fix: advice`Settle them first: ${purser`pay doubts`}`,
	});
}
