/**
 * What is read of a foreign OpenAPI document. Types only. Texts are bounded; nothing of it is run, shown or contacted here.
 */
import type { Method } from "../api/operation.js";

/** One value of a body or an answer: a leaf, or a list or object whose inside is not described. */
export interface ForeignField {
	/** JSON Pointer from the body's root; `*` stands for each entry of a list. */
	pointer: string;
	/** The names on the way, without `*`. */
	path: readonly string[];
	type: "text" | "number" | "integer" | "boolean" | "object" | "list" | "any";
	/** It and everything around it is required. */
	required: boolean;
	/** Where it is not: the innermost thing around it, or itself, that may be left out. With that, it is required. */
	requiredWith?: string;
	description: string;
	format?: string;
	pattern?: string;
	longest?: number;
	shortest?: number;
	/** A closed list of values. */
	values?: readonly string[];
	example?: string;
	/** Of a number, or what stands there where nothing is given; as text. */
	least?: string;
	most?: string;
	fallback?: string;
}

export interface ForeignParameter extends ForeignField {
	place: "path" | "query" | "header";
	name: string;
}

export interface ForeignAnswer {
	/** 200 to 299; `2XX` and `default` are not counted. */
	status: number;
	/** Without parameters, in lower case. */
	types: readonly string[];
	/** What the root is, where that is said. */
	root: "object" | "list" | "none";
	fields: readonly ForeignField[];
}

export interface ForeignOperation {
	method: Method;
	/** As in the document. */
	path: string;
	id: string;
	summary: string;
	description: string;
	tags: readonly string[];
	parameters: readonly ForeignParameter[];
	/** Undefined: no JSON body. */
	body?: readonly ForeignField[];
	answers: readonly ForeignAnswer[];
	/** JSON Pointer of the operation in the document. */
	pointer: string;
	isDeprecated: boolean;
}

export type ForeignAuth = { kind: "bearer" } | { kind: "basic" } | { kind: "header"; header: string };

export interface ForeignDocument {
	title: string;
	version: string;
	sha256: string;
	servers: readonly string[];
	auth?: ForeignAuth;
	operations: readonly ForeignOperation[];
	/** Fields of the answers that tell an error. */
	errors: readonly ForeignField[];
}
