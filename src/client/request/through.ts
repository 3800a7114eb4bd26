/**
 * Reads the service as it was described when a change was sent, whatever the profile says now.
 */
import { advice, purser } from "../../api/advice.js";
import { asThen, lookUpIds } from "../../binding/kept.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";
import type { LookUps } from "../../ports/service.js";

/** A context whose profile describes the reading of what became of a change as it was described then. */
export function contextThrough(context: Context, lookUps: LookUps): Context {
	const settings = async () => {
		const now = await context.settings();
		return { ...now, profile: profileThrough(now.profile, lookUps) };
	};
	return { ...context, settings, ids: async () => (await settings()).profile.service?.ids ?? {} };
}

/** @throws PurserError guard, where it is not known any more how it was described */
function profileThrough(profile: Profile, { effect, digest, kept }: LookUps): Profile {
	if (digest !== null && kept === undefined) throw lost("its description is not in the journal", profile);
	const { lost: missing, ...then } = asThen(profile, lookUpIds(effect), kept);
	if (missing !== undefined) throw lost(missing, profile);
	return { ...profile, service: undefined, ...then };
}

function lost(why: string, { name }: Profile): PurserError {
	return new PurserError("guard", {
		code: "BINDING_LOST",
		message: `The profile ${name} described the service differently when this was sent, and that description cannot be used any more: ${why}`,
		fix: advice`Put it back for this look-up (${purser`api set --help`}), or settle by a statement or on your word: ${purser`pay settle --help`}`,
	});
}
