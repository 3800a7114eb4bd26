/**
 * The tests of what money rests on that may come out otherwise on a newer Node: there the journal's SQLite is Node's own, and so is the HTTP
 * of a single payment. What passes through neither has been tested without it.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { type Node, newerNodes } from "../support/nodes.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

const isLong = process.env.PURSER_TORTURE === "1";
/** The wire, the journal with the driver of that Node (faults of the disk, several processes); in the long run kills and power cuts also. */
const files = [
	...["wire", "wire-connections", "power-disk", ...(isLong ? ["kill", "power-cut"] : [])].map((name) => `test/faults/${name}.test.ts`),
	...["batches", "everything", "faults", "journal", "processes"].map((name) => `test/journal/${name}.test.ts`),
	"test/nodes/this-node.test.ts",
];

/** Fewer moments of each kind than on the Node that runs the tests: what may differ here is the driver and the HTTP, not the moments. */
const fewer = { PURSER_TEST_KILLS: "20", PURSER_TEST_SHARE: "0.1" };
/** The controls show that a test sees its fault, which they do on the Node that runs the tests. */
const withoutControls = ["--testNamePattern", "^(?!.*\\bcontrol: )"];

interface Ran {
	failed: boolean;
	output: string;
}

function tested({ path, version }: Node): Promise<Ran> {
	const words = [
		`${root}node_modules/vitest/vitest.mjs`,
		"run",
		"--config",
		".config/vitest.js",
		"--maxWorkers",
		"2",
		...withoutControls,
		...files,
	];
	const env = { ...process.env, ...fewer, PURSER_THIS_NODE: version, NODE_OPTIONS: "", FORCE_COLOR: undefined, NO_COLOR: "1" };
	return new Promise((resolve) => {
		execFile(path, words, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
			resolve({ failed: error !== null, output: stripVTControlCharacters(stdout + stderr) });
		});
	});
}

test("the wire, the journal and a full disk on a newer Node", async () => {
	const { nodes, missing } = await newerNodes();
	for (const why of missing) process.stdout.write(`newer Node: not run: ${why}\n`);
	if (nodes.length === 0) {
		process.stdout.write(
			`newer Node: none was tested; all was tested on Node ${process.versions.node} alone (PURSER_NODES names others)\n`,
		);
		return;
	}
	for (const node of nodes) {
		const { failed, output } = await tested(node);
		const count = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(output);
		const told = output.split("\n").filter((line) => /^(kill|wire campaign|power cut|node:sqlite|this Node):/.test(line));
		process.stdout.write(`newer Node: ${node.version} (from ${node.from}): ${count?.[0] ?? "nothing was counted"}\n`);
		for (const line of told) process.stdout.write(`  ${node.version}: ${line}\n`);
		expect(failed ? output.slice(-20_000) : "").toBe("");
		expect(Number(count?.[1])).toBeGreaterThan(400);
		expect(count?.[2]).toBe("0");
	}
});
