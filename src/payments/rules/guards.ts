/**
 * The settings that decide which payments may be sent and which evidence counts, in the form in which the journal records them. Pure.
 */

import type { Context } from "../../context.js";
import type { Profile } from "../../ports/profiles.js";
import { approversOf } from "./approval-needed.js";

/**
 * Only the public keys, in canonical spelling and sorted. The names are left out because the journal holds no personal data and no
 * decision depends on them, so renaming an approver is not recorded as a change.
 */
const canonicalKeys = (value: string): string =>
	[...approversOf(value).keys()]
		.map((key) => Buffer.from(key, "base64url").toString("base64url"))
		.sort()
		.join(",");

const plainGuards = ["cap-per-transfer", "cap-per-day", "approval", "refusing-statuses", "duplicate-days", "settle-after"];

type Confirmations = Profile["confirmations"];

/** What guards the money of a profile: its settings, without unset and empty ones, and which requests of its mapping were confirmed. */
export function guardsOf(settings: Profile["settings"], confirmations: Confirmations = {}): Record<string, string> {
	const set = [
		...plainGuards.map((key) => [key, settings[key]?.trim() ?? ""]),
		...["approvers", "planners"].map((key) => [key, canonicalKeys(settings[key] ?? "")]),
	];
	const confirmed = Object.entries(confirmations).map(([id, { digest, service }]) => [`confirmed ${id}`, `${digest} for ${service}`]);
	return Object.fromEntries([...set.filter(([, value]) => value !== ""), ...confirmed]);
}

type Guarded = Pick<Profile, "settings" | "confirmations">;

/**
 * Records the change and who makes it. Does not open the journal if nothing of it changes.
 * @param before undefined for a new profile; a journal of an earlier profile with its name may still hold the previous settings
 * @throws PurserError usage, if it cannot be recorded; the change must then not be made
 */
export async function recordGuards(
	context: Pick<Context, "journal" | "config">,
	profile: Profile,
	before: Guarded | undefined,
	after: Guarded,
): Promise<void> {
	const [old, now] = [guardsOf(before?.settings ?? {}, before?.confirmations), guardsOf(after.settings, after.confirmations)];
	if (JSON.stringify(old) === JSON.stringify(now)) return;
	const operator = await context.config.operator();
	await (await context.journal.of(profile)).changeSettings({ before: before && old, after: now, operator });
}
