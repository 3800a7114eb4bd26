import { describe, expect, it } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { isRecord } from "../../src/api/schema.js";
import { answersOf, bindingOf, documentOf, foreign } from "./documents/foreign.js";

const ours = catalog.filter(({ specified }) => specified).map(({ id }) => id);

/** What a document holds, its local references followed. */
class Reader {
	readonly #document: Record<string, unknown>;

	constructor(document: Record<string, unknown>) {
		this.#document = document;
	}

	at(value: unknown, ...names: string[]): unknown {
		return names.reduce((one, name) => {
			const found = this.#followed(one);
			return isRecord(found) ? this.#followed(found[name]) : undefined;
		}, this.#followed(value));
	}

	list(value: unknown): unknown[] {
		const found = this.#followed(value);
		return Array.isArray(found) ? found.map((one) => this.#followed(one)) : [];
	}

	/** Whether a schema has something at a pointer; `allOf` and the entries of lists are looked through. */
	has(schema: unknown, pointer: string): boolean {
		return this.#hasParts(this.#followed(schema), pointer.split("/").slice(1));
	}

	#hasParts(schema: unknown, parts: readonly string[]): boolean {
		const [part, ...rest] = parts;
		if (part === undefined) return schema !== undefined;
		if (this.at(schema, "items") !== undefined) return this.#hasParts(this.at(schema, "items"), parts);
		const property = this.at(schema, "properties", part);
		if (property !== undefined) return this.#hasParts(property, rest);
		return this.list(this.at(schema, "allOf")).some((one) => this.#hasParts(one, parts));
	}

	#followed(value: unknown): unknown {
		if (!isRecord(value) || typeof value.$ref !== "string") return value;
		return this.at(this.#document, ...value.$ref.split("/").slice(1));
	}
}

describe.each(foreign)("the invented service $name", ({ name, file, traps }) => {
	const document = documentOf(file);
	const reader = new Reader(document);
	const operationAt = (method: string, path: string) => reader.at(document, "paths", path, method.toLowerCase());
	const { bindings, faults } = bindingOf(name);

	it("has at least forty operations, and each answer and each trap is one of them", () => {
		const paths = Object.values(document.paths as Record<string, object>);
		expect(paths.flatMap((one) => Object.keys(one).filter((key) => key !== "parameters")).length).toBeGreaterThanOrEqual(40);
		for (const one of [...Object.values(answersOf(name)), ...traps]) {
			const [method = "", path = ""] = one.split(" ");
			expect(operationAt(method, path), one).toBeDefined();
		}
		expect(Object.values(answersOf(name)).filter((one) => traps.includes(one))).toEqual([]);
	});

	it("has a binding without faults for all sixteen operations", () => {
		expect(faults).toEqual([]);
		expect(ours.filter((id) => bindings.operations[id] === undefined)).toEqual([]);
	});

	/** What the binding of one operation names and the document does not show. */
	function missingOf(id: string): string[] {
		const { method = "", path = "", request, answer } = bindings.operations[id] ?? {};
		const operation = operationAt(method, path);
		const parameters = [reader.at(document, "paths", path), operation].flatMap((one) => reader.list(reader.at(one, "parameters")));
		const isParameter = (place: string, at: string) =>
			parameters.some((one) => reader.at(one, "in") === place && reader.at(one, "name") === at);
		const body = reader.at(operation, "requestBody", "content", "application/json", "schema");
		const sent = Object.entries(request?.fields ?? {}).filter(([, { place, at }]) =>
			place === "body" ? !reader.has(body, `${request?.record ?? ""}${at}`) : !isParameter(place, at),
		);
		const [first] = Object.values(reader.at(operation, "responses") as object);
		const schema = reader.at(first, "content", "application/json", "schema");
		const records = id.endsWith(".list") ? (answer?.records ?? bindings.service?.paging?.records ?? "") : "";
		const base = `${records}${answer?.record ?? ""}`;
		const received = Object.entries(answer?.fields ?? {}).filter(([, { at }]) => !reader.has(schema, `${base}${at}`));
		return [...sent, ...received].map(([field]) => `${id}: ${field}`);
	}

	it("binds each field to a place that its document shows", () => {
		expect(Object.keys(bindings.operations).flatMap(missingOf)).toEqual([]);
	});
});
