/**
 * What a probe asks for: of each operation a GET that changes nothing, and a path that cannot exist to compare its answer with. Pure.
 */

import * as z from "zod/mini";
import { answer } from "../api/answer.js";
import type { AnyOperation, Input, Method } from "../api/operation.js";
import { catalog } from "../api/operations/catalog.js";
import { idKindOf, randomId } from "../api/text/ids.js";
import type { Random } from "../ports/machine.js";
import type { MappedOperation } from "../ports/mapping.js";
import type { Profile } from "../ports/profiles.js";

/** One GET. Operations at one path share it. */
export interface Knock {
	/** The same for requests that would be the same. */
	key: string;
	/** Its path as a person reads it, with `{named}` ids. */
	path: string;
	/** An operation that reads: a described one, or one made for this request. */
	operation: AnyOperation;
	/** The profile by which that operation is sent. */
	profile: Profile;
	input: Input;
	/** It names a record by a random id, which no record has. */
	hasId: boolean;
	/** Nothing can be at this path. */
	isControl: boolean;
}

/** How one operation is looked at. */
export interface Planned {
	operation: AnyOperation;
	/** As the profile has them. */
	method: Method;
	path: string;
	/** Undefined where nothing is asked: `reason` says why. */
	knock?: Knock;
	/** The answer is the operation's own, and not just that of its path. */
	isOwn: boolean;
	/** What the same place answers where nothing is. */
	control?: Knock;
	reason?: string;
}

/** @param random for ids of records that do not exist, in the form that the profile says, and for paths that do not */
export function planOf(profile: Profile, random: Random): Planned[] {
	const ids = new Map<string, string>();
	const idOf = (name: string): string => {
		const kind = idKindOf[name];
		const held = ids.get(kind ?? name);
		if (held !== undefined) return held;
		const pattern = kind && profile.mapping?.ids?.[kind];
		const made = pattern === undefined ? random.uuid() : randomId(pattern, () => random.fraction());
		ids.set(kind ?? name, made);
		return made;
	};
	const nowhere = `no-such-path-${random.uuid().slice(0, 8)}`;
	const planned = catalog.map((operation) => plannedOf(operation, profile, idOf, nowhere));
	const own = new Map(planned.flatMap(({ isOwn, knock }) => (isOwn && knock ? [[placeOf(knock), knock] as const] : [])));
	// What an operation that reads is answered tells more of its path than a plain look at the path.
	return planned.map((one) => {
		if (one.isOwn || one.knock === undefined || hasConstants(one.knock)) return one;
		return { ...one, knock: own.get(placeOf(one.knock)) ?? one.knock };
	});
}

type IdOf = (name: string) => string;

function plannedOf(operation: AnyOperation, profile: Profile, idOf: IdOf, nowhere: string): Planned {
	const mapped = profile.mapping?.operations[operation.id];
	if (mapped === "none")
		return {
			operation,
			method: operation.method,
			path: operation.path,
			isOwn: false,
			reason: "not tried: the mapping says that it is none",
		};
	const address = { method: mapped?.method ?? operation.method, path: mapped?.path ?? operation.path };
	const { method, path } = address;
	const isOwn = operation.effect === "read" && operation.auth !== "none" && method === "GET";
	const reason = reasonAgainst(operation, method);
	if (reason !== undefined) return { operation, ...address, isOwn: false, reason };
	const control = pathLook({ path: pathToNowhere(path, nowhere), mapped, profile, idOf, isControl: true });
	const knock = isOwn ? ownLook(operation, path, profile, idOf) : pathLook({ path, mapped, profile, idOf, isControl: false });
	return { operation, ...address, isOwn, knock, control };
}

/** Why nothing is asked for an operation, although a GET by itself would change nothing. */
function reasonAgainst({ auth, effect }: AnyOperation, method: Method): string | undefined {
	if (auth === "none") return "not tried: only purser auth login can tell";
	return effect !== "read" && method === "GET" ? "not tried: it is a change that is sent as a GET here" : undefined;
}

/** The operation itself, for a record that does not exist, or for a list with as little in it as possible. */
function ownLook(operation: AnyOperation, path: string, profile: Profile, idOf: IdOf): Knock {
	const names = Object.keys(operation.params.shape);
	const isList = "pageSize" in operation.query.shape;
	const mapped = profile.mapping?.operations[operation.id];
	const isPaged =
		isList && (mapped === undefined || mapped === "none" || mapped.fields === undefined || profile.mapping?.paging !== undefined);
	const input = {
		params: Object.fromEntries(names.map((name) => [name, idOf(name)])),
		query: isPaged ? { page: "0", pageSize: "1" } : {},
	};
	return { key: operation.id, path, operation, profile, input, hasId: names.length > 0, isControl: false };
}

/** A look at a path, whatever its operation takes. */
function pathLook(of: { path: string; mapped: MappedOperation | undefined; profile: Profile; idOf: IdOf; isControl: boolean }): Knock {
	const { path, mapped, profile, idOf, isControl } = of;
	const named = [...path.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] as string);
	const fields = Object.entries(mapped?.fields ?? {});
	const ours = (name: string): string =>
		fields.find(([, field]) => field !== "none" && field.place === "path" && field.at === name)?.[0] ?? name;
	const operation: AnyOperation = {
		id: "probe",
		title: "Look at a path",
		effect: "read",
		method: "GET",
		path,
		params: z.object({}),
		query: z.object({}),
		answer: answer({}),
		provenance: { method: "assumed", path: "assumed", request: "assumed", answer: "assumed" },
		specified: false,
	};
	const constants = (mapped?.constants ?? []).filter(({ place }) => place !== "body");
	const operations = { probe: { method: "GET", path, constants } } as const;
	return {
		key: JSON.stringify([path.replace(/\{[^{}]*\}/g, "{}"), constants]),
		path,
		operation,
		profile: { ...profile, mapping: { ids: profile.mapping?.ids, operations } },
		input: { params: Object.fromEntries(named.map((name) => [name, idOf(ours(name))])) },
		hasId: named.length > 0,
		isControl,
	};
}

function hasConstants({ operation, profile }: Knock): boolean {
	const mapped = profile.mapping?.operations[operation.id];
	return mapped !== undefined && mapped !== "none" && (mapped.constants ?? []).some(({ place }) => place === "query");
}

const placeOf = (knock: Knock): string => knock.path.replace(/\{[^{}]*\}/g, "{}");

/** The path with another last word: its neighbours stay, so that the same router and the same gate before it answer. */
function pathToNowhere(path: string, nowhere: string): string {
	const parts = path.split("/");
	const last = parts.findLastIndex((part) => part !== "" && !part.includes("{"));
	return last < 0 ? `/${nowhere}${path}` : parts.with(last, nowhere).join("/");
}
