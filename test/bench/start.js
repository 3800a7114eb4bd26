// What it costs to start: processor time of interleaved runs, as medians of ratios to `node -e 0` run just before, on each Node that is here.
// The children get a clean environment (PATH and HOME, and the program's own folders): NODE_EXTRA_CA_CERTS alone triples the time of `node -e 0`.
// Usage: npm run bench:start -- [runs] [path of another node …] [folder of another build, such as a checkout of an older version …]
// Other builds run the same roads in the same rounds, and stand beside this one: only ratios of one run say which of two is slower.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const cpu = path("../start/cpu.cjs");
const [count, ...others] = process.argv.slice(2);
const runs = Number(count ?? 21);
const folder = mkdtempSync(join(tmpdir(), "purser-bench-"));
for (const file of others) if (!existsSync(file)) throw new Error(`${file} is not there`);

/** A build with a home of its own, for what one version writes another need not read. */
function buildIn(root, number) {
	const home = join(folder, `home-${number}`);
	mkdirSync(home);
	const [PURSER_CONFIG_DIR, PURSER_STATE_DIR] = [join(home, "config"), join(home, "state")];
	const env = { PATH: process.env.PATH, HOME: home, PURSER_CONFIG_DIR, PURSER_STATE_DIR, PURSER_NO_KEYRING: "1" };
	return { root, program: join(root, "bin", "purser.js"), env };
}
const isBuild = (file) => existsSync(join(file, "bin", "purser.js"));
const nodes = [process.execPath, ...others.filter((file) => !isBuild(file))];
const builds = [path("../../"), ...others.filter(isBuild).map((file) => resolve(file))].map(buildIn);
const [own] = builds;
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

/** A service that costs nothing beside the program, so that what is measured is the program. @returns its port */
function serve() {
	const server = spawn(process.execPath, [path("answering.js"), "0"], { stdio: ["ignore", "pipe", "inherit"] });
	return new Promise((resolve, reject) => {
		server.stdout.once("data", (part) => resolve({ server, port: String(part).trim() }));
		server.once("exit", () => reject(new Error("the server did not start")));
	});
}

/** A profile of that address, logged in. */
function prepare({ program, env }, url) {
	for (const [argv, input] of [
		[["profile", "add", "bench", "--base-url", url, "--environment", "sandbox"], undefined],
		[["auth", "login", "--token-stdin"], "a-token"],
		// What Tab has to tell.
		[["ledger", "show", from], undefined],
	]) {
		const { status, stderr } = spawnSync(process.execPath, [program, ...argv], { env, input, encoding: "utf8" });
		if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}: ${stderr}`);
	}
}

// The road, how it is run, and the ratios to reach on Node 20 and on 24.
const roads = {
	"--version": { argv: () => ["--version"], reach: [1.15, 1.15] },
	"--help": { argv: () => ["--help"], reach: [1.6, 1.5] },
	"pay ledger --help": { argv: () => ["pay", "ledger", "--help"], reach: [1.6, 1.5] },
	"completion of profiles": { argv: () => ["complete", "--", "ledger", "list", "--profile", ""], reach: [1.8, 1.5] },
	"payment --dry-run": { argv: () => [...payment(), "--dry-run", "--json"], reach: [3.5, 2.8] },
	payment: { argv: () => [...payment(), "--yes", "--json"], reach: [4.8, 3.7] },
	// An amount with decimals is checked against its currency first: two requests.
	"payment of 0.01": { argv: () => [...payment("0.01"), "--yes", "--json"] },
};

/** Milliseconds of processor time. */
function cost(node, argv, env) {
	const { status, stderr, output } = spawnSync(node, ["--require", cpu, ...argv], {
		env,
		stdio: ["ignore", "pipe", "pipe", "pipe"],
	});
	if (status !== 0) throw new Error(`${argv.join(" ")} ended with ${status}: ${stderr}`);
	return Number(String(output[3]));
}

const median = (list) => [...list].sort((one, other) => one - other)[list.length >> 1];

/** Ratios of each road to the empty program that ran just before it: of each build a list. */
function measure(node) {
	const ratios = {};
	const empty = [];
	const cases = Object.entries(roads).flatMap(([name, { argv }]) =>
		builds.map(({ program, env }, build) => ({ name, build, run: () => cost(node, [program, ...argv()], env) })),
	);
	for (const { run } of cases) run();
	for (let round = 0; round < runs; round += 1) {
		for (const { name, build, run } of cases) {
			const base = cost(node, ["-e", "0"], own.env);
			empty.push(base);
			ratios[name] ??= builds.map(() => []);
			ratios[name][build].push(run() / base);
		}
	}
	return { ratios, empty: median(empty) };
}

/** Peak memory of a payment in MB, where GNU time is here. */
function memory(node, { program, env }) {
	const { status, stderr } = spawnSync("/usr/bin/time", ["-f", "%M", node, program, ...payment(), "--yes", "--json"], {
		env,
		encoding: "utf8",
	});
	return status === 0 ? Math.round(Number(stderr.trim().split("\n").at(-1)) / 1024) : undefined;
}

const plain = await serve();
try {
	for (const build of builds) prepare(build, `http://127.0.0.1:${plain.port}`);
	console.log("Processor time as a ratio to node -e 0, children in a clean environment (PATH, HOME)");
	for (const { root } of builds.slice(1)) console.log(`beside it, and this build as a share of it: ${root}`);
	for (const node of nodes) {
		const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
		const { ratios, empty } = measure(node);
		console.log(`\nNode ${version}: ${runs} runs, node -e 0 takes ${empty.toFixed(0)} ms`);
		for (const [name, [list, ...beside]] of Object.entries(ratios)) {
			const reach = roads[name].reach?.[{ v20: 0, v24: 1 }[version.slice(0, 3)]];
			const target = reach ? `to reach ${reach}` : "";
			const shares = beside.map((other) => {
				const share = median(list.map((ratio, round) => ratio / other[round]));
				return `${median(other).toFixed(2)}, ${share.toFixed(2)} of it  `;
			});
			console.log(`  ${name.padEnd(20)} ${median(list).toFixed(2)}  ${shares.join("")}${target}`);
		}
		const peaks = builds.map((build) => memory(node, build));
		console.log(
			`  peak memory of a payment: ${peaks[0] === undefined ? "not measured, GNU time is not here" : `${peaks.join(", ")} MB`} (to reach 75)`,
		);
	}
} finally {
	plain.server.kill();
	rmSync(folder, { recursive: true, force: true });
}
