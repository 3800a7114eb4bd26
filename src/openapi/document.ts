/**
 * Reads an OpenAPI document, 3.0 or 3.1, from its parsed value.
 */
import type { Method } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import { escapedPart } from "../binding/pointer.js";
import type { ForeignAnswer, ForeignAuth, ForeignDocument, ForeignField, ForeignOperation, ForeignParameter } from "./foreign.js";
import { isName, member, References, refuseRemote, textOf } from "./reference.js";
import { notReadable } from "./refusal.js";
import { fieldOf, fieldsOf } from "./schema.js";

const mostOperations = 3_000;
const methods: readonly Method[] = ["GET", "POST", "PATCH", "PUT", "DELETE"];

/**
 * @param value the parsed document
 * @param sha256 of its bytes
 * @throws PurserError validation with what is wrong: no OpenAPI 3.0 or 3.1, a reference that cannot be followed, too many operations
 */
export function readOpenApi(value: unknown, sha256: string): ForeignDocument {
	refuseOthers(value);
	refuseRemote(value);
	const references = new References(value);
	const info = member(value, "info");
	const operations: ForeignOperation[] = [];
	const paths = references.at(member(value, "paths")).value;
	const errors = new Map<string, ForeignField>();
	for (const [path, given] of Object.entries(isRecord(paths) ? paths : {}).filter(([one]) => one.startsWith("/") && isName(one))) {
		const item = references.at(given).value;
		for (const method of methods) {
			const one = member(item, method.toLowerCase());
			if (!isRecord(one)) continue;
			if (operations.length >= mostOperations)
				throw notReadable(`The document has more than ${mostOperations.toLocaleString("en-US")} operations`);
			operations.push(operationOf(method, path, item, one, references));
			if (errors.size === 0) for (const field of errorFields(one, references)) errors.set(field.pointer, field);
		}
	}
	return {
		title: textOf(member(info, "title"), 200),
		version: versionText(member(info, "version")).slice(0, 60),
		sha256,
		servers: serversOf(value),
		auth: authOf(value, references),
		operations,
		errors: [...errors.values()],
	};
}

/** YAML has 3.0 as a number. */
const versionText = (value: unknown): string => (value === undefined || isRecord(value) ? "" : textOf(String(value)));

function refuseOthers(value: unknown): void {
	const swagger = versionText(member(value, "swagger"));
	if (swagger !== "")
		throw notReadable(
			`The document is Swagger ${swagger.slice(0, 10)}, and OpenAPI 3.0 and 3.1 are read`,
			"Convert it first, for example with `npx swagger2openapi FILE --outfile NEW.json`, or in editor.swagger.io (Edit, Convert to OpenAPI 3), and import the result.",
		);
	const version = versionText(member(value, "openapi"));
	if (!isRecord(value) || version === "") throw notReadable("This is no OpenAPI document: it does not say `openapi: 3.0` or `3.1`");
	if (!/^3\.[01](\.|$)/.test(version))
		throw notReadable(`The document is OpenAPI ${JSON.stringify(version.slice(0, 20))}, and 3.0 and 3.1 are read`);
	if (!isRecord(member(value, "paths")) && member(value, "webhooks") === undefined && member(value, "components") === undefined)
		throw notReadable("The document is cut off, or no whole OpenAPI document: it has no paths");
}

function serversOf(value: unknown): string[] {
	const servers = member(value, "servers");
	return (Array.isArray(servers) ? servers.slice(0, 20) : []).map((one) => addressOf(one)).filter((url) => url !== "");
}

/** A server's address, its variables filled in with what they are where nothing else is said. */
function addressOf(server: unknown): string {
	const variables = member(server, "variables");
	return textOf(member(server, "url"), 400).replace(
		/\{([^{}]{1,60})\}/g,
		(whole, name: string) => textOf(member(member(variables, name), "default"), 200) || whole,
	);
}

function authOf(value: unknown, references: References): ForeignAuth | undefined {
	const schemes = member(member(value, "components"), "securitySchemes");
	const all = isRecord(schemes) ? Object.values(schemes).slice(0, 50) : [];
	const found = all.map((one) => schemeOf(references.at(one).value)).filter((one) => one !== undefined);
	return found.find(({ kind }) => kind === "bearer") ?? found[0];
}

function schemeOf(scheme: unknown): ForeignAuth | undefined {
	const type = member(scheme, "type");
	const name = textOf(member(scheme, "scheme"), 40).toLowerCase();
	if (type === "oauth2" || type === "openIdConnect" || (type === "http" && name === "bearer")) return { kind: "bearer" };
	if (type === "http" && name === "basic") return { kind: "basic" };
	return type === "apiKey" && member(scheme, "in") === "header"
		? { kind: "header", header: textOf(member(scheme, "name"), 100) }
		: undefined;
}

function operationOf(method: Method, path: string, item: unknown, one: Record<string, unknown>, references: References): ForeignOperation {
	const tags = member(one, "tags");
	const body = jsonSchema(references.at(member(one, "requestBody")).value);
	return {
		method,
		path: path.slice(0, 400),
		id: textOf(member(one, "operationId"), 120),
		summary: textOf(member(one, "summary"), 200),
		description: textOf(member(one, "description"), 600),
		tags: (Array.isArray(tags) ? tags.slice(0, 10) : []).map((tag) => textOf(tag, 60)),
		parameters: parametersOf([member(item, "parameters"), member(one, "parameters")], references),
		...(body === undefined ? {} : { body: fieldsOf(body, references).fields }),
		answers: answersOf(one, references),
		pointer: `/paths/${escapedPart(path)}/${method.toLowerCase()}`,
		isDeprecated: member(one, "deprecated") === true,
	};
}

/** An operation's own parameters stand for those of its path with the same name and place. */
function parametersOf(lists: readonly unknown[], references: References): ForeignParameter[] {
	const found = new Map<string, ForeignParameter>();
	for (const list of lists)
		for (const given of Array.isArray(list) ? list.slice(0, 100) : []) {
			const { value } = references.at(given);
			const place = member(value, "in");
			const name = textOf(member(value, "name"), 100);
			if (name === "" || (place !== "path" && place !== "query" && place !== "header")) continue;
			const description = textOf(member(value, "description"));
			const required = place === "path" || member(value, "required") === true;
			const field = fieldOf(member(value, "schema"), name, required, description, references);
			const example = member(value, "example");
			found.set(`${place} ${name}`, { ...field, ...(typeof example === "string" ? { example: example.slice(0, 140) } : {}), place, name });
		}
	return [...found.values()];
}

function jsonSchema(holder: unknown): unknown {
	const content = member(holder, "content");
	if (!isRecord(content)) return undefined;
	const type = Object.keys(content).find((name) => /^application\/([a-z0-9.+-]*\+)?json\b|^\*\/\*/i.test(name));
	return type === undefined ? undefined : (member(content[type], "schema") ?? {});
}

function answersOf(one: Record<string, unknown>, references: References): ForeignAnswer[] {
	const responses = member(one, "responses");
	return Object.entries(isRecord(responses) ? responses : {})
		.filter(([status]) => /^2\d\d$/.test(status))
		.map(([status, given]) => {
			const { value } = references.at(given);
			const content = member(value, "content");
			const schema = jsonSchema(value);
			const types = isRecord(content) ? Object.keys(content).map((name) => (name.split(";")[0] as string).trim().toLowerCase()) : [];
			const read = schema === undefined ? { root: "none" as const, fields: [] } : fieldsOf(schema, references);
			return { status: Number(status), types: types.slice(0, 20), ...read };
		});
}

function errorFields(one: Record<string, unknown>, references: References): ForeignField[] {
	const responses = member(one, "responses");
	for (const status of ["400", "422", "4XX", "409", "404", "default"]) {
		const { value } = references.at(member(responses, status));
		const schema = jsonSchema(value);
		const fields = schema === undefined ? [] : fieldsOf(schema, references).fields;
		if (fields.length > 0) return fields;
	}
	return [];
}
