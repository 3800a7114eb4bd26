import { advice, purser } from "../../api/advice.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";

/**
 * Simulations exist in the embedded sandbox only.
 * @throws PurserError guard, on a profile that is not marked sandbox
 */
export async function onlySandbox(context: Context): Promise<void> {
	const { profile } = await context.settings();
	if (profile.environment === "sandbox") return;
	throw new PurserError("guard", {
		code: "SANDBOX_ONLY",
		message: `The profile ${profile.name} is not a sandbox; nothing was sent`,
		fix: advice`Start one with \`${purser`sandbox serve`}\`, and choose its profile with --profile.`,
	});
}
