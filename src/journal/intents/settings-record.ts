/**
 * Events about the settings that guard money: what was in force from when on, who changed it, and what was changed without purser. The
 * settings in force are compared with the latest of these events.
 */

import { advice, purser } from "../../api/advice.js";
import type { Advice } from "../../errors.js";
import type { Journal, SettingChange, SettingsRecord } from "../../ports/journal.js";
import type { Tables } from "../tables/tables.js";

type Guards = Readonly<Record<string, string>>;

/** The kind of these events. */
export const settingsKind = "settings";

/** The settings in which two sets differ, sorted by name. */
export function settingChanges(old: Guards, now: Guards): SettingChange[] {
	const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
	return keys.filter((key) => old[key] !== now[key]).map((key) => ({ key, old: old[key], new: now[key] }));
}

/** Describes changes for people: `cap-per-day from 100 EUR to not set; …`. */
export function changesText(changes: readonly SettingChange[]): string {
	return changes.map((one) => `${one.key} from ${one.old ?? "not set"} to ${one.new ?? "not set"}`).join("; ");
}

/** The warning about changes made without purser; undefined if there are none. */
export function settingsChangesWarning(changes: readonly SettingChange[]): Advice | undefined {
	if (changes.length === 0) return undefined;
	return advice`settings that guard money were changed without purser: ${changesText(changes)}. They are in force, and the change is on record now: ${purser`history export --kind settings`}`;
}

/** Who asks, and in a team's journal from which machine: its settings are compared with those recorded for it. */
type Asker = Pick<SettingsRecord, "operator" | "machine">;

/**
 * Compares the settings in force with the recorded ones before money moves, and records changes. A journal without such a record starts
 * one, since it is not known what was in force before.
 * @returns the changes made without purser, now recorded
 */
export async function recordSettingsChanges(
	tables: Pick<Tables, "append" | "latest">,
	settings: Guards,
	{ operator, machine }: Asker,
	how: "outside" | "command" = "outside",
): Promise<SettingChange[]> {
	const last = (await tables.latest(settingsKind, machine)) as SettingsRecord | undefined;
	const changes = settingChanges(last?.settings ?? settings, settings);
	const record: SettingsRecord = { how: last === undefined ? "first" : how, operator, machine, changes, settings };
	if (last === undefined || changes.length > 0) await tables.append(settingsKind, undefined, record);
	return changes;
}

/** Records a change by a command, after any changes made without purser before it. */
export async function recordChange(
	tables: Pick<Tables, "append" | "latest">,
	{ before, after, operator }: Parameters<Journal["changeSettings"]>[0],
	machine: string | undefined,
): Promise<void> {
	if (before !== undefined) await recordSettingsChanges(tables, before, { operator, machine });
	await recordSettingsChanges(tables, after, { operator, machine }, "command");
}
