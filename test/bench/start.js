// What it costs to start: processor time of interleaved runs, as medians of ratios to `node -e 0` run just before, on each Node that is here.
// Usage: npm run bench:start -- [runs] [path of another node …] [folder of another build, such as a checkout of an older version …]
// Other builds run the same roads in the same rounds, and stand beside this one: only ratios of one run say which of two is slower.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { answering, environment, folder, from, median, programOf, ran, root, tell, to } from "./parts.js";

const [count, ...others] = process.argv.slice(2);
const runs = Number(count ?? 21);
for (const file of others) if (!existsSync(file)) throw new Error(`${file} is not there`);

/** A build with a home of its own, for what one version writes another need not read. */
function buildIn(root, number) {
	const home = join(folder, `home-${number}`);
	mkdirSync(home);
	return { root, program: programOf(root), env: environment(home) };
}
const isBuild = (file) => existsSync(programOf(file));
const nodes = [process.execPath, ...others.filter((file) => !isBuild(file))];
const builds = [root, ...others.filter(isBuild).map((file) => resolve(file))].map(buildIn);
const [own] = builds;
let number = 0;
const ledgers = ["--ledger-from-id", from, "--ledger-to-id", to];
const payment = (amount = "1") => ["pay", "ledger", ...ledgers, "--amount", amount, "--reference", `r${number++}`];

// The road, how it is run, and the ratios to reach on Node 20 and on 24.
const roads = {
	"--version": { argv: () => ["--version"], reach: [1.15, 1.15] },
	"--help": { argv: () => ["--help"], reach: [1.6, 1.5] },
	"pay ledger --help": { argv: () => ["pay", "ledger", "--help"], reach: [1.6, 1.5] },
	"completion of profiles": { argv: () => ["complete", "--", "ledger", "list", "--profile", ""], reach: [1.6, 1.5] },
	"payment --dry-run": { argv: () => [...payment(), "--dry-run", "--json"], reach: [3.5, 2.8] },
	payment: { argv: () => [...payment(), "--yes", "--json"], reach: [5, 3.7] },
	// An amount with decimals is checked against its currency first: two requests.
	"payment of 0.01": { argv: () => [...payment("0.01"), "--yes", "--json"] },
};

/** Ratios of each road to the empty program that ran just before it: of each build a list. */
async function measure(node) {
	const ratios = {};
	const empty = [];
	const cost = async (argv, env) => (await ran(argv, { node, env })).processor;
	const cases = Object.entries(roads).flatMap(([name, { argv }]) =>
		builds.map(({ program, env }, build) => ({ name, build, run: () => cost([program, ...argv()], env) })),
	);
	for (const { run } of cases) await run();
	for (let round = 0; round < runs; round += 1) {
		for (const { name, build, run } of cases) {
			const base = await cost(["-e", "0"], own.env);
			empty.push(base);
			ratios[name] ??= builds.map(() => []);
			ratios[name][build].push((await run()) / base);
		}
	}
	return { ratios, empty: median(empty) };
}

const { url } = await answering();
for (const { program, env } of builds) {
	await ran([program, "profile", "add", "bench", "--base-url", url, "--environment", "sandbox"], { env });
	await ran([program, "auth", "login", "--token-stdin"], { env, input: "a-token" });
	// What Tab has to tell.
	await ran([program, "ledger", "show", from], { env });
}
tell("Processor time as a ratio to node -e 0, children in a clean environment (PATH, HOME)");
for (const { root } of builds.slice(1)) tell(`beside it, and this build as a share of it: ${root}`);
for (const node of nodes) {
	const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
	const { ratios, empty } = await measure(node);
	tell(`\nNode ${version}: ${runs} runs, node -e 0 takes ${empty.toFixed(0)} ms`);
	for (const [name, [list, ...beside]] of Object.entries(ratios)) {
		const reach = roads[name].reach?.[{ v20: 0, v24: 1 }[version.slice(0, 3)]];
		const shares = beside.map((other) => {
			const share = median(list.map((ratio, round) => ratio / other[round]));
			return `${median(other).toFixed(2)}, ${share.toFixed(2)} of it  `;
		});
		tell(`  ${name.padEnd(20)} ${median(list).toFixed(2)}  ${shares.join("")}${reach ? `to reach ${reach}` : ""}`);
	}
	const peaks = [];
	for (const { program, env } of builds) peaks.push((await ran([program, ...payment(), "--yes", "--json"], { node, env })).peak);
	tell(`  peak memory of a payment: ${peaks.join(", ")} MB (to reach 75)`);
}
process.exit();
