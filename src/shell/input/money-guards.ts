/**
 * What forbids money to leave, whatever is confirmed: a configuration of somebody else, a sandbox profile for a live service, an address
 * without a stored profile.
 */
import { advice, purser, quoted, quotedPath } from "../../api/advice.js";
import { isLoopback, serviceAddress } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";

/**
 * Refuses to pay by a configuration that somebody else may have written. Its claim to be for a sandbox cannot be trusted then; only an
 * address of this machine certainly moves no live money.
 * @throws PurserError guard
 */
export async function requireOwnConfiguration(profile: Profile, context: Context): Promise<void> {
	if (profile.environment !== "live" && isLoopback(profile.baseUrl)) return;
	const profiles = await context.profiles();
	const distrust = await profiles.distrust();
	if (distrust === undefined) return;
	throw new PurserError("guard", {
		code: "CONFIG_NOT_OWN",
		message: `Somebody else may have written the configuration by which this money would leave (${profiles.file}); nothing was sent`,
		why: distrust.why,
		fix: advice`Look whether address, caps and approvers are yours with ${purser`profile show`}, then: ${distrust.fix}`,
	});
}

/**
 * Refuses a sandbox profile for a service at which live money was paid. A sandbox profile has a journal of its own, so earlier live
 * payments and doubts would not block the same payment.
 * @throws PurserError guard
 */
export async function requireNoLiveMoney(profile: Profile, context: Context): Promise<void> {
	if (profile.environment === "live") return;
	const service = serviceAddress(profile.baseUrl);
	const found = await (await context.profiles()).liveAt(service);
	if (found === undefined) return;
	const own = found.profile === profile.name;
	throw new PurserError("guard", {
		code: "LIVE_SERVICE",
		message: `The profile ${profile.name} is a ${profile.environment} profile, but live money was paid at ${service} ${own ? "with it" : `with the profile ${found.profile}`}; nothing was sent`,
		why: "A sandbox profile has a journal of its own: what was paid live, or is in doubt there, would not hold back the same payment",
		fix: advice`${own ? advice`Make it live again: ${purser`profile set ${profile.name} --environment live`}` : `Pay with that profile: --profile ${quoted(found.profile)}`}
If no live money is there, take away what says so, then run this again: rm ${quotedPath(found.file)}`,
	});
}

/** An address from a variable must not bypass the caps and the approval of the stored profile. */
export function liveWithoutProfileError(profile: Profile): PurserError {
	const address = quoted(serviceAddress(profile.baseUrl));
	return new PurserError("guard", {
		code: "ADHOC_NOT_NAMED",
		message: `No stored profile has the address ${new URL(profile.baseUrl).host}, which is live money; nothing was sent`,
		why: "Without a stored profile there are no caps and no approval",
		fix: advice`Store one and use it: ${purser`profile add NAME --base-url ${address}`}. Or, when it is meant without one, say so: --profile adhoc --base-url ${address}`,
	});
}
