/**
 * Small documents of invented services, written briefly: each operation is one line of text.
 */

/** `name: "string!"` → a schema; `!` is required, `a|b` a closed list, a record an object, a list in brackets; `schema` says it whole. */
type Brief = Readonly<Record<string, unknown>>;

export interface Line {
	/** `POST /path`. */
	at: string;
	id?: string;
	summary?: string;
	description?: string;
	body?: Brief;
	/** The body is a form. */
	form?: true;
	answer?: Brief | readonly [Brief];
	status?: number;
	parameters?: readonly Record<string, unknown>[];
	query?: readonly string[];
	deprecated?: true;
}

export function schemaOf(brief: unknown): Record<string, unknown> {
	if (Array.isArray(brief)) return { type: "array", items: schemaOf(brief[0]) };
	if (typeof brief === "object" && brief !== null && "schema" in brief) return (brief as { schema: Record<string, unknown> }).schema;
	if (typeof brief === "object" && brief !== null) {
		const entries = Object.entries(brief);
		const plain = (name: string): string => name.replace(/!$/, "");
		const required = entries.filter(([name]) => name.endsWith("!")).map(([name]) => plain(name));
		return { type: "object", required, properties: Object.fromEntries(entries.map(([name, part]) => [plain(name), schemaOf(part)])) };
	}
	const text = String(brief);
	return text.includes("|") ? { type: "string", enum: text.split("|") } : { type: text };
}

/** The document of some lines. */
export function documentOf(lines: readonly Line[]): Record<string, unknown> {
	const paths: Record<string, Record<string, unknown>> = {};
	for (const { at, id, summary, description, body, form, answer, status = 200, query = [], parameters = [], deprecated } of lines) {
		const [method = "", path = ""] = at.split(" ");
		const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => ({
			name,
			in: "path",
			required: true,
			schema: { type: "string" },
		}));
		const content = answer && { "application/json": { schema: schemaOf(answer) } };
		const type = form ? "application/x-www-form-urlencoded" : "application/json";
		paths[path] = {
			...paths[path],
			[method.toLowerCase()]: {
				...{ operationId: id, summary, description, deprecated },
				parameters: [...inPath, ...query.map((name) => ({ name, in: "query", schema: { type: "string" } })), ...parameters],
				...(body && { requestBody: { content: { [type]: { schema: schemaOf(body) } } } }),
				responses: { [status]: { description: "Done", ...(content && { content }) } },
			},
		};
	}
	return { openapi: "3.1.0", info: { title: "Quay", version: "7" }, paths };
}

export const described = (description: string, type = "string") => ({ schema: { type, description } });
