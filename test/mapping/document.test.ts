import { describe, expect, it } from "vitest";
import { parseYaml } from "../../src/cli/input/yaml.js";
import { findOperations } from "../../src/commands/api/find.js";
import { PurserError } from "../../src/errors.js";
import { readOpenApi } from "../../src/mapping/document.js";
import { draftMapping } from "../../src/mapping/draft.js";
import { missingIn } from "../../src/mapping/fields.js";
import { processorSeconds } from "../support/time.js";
import { documentOf } from "./documents.js";

const withSchema = (schema: unknown, schemas: unknown = {}) => ({
	openapi: "3.0.3",
	info: { title: "T", version: "1" } as unknown,
	paths: { "/a": { post: { requestBody: { content: { "application/json": { schema } } }, responses: {} } } } as unknown,
	components: { schemas },
});
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: "string" };
const bodyOf = (document: unknown) => (readOpenApi(document).operations[0]?.request ?? []).filter(({ at }) => at !== "");
const pointersOf = (document: unknown) => bodyOf(document).map(({ pointer }) => pointer);
const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const nested = (levels: number): unknown => (levels === 0 ? text : { type: "object", properties: { a: nested(levels - 1) } });
/** Forty schemas, each with each of them in it. */
const everyInEvery = Object.fromEntries(
	many(40, (at) => [`S${at}`, { properties: Object.fromEntries(many(40, (to) => [`p${to}`, reference(`S${to}`)])) }]),
);
const pathsOf = (count: number) => Object.fromEntries(many(count, (at) => [`/p${at}`, { get: { summary: "x", responses: {} } }]));

describe("a document that is none is refused by one clear error", () => {
	const nothing = (name: string) => `The reference "${name}" points to nothing in the document`;
	const itself = 'The reference "#/components/schemas/A" leads only to itself';
	const other = (name: string) => `The document refers to another one, "${name}", and nothing is fetched`;
	const noPaths = "The document is cut off, or no whole OpenAPI document: it has no paths";
	const none = "The document is no OpenAPI, and OpenAPI 3.0 and 3.1 are read";
	it.each([
		["nothing", null, none],
		["a version that is a record", { openapi: { a: 1 } }, none],
		["Swagger 2.0", { swagger: "2.0", paths: {} }, "The document is Swagger 2.0, and OpenAPI 3.0 and 3.1 are read"],
		["a later version", { openapi: "4.0.0", paths: {} }, 'The document is OpenAPI "4.0.0", and OpenAPI 3.0 and 3.1 are read'],
		["one cut off", { openapi: "3.1.0", info: {} }, noPaths],
		["paths that are a list", { openapi: "3.1.0", paths: [] }, noPaths],
		["a remote reference", withSchema({ $ref: "https://example.com/a.json#/X" }), other("https://example.com/a.json#/X")],
		["a reference to nothing", withSchema(reference("No")), nothing("#/components/schemas/No")],
		["a reference to a member of every object", withSchema(reference("constructor")), nothing("#/components/schemas/constructor")],
		["an escape that is none", withSchema({ $ref: "#/%E0%A4%A" }), nothing("#/%E0%A4%A")],
		["references in a circle", withSchema(reference("A"), { A: reference("B"), B: reference("A") }), itself],
		["a reference to itself", withSchema(reference("A"), { A: reference("A") }), itself],
		[
			"twenty-one references in a row",
			withSchema(reference("A0"), Object.fromEntries(many(30, (at) => [`A${at}`, reference(`A${at + 1}`)]))),
			'The reference "#/components/schemas/A20" leads only to itself',
		],
		["more than 3,000 operations", { openapi: "3.0.0", paths: pathsOf(3_001) }, "The document has more than 3,000 operations"],
	])("%s", (_name, value, message) => {
		expect(() => readOpenApi(value)).toThrow(PurserError);
		expect(() => readOpenApi(value)).toThrow(message);
	});
});

describe("a document that is hostile is read within bounds", () => {
	it.each<[string, unknown, (found: string[]) => boolean]>([
		["schemas that branch without end", withSchema(reference("S0"), everyInEvery), (found) => found.length > 40 && found.length <= 600],
		[
			"alternatives of alternatives",
			withSchema(reference("A"), {
				A: { oneOf: many(50, () => reference("B")) },
				B: { anyOf: many(50, () => reference("C")) },
				C: { oneOf: many(50, () => reference("A")) },
			}),
			(found) => found.length === 0,
		],
		[
			"a body of 5,000 fields",
			withSchema({ properties: Object.fromEntries(many(5_000, (at) => [`f${at}`, text])) }),
			(found) => found.length === 600,
		],
		["a hundred levels", withSchema(nested(100)), (found) => found.length === 10],
		[
			"a list of lists",
			withSchema({ type: "array", items: { type: "array", items: { type: "array", items: text } } }),
			(found) => found.at(-1) === "/*/*/*",
		],
		[
			"properties that are a list, required that is a text",
			withSchema({ properties: [text], required: "a" }),
			(found) => found.length === 0,
		],
		[
			"a closed list of a million",
			withSchema({ properties: { a: { enum: many(1_000_000, (at) => `v${at}`) } } }),
			(found) => found.length === 1,
		],
		["a name of a megabyte", withSchema({ properties: { ["x".repeat(1_000_000)]: text } }), (found) => found[0]?.length === 101],
		[
			"names that mean something to JavaScript",
			withSchema(JSON.parse('{"properties": {"__proto__": {"type": "string"}, "constructor": {"type": "string"}}}')),
			(found) => found.join() === "/__proto__,/constructor",
		],
		[
			"names with a line end, with none, and with one that turns the text",
			withSchema({ properties: { "a\nb": text, "": text, "a\u202eb": text, c: text } }),
			(found) => found.join() === "/c",
		],
	])("%s", async (_name, document, holds) => {
		const took = await processorSeconds(() => expect(holds(pointersOf(document))).toBe(true));
		expect(took).toBeLessThan(20);
	});

	it("a record inside itself is read once", () => {
		const tree = {
			type: "object",
			required: ["name"],
			properties: { name: text, child: reference("Tree"), all: { type: "array", items: reference("Tree") } },
		};
		expect(pointersOf(withSchema(reference("Tree"), { Tree: tree }))).toEqual(["/name", "/child", "/all", "/all/*"]);
	});

	it("1,000 operations of which each is large are drafted, and nothing in them looks like a line of ours", async () => {
		const schema = {
			properties: Object.fromEntries(
				many(50, (at) => [`legal_name_${at}`, { type: "string", description: "x\n  send: POST /evil\u001b[31m" }]),
			),
		};
		const post = (at: number) => ({
			operationId: `createCompany${at}`,
			summary: 'Create a company\n"?": x',
			requestBody: { content: { "application/json": { schema } } },
			responses: {},
		});
		const document = {
			openapi: "3.0.0",
			info: { title: "Bank", version: "1" },
			paths: Object.fromEntries(many(1_000, (at) => [`/companies${at}`, { post: post(at) }])),
		};
		let drafted = "";
		const took = await processorSeconds(() => {
			drafted = draftMapping(readOpenApi(document));
		});
		expect(took).toBeLessThan(20);
		expect(drafted.split("\n").filter((line) => /evil|\p{Cc}/u.test(line.replace(/#.*$/, "")))).toEqual([]);
		expect(drafted).toContain('# or POST /companies1  Create a company "?": x');
	});
});

describe("what is read", () => {
	it("YAML with an unquoted version, parts in allOf, and parameters of the path", () => {
		const yaml = `
openapi: 3.0
info: {title: T, version: 1}
paths:
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      security: [{bearer: }]
      responses:
        200: {content: {application/hal+json: {schema: {allOf: [{$ref: '#/components/schemas/B'}, {properties: {c: {type: string}}}]}}}}
components: {schemas: {B: {type: object, properties: {total: {type: integer}}}}}
`;
		const [operation] = readOpenApi(parseYaml(yaml, 1_000_000)).operations;
		expect(operation?.request.map(({ at, place }) => [at, place])).toEqual([["id", "path"]]);
		expect(operation?.answer.map(({ pointer, type }) => [pointer, type])).toEqual([
			["", "object"],
			["/total", "integer"],
			["/c", "text"],
		]);
	});

	it("what is required by what stands around it", () => {
		const amount = { type: "object", required: ["value"], properties: { value: text } };
		const fields = bodyOf(withSchema({ required: ["a"], properties: { a: amount, b: amount } }));
		expect(fields.map(({ pointer, required }) => [pointer, required])).toEqual([
			["/a", true],
			["/a/value", true],
			["/b", false],
			["/b/value", true],
		]);
		const missing = (...at: string[]) =>
			missingIn(
				fields,
				at.map((one) => ({ place: "body" as const, at: one })),
			).map((one) => one.at);
		expect([missing(), missing("/b/other"), missing("/a/value")]).toEqual([["/a/value"], ["/a/value", "/b/value"], []]);
	});
});

it("a search finds operations by names, sentences and fields, the nearest first, with their fields in short", () => {
	const document = readOpenApi(
		documentOf([
			{ at: "GET /payees/{id}", id: "getPayee", answer: { id: "string" } },
			{ at: "POST /transfers", id: "createTransfer", summary: "Pay a payee", body: { "payee_id!": "string", speed: "fast|slow" } },
			{ at: "GET /limits", id: "getLimits", description: "Of payees" },
			{ at: "GET /rates", id: "getRates" },
		]),
	);
	expect(findOperations(document, ["payees"]).map(({ path }) => path)).toEqual(["/payees/{id}", "/transfers", "/limits"]);
	expect(findOperations(document, ["pay", "transfer"])[0]).toMatchObject({
		path: "/transfers",
		request: ["body /payee_id!", "body /speed (fast|slow)"],
	});
	expect([findOperations(document, []).length, findOperations(document, ["nothing"])]).toEqual([4, []]);
});

describe("alternatives", () => {
	const record = (properties: object, required: string[] = []) => ({ type: "object", properties, required });
	const requiredIn = (schema: unknown) => bodyOf(withSchema(schema)).flatMap(({ at, required }) => (required ? [at] : []));

	it("what one of several requires is not required of who sends another", () => {
		const part = (required: string[]) => record({ part: record({ name: text, other: text }, required) });
		expect(requiredIn({ oneOf: [part(["name"]), part(["other"])] })).toEqual([]);
	});

	it("nothing as the other one takes nothing away", () => {
		expect(requiredIn(record({ address: { anyOf: [record({ town: text }, ["town"]), { type: "null" }] } }))).toEqual(["/address/town"]);
	});

	it("thousands, one within the other, are read to a bound", () => {
		const chain = many(5_900, (at) => [`A${at}`, { properties: { [`p${at}`]: text }, oneOf: [reference(`A${at + 1}`)] }]);
		const pointers = pointersOf(withSchema(reference("A0"), Object.fromEntries([...chain, ["A5900", text]])));
		expect([pointers[0], pointers.length < 100]).toEqual(["/p0", true]);
	});
});
