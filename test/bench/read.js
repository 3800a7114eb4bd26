// What it costs to read and check a file of a batch: microseconds a row and peak memory, with the schemas of the built program.
// Usage: npm run bench:read -- [rows …]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));
const [word, bundle, count] = process.argv.slice(2);
if (word === "measure") await measure(bundle, Number(count));
else await all(process.argv.slice(2).map(Number));

async function all(sizes) {
	const folder = mkdtempSync(join(tmpdir(), "purser-bench-"));
	try {
		const file = join(folder, "reading.mjs");
		await (await rolldown({ cwd: root, input: "reading.js", platform: "node", plugins: [entry()] })).write({ file, format: "esm" });
		for (const rows of sizes.length > 0 ? sizes : [100_000, 1_000_000])
			spawnSync(process.execPath, [fileURLToPath(import.meta.url), "measure", file, String(rows)], { stdio: "inherit" });
	} finally {
		rmSync(folder, { recursive: true });
	}
}

function entry() {
	const code = ["rows", "digest", "totals"].map((name) => `export * from "./src/payments/batch/plan/${name}.js";`).join("\n");
	return {
		name: "entry",
		resolveId: (source) => (source === "reading.js" ? join(root, source) : null),
		load: (id) => (id === join(root, "reading.js") ? { code, moduleType: "js" } : null),
	};
}

async function* file(rows) {
	yield Buffer.from("ledgerFromId,ledgerToId,amount,reference\n");
	const id = (number) => `aaaaaaaa-0000-4000-8000-${String(number).padStart(12, "0")}`;
	for (let row = 0; row < rows; ) {
		let text = "";
		for (const end = Math.min(rows, row + 500); row < end; row++)
			text += `${id(row % 7)},${id(100 + row)},${1 + (row % 900)}.${10 + (row % 90)},Invoice ${row}\n`;
		yield Buffer.from(text);
	}
}

async function measure(bundle, count) {
	const { readRows, Digest, Totals } = await import(pathToFileURL(bundle));
	const generating = process.hrtime.bigint();
	for await (const piece of file(count)) piece.length;
	const begun = process.hrtime.bigint();
	const [digest, totals] = [new Digest(), new Totals(new Map())];
	let good = 0;
	const read = readRows(file(count), {
		name: "bench",
		map: [],
		given: {},
		currencyOf: async (ids) => new Map(ids.map((id) => [id, "EUR"])),
		heading: () => {},
	});
	const parts = { digest: 0n, totals: 0n };
	for await (const some of read) {
		const at = process.hrtime.bigint();
		for (const { transfer } of some) digest.add(transfer);
		const between = process.hrtime.bigint();
		for (const { row, transfer } of some) totals.add(row, transfer);
		parts.digest += between - at;
		parts.totals += process.hrtime.bigint() - between;
		good += some.length;
	}
	digest.finish();
	const whole = process.hrtime.bigint() - begun - (begun - generating);
	if (good !== count) throw new Error(`${good} of ${count} rows were read`);
	const each = (time) => (Number(time) / 1_000 / count).toFixed(2);
	const memory = Math.round(process.resourceUsage().maxRSS / 1_024);
	process.stdout.write(
		`${count} rows: ${each(whole)} µs a row (reading and checking ${each(whole - parts.digest - parts.totals)}, digest ${each(parts.digest)}, totals ${each(parts.totals)}), peak ${memory} MB\n`,
	);
}
