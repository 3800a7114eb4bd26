import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const src = fileURLToPath(new URL("../../src", import.meta.url));

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

const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

/** The imports of one file; our own ones as paths below src/. */
function importsOf(from: string, text: string): Import[] {
	const target = (name: string): string => (name.startsWith(".") ? posix.join(posix.dirname(from), name).replace(/\.js$/, ".ts") : name);
	const code = codeOf(text);
	const found = [...code.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^;"']*?\sfrom\s+)?["']([^"']+)["']/gm)];
	const late = [...code.matchAll(/\bimport\((\s*)["']([^"']+)["']/g)];
	return [
		...found.map(([, type, to = ""]) => ({ from, to: target(to), typeOnly: type !== undefined })),
		...late.map(([, , to = ""]) => ({ from, to: target(to), typeOnly: false })),
	];
}

/** What every room may use; of `system/disk` locks, atomic files and bounded reading. */
const low = ["errors.ts", "api", "system/disk"];
const domain = [...low, "context.ts", "ports"];
const services = ["mapping", "http", "journal", "events", "payments", "onboarding", "config", "sandbox", "doctor", "pages"];

/** Ranks of src/README.md: what a place may import, beside its own folder. */
const ranks: Readonly<Record<string, readonly string[]>> = {
	"errors.ts": [],
	api: ["errors.ts"],
	ports: ["errors.ts", "api"],
	"context.ts": ["errors.ts", "api", "ports"],
	mapping: ["errors.ts", "api", "ports"],
	...Object.fromEntries(
		["sqlite", "events", "payments", "onboarding", "sandbox", "system", "pages", "names", "cli"].map((room) => [room, domain]),
	),
	inbox: [...domain, "events", "sqlite"],
	journal: [...domain, "sqlite"],
	http: [...domain, "mapping"],
	config: [...domain, "mapping"],
	doctor: [...domain, "http", "config"],
	commands: [...domain, ...services, "cli/command.ts"],
	"run.ts": [...domain, "cli"],
};

const isIn = (file: string, places: readonly string[]): boolean => places.some((place) => `${file}/`.startsWith(`${place}/`));

function allowed(from: string, to: string): boolean {
	const [folder = ""] = from.split("/");
	// The composition roots of the program and of a thread.
	if (["main.ts", "start.ts", "system/journal-worker.ts"].includes(from)) return true;
	if (from.startsWith("system/disk/")) return isIn(to, ["system/disk"]);
	if (from.startsWith("commands/") && from !== "commands/index.ts" && isIn(to, ["commands"])) return isIn(to, ["commands/families"]);
	return isIn(to, [...(from.includes("/") ? [folder] : []), ...(ranks[folder] ?? [])]);
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

/** The place that alone uses a library. */
const owners: Readonly<Record<string, string>> = {
	commander: "cli/input/program.ts",
	inquirer: "cli/prompts/prompts.ts",
	chalk: "cli/output/style.ts",
	ora: "cli/output/reporter.ts",
	uqr: "onboarding/kyc/links-text.ts",
	yaml: "cli/input/yaml.ts",
	undici: "http",
	conf: "config",
	"@napi-rs/keyring": "config",
	pg: "journal/postgres",
	pgpass: "journal/postgres",
	libsql: "sqlite",
	"node:sqlite": "sqlite",
	standardwebhooks: "events/verdict.ts",
	"lossless-json": "api/json.ts",
	"@dagrejs/dagre": "pages/picture.ts",
	open: "system/browser.ts",
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

const packageOf = (name: string): string => (name.startsWith("node:") ? name : (/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] as string));

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
		const wrong = imports.filter(({ from, to }) => {
			const name = packageOf(to);
			if (files.has(to) || to.startsWith("../") || name === "zod") return false;
			return name in owners ? !isIn(from, [owners[name] as string]) : !name.startsWith("node:");
		});
		expect(wrong.map(({ from, to }) => `${from} uses ${to}`)).toEqual([]);
	});

	test("only main.ts touches the process or the console", () => {
		const process = /\b(process\.(exit|env|stdout|stderr|stdin|argv|on|cwd|kill|pid|platform)|console\.)/;
		const touching = [...files].filter(([name, text]) => name !== "main.ts" && process.test(codeOf(text)));
		expect(touching.map(([name]) => name)).toEqual([]);
	});

	test("nothing without a bound is spread into arguments: some hundred thousand of them end the stack", () => {
		const spread = /(?:Math\.(?:max|min)|\.(?:push|unshift|splice)|String\.from(?:CharCode|CodePoint))\((?:[^(){}]*, )?\.\.\./;
		const found = [...files].filter(([, text]) =>
			codeOf(text)
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
		expect(cycleIn(new Map(Object.entries({ a: ["b"], b: ["a"] })))).toEqual(["a", "b", "a"]);
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
