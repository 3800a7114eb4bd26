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
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("the cache of what was compiled is of this version alone, and nothing else is removed", () => {
	const about = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
	const home = mkdtempSync(join(tmpdir(), "purser-caches-"));
	const all = join(home, "purser", "compiled");
	// One folder for everything: what is no cache is the journal, the logins and the profiles, whatever they are called.
	const ours = ["0.0.0", "drafts", "journal", "profiles.json", "secrets", "seen"];
	for (const name of ours) mkdirSync(join(home, "purser", name), { recursive: true, mode: 0o700 });
	for (const name of ["0.0.1", "0.0.2"]) mkdirSync(join(all, name), { recursive: true, mode: 0o700 });
	chmodSync(join(home, "purser"), 0o700);
	const preload = join(home, "preload.cjs");
	// Node 20 has no such cache.
	writeFileSync(preload, 'require("node:module").enableCompileCache ??= () => {};');
	const env = { PATH: "", XDG_CACHE_HOME: home, XDG_STATE_HOME: home, XDG_CONFIG_HOME: home };
	const argv = ["--require", preload, join(root, "bin", "purser.js"), "--help"];
	expect(spawnSync(process.execPath, argv, { cwd: root, env }).status).toBe(0);
	expect(readdirSync(all)).toEqual([about.version]);
	expect(readdirSync(join(home, "purser")).sort()).toEqual([...ours, "compiled"].sort());
	// What lies below a folder without a whole path is another one's in each folder that one works in.
	const elsewhere = join(home, "elsewhere");
	mkdirSync(join(elsewhere, ".cache"), { recursive: true });
	expect(spawnSync(process.execPath, argv, { cwd: elsewhere, env: { PATH: "", HOME: ".", XDG_CACHE_HOME: ".cache" } }).status).toBe(0);
	expect(readdirSync(join(elsewhere, ".cache"))).toEqual([]);
	rmSync(home, { recursive: true });
});

describe("the cache of what was compiled is used where nobody else can put there what is run", () => {
	const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	const levels = ["", "purser", "purser/compiled", `purser/compiled/${version}`] as const;
	let place: string;
	beforeEach(() => {
		place = mkdtempSync(join(tmpdir(), "purser-caches-"));
		mkdirSync(join(place, "cache", levels[3]), { recursive: true, mode: 0o700 });
		for (const level of levels) chmodSync(join(place, "cache", level), 0o700);
	});
	afterEach(() => rmSync(place, { recursive: true, force: true }));

	/** The folder that Node is told, whatever Node this is. */
	function used(): string | undefined {
		const preload = join(place, "preload.cjs");
		writeFileSync(preload, `require("node:module").enableCompileCache = (folder) => process.stderr.write("cache: " + folder);`);
		const env = { PATH: "", XDG_CACHE_HOME: join(place, "cache") };
		const argv = ["--require", preload, "bin/purser.js", "--help"];
		const { status, stderr } = spawnSync(process.execPath, argv, { cwd: root, env, encoding: "utf8" });
		expect(status).toBe(0);
		return /^cache: (.*)$/.exec(stderr)?.[1];
	}

	test("one's own: it is used", () => {
		expect(used()).toBe(join(place, "cache", levels[3]));
	});

	test.each(levels)("others or a group can write in %j: it is not", (level) => {
		for (const mode of [0o777, 0o770]) {
			chmodSync(join(place, "cache", level), mode);
			expect(used()).toBeUndefined();
		}
	});

	test.each(levels.slice(1))("a link in the place of %j: it is not, and nothing is made or removed behind it", (level) => {
		const [own, theirs] = [join(place, "cache", level), join(place, "theirs")];
		renameSync(own, theirs);
		symlinkSync(theirs, own);
		const before = readdirSync(theirs, { recursive: true });
		expect(used()).toBeUndefined();
		expect(readdirSync(theirs, { recursive: true })).toEqual(before);
	});

	test("the folder for all caches may be a link: people have it on another disk", () => {
		renameSync(join(place, "cache"), join(place, "disk"));
		symlinkSync(join(place, "disk"), join(place, "cache"));
		expect(used()).toBe(join(place, "cache", levels[3]));
	});

	// Who is not root can give nothing away.
	test.runIf(process.geteuid?.() === 0).each(levels)("%j belongs to somebody else: it is not", (level) => {
		chownSync(join(place, "cache", level), 12_345, 12_345);
		expect(used()).toBeUndefined();
	});
});

test("nothing runs at an installation, and what is bundled is not installed again", () => {
	const about = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
	for (const script of ["preinstall", "install", "postinstall"]) expect(about.scripts).not.toHaveProperty(script);
	expect(Object.keys(about.dependencies)).toEqual(["libsql"]);
	expect(Object.keys(about.optionalDependencies)).toEqual(["@napi-rs/keyring"]);
});

const nodes = (process.env.PURSER_TEST_NODES ?? "").split(delimiter).filter(Boolean);

test("the program starts", () => {
	const { status, stdout } = spawnSync(process.execPath, ["bin/purser.js", "help", "exit-codes"], { cwd: root, encoding: "utf8" });
	expect({ status, first: stdout.split(/\s/)[0] }).toEqual({ status: 0, first: "code" });
});

describe.runIf(nodes.length > 0)("installed from its archive into an empty prefix", () => {
	const prefix = mkdtempSync(join(tmpdir(), "purser-prefix-"));
	const installed = join(prefix, "lib/node_modules/purser/bin/purser.js");

	beforeAll(() => {
		const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", prefix];
		const [{ filename }] = JSON.parse(execFileSync("npm", pack, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
		const install = ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", join(prefix, filename)];
		execFileSync("npm", install, { cwd: prefix, stdio: "ignore" });
	}, 120_000);
	afterAll(() => rmSync(prefix, { recursive: true, force: true }));

	test.each([process.execPath, ...nodes])(
		"does the whole job on %s",
		(node) => {
			const env = {
				PATH: process.env.PATH,
				HOME: prefix,
				XDG_CACHE_HOME: join(prefix, "cache"),
				PURSER_CONFIG_DIR: join(prefix, "config"),
				PURSER_STATE_DIR: join(prefix, "state"),
			};
			const run = (...argv: string[]) => spawnSync(node, [installed, ...argv], { cwd: prefix, encoding: "utf8", env });
			expect(run("--version")).toMatchObject({ status: 0, stdout: expect.stringMatching(/^purser \d/), stderr: "" });
			expect(run("pay", "ledger", "--help").stdout).toContain("Exit codes");
			expect(run("demo")).toMatchObject({ status: 0 });
			// What Node compiled is kept where nobody else can write, and not below the folder for temporary files.
			const keeps = execFileSync(node, ["-p", "typeof module.constructor.enableCompileCache"], { encoding: "utf8" }).trim() === "function";
			expect(existsSync(join(prefix, "cache", "purser"))).toBe(keeps);
			rmSync(join(prefix, "cache"), { recursive: true, force: true });
		},
		60_000,
	);
});

test.runIf(nodes.length === 0)("not installed, on no other Node: PURSER_TEST_NODES names none (paths, as in PATH)", () => {});
