/**
 * What each kind of start loads: exact, where a timing is not. One that loads more than it needs fails here.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environment } from "../support/built.js";
import { writeProfile } from "../support/profile-file.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "purser-starts-"));
const id = "33333333-3333-4333-8333-333333333333";
let server: Server;
/** The modules in each file of the program. */
const held = new Map<string, string[]>();

interface Built {
	build(dir: string): Promise<{ output: { type: string; fileName: string; moduleIds?: string[] }[] }>;
}

beforeAll(async () => {
	const script = new URL("../../.config/build.js", import.meta.url).href;
	const { build } = (await import(script)) as Built;
	const { output } = await build(join(folder, "dist"));
	for (const { fileName, moduleIds = [] } of output) held.set(fileName, moduleIds);
	// As pnpm installs: what libsql itself depends on is found from there alone.
	mkdirSync(join(folder, "node_modules"));
	symlinkSync(join(root, "node_modules", "libsql"), join(folder, "node_modules", "libsql"));
	symlinkSync(join(root, "completions"), join(folder, "completions"));
	server = createServer((_request, response) => void response.writeHead(201, { "content-type": "application/json" }).end(`{"id":"${id}"}`));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	await writeProfile(join(folder, "config"), `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterAll(() => {
	server.closeAllConnections();
	server.close();
	rmSync(folder, { recursive: true, force: true });
});

const costly = ["http", "https", "tls", "crypto", "child_process", "sqlite", "readline", "fs/promises", "stream"];
const sorted = (names: readonly (string | undefined)[]): string[] => [...new Set(names.filter((name) => name !== undefined))].sort();

const start = (...argv: string[]) => startFrom("pipe", ...argv);

/**
 * @param input what standard input is: `ignore` is the null device, as scripts and schedulers give it
 * @returns also the libraries, bundled or not; the files and the folders of our own source, commands by their file; and of Node's own modules
 * those that cost
 */
async function startFrom(input: "pipe" | "ignore", ...argv: string[]) {
	// With CI old lists are left alone.
	const env = { ...environment(folder), PURSER_TOKEN: "a-token", CI: "1" };
	const args = ["--require", join(root, "test/start/loaded.cjs"), join(folder, "dist/main.cjs"), ...argv];
	const options = { env, extendEnv: false, reject: false, stripFinalNewline: false, stdin: input } as const;
	const { exitCode: exit, stdout, stderr } = await execa(process.execPath, args, options);
	const loaded = JSON.parse(/^LOADED (.*)$/m.exec(stderr)?.[1] ?? "[]") as string[];
	const modules = loaded.flatMap((path) => (path.startsWith(join(folder, "dist")) ? (held.get(basename(path)) ?? []) : [path]));
	const source = join(root, "src") + sep;
	const own = modules.filter((path) => path.startsWith(source)).map((path) => path.slice(source.length).replaceAll(sep, "/"));
	const library = /node_modules[\\/](?!.*node_modules)((?:@[^\\/]+[\\/])?[^\\/]+)/;
	return {
		...{ exit, stdout, stderr, own: sorted(own), places: sorted(own.map(placeOf)) },
		libraries: sorted(modules.map((path) => library.exec(path)?.[1]?.replace("\\", "/"))),
		costly: sorted(loaded.map((path) => costly.find((name) => path === `node:${name}`))),
	};
}

/** The folder; of the commands the one that is loaded. */
const placeOf = (file: string): string => (/^commands\/(?!index)/.test(file) ? file : (file.split("/")[0] as string));

const ledgers = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;
const payment = ["pay", "ledger", "--ledger-from-id", ledgers[0], "--ledger-to-id", ledgers[1]];

describe("what is loaded", () => {
	test("by --version: the entry alone, and what keeps compiled code", async () => {
		const { stdout, libraries, places, costly } = await start("--version");
		expect(stdout).toMatch(/^purser \d+\.\d+\.\d+\n$/);
		expect({ libraries, places, costly }).toEqual({ libraries: [], places: ["main.ts", "system"], costly: [] });
	});

	const light = ["api", "cli", "commands", "config", "errors.ts", "main.ts", "run.ts", "start.ts", "system"];

	test.each([
		[["--help"]],
		[["pay", "--help"]],
		[["pay", "ledger", "--help"]],
		[["help", "corporate", "create"]],
		[["completion", "bash"]],
		[["--help", "--json"]],
	])("by %j: no schema, no HTTP, no command", async (argv) => {
		const { exit, stdout, libraries, places, costly } = await start(...argv);
		expect(exit).toBe(0);
		expect(stdout.length).toBeGreaterThan(300);
		expect({ libraries, places, costly }).toEqual({ libraries: [], places: light, costly: [] });
	});

	test("by Tab: neither a schema nor HTTP nor a command", async () => {
		const { exit, libraries, places, costly } = await start("complete", "--", "ledger", "list", "--profile", "");
		expect(exit).toBe(0);
		expect({ libraries, places, costly }).toEqual({ libraries: [], places: light, costly: [] });
	});

	test("by a payment: itself alone, nothing of batches", async () => {
		const { exit, stdout, stderr, libraries, places, costly, own } = await start(...payment, "--amount", "10", "--yes", "--json");
		expect({ exit, error: /"error".*/.exec(stderr)?.[0] }).toEqual({ exit: 0, error: undefined });
		expect(JSON.parse(stdout).id).toBe(id);
		expect(libraries.filter((name) => name !== "libsql" && !name.startsWith("@libsql/"))).toEqual(["commander", "lossless-json", "zod"]);
		expect(places.filter((place) => place.startsWith("commands/"))).toEqual(["commands/families/pay.ts", "commands/pay/ledger.ts"]);
		expect(places).not.toContain("sandbox");
		// Commander has child_process. The journal's: Node's own SQLite, or libsql without what it would load to find its native library.
		expect(costly.filter((name) => !["sqlite", "stream"].includes(name))).toEqual(["child_process", "crypto", "http"]);
		expect(
			own.filter((file) => /^(journal|payments)\b.*\b(batches|batch-advance|batch-begin|send.guards|approval|verify)\.ts$/.test(file)),
		).toEqual([]);
		expect(own.filter((file) => /^api\/operations\/(corporate|contact|related)\.ts$/.test(file))).toEqual([]);
		expect(own).toContain("journal/intents/write.ts");
	});

	test.each(["pipe", "ignore"] as const)("by the same payment in a dry run, input %s: neither HTTP nor SQLite", async (input) => {
		const { exit, libraries, costly } = await startFrom(input, ...payment, "--amount", "10", "--dry-run", "--json");
		expect(exit).toBe(0);
		expect(libraries).toEqual(["commander", "lossless-json", "zod"]);
		expect(costly).toEqual(["child_process"]);
	});
});

describe("the built files", () => {
	test("are divided by modules that are there", async () => {
		const { starts } = (await import(new URL("../../.config/chunks.js", import.meta.url).href)) as { starts: Record<string, string[]> };
		const named = new Set(Object.values(starts).flat());
		expect(named.size).toBeGreaterThan(15);
		expect([...named].filter((name) => !existsSync(join(root, "src", name)))).toEqual([]);
	});

	// Only the commands of a mapping and `--help` of the build load it.
	test("hold zod's small edition alone, and what writes a JSON Schema apart from what a payment loads", () => {
		const holding = (module: RegExp) =>
			[...held].filter(([, modules]) => modules.some((path) => module.test(path))).map(([file]) => file.replace(/-[\w-]{8}\.cjs$/, ""));
		expect(holding(/zod[\\/]v4[\\/]mini[\\/]schemas\.js$/)).toEqual(["perform.cjs"]);
		expect(holding(/zod[\\/]v4[\\/]classic[\\/]/)).toEqual([]);
		expect(holding(/zod[\\/]v4[\\/]core[\\/](to-json-schema|json-schema-processors)\.js$/)).toEqual(["json-schema-processors"]);
	});

	test("are strict, as the modules of the source are", () => {
		const files = readdirSync(join(folder, "dist")).filter((file) => file.endsWith(".cjs"));
		expect(files).toContain("journal-worker.cjs");
		expect(files.filter((file) => !readFileSync(join(folder, "dist", file), "utf8").startsWith('"use strict";'))).toEqual([]);
	});
});
