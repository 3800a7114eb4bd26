/**
 * The settings that decide which payments may be sent and which evidence counts, in the form in which the journal records them. Pure.
 */

import type { Context } from "../../context.js";
import type { Profile } from "../../ports/profiles.js";
import { approversOf } from "./approval-needed.js";

const trimmed = (value: string): string => value.trim();

/**
 * Only the public keys, in canonical spelling and sorted. The names are left out because the journal holds no personal data and no
 * decision depends on them, so renaming an approver is not recorded as a change.
 */
const canonicalKeys = (value: string): string =>
	[...approversOf(value).keys()]
		.map((key) => Buffer.from(key, "base64url").toString("base64url"))
		.sort()
		.join(",");

const guards: Readonly<Record<string, (value: string) => string>> = {
	"cap-per-transfer": trimmed,
	"cap-per-day": trimmed,
	approval: trimmed,
	approvers: canonicalKeys,
	planners: canonicalKeys,
	"refusing-statuses": trimmed,
	"duplicate-days": trimmed,
	"settle-after": trimmed,
};

/** The settings of a profile that guard money; unset and empty ones are left out. */
export function guardsOf(settings: Readonly<Record<string, string>>): Record<string, string> {
	const set = Object.entries(guards).map(([key, form]) => [key, form(settings[key] ?? "")] as const);
	return Object.fromEntries(set.filter(([, value]) => value !== ""));
}

type Settings = Profile["settings"];

/** @param before undefined for a new profile; a journal of an earlier profile with its name may still hold the previous settings */
export async function recordGuards(
	context: Pick<Context, "journal" | "config">,
	profile: Profile,
	before: Settings | undefined,
	after: Settings,
): Promise<void> {
	const [old, now] = [guardsOf(before ?? {}), guardsOf(after)];
	if (JSON.stringify(old) === JSON.stringify(now)) return;
	const operator = await context.config.operator();
	await (await context.journal.of(profile)).changeSettings({ before: before && old, after: now, operator });
}
