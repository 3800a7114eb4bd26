/**
 * What a newer document changes of what a profile has bound: moved, gone, a new required field, a grown list. Pure.
 */
import { type Lists, listNames } from "../../api/check/lists.js";
import type { AnyOperation } from "../../api/operation.js";
import { catalog } from "../../api/operations/catalog.js";
import type { OperationBinding, ServiceBinding } from "../../ports/binding.js";
import { readOpenApi } from "../document.js";
import type { ForeignDocument, ForeignOperation } from "../foreign.js";
import { type Matched, matchDocument } from "../match.js";
import { type Change, changesOf, grownLists } from "./fields.js";

export interface Compared {
	operation: string;
	state: "same" | "changed" | "moved" | "gone";
	/** As bound. */
	method: string;
	path: string;
	/** Where it seems to be now. */
	now?: { method: string; path: string };
	changes: Change[];
}

export interface Differences {
	document: { title: string; version: string; sha256: string };
	operations: Compared[];
	/** Lists of values that have more than the profile knows. */
	lists: { list: string; values: string[] }[];
	/** Operations that are not bound and that the document seems to have. */
	found: { operation: string; method: string; path: string }[];
	/** Bound from other documents, or by hand, and not compared. */
	others: string[];
}

/** What is compared with the document. */
export interface Bound {
	baseUrl: string;
	overrides: Readonly<Record<string, OperationBinding>>;
	service?: ServiceBinding;
	values?: Lists;
}

/** From this score on an unbound operation is told. */
const foundScore = 0.68;

/** @throws PurserError validation, where it is no OpenAPI document that can be read */
export function differences(value: unknown, sha256: string, bound: Bound): Differences {
	const document = readOpenApi(value, sha256);
	const { title, version } = document;
	const matched = matchDocument(document, catalog, { baseUrl: bound.baseUrl, paging: bound.service?.paging });
	const withPath: AnyOperation[] = catalog.filter(({ id }) => bound.overrides[id]?.path !== undefined);
	const compared = comparedOf(withPath, document, bound);
	const found = matched.operations.filter(
		({ operation, candidates: [best] }) => !withPath.includes(operation) && best !== undefined && best.fit.score >= foundScore,
	);
	return {
		document: { title, version, sha256 },
		operations: compared.map((operation) => comparedWith(operation, document, matched, bound)),
		lists: grownLists(document, listNames, bound.values ?? {}),
		found: found.flatMap(({ operation, candidates: [best] }) =>
			best === undefined ? [] : [{ operation: operation.id, method: best.fit.theirs.method, path: best.fit.theirs.path }],
		),
		others: withPath.filter((one) => !compared.includes(one)).map(({ id }) => id),
	};
}

/** Those that come from a document of this title; where none does, those that no other document names. */
function comparedOf(all: readonly AnyOperation[], { title }: ForeignDocument, { overrides }: Bound): AnyOperation[] {
	const titleOf = ({ id }: AnyOperation): string | undefined => overrides[id]?.source?.document;
	const named = title.slice(0, 200) || "untitled";
	const own = all.filter((one) => titleOf(one) === named);
	return own.length > 0 ? own : [...all];
}

function comparedWith(operation: AnyOperation, document: ForeignDocument, matched: Matched, bound: Bound): Compared {
	const binding = bound.overrides[operation.id] as OperationBinding;
	const method = binding.method ?? operation.method;
	const path = binding.path as string;
	const base = { operation: operation.id, method, path };
	if (binding.source?.sha256 === document.sha256) return { ...base, state: "same", changes: [] };
	const there = document.operations.find((one) => one.method === method && shapeOf(one.path) === shapeOf(path));
	const [best] = matched.operations.find((one) => one.operation === operation)?.candidates ?? [];
	const theirs = there ?? (best !== undefined && best.fit.score >= foundScore ? best.fit.theirs : undefined);
	if (theirs === undefined) return { ...base, state: "gone", changes: [] };
	const changes = changesOf(operation, binding, theirs, bound.service);
	if (there === undefined) return { ...base, state: "moved", now: addressIn(theirs), changes };
	return { ...base, state: changes.length === 0 ? "same" : "changed", changes };
}

/** Parameters may have other names: the address is the same. */
const shapeOf = (path: string): string => path.replace(/\{[^{}]*\}/g, "{}");

const addressIn = ({ method, path }: ForeignOperation): { method: string; path: string } => ({ method, path });
