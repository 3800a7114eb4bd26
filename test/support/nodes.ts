/**
 * Newer Nodes than the one that runs the tests: named by PURSER_NODES, found on the PATH, or fetched from the registry by npm.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Fetched where none is there: the long-term support line after the oldest that is supported. */
const fetched = 24;
/** `npm ci` clears it away; what is fetched is then in npm's own cache. */
const cache = fileURLToPath(new URL("../../node_modules/.purser-test/nodes/", import.meta.url));

export interface Node {
	path: string;
	/** `24.1.0` */
	version: string;
	/** How it came here, for the account. */
	from: string;
}

/** Newer Nodes, or why there is none. */
export interface Newer {
	nodes: readonly Node[];
	missing: string[];
}

/** PURSER_NODES (paths, separated as in PATH) is taken as it is; else one of the PATH's `node22`, `node24`, `node26`; else one is fetched. */
export async function newerNodes(): Promise<Newer> {
	const missing: string[] = [];
	const named = (process.env.PURSER_NODES ?? "").split(delimiter).filter(Boolean);
	const nodes = await present(named, "PURSER_NODES", missing);
	if (named.length > 0) return { nodes, missing };
	const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
	const onPath = ["node24", "node26", "node22"].flatMap((name) => folders.map((folder) => join(folder, name))).filter(existsSync);
	const [found] = await present(onPath.slice(0, 1), "the PATH", missing);
	if (found !== undefined) return { nodes: [found], missing };
	try {
		return { nodes: await present([await fetchNode()], "the registry", missing), missing };
	} catch (error) {
		missing.push(`Node ${fetched} could not be fetched: ${firstLine(error)}`);
		return { nodes: [], missing };
	}
}

async function present(paths: readonly string[], from: string, missing: string[]): Promise<Node[]> {
	const nodes: Node[] = [];
	for (const path of paths) {
		try {
			nodes.push({ path, from, version: (await run(path, ["-p", "process.versions.node"])).stdout.trim() });
		} catch (error) {
			missing.push(`${path} (${from}) does not run: ${firstLine(error)}`);
		}
	}
	return nodes;
}

/** Fetches the platform's package of Node, which contains the program; none of its scripts is run. @throws where npm cannot fetch it */
async function fetchNode(): Promise<string> {
	const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
	const program = process.platform === "win32" ? join("bin", "node.exe") : join("bin", "node");
	const folder = join(cache, String(fetched));
	const path = join(folder, "node_modules", name, program);
	if (existsSync(path)) return path;
	const making = `${folder}.${process.pid}`;
	mkdirSync(making, { recursive: true });
	try {
		writeFileSync(join(making, "package.json"), '{ "private": true }');
		const words = ["install", "--prefix", making, "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", `${name}@${fetched}`];
		await run("npm", words, { timeout: 180_000, shell: process.platform === "win32" });
		if (!existsSync(join(making, "node_modules", name, program))) throw new Error(`${name}@${fetched} holds no ${program}`);
		rmSync(folder, { recursive: true, force: true });
		renameSync(making, folder);
		return path;
	} finally {
		rmSync(making, { recursive: true, force: true });
	}
}

function firstLine(error: unknown): string {
	const { message, stderr } = error as { message?: string; stderr?: string };
	return (stderr?.split("\n").find((line) => line.includes("ERR")) ?? message ?? "unknown").split("\n")[0] as string;
}
