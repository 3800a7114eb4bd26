/**
 * The settings that guard money, as events of the journal: what was in force from when on, who changed it, and what was changed without
 * purser. The last of these events is what the settings in force are compared with.
 */

import { advice, purser } from "../../api/advice.js";
import type { Advice } from "../../errors.js";
import type { SettingChange, SettingsRecord } from "../../ports/guards.js";
import type { Journal } from "../../ports/journal.js";
import type { Tables } from "../sqlite/tables.js";

type Guards = Readonly<Record<string, string>>;

/** The kind of these events. */
export const settingsKind = "settings";

/** In which settings two sets differ, by name. */
export function settingChanges(old: Guards, now: Guards): SettingChange[] {
	const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
	return keys.filter((key) => old[key] !== now[key]).map((key) => ({ key, old: old[key], new: now[key] }));
}

/** Changes in words: `cap-per-day from 100 EUR to not set; …`. */
export function changeWords(changes: readonly SettingChange[]): string {
	return changes.map((one) => `${one.key} from ${one.old ?? "not set"} to ${one.new ?? "not set"}`).join("; ");
}

/** What a person is told of changes that nobody asked purser for; undefined where there are none. */
export function outsideWords(changes: readonly SettingChange[]): Advice | undefined {
	if (changes.length === 0) return undefined;
	return advice`settings that guard money were changed without purser: ${changeWords(changes)}. They are in force, and the change is on record now: ${purser`history settings`}`;
}

/**
 * Compares what is in force with what is on record, before money moves. A journal without a record of it begins one: what was in force
 * before is not known.
 * @param operator who asks for the money
 * @returns what was changed outside, which is on record then
 */
export function recordOutsideChanges(
	tables: Pick<Tables, "append" | "latest">,
	now: Guards,
	operator: string | undefined,
): SettingChange[] {
	const last = recorded(tables);
	if (last === undefined) append(tables, { how: "first", operator, changes: [], settings: now });
	const changes = settingChanges(last ?? now, now);
	if (changes.length > 0) append(tables, { how: "outside", operator, changes, settings: now });
	return changes;
}

/** Records a change by command, after what was changed outside before it. */
export function recordChange(
	tables: Pick<Tables, "append" | "latest">,
	{ before, after, operator }: Parameters<Journal["changeSettings"]>[0],
): void {
	if (before !== undefined) recordOutsideChanges(tables, before, operator);
	const last = recorded(tables);
	if (last === undefined) append(tables, { how: "first", operator, changes: [], settings: after });
	const changes = settingChanges(last ?? after, after);
	if (changes.length > 0) append(tables, { how: "command", operator, changes, settings: after });
}

/** The settings on record; undefined where none are. */
function recorded(tables: Pick<Tables, "latest">): Guards | undefined {
	return (tables.latest(settingsKind)?.content as SettingsRecord | undefined)?.settings;
}

function append(tables: Pick<Tables, "append">, record: SettingsRecord): void {
	tables.append(settingsKind, undefined, record);
}

/** Before the events up to `through` are removed: what is on record of the settings must not go with them. */
export function carryOver(tables: Pick<Tables, "append" | "latest">, through: number): void {
	const last = tables.latest(settingsKind);
	if (last === undefined || last.seq > through) return;
	append(tables, { how: "kept", changes: [], settings: (last.content as SettingsRecord).settings });
}
