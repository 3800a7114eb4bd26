/**
 * Settings as typed, `key=value`, checked against the table of settings. Pure.
 */
import type { Fault } from "../errors.js";
import { configKeys, settingFault } from "./keys.js";

/**
 * The resulting settings with all their faults.
 * @param set `key=value` each
 * @param unset keys that go back to their default
 */
export function changedSettings(
	before: Readonly<Record<string, string>>,
	set: readonly string[],
	unset: readonly string[],
): { settings: Record<string, string>; faults: Fault[] } {
	const settings = new Map(Object.entries(before));
	const faults: Fault[] = [];
	for (const key of unset) {
		if (!configKeys.some((known) => known.key === key) && !settings.has(key))
			faults.push({ field: "unset", message: `there is no setting ${JSON.stringify(key)}` });
		settings.delete(key);
	}
	const keys = new Set(unset);
	for (const text of set) {
		const at = text.indexOf("=");
		const key = text.slice(0, at);
		// The tool must not guess which of two values was meant.
		if (at > 0 && keys.has(key)) faults.push({ field: "set", message: `${key} is given twice` });
		keys.add(key);
		const value = text.slice(at + 1);
		// Of what is no setting only the first word is shown: a credential helper may hold a secret.
		const fault = at < 1 ? `${JSON.stringify(text.split(/\s/, 1)[0])} is not key=value` : settingFault(key, value);
		if (fault) faults.push({ field: "set", message: at < 1 || fault.startsWith("there is no") ? fault : `${key} ${fault}` });
		else settings.set(key, value);
	}
	return { settings: Object.fromEntries(settings), faults };
}
