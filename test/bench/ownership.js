// What it costs to compute who owns a corporate through 100,000 holdings: processor time, by the shape of the ownership. To stay under two seconds.
// Usage: npm run bench:ownership
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));
const holdings = 100_000;

const holds = (owner, owned, percentage) => ({ owner: `k${owner}`, owned: owned < 0 ? "c" : `k${owned}`, percentage });
const each = (count, holdingsOf) => Array.from({ length: count }, (_, at) => holdingsOf(at)).flat();

/** How many companies there are, and what each holds; -1 is the corporate. */
const shapes = {
	"a chain": [holdings, (at) => [holds(at, at - 1, "99.999999999999")]],
	"layers of diamonds": [
		holdings / 2,
		(at) => [holds(at, at < 2 ? -1 : 2 * Math.floor(at / 2) - 2, "50"), holds(at, at < 2 ? -1 : 2 * Math.floor(at / 2) - 1, "50")],
	],
	"one ring": [holdings / 2, (at) => [holds(at, (at + 1) % (holdings / 2), "33.333333333333"), holds(at, -1, "0.001")]],
	"rings of 40, one above the other": [
		holdings / 2,
		(at) => [holds(at, at - (at % 40) + ((at + 1) % 40), "33.333333333333"), holds(at, at < 40 ? -1 : at - 40, "12.3")],
	],
	"one circle at random, beyond reach": [
		holdings / 2,
		(at) => [holds(at, (at + 1) % (holdings / 2), "49.9"), holds(at, at === 0 ? -1 : (at * 7919) % (holdings / 2), "49.9")],
	],
	"circles of 40 in which all hold all": [
		2480,
		(at) => each(40, (other) => [holds(at, at - (at % 40) + other, `1.${10 + ((at * 7 + other * 3) % 80)}`)]).concat(holds(at, -1, "0.01")),
	],
	"300 in which all hold all, beyond reach": [
		300,
		(at) => each(300, (other) => [holds(at, other, `0.${10 + ((at * 7 + other * 3) % 20)}`)]).concat(holds(at, -1, "0.11")),
	],
};

const folder = mkdtempSync(join(tmpdir(), "purser-bench-"));
try {
	const file = join(folder, "ownership.mjs");
	await (await rolldown({ cwd: root, input: "src/onboarding/ownership/ownership.ts", platform: "node" })).write({ file, format: "esm" });
	const { ownershipOf } = await import(pathToFileURL(file));
	for (const [name, [count, holdingsOf]] of Object.entries(shapes)) {
		const parties = Array.from({ length: count }, (_, at) => ({ id: `k${at}`, name: `K${at}`, isCompany: true }));
		const given = each(count, holdingsOf);
		const before = process.cpuUsage();
		const { nodes } = ownershipOf({ id: "c", name: "C" }, parties, given);
		const { user, system } = process.cpuUsage(before);
		const unknown = nodes.filter(({ effectiveSharesPercentage }) => effectiveSharesPercentage === undefined).length;
		console.log(
			`${name}: ${given.length} holdings, ${((user + system) / 1e6).toFixed(2)} s${unknown > 0 ? `, ${unknown} of ${count} companies without an answer` : ""}`,
		);
	}
} finally {
	rmSync(folder, { recursive: true });
}
