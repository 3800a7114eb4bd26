import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const src = resolve(dirname(fileURLToPath(import.meta.url)), "../../src");

interface Import {
	from: string;
	to: string;
	typeOnly: boolean;
}

/** Every file of the source by its path below src/, with forward slashes. */
function sources(): Map<string, string> {
	const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	return new Map(files.map((name) => [name.split(sep).join("/"), readFileSync(join(src, name), "utf8")]));
}

/** The imports of one file, comments left out; our own ones as paths below src/. */
function importsOf(from: string, text: string): Import[] {
	const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
	const found: Import[] = [];
	const target = (name: string): string =>
		name.startsWith(".")
			? relative(src, resolve(src, posix.dirname(from), name))
					.split(sep)
					.join("/")
					.replace(/\.js$/, ".ts")
			: name;
	for (const match of code.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']/gm))
		found.push({ from, to: target(match[2] as string), typeOnly: match[1] !== undefined });
	for (const match of code.matchAll(/\bimport\(\s*["']([^"']+)["']/g))
		found.push({ from, to: target(match[1] as string), typeOnly: false });
	return found;
}

/** Ranks of src/README.md; a place may import its own rank's own folder and every lower rank it is allowed. */
function allowed(from: string, to: string): boolean {
	const [folder = ""] = from.split("/");
	const [target = ""] = to.split("/");
	const low = target === "errors.ts" || target === "api" || to.startsWith("system/disk/");
	const ports = target === "context.ts" || target === "ports";
	// Locks, atomic files and bounded reading, which every room may use.
	if (from.startsWith("system/disk/")) return to.startsWith("system/disk/");
	// The composition root of a thread.
	if (from === "system/journal-worker.ts") return true;
	if (folder === target && from.includes("/"))
		return folder !== "commands" || from === "commands/index.ts" || to.startsWith("commands/families/");
	switch (folder) {
		case "errors.ts":
			return false;
		case "api":
			return target === "errors.ts";
		case "ports":
			return target === "api" || target === "errors.ts";
		case "context.ts":
			return target === "api" || target === "errors.ts" || target === "ports";
		case "sqlite":
		case "events":
			return low || ports;
		case "inbox":
			return low || ports || target === "events" || target === "sqlite";
		case "journal":
			return low || ports || target === "sqlite";
		case "http":
		case "payments":
		case "onboarding":
		case "config":
		case "sandbox":
		case "system":
		case "pages":
		case "names":
			return low || ports || (target === "mapping" && ["http", "config"].includes(folder));
		case "mapping":
			return target === "api" || target === "ports" || target === "errors.ts";
		case "doctor":
			return low || ports || ["http", "config"].includes(target);
		case "cli":
			return low || ports;
		case "commands":
			return (
				low ||
				ports ||
				["mapping", "http", "journal", "events", "payments", "onboarding", "config", "sandbox", "doctor", "pages"].includes(target) ||
				to === "cli/command.ts"
			);
		case "run.ts":
			return low || ports || target === "cli";
		case "main.ts":
			return true;
		default:
			return false;
	}
}

/**
 * The rooms of each group, the lowest first: a room uses only those before it. A file that is named stands for itself: what lies beside
 * the rooms is either the vocabulary of all of them or what puts them together.
 */
const rooms: readonly (readonly string[])[] = [
	["api/text", "api", "api/check", "api/operations"],
	["http/transport", "http/request", "http/confirm", "http"],
	["config/secrets", "config"],
	["mapping/request", "mapping"],
	[
		"journal/tables",
		"journal/sqlite",
		"journal/postgres",
		"journal/intents",
		"journal/anchor",
		"journal/batches",
		"journal/verify",
		"journal",
	],
	[
		"payments/rules",
		"payments/matching/list",
		"payments/matching",
		"payments/restored",
		"payments/single",
		"payments/batch/approval",
		"payments/batch/plan",
		"payments/batch/send",
		"payments/batch/report",
		"payments/batch/page",
	],
	[
		"onboarding/ownership",
		"onboarding/records",
		"onboarding/evidence",
		"onboarding/kyc",
		"onboarding/checklist",
		"onboarding/kyb",
		"onboarding/dossier",
		"onboarding/case",
		"onboarding/sheet",
		"onboarding/wizard",
	],
	[
		"cli",
		"cli/output",
		"cli/ask",
		"cli/input",
		"cli/prompts",
		"cli/completion",
		"cli/help",
		"cli/frame.ts",
		"cli/report.ts",
		"cli/run-context.ts",
		"cli/perform.ts",
	],
	["sandbox", "sandbox/service", "sandbox/pages", "sandbox/simulate", "sandbox/routes.ts", "sandbox/sandbox.ts", "sandbox/server.ts"],
];

/** Whether an import within a group goes to the same room or to a lower one. */
function isDownward(from: string, to: string): boolean {
	const placeIn = (order: readonly string[], file: string): number => {
		const named = order.indexOf(file);
		return named >= 0 ? named : order.indexOf(posix.dirname(file));
	};
	const order = rooms.find((one) => placeIn(one, from) >= 0 && placeIn(one, to) >= 0);
	return order === undefined || placeIn(order, to) <= placeIn(order, from);
}

const owners: Readonly<Record<string, (file: string) => boolean>> = {
	commander: (file) => file === "cli/input/program.ts",
	inquirer: (file) => file === "cli/prompts/prompts.ts",
	chalk: (file) => file === "cli/output/style.ts",
	ora: (file) => file === "cli/output/reporter.ts",
	uqr: (file) => file === "onboarding/kyc/links-text.ts",
	yaml: (file) => file === "cli/input/yaml.ts",
	undici: (file) => file.startsWith("http/"),
	conf: (file) => file.startsWith("config/"),
	"@napi-rs/keyring": (file) => file.startsWith("config/"),
	pg: (file) => file.startsWith("journal/postgres/"),
	pgpass: (file) => file.startsWith("journal/postgres/"),
	libsql: (file) => file.startsWith("sqlite/"),
	"node:sqlite": (file) => file.startsWith("sqlite/"),
	standardwebhooks: (file) => file === "events/verdict.ts",
	"lossless-json": (file) => file === "api/json.ts",
	"@dagrejs/dagre": (file) => file === "pages/picture.ts",
	open: (file) => file === "system/browser.ts",
	zod: () => true,
};

/** Where a list is spread into arguments, and why it is short. */
const fewArguments: Readonly<Record<string, string>> = {
	"journal/tables/service-time.ts": "three times",
	"onboarding/ownership/tree.ts": "the lines of one node; as many nodes as a tree has lines",
	"payments/batch/plan/check.ts": "the totals of a command line",
	"payments/batch/plan/rows.ts": "the fields of a payment",
	"names/persons.ts": "three names that are similar",
	"cli/help/help.ts": "flags and commands of our own",
};

const packageOf = (name: string): string =>
	name.startsWith("node:")
		? name
		: name
				.split("/")
				.slice(0, name.startsWith("@") ? 2 : 1)
				.join("/");

describe("layers", () => {
	const files = sources();
	const imports = [...files].flatMap(([name, text]) => importsOf(name, text));
	const ours = imports.filter(({ to }) => files.has(to));

	test("every place imports only what its rank may", () => {
		expect(ours.filter(({ from, to }) => !allowed(from, to)).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
	});

	test("every room uses only those below it", () => {
		expect(ours.filter(({ from, to }) => !isDownward(from, to)).map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
		const folders = [...files.keys()]
			.map((file) => posix.dirname(file))
			.filter((folder) => /^(api|http|config|journal|mapping|payments|onboarding|cli|sandbox)\b/.test(folder));
		const known = new Set([...rooms.flat(), "cli", "sandbox"]);
		expect([...new Set(folders)].filter((folder) => !known.has(folder))).toEqual([]);
	});

	test("no folder has more than 25 files", () => {
		const counts = new Map<string, number>();
		for (const file of files.keys()) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
		expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
	});

	test("no file has more than 400 lines", () => {
		const lines = (text: string): number => text.split("\n").length - 1;
		expect([...files].filter(([, text]) => lines(text) > 400).map(([name, text]) => `${name}: ${lines(text)}`)).toEqual([]);
	});

	test("the ports are types alone", () => {
		const loading = imports.filter(({ from, typeOnly }) => (from === "context.ts" || from.startsWith("ports/")) && !typeOnly);
		expect(loading.map(({ from, to }) => `${from} loads ${to}`)).toEqual([]);
	});

	test("every library has one owner", () => {
		const foreign = imports.filter(({ to }) => !files.has(to) && !to.startsWith("../"));
		const wrong = foreign.filter(({ from, to }) => {
			const name = packageOf(to);
			if (name.startsWith("node:") && !(name in owners)) return false;
			return !owners[name]?.(from);
		});
		expect(wrong.map(({ from, to }) => `${from} uses ${to}`)).toEqual([]);
	});

	test("only main.ts touches the process or the console", () => {
		const touching = [...files].filter(
			([name, text]) =>
				name !== "main.ts" &&
				/\b(process\.(exit|env|stdout|stderr|stdin|argv|on|cwd|kill|pid|platform)|console\.)/.test(
					text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, ""),
				),
		);
		expect(touching.map(([name]) => name)).toEqual([]);
	});

	test("nothing without a bound is spread into arguments: some hundred thousand of them end the stack", () => {
		const spread = /(?:Math\.(?:max|min)|\.(?:push|unshift|splice)|String\.from(?:CharCode|CodePoint))\((?:[^(){}]*, )?\.\.\./;
		const found = [...files].filter(([, text]) =>
			text
				.replace(/\/\*[\s\S]*?\*\//g, "")
				.split("\n")
				.some((line) => spread.test(line)),
		);
		expect(found.map(([name]) => name).sort()).toEqual(Object.keys(fewArguments).sort());
	});

	test("there is no cycle, also not of types or of what is loaded late", () => {
		const edges = new Map<string, string[]>();
		for (const { from, to } of ours) edges.set(from, [...(edges.get(from) ?? []), to]);
		expect(cycleIn(edges)).toBeUndefined();
	});

	test("the check sees what it looks for", () => {
		expect(allowed("http/call.ts", "journal/open.ts")).toBe(false);
		expect(isDownward("payments/rules/caps.ts", "payments/single/single.ts")).toBe(false);
		expect(isDownward("payments/single/single.ts", "payments/rules/caps.ts")).toBe(true);
		expect(isDownward("cli/input/flags.ts", "cli/perform.ts")).toBe(false);
		expect(allowed("commands/pay/ledger.ts", "commands/pay/show.ts")).toBe(false);
		expect(allowed("sandbox/service/state.ts", "http/call.ts")).toBe(false);
		expect(allowed("cli/output/render.ts", "commands/index.ts")).toBe(false);
		expect(allowed("ports/wire.ts", "context.ts")).toBe(false);
		expect(importsOf("http/call.ts", 'import { a } from "../journal/open.js";\nawait import("./http.js")').map(({ to }) => to)).toEqual([
			"journal/open.ts",
			"http/http.ts",
		]);
		expect(
			cycleIn(
				new Map([
					["a", ["b"]],
					["b", ["a"]],
				]),
			),
		).toEqual(["a", "b", "a"]);
	});
});

/** The first cycle found, as a path that ends where it began. */
function cycleIn(edges: ReadonlyMap<string, readonly string[]>): string[] | undefined {
	const done = new Set<string>();
	const walk = (node: string, path: string[]): string[] | undefined => {
		const at = path.indexOf(node);
		if (at >= 0) return [...path.slice(at), node];
		if (done.has(node)) return undefined;
		for (const next of edges.get(node) ?? []) {
			const found = walk(next, [...path, node]);
			if (found) return found;
		}
		done.add(node);
		return undefined;
	};
	for (const node of edges.keys()) {
		const found = walk(node, []);
		if (found) return found;
	}
	return undefined;
}
