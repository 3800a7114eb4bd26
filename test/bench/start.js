// How long it takes to start: interleaved runs, medians of ratios to `node -e 0`, on each Node that is here.
// Usage: npm run bench:start -- [runs] [path of another node …]
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../bin/purser.js", import.meta.url));
const counter = fileURLToPath(new URL("../start/loaded.cjs", import.meta.url));
const [count, ...others] = process.argv.slice(2);
const runs = Number(count ?? 21);
const nodes = [process.execPath, ...others.filter((path) => existsSync(path))];
const folder = mkdtempSync(join(tmpdir(), "purser-bench-"));
const env = { ...process.env, PURSER_CONFIG_DIR: join(folder, "config"), PURSER_STATE_DIR: join(folder, "state"), PURSER_NO_KEYRING: "1" };
const from = "aaaaaaaa-0001-4000-8000-000000000001";
const to = "aaaaaaaa-0002-4000-8000-000000000002";
let number = 0;
const payment = (amount = "1") => [
	"pay",
	"ledger",
	"--ledger-from-id",
	from,
	"--ledger-to-id",
	to,
	"--amount",
	amount,
	"--reference",
	`r${number++}`,
];

// The road, how it is run, and the ratio to reach on Node 20 (and on 24 where that is another).
const roads = {
	"--version": { argv: () => ["--version"], reach: 1.15 },
	"--help": { argv: () => ["--help"], reach: 1.3 },
	"pay ledger --help": { argv: () => ["pay", "ledger", "--help"], reach: 1.3 },
	"completion of ids": { argv: () => ["complete", "ledger"], reach: 1.4 },
	"payment --dry-run": { argv: () => [...payment(), "--dry-run", "--json"], reach: 2.0 },
	payment: { argv: () => [...payment(), "--yes", "--json"], reach: 2.8, reach24: 2.2 },
	// An amount with decimals is checked against its currency first: two requests.
	"payment of 0.01": { argv: () => [...payment("0.01"), "--yes", "--json"] },
};

// Bare TCP, so that what is measured is the program and not the service.
const server = spawn(process.execPath, [fileURLToPath(new URL("answering.js", import.meta.url))], { stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((resolve, reject) => {
	server.stdout.once("data", (part) => resolve(`http://127.0.0.1:${String(part).trim()}`));
	server.once("exit", () => reject(new Error("the server did not start")));
});
for (const [argv, input] of [
	[["auth", "login", "--profile", "bench", "--base-url", url, "--environment", "sandbox", "--token-stdin"], "a-token"],
	// What Tab has to tell.
	[["ledger", "show", from], undefined],
]) {
	const { status, stderr } = spawnSync(process.execPath, [program, ...argv], { env, input, encoding: "utf8" });
	if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}: ${stderr}`);
}

const time = (command, argv) => {
	const start = process.hrtime.bigint();
	const { status, stderr } = spawnSync(command, argv, { env });
	const took = Number(process.hrtime.bigint() - start) / 1e6;
	if (status !== 0) throw new Error(`${command} ${argv.join(" ")} ended with ${status}: ${stderr}`);
	return took;
};
const median = (list) => [...list].sort((one, other) => one - other)[list.length >> 1];

/** Ratios of each road to the empty program that ran just before it. */
function measure(node) {
	const ratios = {};
	const empty = [];
	const cases = { ...Object.fromEntries(Object.entries(roads).map(([name, { argv }]) => [name, () => time(node, [program, ...argv()])])) };
	if (spawnSync("gh", ["--version"]).status === 0) cases["gh --version"] = () => time("gh", ["--version"]);
	for (const run of Object.values(cases)) run();
	for (let round = 0; round < runs; round += 1) {
		for (const [name, run] of Object.entries(cases)) {
			const base = time(node, ["-e", "0"]);
			empty.push(base);
			ratios[name] = [...(ratios[name] ?? []), run() / base];
		}
	}
	return { ratios, empty: median(empty) };
}

/** How many files of the program and modules of Node a road loads; test/start holds each road to what it may load. */
function loaded(node, argv) {
	const { stderr } = spawnSync(node, ["--require", counter, program, ...argv], { env, encoding: "utf8" });
	const paths = JSON.parse(/^LOADED (.*)$/m.exec(stderr)?.[1] ?? "[]");
	const own = paths.filter((path) => path.includes("/dist/") || path.includes("\\dist\\"));
	return `${own.length} files, ${paths.filter((path) => path.startsWith("node:")).length} of Node's modules`;
}

/** Peak memory of a payment in MB, where GNU time is here. */
function memory(node) {
	const { status, stderr } = spawnSync("/usr/bin/time", ["-f", "%M", node, program, ...payment(), "--yes", "--json"], {
		env,
		encoding: "utf8",
	});
	return status === 0 ? Math.round(Number(stderr.trim().split("\n").at(-1)) / 1024) : undefined;
}

try {
	for (const node of nodes) {
		const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
		const { ratios, empty } = measure(node);
		console.log(`\nNode ${version}: ${runs} runs, node -e 0 takes ${empty.toFixed(0)} ms`);
		for (const [name, list] of Object.entries(ratios)) {
			const reach = { v20: roads[name]?.reach, v24: roads[name]?.reach24 }[version.slice(0, 3)];
			const target = reach ? `to reach ${reach}` : "";
			console.log(
				`  ${name.padEnd(20)} ${median(list).toFixed(2)}  ${target.padEnd(14)} ${roads[name] ? loaded(node, roads[name].argv()) : ""}`,
			);
		}
		console.log(`  peak memory of a payment: ${memory(node) ?? "not measured, GNU time is not here"} MB`);
	}
	if (spawnSync("gh", ["--version"]).status !== 0) console.log("\ngh is not installed here: not measured");
} finally {
	server.kill();
	rmSync(folder, { recursive: true, force: true });
}
