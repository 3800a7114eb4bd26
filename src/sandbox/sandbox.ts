/**
 * The embedded sandbox: requests in, answers out, state between. No socket here.
 */

import { catalog } from "../api/catalog.js";
import { parseJson } from "../api/json.js";
import type { AnyOperation } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import type { Chance } from "../context.js";
import { userOf } from "./accounts.js";
import { controls } from "./control.js";
import type { Desk, Options } from "./desk.js";
import { type Fault, seeded, struck, underFaults } from "./faults.js";
import { hostedPage } from "./hosted.js";
import { type Answer, json, Refusal, type Request, refused } from "./message.js";
import { seedWorld } from "./opening.js";
import { plays } from "./playing.js";
import { handlers } from "./routes.js";
import { emptyState, type State } from "./state.js";

export type { Answer, Delivery, Request } from "./message.js";

export interface SandboxOptions extends Partial<Options> {
	clock: { now(): Date };
	chance: Chance;
	/** Without it the sandbox starts with one validated corporate. */
	empty?: boolean;
	/** What was remembered. */
	state?: State;
	faults?: readonly Fault[];
	/** Of the faults' probabilities. */
	seed?: number;
	/** Called after each request that changed something, before it is answered. */
	keep?: (state: State) => Promise<void>;
}

export interface Sandbox {
	/** One after the other, so that clients at once see one order. */
	handle(request: Request): Promise<Answer>;
	/** Where its links lead; set by the server once it listens. */
	readonly options: Options;
	readonly state: State;
}

/** Largest body taken. */
const limit = 1024 * 1024;

/** Makes a sandbox. Everything outside is handed in. */
export function createSandbox(given: SandboxOptions): Sandbox {
	const state = given.state ?? emptyState(given.clock.now());
	const options: Options = {
		origin: "http://127.0.0.1",
		complianceTakes: 2000,
		settlementTakes: 1500,
		review: "html",
		...withoutUndefined(given),
	};
	const desk: Desk = { state, chance: given.chance, options, now: () => new Date(given.clock.now().getTime() + state.ahead) };
	if (!given.state && !given.empty) seedWorld(desk);
	const faults: Fault[] = [...(given.faults ?? [])];
	const fraction = given.seed === undefined ? () => given.chance.fraction() : seeded(given.seed);
	let last: Promise<unknown> = Promise.resolve();
	const one = async (request: Request): Promise<Answer> => {
		const answer = answerTo(request, desk, faults, fraction);
		if (request.method !== "GET") await given.keep?.(state);
		return answer;
	};
	return {
		state,
		options,
		handle: (request) => {
			const next = last.then(() => one(request));
			last = next.catch(() => {});
			return next;
		},
	};
}

function withoutUndefined(options: Partial<Options>): Partial<Options> {
	const { origin, complianceTakes, settlementTakes, review } = options;
	return Object.fromEntries(
		Object.entries({ origin, complianceTakes, settlementTakes, review }).filter(([, value]) => value !== undefined),
	);
}

function answerTo(request: Request, desk: Desk, faults: Fault[], fraction: () => number): Answer {
	const [path = "", search = ""] = request.target.split("?", 2);
	const guarded = (process: () => Answer): Answer => {
		try {
			return process();
		} catch (cause) {
			if (cause instanceof Refusal) return refused(cause, desk.now());
			throw cause;
		}
	};
	return guarded(() => {
		if (path.startsWith("/_sandbox/")) return playOrPage(request, desk, faults, path, new URLSearchParams(search));
		const found = match(catalog, request.method, path);
		const strikes = struck(faults, found.operation.id, fraction);
		return underFaults(strikes, () => guarded(() => serve(request, desk, found, new URLSearchParams(search))), desk.now());
	});
}

function playOrPage(request: Request, desk: Desk, faults: Fault[], path: string, query: URLSearchParams): Answer {
	const control = controls.find((one) => one.path === path && one.method === request.method);
	if (control)
		return json(200, (plays[control.id] as (typeof plays)[string])(desk, faults, control.method === "GET" ? {} : bodyOf(request), query));
	const page = hostedPage(desk, request.method, path);
	if (page) return page;
	throw new Refusal(404, "NOT_FOUND", "There is no such page");
}

interface Found {
	operation: AnyOperation;
	params: Record<string, string>;
}

/** Fixed parts win over named ones: `corporates/related/{id}` before `corporates/{id}/related`. */
function match(operations: readonly AnyOperation[], method: string, path: string): Found {
	const parts = path.split("/");
	const fitting = operations.flatMap((operation) => {
		const params = paramsOf(operation.path.split("/"), parts);
		return params ? [{ operation, params }] : [];
	});
	fitting.sort(
		(one, other) =>
			Object.keys(one.params).length - Object.keys(other.params).length || firstParam(one.operation) - firstParam(other.operation),
	);
	const best = fitting.filter(({ operation }) => firstParam(operation) >= Math.max(0, ...fitting.map((one) => firstParam(one.operation))));
	const found = best.find(({ operation }) => operation.method === method) ?? fitting.find(({ operation }) => operation.method === method);
	if (found) return found;
	if (fitting.length > 0) throw new Refusal(405, "METHOD_NOT_ALLOWED", `${method} is not allowed here`);
	throw new Refusal(404, "NOT_FOUND", "There is no such path");
}

const firstParam = (operation: AnyOperation): number => {
	const at = operation.path.split("/").findIndex((part) => part.startsWith("{"));
	return at < 0 ? 99 : at;
};

function paramsOf(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
	if (pattern.length !== parts.length) return undefined;
	const params: Record<string, string> = {};
	for (const [at, piece] of pattern.entries()) {
		const part = parts[at] as string;
		if (!piece.startsWith("{")) {
			if (piece !== part) return undefined;
		} else {
			try {
				params[piece.slice(1, -1)] = decodeURIComponent(part);
			} catch {
				return undefined;
			}
		}
	}
	return params;
}

function serve(request: Request, desk: Desk, { operation, params }: Found, query: URLSearchParams): Answer {
	const user = userOf(desk, request.headers.authorization, operation.auth ?? "required");
	const body = operation.body && request.method !== "GET" ? bodyOf(request) : {};
	return (handlers[operation.id] as (typeof handlers)[string])(desk, { params, query, body, user });
}

/** @throws Refusal 400, 413, 415 */
function bodyOf(request: Request): Record<string, unknown> {
	if (request.body.length > limit) throw new Refusal(413, "PAYLOAD_TOO_LARGE", `At most ${limit} bytes`);
	const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
	if (type !== "application/json") throw new Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be application/json");
	let parsed: unknown;
	try {
		parsed = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(request.body));
	} catch {
		throw new Refusal(400, "MALFORMED_JSON", "The body is not JSON");
	}
	if (!isRecord(parsed)) throw new Refusal(400, "MALFORMED_JSON", "The body must be a JSON object");
	return parsed;
}
