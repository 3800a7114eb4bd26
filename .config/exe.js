// Builds exe/purser: one file for this platform, the newest Node of the registry included, compiled code kept with it.
// Usage: npm run build:exe [-- PATH_OF_A_NODE (26 or later)]
// The system's keyring is not inside (it is native code of its own): secrets go to a 0600 file, as where there is no keyring.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, buildSingle } from "./build.js";

const windows = process.platform === "win32";
const folder = await mkdtemp(join(tmpdir(), "purser-exe-"));
const root = fileURLToPath(new URL("..", import.meta.url));
const place = join(root, "exe");
const target = join(place, windows ? "purser.exe" : "purser");

/** Node itself, without the install script of the package `node`: the packages it would choose from hold the binaries. */
function fetchNode() {
	const name = `node-${windows ? "win" : process.platform}-${process.arch}`;
	execFileSync(windows ? "npm.cmd" : "npm", ["install", "--prefix", folder, "--ignore-scripts", "--no-save", "--no-audit", name], {
		stdio: ["ignore", "ignore", "inherit"],
		shell: windows,
	});
	return join(folder, "node_modules", name, "bin", windows ? "node.exe" : "node");
}

/** What a user would do first: a version, a page, and the whole job with both kinds of payment on a sandbox of its own. */
function smoke() {
	const env = { PATH: process.env.PATH, PURSER_CONFIG_DIR: join(folder, "config"), PURSER_STATE_DIR: join(folder, "state") };
	const run = (...argv) => execFileSync(target, argv, { encoding: "utf8", env, cwd: folder });
	if (!/^purser \d/.test(run("--version"))) throw new Error("it does not say its version");
	if (!run("pay", "ledger", "--help").includes("Exit codes")) throw new Error("it has no help");
	if (!run("completion", "bash").includes("complete -F")) throw new Error("it has no completion scripts");
	if (!run("help", "words").includes("KYB")) throw new Error("it has no pages");
	if (!run("complete", "--", "pay", "ledg").startsWith("ledger\t")) throw new Error("it does not complete");
	if (!run("demo").includes("pay ledger")) throw new Error("the demo did not pay");
}

try {
	const node = process.argv[2] ?? fetchNode();
	const main = join(folder, "purser.cjs");
	const data = join(folder, "dist");
	await build(data);
	await buildSingle(main);
	await mkdir(place, { recursive: true });
	await rm(target, { force: true });
	const config = join(folder, "sea.json");
	const pages = [
		"README.md",
		...(await readdir(join(root, "src"), { recursive: true })).map((name) => `src/${name.replaceAll("\\", "/")}`),
	];
	const scripts = (await readdir(join(root, "completions"))).map((name) => `completions/${name}`);
	const names = [...pages.filter((name) => name.endsWith(".md")), ...scripts].map((name) => [`../${name}`, join(root, name)]);
	const assets = { "contract.json": join(data, "contract.json"), ...Object.fromEntries(names) };
	await writeFile(config, JSON.stringify({ main, output: target, assets, useCodeCache: true, disableExperimentalSEAWarning: true }));
	execFileSync(node, ["--build-sea", config], { stdio: ["ignore", "ignore", "inherit"] });
	smoke();
	const { size } = await stat(target);
	const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
	process.stdout.write(`${target}: ${Math.round(size / 1024 / 1024)} MB, Node ${version}; says its version, its help, and does the demo\n`);
} finally {
	await rm(folder, { recursive: true, force: true });
}
