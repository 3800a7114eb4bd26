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

/**
 * Acts that guard money and are no settings of the profile, by the beginning of their names: a request that was confirmed. They are recorded
 * with the settings and stay in force until another one replaces them.
 */
const acts = /^confirmed /;

const actsIn = (recorded: Guards): Guards => Object.fromEntries(Object.entries(recorded).filter(([key]) => acts.test(key)));

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

/**
 * Compares the settings in force with the recorded ones before money moves, and records changes. A journal without such a record starts
 * one, since it is not known what was in force before.
 * @param operator who asks for the payment
 * @returns the changes made without purser, now recorded
 */
export async function recordSettingsChanges(
	tables: Pick<Tables, "append" | "latest">,
	now: Guards,
	operator: string | undefined,
): Promise<SettingChange[]> {
	const last = await recordedSettings(tables);
	if (last === undefined) await append(tables, { how: "first", operator, changes: [], settings: now });
	const settings = { ...actsIn(last ?? {}), ...now };
	const changes = settingChanges(last ?? now, settings);
	if (changes.length > 0) await append(tables, { how: "outside", operator, changes, settings });
	return changes;
}

/** Records a change by a command, after any changes made without purser before it. */
export async function recordChange(
	tables: Pick<Tables, "append" | "latest">,
	{ before, after, operator }: Parameters<Journal["changeSettings"]>[0],
): Promise<void> {
	if (before !== undefined) await recordSettingsChanges(tables, before, operator);
	const last = await recordedSettings(tables);
	if (last === undefined) await append(tables, { how: "first", operator, changes: [], settings: after });
	const settings = { ...actsIn(last ?? {}), ...after };
	const changes = settingChanges(last ?? after, settings);
	if (changes.length > 0) await append(tables, { how: "command", operator, changes, settings });
}

/** Records an act, beside the settings in force; repeating it changes nothing. */
export async function recordAct(
	tables: Pick<Tables, "append" | "latest">,
	{ key, value, how, operator }: Parameters<Journal["recordAct"]>[0],
	now: Guards,
): Promise<void> {
	if (!acts.test(key)) throw new RangeError(`not an act that is recorded with the settings: ${key}`);
	await recordSettingsChanges(tables, now, operator);
	const last = (await recordedSettings(tables)) ?? now;
	const settings = { ...last, [key]: value };
	const changes = settingChanges(last, settings);
	if (changes.length > 0) await append(tables, { how, operator, changes, settings });
}

/** The recorded settings; undefined if none are. */
async function recordedSettings(tables: Pick<Tables, "latest">): Promise<Guards | undefined> {
	return ((await tables.latest(settingsKind))?.content as SettingsRecord | undefined)?.settings;
}

function append(tables: Pick<Tables, "append">, record: SettingsRecord): Promise<void> {
	return tables.append(settingsKind, undefined, record);
}
