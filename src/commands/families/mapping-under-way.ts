/**
 * A mapping is not replaced while money is leaving by it.
 */
import { advice, purser } from "../../api/advice.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { mappingDigest } from "../../mapping/confirmation.js";
import type { Profile } from "../../ports/profiles.js";

/**
 * A doubt keeps nobody from it: a mistaken list must be correctable.
 * @throws PurserError guard, where a payment is being sent by another mapping
 */
export async function requireNothingUnderWay(context: Context, profile: Profile, after: Profile): Promise<void> {
	if (mappingDigest(profile) === mappingDigest(after)) return;
	if (!(await context.journal.exists(profile))) return;
	const batch = (await (await context.journal.batches(profile)).list()).find(({ sending }) => sending)?.batch;
	const [single] = await (await context.journal.of(profile)).list({ states: ["sending"], effect: "money", limit: 1 });
	if (batch === undefined && single === undefined) return;
	throw new PurserError("guard", {
		code: "PAYMENT_UNDER_WAY",
		message: `${batch === undefined ? `Payment ${single?.intent}` : `Batch ${batch}`} is being sent by the mapping that the profile ${profile.name} has; nothing was stored`,
		fix: advice`Run this again when it has ended: ${batch === undefined ? purser`history show ${single?.intent as string}` : purser`pay batch status ${batch}`}`,
	});
}
