/**
 * Which operation a method and a path mean.
 */
import type { AnyOperation } from "../api/operation.js";
import { HttpError } from "./message.js";

export interface RouteMatch<O extends AnyOperation> {
	operation: O;
	/** The named parts of the path, decoded. */
	params: Record<string, string>;
}

/** One place in the tree of paths. */
interface Place<O> {
	fixed: Map<string, Place<O>>;
	/** The place below any part. */
	any?: Place<O>;
	/** What can be done here, by method. */
	here: Map<string, O>;
}

export type Router<O extends AnyOperation> = (method: string, path: string) => RouteMatch<O>;

/**
 * A router for operations. Part by part, a fixed name wins over a named parameter and there is no way back:
 * `corporates/related/{id}` before `corporates/{id}/related`. HEAD is routed as GET.
 * The router throws HttpError 404 for a path that leads nowhere, an empty part (so a trailing slash) included, and 405 with
 * the methods there are.
 */
export function routerOf<O extends AnyOperation>(operations: readonly O[]): Router<O> {
	const root = place<O>();
	for (const operation of operations) {
		let at = root;
		for (const part of partsOf(operation.path)) at = below(at, part);
		at.here.set(operation.method, operation);
	}
	return (method, path) => {
		const values: string[] = [];
		let at: Place<O> | undefined = root;
		for (const part of partsOf(path)) {
			const fixed: Place<O> | undefined = at.fixed.get(part);
			if (!fixed && at.any && part !== "") values.push(decoded(part));
			at = fixed ?? (part === "" ? undefined : at.any);
			if (!at) throw notFound();
		}
		if (at.here.size === 0) throw notFound();
		const operation = at.here.get(method === "HEAD" ? "GET" : method);
		if (!operation) throw notAllowed(method, [...at.here.keys()]);
		const names = partsOf(operation.path).filter((part) => part.startsWith("{"));
		return { operation, params: Object.fromEntries(names.map((name, index) => [name.slice(1, -1), values[index] as string])) };
	};
}

const place = <O>(): Place<O> => ({ fixed: new Map(), here: new Map() });
const partsOf = (path: string): string[] => path.split("/").slice(1);
const notFound = (): HttpError => new HttpError(404, "NOT_FOUND", "There is no such path");

function below<O>(at: Place<O>, part: string): Place<O> {
	if (part.startsWith("{")) {
		at.any ??= place<O>();
		return at.any;
	}
	const next = at.fixed.get(part) ?? place<O>();
	at.fixed.set(part, next);
	return next;
}

/** @throws HttpError 404, where the percent-encoding is broken */
function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		throw notFound();
	}
}

/** HTTP asks for the methods that are allowed. */
export function notAllowed(method: string, methods: readonly string[]): HttpError {
	const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : [])].join(", ");
	return new HttpError(405, "METHOD_NOT_ALLOWED", `${method} is not allowed here`, [], { allow });
}
