/** A program that adds to the number in one file, beside others: `counter FOLDER TIMES`. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../../../src/system/disk/lock.js";

const [folder = "", times = "0"] = process.argv.slice(2);
const file = join(folder, "count");

for (let time = 0; time < Number(times); time++) {
	let counted = false;
	while (!counted)
		await withLock(join(folder, "lock"), { patience: 60_000, stale: 600_000 }, (held) => {
			if (!held) return;
			counted = true;
			writeFileSync(file, String((existsSync(file) ? Number(readFileSync(file, "utf8")) : 0) + 1));
		});
}
