/**
 * A program that opens, and so upgrades, a journal: `upgrader DIRECTORY STEP DRIVER`. It kills itself at change number STEP; 0: never.
 */
import { openJournal } from "../../src/journal/open.js";
import { clock } from "../../src/machine/clock.js";
import { random } from "../../src/machine/random.js";
import { moneyRules } from "../../src/payments/rules/rules.js";
import { type DriverName, loadDriver } from "../../src/sqlite/drivers.js";
import { watched } from "./changes.js";

const [directory = "", step = "0", driver] = process.argv.slice(2);
let left = Number(step);

const journal = await openJournal({
	directory,
	profile: { name: "sandbox", environment: "sandbox" },
	clock: clock(new AbortController().signal),
	random,
	rules: moneyRules({}),
	storage: watched(await loadDriver(driver as DriverName), () => {
		left -= 1;
		if (left === 0) process.kill(process.pid, "SIGKILL");
	}),
});
await journal.close();
