/**
 * Finds operations by method and path, where one address may serve several and a parameter may be a part of a path's segment.
 */
import { decoded, notAllowed, notFound } from "../router.js";

interface Template<T> {
	one: T;
	expression: RegExp;
	names: readonly string[];
	/** For each segment, whether it is fixed (0), partly (1), or a parameter (2): what is fixed wins. */
	rank: string;
}

/** An operation, and the parameters of the path by their names there. */
export interface Found<T> {
	one: T;
	params: Record<string, string>;
}

/** @throws HttpError 404 for a path that leads nowhere, and 405 with the methods there are */
export type Finder<T> = (method: string, path: string) => readonly Found<T>[];

export function finderOf<T extends { method: string; path: string }>(all: readonly T[]): Finder<T> {
	const templates = all.map(templateOf).sort((one, other) => (one.rank < other.rank ? -1 : one.rank > other.rank ? 1 : 0));
	return (method, path) => {
		const fitting = templates.filter(({ expression }) => expression.test(path));
		if (fitting.length === 0) throw notFound();
		const asked = method === "HEAD" ? "GET" : method;
		const able = fitting.filter(({ one }) => one.method === asked);
		const [best] = able;
		if (best === undefined) throw notAllowed(method, [...new Set(fitting.map(({ one }) => one.method))]);
		const same = able.filter(({ expression }) => expression.source === best.expression.source);
		return same.map((template) => ({ one: template.one, params: paramsOf(template, path) }));
	};
}

function templateOf<T extends { path: string }>(one: T): Template<T> {
	const parts = one.path.split(/(\{[^{}]*\})/);
	const isName = (part: string): boolean => /^\{[^{}]*\}$/.test(part);
	const source = parts.map((part) => (isName(part) ? "([^/]+)" : part.replace(/[$()*+.?[\\\]^|]/g, "\\$&"))).join("");
	return {
		one,
		expression: new RegExp(`^${source}$`),
		names: parts.filter(isName).map((part) => part.slice(1, -1)),
		rank: one.path
			.split("/")
			.map((segment) => (isName(segment) ? "2" : segment.includes("{") ? "1" : "0"))
			.join(""),
	};
}

function paramsOf<T>({ expression, names }: Template<T>, path: string): Record<string, string> {
	const values = expression.exec(path)?.slice(1) ?? [];
	return Object.fromEntries(names.map((name, index) => [name, decoded(values[index] ?? "")]));
}
