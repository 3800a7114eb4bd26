/** A program that tries to acquire locks at the same moments as others: `racer FOLDER ROUNDS START`. It prints the rounds that it won. */
import { join } from "node:path";
import { acquireLock } from "../../../src/system/disk/lock.js";

const [folder = "", rounds = "0", start = "0"] = process.argv.slice(2);
const won: number[] = [];
for (let round = 0; round < Number(rounds); round++) {
	// Between the milliseconds of a timer the others would be through.
	while (Date.now() < Number(start) + 3 * round);
	if (acquireLock(join(folder, `lock-${round}`), 60_000) !== undefined) won.push(round);
}
process.stdout.write(JSON.stringify(won));
