/**
 * What is installed: a small archive, nothing that runs while it is installed, and nothing twice. `npm test` has built dist/.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
	chmodSync,
	chownSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { environment, ownFolder, script } from "../support/built.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const about = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Runs it with a file that is loaded first, whatever Node this is: Node 20 has no such cache. @returns the folder that Node is told */
async function used(env: Record<string, string>, cwd = root): Promise<string | undefined> {
	const preload = join(await ownFolder(), "preload.cjs");
	writeFileSync(preload, `require("node:module").enableCompileCache = (folder) => process.stderr.write("cache: " + folder);`);
	const argv = ["--require", preload, script, "--help"];
	const { status, stderr } = spawnSync(process.execPath, argv, { cwd, env: { PATH: "", ...env }, encoding: "utf8" });
	expect(status).toBe(0);
	return /^cache: (.*)$/.exec(stderr)?.[1];
}

test("the cache of what was compiled is of this version alone, and nothing else is removed", async () => {
	const home = await ownFolder("purser-caches-");
	const all = join(home, "purser", "compiled");
	// One folder for everything: what is no cache is the journal, the logins and the profiles, whatever they are called.
	const ours = ["0.0.0", "drafts", "journal", "profiles.json", "secrets", "seen"];
	for (const name of [...ours, "compiled/0.0.1", "compiled/0.0.2"]) mkdirSync(join(home, "purser", name), { recursive: true, mode: 0o700 });
	await used({ XDG_CACHE_HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home });
	expect(readdirSync(all)).toEqual([about.version]);
	expect(readdirSync(join(home, "purser")).sort()).toEqual([...ours, "compiled"].sort());
	// What lies below a folder without a whole path is another one's in each folder that one works in.
	const elsewhere = join(home, "elsewhere");
	mkdirSync(join(elsewhere, ".cache"), { recursive: true });
	await used({ HOME: ".", XDG_CACHE_HOME: ".cache" }, elsewhere);
	expect(readdirSync(join(elsewhere, ".cache"))).toEqual([]);
});

describe("the cache of what was compiled is used where nobody else can put there what is run", () => {
	const levels = ["", "purser", "purser/compiled", `purser/compiled/${about.version}`] as const;
	let place: string;
	beforeEach(async () => {
		place = await ownFolder("purser-caches-");
		mkdirSync(join(place, "cache", levels[3]), { recursive: true, mode: 0o700 });
	});
	const usedHere = () => used({ XDG_CACHE_HOME: join(place, "cache") });

	/** Puts a link in the place of a folder. @returns what is behind it */
	const linked = (level: string): string => {
		const theirs = join(place, "theirs");
		renameSync(join(place, "cache", level), theirs);
		symlinkSync(theirs, join(place, "cache", level));
		return theirs;
	};

	test("one's own: it is used, and the folder for all caches may be a link, as to another disk", async () => {
		expect(await usedHere()).toBe(join(place, "cache", levels[3]));
		linked("");
		expect(await usedHere()).toBe(join(place, "cache", levels[3]));
	});

	test.each(levels)("others or a group can write in %j, or it belongs to somebody else: it is not", async (level) => {
		const path = join(place, "cache", level);
		for (const mode of [0o777, 0o770]) {
			chmodSync(path, mode);
			expect(await usedHere()).toBeUndefined();
		}
		chmodSync(path, 0o700);
		// Who is not root can give nothing away.
		if (process.geteuid?.() !== 0) return;
		chownSync(path, 12_345, 12_345);
		expect(await usedHere()).toBeUndefined();
	});

	test.each(levels.slice(1))("a link in the place of %j: it is not, and nothing is made or removed behind it", async (level) => {
		const theirs = linked(level);
		const before = readdirSync(theirs, { recursive: true });
		expect(await usedHere()).toBeUndefined();
		expect(readdirSync(theirs, { recursive: true })).toEqual(before);
	});
});

test("nothing runs at an installation, and what is bundled is not installed again", () => {
	for (const script of ["preinstall", "install", "postinstall"]) expect(about.scripts).not.toHaveProperty(script);
	expect(Object.keys(about.dependencies)).toEqual(["libsql"]);
	expect(Object.keys(about.optionalDependencies)).toEqual(["@napi-rs/keyring"]);
});

/** Paths of other Nodes, as in PATH: without them it is installed on none. */
const nodes = (process.env.PURSER_TEST_NODES ?? "").split(delimiter).filter(Boolean);

describe.runIf(nodes.length > 0)("installed from its archive into an empty prefix", () => {
	let prefix: string;
	beforeAll(() => {
		prefix = mkdtempSync(join(tmpdir(), "purser-prefix-"));
		const npm = (...argv: string[]) => execFileSync("npm", argv, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
		const [{ filename }] = JSON.parse(npm("pack", "--json", "--ignore-scripts", "--pack-destination", prefix));
		npm("install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", join(prefix, filename));
		return () => rmSync(prefix, { recursive: true, force: true });
	}, 120_000);

	test.each([process.execPath, ...nodes])(
		"does the whole job on %s",
		async (node) => {
			const folder = await ownFolder();
			const env = { ...environment(folder), XDG_CACHE_HOME: join(folder, "cache"), NODE_DISABLE_COMPILE_CACHE: undefined };
			const installed = join(prefix, "lib/node_modules/purser/bin/purser.js");
			const run = (...argv: string[]) => spawnSync(node, [installed, ...argv], { cwd: folder, encoding: "utf8", env });
			expect(run("--version")).toMatchObject({ status: 0, stdout: expect.stringMatching(/^purser \d/), stderr: "" });
			expect(run("pay", "ledger", "--help").stdout).toContain("purser help exit-codes");
			expect(run("demo")).toMatchObject({ status: 0 });
			// What Node compiled is kept where nobody else can write, and not below the folder for temporary files.
			const keeps = execFileSync(node, ["-p", "typeof module.constructor.enableCompileCache"], { encoding: "utf8" }).trim() === "function";
			expect(existsSync(join(folder, "cache", "purser"))).toBe(keeps);
		},
		60_000,
	);
});
