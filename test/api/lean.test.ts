/**
 * The build puts lean schemas in the place of zod. Here both stand side by side, for every input of every command and every
 * part of every operation: the same description, and the same data, faults and warnings for whatever is given.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import fc from "fast-check";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seedOfRun } from "../support/seed.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "purser-lean-"));

const entry = `
import { commands } from "./src/commands/index.js";
import { catalog } from "./src/api/catalog.js";
import { caseSchema } from "./src/onboarding/case.js";
import { check, describe } from "./src/api/schema.js";
import { formatJson, parseJson } from "./src/api/json.js";
import { readCredential } from "./src/config/secret.js";
export { check, describe, formatJson, parseJson, readCredential };
export async function schemas() {
	const all = { case: caseSchema };
	for (const [path, load] of Object.entries(commands)) all[path] = (await load()).default.input;
	for (const { id, params, query, body } of catalog) Object.assign(all, { [id + " params"]: params, [id + " query"]: query }, body && { [id + " body"]: body });
	return all;
}
`;

interface World {
	schemas(): Promise<Record<string, unknown>>;
	check(schema: unknown, input: unknown): { data?: unknown; faults: unknown[]; warnings: unknown[] };
	describe(schema: unknown): Shape;
	formatJson(value: unknown): string;
	parseJson(text: string): unknown;
	readCredential(text: string): unknown;
}

interface Shape {
	name: string;
	kind: string;
	choices?: readonly string[];
	fields?: Shape[];
	element?: Shape;
	meta: { known?: readonly string[] };
}

async function world(name: string, zod: string | undefined): Promise<World> {
	const input = join(root, `${name}.js`);
	const bundle = await rolldown({
		cwd: root,
		input,
		platform: "node",
		external: ["libsql", "@napi-rs/keyring", /^node:/],
		plugins: [
			{
				name: "world",
				resolveId: (source) => (source === input ? input : source === "zod" ? (zod ?? null) : null),
				load: (path) => (path === input ? { code: entry, moduleType: "js" } : null),
			},
		],
	});
	const dir = join(folder, name);
	await bundle.write({ dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
	return (await import(pathToFileURL(join(dir, `${name}.mjs`)).href)) as World;
}

let zod: World;
let lean: World;
let names: string[];
const pairs = new Map<string, { zod: unknown; lean: unknown }>();

beforeAll(async () => {
	zod = await world("with-zod", undefined);
	lean = await world("with-lean", join(root, "src/api/lean/zod.ts"));
	const [full, small] = [await zod.schemas(), await lean.schemas()];
	names = Object.keys(full);
	for (const name of names) pairs.set(name, { zod: full[name], lean: small[name] });
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A description as text, functions and schemas left out. */
const plain = (shape: Shape): string => JSON.stringify(shape, (key, value) => (key === "schema" ? undefined : value));

const texts = [
	"",
	" ",
	"x",
	"10.10",
	"0",
	"-1",
	"1e3",
	"100",
	"100.5",
	"01",
	"7",
	"70000",
	"3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f",
	"3F1C9A52-7F0E-4B6E-9D2A-5A1B8C7D6E4F\n",
	"2026-02-28",
	"2025-02-29",
	"2026-03-01T10:22:00Z",
	"2026-13-01T10:22:00Z",
	"ada@example.com",
	"ada@example",
	"FRA",
	"XKX",
	"33",
	"https://example.com/a",
	"ftp://example.com",
	"Invoice 2041",
	"e\u0301te\u0301 avec beaucoup de mots",
	"a#b",
	"\u{1f600}".repeat(30),
	"ä".repeat(120),
	"z".repeat(3001),
	"AT_AKTIENGESELLSCHAFT_AG",
	"15m",
	"PT1H",
	"EUR=5",
];

const anything = fc.oneof(
	fc.constantFrom(...texts),
	fc.constantFrom<unknown>(null, true, false, 0, 1, 3.5, [], {}, [""], ["x", 1], { a: 1 }, { austriaValue: "AT_AKTIENGESELLSCHAFT_AG" }),
	fc.string({ maxLength: 24, unit: "binary" }),
);

/** Mostly what fits the field, sometimes anything. */
function valueFor(shape: Shape): fc.Arbitrary<unknown> {
	const fitting = (): fc.Arbitrary<unknown> => {
		if (shape.fields) return objectFor(shape.fields);
		if (shape.element) return fc.array(valueFor(shape.element), { maxLength: 3 });
		if (shape.kind === "boolean") return fc.boolean();
		const offered = [...(shape.choices ?? []), ...(shape.meta.known ?? [])];
		if (offered.length > 0) return fc.constantFrom(...offered);
		return fc.constantFrom<unknown>(...texts, { a: "b" }, { austriaValue: "AT_AKTIENGESELLSCHAFT_AG" });
	};
	return fc.oneof({ weight: 6, arbitrary: fitting() }, { weight: 1, arbitrary: anything });
}

function objectFor(fields: readonly Shape[]): fc.Arbitrary<Record<string, unknown>> {
	const known = fc.record(Object.fromEntries(fields.map((field) => [field.name, valueFor(field)])), { requiredKeys: [] });
	const odd = fc.dictionary(fc.constantFrom("odd", "__proto__", "constructor", "toString"), anything, { maxKeys: 2 });
	return fc
		.tuple(known, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: odd }))
		.map(([one, two]) => ({ ...one, ...two }));
}

/** What one world makes of an input that came as JSON. */
function answerOf(here: World, schema: unknown, text: string): string {
	return here.formatJson(here.check(schema, here.parseJson(text)));
}

describe("lean schemas and zod", () => {
	test("stand beside each other for every input of the tool", () => {
		expect(names.length).toBeGreaterThan(120);
		expect(zod.check).not.toBe(lean.check);
	});

	test("describe their fields alike", () => {
		for (const [name, pair] of pairs) expect(plain(lean.describe(pair.lean)), name).toBe(plain(zod.describe(pair.zod)));
	});

	test("say the same of whatever is given", () => {
		const seed = seedOfRun("lean schemas");
		let [accepted, refused] = [0, 0];
		for (const [name, pair] of pairs) {
			const shape = zod.describe(pair.zod);
			const input = fc.oneof({ weight: 12, arbitrary: objectFor(shape.fields ?? []) }, { weight: 1, arbitrary: anything });
			fc.assert(
				fc.property(input, (given) => {
					const text = JSON.stringify(given);
					const expected = answerOf(zod, pair.zod, text);
					if (expected.includes('"faults":[]')) accepted++;
					else refused++;
					expect(answerOf(lean, pair.lean, text), name).toBe(expected);
				}),
				{ numRuns: 60, seed },
			);
		}
		// A comparison of refusals alone would say little.
		expect(accepted).toBeGreaterThan(500);
		expect(refused).toBeGreaterThan(500);
	});

	test.each([
		'{"kind":"tokens","token":"a","refreshToken":"b"}',
		'{"kind":"tokens","token":""}',
		'{"kind":"header","value":"x","more":1}',
		'{"kind":"basic","username":"u","password":""}',
		'{"kind":"basic","username":"u"}',
		'{"kind":"other"}',
		"[]",
		"null",
	])("read the credential %s alike", (text) => {
		expect(lean.readCredential(text)).toEqual(zod.readCredential(text));
	});
});
