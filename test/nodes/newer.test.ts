/**
 * The tests of what money rests on that may come out otherwise on a newer Node: there the journal's SQLite is Node's own, and so is the HTTP
 * of a single payment. What passes through neither has been tested without it.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { expect, test } from "vitest";

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

interface Pinned {
	pinOf(platform: string): { version: string };
	fetchNode(folder: string, pin: { version: string }): string;
}

/** The Node of the single executable, fetched once. `npm ci` clears it away; it is then in npm's own cache. */
async function pinnedNode(): Promise<string> {
	const { pinOf, fetchNode } = (await import(new URL("../../.config/node.js", import.meta.url).href)) as Pinned;
	const pin = pinOf(`${process.platform}-${process.arch}`);
	const folder = join(root, "node_modules", ".purser-test", "nodes", pin.version);
	const made = `${folder}.${process.pid}`;
	if (!existsSync(folder)) {
		mkdirSync(made, { recursive: true });
		try {
			const path = fetchNode(made, pin);
			renameSync(path, join(made, "node"));
			renameSync(made, folder);
		} finally {
			rmSync(made, { recursive: true, force: true });
		}
	}
	return join(folder, "node");
}

/** PURSER_NODES (paths, separated as in PATH) is taken as it is; else one of the PATH's `node24`, `node26`, `node22`; else one is fetched. */
async function newerNodes(): Promise<string[]> {
	const partsOf = (list = ""): string[] => list.split(delimiter).filter(Boolean);
	const named = partsOf(process.env.PURSER_NODES);
	if (named.length > 0) return named;
	const onPath = ["node24", "node26", "node22"].flatMap((name) => partsOf(process.env.PATH).map((folder) => join(folder, name)));
	return [onPath.find(existsSync) ?? (await pinnedNode())];
}

test("the wire, the journal and a full disk on a newer Node", async () => {
	const nodes = await newerNodes().catch((error: Error) => {
		const why = `${error.message.split("\n")[0]}; all was tested on Node ${process.versions.node} alone (PURSER_NODES names others)`;
		process.stdout.write(`newer Node: none was tested: ${why}\n`);
		return [];
	});
	for (const node of nodes) {
		const { stdout: version } = await execa(node, ["-p", "process.versions.node"]);
		const words = ["run", "--config", ".config/vitest.js", "--maxWorkers", "2", ...withoutControls, ...files];
		const { exitCode, all = "" } = await execa(node, [`${root}node_modules/vitest/vitest.mjs`, ...words], {
			...{ cwd: root, all: true, reject: false },
			env: { ...fewer, PURSER_THIS_NODE: version, NODE_OPTIONS: "", FORCE_COLOR: undefined, NO_COLOR: "1" },
		});
		const count = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(all);
		const told = all.split("\n").filter((line) => /^(kill|power cut|this Node):/.test(line));
		process.stdout.write([`newer Node: ${version} (${node}): ${count?.[0] ?? "nothing was counted"}`, ...told, ""].join("\n"));
		expect(exitCode === 0 ? "" : all.slice(-20_000)).toBe("");
		expect(Number(count?.[1])).toBeGreaterThan(400);
		expect(count?.[2]).toBe("0");
	}
});
