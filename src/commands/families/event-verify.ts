/**
 * Checks deliveries with the secrets of a profile.
 */
import { advice, purser } from "../../api/advice.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { type Delivery, type Verdict, verdictOn } from "../../events/verdict.js";
import type { Profile } from "../../ports/profiles.js";

/**
 * @param now the time that signatures are compared with
 * @returns checks one delivery with the secrets as they are at that moment, and throws as reading them does
 * @throws PurserError usage, where there is no secret; as reading the secrets does
 */
export async function openVerifying(
	context: Context,
	profile: Profile,
	now: () => Date = () => context.clock.now(),
): Promise<(delivery: Delivery) => Promise<Verdict>> {
	const vault = await context.config.eventSecrets((message) => context.report.warn(message));
	let stamp = vault.stampOf(profile);
	let secrets = await vault.list(profile);
	if (secrets.length === 0)
		throw new PurserError("usage", {
			code: "NO_EVENT_SECRET",
			message: `Profile ${profile.name} has no secret to check events with`,
			why: "Without one, nobody could tell the service's events from anybody else's",
			fix: advice`Copy the signing secret from where the service shows its webhooks, then type ${purser`events secret add NAME`}`,
		});
	return async (delivery) => {
		// One that was added counts at once, and one that was removed counts no more.
		const latest = vault.stampOf(profile);
		if (latest !== stamp) {
			secrets = await vault.list(profile);
			stamp = latest;
		}
		return verdictOn(
			delivery,
			secrets.map(({ secret }) => secret),
			now().getTime(),
		);
	};
}
