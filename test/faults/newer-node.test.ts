/**
 * The same fault tables on a newer Node, where the journal's driver is another one. The Node comes from PURSER_NODE, or from the
 * registry's own package for this platform, whose install script (where it has one) is not run.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const wanted = "24";
const files = [
	"test/faults/wire.test.ts",
	"test/faults/wire-connections.test.ts",
	"test/faults/attempts.test.ts",
	"test/faults/kill.test.ts",
	"test/journal/journal.test.ts",
	"test/journal/batches.test.ts",
	"test/journal/safety.test.ts",
];

interface Ran {
	code: number | null;
	output: string;
}

function run(command: string, argv: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Ran> {
	return new Promise((resolve) => {
		const child = spawn(command, argv, { cwd: root, env, shell: process.platform === "win32" && command.endsWith(".cmd") });
		let output = "";
		child.stdout.on("data", (part) => {
			output += part;
		});
		child.stderr.on("data", (part) => {
			output += part;
		});
		child.on("error", (error) => resolve({ code: null, output: String(error) }));
		child.on("close", (code) => resolve({ code, output }));
	});
}

/** A newer Node's program, or why there is none. */
async function newerNode(): Promise<{ path: string } | { why: string }> {
	const given = process.env.PURSER_NODE;
	if (given) return existsSync(given) ? { path: given } : { why: `PURSER_NODE names ${given}, which is not there` };
	const windows = process.platform === "win32";
	const name = `node-${windows ? "win" : process.platform}-${process.arch}`;
	const cache = join(root, "node_modules", ".cache", "newer-node");
	const path = join(cache, "node_modules", name, "bin", windows ? "node.exe" : "node");
	if (existsSync(path)) return { path };
	await mkdir(cache, { recursive: true });
	const argv = ["install", "--prefix", cache, "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", `${name}@${wanted}`];
	const { code, output } = await run(windows ? "npm.cmd" : "npm", argv);
	return code === 0 && existsSync(path) ? { path } : { why: `${name}@${wanted} could not be had: ${output.trim().split("\n").at(-1)}` };
}

let node: Awaited<ReturnType<typeof newerNode>>;
beforeAll(async () => {
	node = await newerNode();
}, 120_000);

test("the wire, the attempts, the kills and the journal's safety on a newer Node", { timeout: 240_000 }, async ({ skip }) => {
	if ("why" in node) {
		process.stdout.write(`newer-node: not run, ${node.why}\n`);
		return skip(node.why);
	}
	const { output: version } = await run(node.path, ["--version"]);
	expect(Number(/^v(\d+)/.exec(version)?.[1])).toBeGreaterThan(20);
	const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
	// Nothing of the run around it may be taken for its own; a seed is handed on.
	const { VITEST, VITEST_POOL_ID, VITEST_WORKER_ID, NODE_OPTIONS, ...env } = process.env;
	const { code, output } = await run(node.path, [vitest, "run", "--config", ".config/vitest.js", ...files], {
		...env,
		PURSER_TEST_KILLS: "40",
		PURSER_TEST_SECONDS: "30",
	});
	const passed = Number(/(\d+) passed, 0 failed/.exec(output)?.[1] ?? 0);
	process.stdout.write(`newer-node: ${passed} tests passed on Node ${version.trim()}\n`);
	expect(code, output.slice(-4_000)).toBe(0);
	expect(passed).toBeGreaterThan(400);
	expect(output).toContain(`1,000 attempts of both kinds on Node ${version.trim().slice(1)}`);
});
