// Builds exe/purser: one file for this platform with the Node that node.json pins inside, compiled code kept with it. Beside it stand the
// licences of what is inside, Node's too, which `purser help licences` shows as well, and the list of it.
// Usage: npm run build:exe [-- PATH_OF_A_NODE (26 or later)]
// The system's keyring is not inside (it is native code of its own): secrets go to a 0600 file, as where there is no keyring.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, buildSingle, writeNotices } from "./build.js";
import { fetchNode, pinOf } from "./node.js";

const folder = await mkdtemp(join(tmpdir(), "purser-exe-"));
const root = fileURLToPath(new URL("..", import.meta.url));
const place = join(root, "exe");
const target = join(place, process.platform === "win32" ? "purser.exe" : "purser");

/** Node as a part of the executable; its licence stands beside `bin` in every distribution. */
function nodeItself(binary, version) {
	const licence = [dirname(dirname(binary)), dirname(binary)].map((above) => join(above, "LICENSE")).find(existsSync);
	if (licence === undefined) throw new Error(`Node's LICENSE is neither beside ${binary} nor above it`);
	const texts = [readFileSync(licence, "utf8").replaceAll("\r\n", "\n").trim()];
	return { id: `node@${version}`, name: "node", version, license: "MIT", texts, purl: `pkg:generic/node@${version}` };
}

/** What a user would do first: a version, a page, and the whole job with both kinds of payment on a sandbox of its own. */
function smoke() {
	const env = { PATH: process.env.PATH, PURSER_CONFIG_DIR: join(folder, "config"), PURSER_STATE_DIR: join(folder, "state") };
	const run = (...argv) => execFileSync(target, argv, { encoding: "utf8", env, cwd: folder });
	if (!/^purser \d/.test(run("--version"))) throw new Error("it does not say its version");
	if (!run("pay", "ledger", "--help").includes("purser help exit-codes")) throw new Error("it has no help");
	if (!run("completion", "bash").includes("complete -F")) throw new Error("it has no completion scripts");
	if (!run("help", "words").includes("KYB")) throw new Error("it has no pages");
	if (!run("help", "licences").includes("Node.js is licensed")) throw new Error("it does not show the licence of Node");
	if (!run("complete", "--", "pay", "ledg").startsWith("ledger\t")) throw new Error("it does not complete");
	if (!/ to Example Wholesale Ltd: APPROVED$/m.test(run("demo"))) throw new Error("the demo did not pay");
}

try {
	const given = process.argv[2];
	const node = given ?? fetchNode(folder, pinOf(`${process.platform}-${process.arch}`));
	const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
	const main = join(folder, "purser.cjs");
	const data = join(folder, "dist");
	await build(data);
	const packages = await buildSingle(main);
	await mkdir(place, { recursive: true });
	await writeNotices(place, [nodeItself(node, version.slice(1)), ...packages]);
	await rm(target, { force: true });
	const config = join(folder, "sea.json");
	const pages = [
		"README.md",
		...(await readdir(join(root, "src"), { recursive: true })).map((name) => `src/${name.replaceAll("\\", "/")}`),
	];
	const scripts = (await readdir(join(root, "completions"))).map((name) => `completions/${name}`);
	const names = [...pages.filter((name) => name.endsWith(".md")), ...scripts].map((name) => [`../${name}`, join(root, name)]);
	const notices = { "../dist/THIRD-PARTY-NOTICES": join(place, "THIRD-PARTY-NOTICES") };
	const contracts = Object.fromEntries(["contract.json", "help.json"].map((name) => [name, join(data, name)]));
	const assets = { ...contracts, ...notices, ...Object.fromEntries(names) };
	await writeFile(config, JSON.stringify({ main, output: target, assets, useCodeCache: true, disableExperimentalSEAWarning: true }));
	execFileSync(node, ["--build-sea", config], { stdio: ["ignore", "ignore", "inherit"] });
	smoke();
	const { size } = await stat(target);
	process.stdout.write(`${target}: ${Math.round(size / 1024 / 1024)} MB, Node ${version}; says its version, its help, and does the demo\n`);
} finally {
	await rm(folder, { recursive: true, force: true });
}
