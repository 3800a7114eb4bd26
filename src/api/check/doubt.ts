/**
 * Values that are valid and hardly meant: a website that is no address, a legal type of no country. A person is asked about them once more.
 */
import type { Field } from "../schema.js";
import { check } from "./check.js";
import type { Lists } from "./lists.js";

/** What is odd about a value, where somebody should say that it is meant. */
export function doubtAbout({ schema, meta }: Field, value: unknown, lists: Lists): string | undefined {
	if (meta.doubted !== true || value === undefined || value === "") return undefined;
	const { warnings, faults } = check(schema, value, lists);
	return faults.length > 0 ? undefined : warnings[0]?.message;
}

/** @param value as it was typed @param doubt what is odd about it */
export const doubtQuestion = (value: string, doubt: string): string =>
	`${value.startsWith("{") ? value : JSON.stringify(value)} ${doubt}. Send it as it is?`;

/** A doubt about one field of an input. */
export interface Doubt {
	field: string;
	value: unknown;
	message: string;
}

/** Every doubt about an input. */
export function doubtsAbout(shape: Field, input: unknown, lists: Lists, path = ""): Doubt[] {
	const message = doubtAbout(shape, input, lists);
	const own = message === undefined ? [] : [{ field: path, value: input, message }];
	if (typeof input !== "object" || input === null) return own;
	const parts = (shape.fields ?? []).flatMap((part) =>
		doubtsAbout(part, (input as Record<string, unknown>)[part.name], lists, path === "" ? part.name : `${path}.${part.name}`),
	);
	return [...own, ...parts];
}
