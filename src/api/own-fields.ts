/**
 * What a request is made of: the fields of its operation, and what is added to them by name, as `--set` does. Every other member of a
 * command's input is an option of the tool, and stays on this machine.
 */
import type * as z from "zod/mini";
import { describe } from "./schema.js";

/** The member of an input that has the fields which its operation is not described with. Neither a file nor a flag can name a symbol. */
export const extraFields: unique symbol = Symbol("extra fields");

/** The fields that are sent although the operation is not described with them. */
export const extraFieldsOf = (input: object): Readonly<Record<string, unknown>> =>
	(input as { [extraFields]?: Readonly<Record<string, unknown>> })[extraFields] ?? {};

/** The part of an input that is sent in the body that `schema` describes; an extra field never replaces one of its own. */
export function ownFields(schema: z.ZodMiniType, input: object): Record<string, unknown> {
	const given = input as Readonly<Record<string, unknown>>;
	const names = (describe(schema).fields ?? []).map(({ name }) => name);
	const own = Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]));
	return { ...own, ...extraFieldsOf(input), ...own };
}
