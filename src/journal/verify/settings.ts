/**
 * Verifies that the recorded settings are consistent: each event holds the changes and the settings in force after them.
 */
import type { SettingsRecord } from "../../ports/journal.js";
import { statement } from "../../sqlite/statement.js";
import type { Storage } from "../../sqlite/storage.js";
import { settingChanges, settingsKind } from "../intents/settings-record.js";
import type { Findings } from "../intents/steps.js";

/** Events of one page. */
const page = 1_000;

export function settingsFaults(storage: Storage, findings: Findings): void {
	const events = statement(
		storage,
		`SELECT seq, content FROM event WHERE seq > ? AND kind = '${settingsKind}' AND intent IS NULL AND batch IS NULL ORDER BY seq LIMIT ${page}`,
	);
	let last: SettingsRecord | undefined;
	for (let after = 0; ; ) {
		const found = events.all(after);
		for (const { seq, content } of found) {
			const record = JSON.parse(String(content)) as SettingsRecord;
			if (!follows(last, record)) findings.add(`the settings recorded in event ${seq} do not follow from those recorded before`);
			last = record;
		}
		if (found.length < page) return;
		after = Number(found.at(-1)?.seq);
	}
}

/** The first remaining event may hold any settings, because earlier ones were purged or never recorded. */
function follows(last: SettingsRecord | undefined, { how, changes, settings }: SettingsRecord): boolean {
	if (last === undefined) return true;
	return how !== "first" && JSON.stringify(changes) === JSON.stringify(settingChanges(last.settings, settings));
}
