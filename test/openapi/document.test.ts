import { describe, expect, it } from "vitest";
import { PurserError } from "../../src/errors.js";
import { readOpenApi } from "../../src/openapi/document.js";
import { parseYaml } from "../../src/shell/input/yaml.js";

function messageOf(value: unknown): string {
	try {
		readOpenApi(value, "");
		return "read";
	} catch (error) {
		if (error instanceof PurserError) return error.failure.message;
		throw error;
	}
}

const withSchema = (schema: unknown, schemas: unknown = {}) => ({
	openapi: "3.0.3",
	info: { title: "T", version: "1" },
	paths: { "/a": { post: { requestBody: { content: { "application/json": { schema } } }, responses: {} } } },
	components: { schemas },
});

describe("a foreign document", () => {
	it.each([
		["a text", "hello", "This is no OpenAPI document: it does not say `openapi: 3.0` or `3.1`. Nothing was stored"],
		["Swagger 2.0", { swagger: "2.0", paths: {} }, "The document is Swagger 2.0, and OpenAPI 3.0 and 3.1 are read. Nothing was stored"],
		["a later version", { openapi: "4.0.0", paths: {} }, 'The document is OpenAPI "4.0.0", and 3.0 and 3.1 are read. Nothing was stored'],
		[
			"one cut off",
			{ openapi: "3.1.0", info: {} },
			"The document is cut off, or no whole OpenAPI document: it has no paths. Nothing was stored",
		],
		[
			"a remote reference",
			withSchema({ $ref: "https://example.com/a.json#/X" }),
			'The document refers to another one, "https://example.com/a.json#/X", and nothing is fetched. Nothing was stored',
		],
		[
			"a reference to nothing",
			withSchema({ $ref: "#/components/schemas/No" }),
			'The reference "#/components/schemas/No" points to nothing in the document. Nothing was stored',
		],
		[
			"a reference to a member of every object",
			withSchema({ $ref: "#/components/schemas/constructor" }),
			'The reference "#/components/schemas/constructor" points to nothing in the document. Nothing was stored',
		],
		[
			"references in a circle",
			withSchema({ $ref: "#/components/schemas/A" }, { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } }),
			'The reference "#/components/schemas/A" leads only to itself. Nothing was stored',
		],
	])("%s is refused by one clear error", (_name, value, message) => {
		expect(messageOf(value)).toBe(message);
	});

	it("a record inside itself is read once", () => {
		const tree = {
			type: "object",
			required: ["name"],
			properties: {
				name: { type: "string" },
				child: { $ref: "#/components/schemas/Tree" },
				all: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
			},
		};
		const [operation] = readOpenApi(withSchema({ $ref: "#/components/schemas/Tree" }, { Tree: tree }), "").operations;
		expect(operation?.body?.map(({ pointer }) => pointer)).toEqual(["/name", "/child", "/all", "/all/*"]);
	});

	it("YAML with an unquoted version, parts in allOf, parameters of the path, and names that mean something to JavaScript", () => {
		const text = `
openapi: 3.0
info: {title: T, version: 1}
paths:
  /a/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      security: [{bearer: }]
      responses:
        200: {content: {application/hal+json: {schema: {allOf: [{$ref: '#/components/schemas/B'}, {properties: {__proto__: {type: string}}}]}}}}
components: {schemas: {B: {type: object, properties: {total: {type: integer}}}}}
`;
		const [operation] = readOpenApi(parseYaml(text, 0, 1_000_000), "").operations;
		expect(operation?.parameters.map(({ name, place }) => [name, place])).toEqual([["id", "path"]]);
		expect(operation?.answers[0]?.fields.map(({ pointer, type }) => [pointer, type])).toEqual([
			["/total", "integer"],
			["/__proto__", "text"],
		]);
	});

	it("a schema that branches without end is cut", () => {
		const all = Object.fromEntries(
			Array.from({ length: 40 }, (_, at) => [
				`S${at}`,
				{ properties: Object.fromEntries(Array.from({ length: 40 }, (_none, to) => [`p${to}`, { $ref: `#/components/schemas/S${to}` }])) },
			]),
		);
		const [operation] = readOpenApi(withSchema({ $ref: "#/components/schemas/S0" }, all), "").operations;
		expect(operation?.body?.length).toBeLessThanOrEqual(600);
	});

	it("texts stand on one line, and names with a line end in them are no names: nothing looks like a line of ours", () => {
		const document = withSchema({
			properties: { "a\nStored in the profile": { type: "string" }, b: { type: "string", enum: ["x", "y\u0007"] } },
		});
		document.info = { title: "Bank\n\nStored in the profile box.\u001b[31m", version: "1\r2" };
		const paths = { ...document.paths, "/x\n/y": document.paths["/a"] };
		const read = readOpenApi({ ...document, paths }, "");
		expect([read.title, read.version]).toEqual(["Bank Stored in the profile box. [31m", "1 2"]);
		expect(read.operations.map(({ path }) => path)).toEqual(["/a"]);
		expect(read.operations[0]?.body?.map(({ pointer, values }) => [pointer, values])).toEqual([["/b", ["x"]]]);
	});
});
