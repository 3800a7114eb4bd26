/**
 * A program that opens, and so upgrades, a journal: `upgrader DIRECTORY STEP DRIVER`. It kills itself before its change number STEP to the
 * journal or to a file beside it; 0: never. Prints how many changes it made.
 */

import { openJournal } from "../../src/journal/open.js";
import { type DriverName, loadDriver } from "../../src/journal/sqlite/drivers.js";
import type { OpenStorage, Storage } from "../../src/journal/sqlite/storage.js";
import { clock } from "../../src/machine/clock.js";
import { random } from "../../src/machine/random.js";
import { moneyRules } from "../../src/payments/rules/rules.js";

const [directory = "", step = "0", driver] = process.argv.slice(2);
let changes = 0;

/** Whether the journal is being changed already: what configures a connection comes before that. */
let begun = false;

function change(): void {
	if (!begun) return;
	changes += 1;
	if (changes === Number(step)) process.kill(process.pid, "SIGKILL");
}

const load = await loadDriver(driver as DriverName);
const counting: OpenStorage = (path, options) => {
	const storage = load(path, options);
	const watched: Storage = {
		exec: (sql) => {
			change();
			storage.exec(sql);
			// After a commit too.
			change();
		},
		prepare: (sql) => {
			begun ||= sql.startsWith("VACUUM");
			const statement = storage.prepare(sql);
			return {
				...statement,
				run: (...values) => {
					change();
					statement.run(...values);
				},
			};
		},
		// Files are synced, renamed and removed between closing the copy and the next change.
		close: () => {
			change();
			storage.close();
			change();
		},
	};
	return watched;
};

const journal = await openJournal({
	directory,
	profile: { name: "sandbox", environment: "sandbox" },
	clock: clock(new AbortController().signal),
	random,
	rules: moneyRules({}),
	storage: counting,
});
process.stdout.write(String(changes));
await journal.close();
