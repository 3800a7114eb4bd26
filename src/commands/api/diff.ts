import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { optionals } from "../../api/answer.js";
import { filePath, plain } from "../../api/fields.js";
import type { AnyOperation } from "../../api/operation.js";
import { catalog } from "../../api/operations/catalog.js";
import { isRecord, withRecords } from "../../api/schema.js";
import { defineCommand } from "../../cli/command.js";
import { checkAgainst } from "../../mapping/check.js";
import { readOpenApi } from "../../mapping/document.js";
import { type MappingFault, placeText } from "../../mapping/file.js";
import { confirmable } from "../../mapping/request/confirmation.js";
import type { Mapping, RequestPlace } from "../../ports/mapping.js";
import { usableMapping } from "../families/mapping-file.js";

/** Without a value before or after, it was not there. */
const difference = () => z.strictObject({ path: z.array(z.string()), before: z.optional(z.string()), after: z.optional(z.string()) });
type Difference = z.output<ReturnType<typeof difference>>;

export default defineCommand({
	path: "api diff",
	summary: "Compare two mappings, or one with a newer document",
	details:
		"What is used by the older file and is otherwise in the newer one, and what has to be confirmed again. With --against also what is wrong with the newer file in the service's document: give the same file twice to see what a newer document breaks. Exit 9 where anything differs.",
	examples: {
		"api diff bank.yaml new.yaml": "What would change",
		"api diff bank.yaml bank.yaml --against openapi-v2.yaml": "What a newer document of the service breaks",
	},
	input: z.strictObject({
		older: plain("The older mapping", { positional: true, placeholder: "old" }),
		newer: plain("The newer mapping", { positional: true, placeholder: "new" }),
		against: z.optional(filePath("The OpenAPI document of the service, up to 20 MB", { placeholder: "file" })),
	}),
	answer: () =>
		withRecords(
			z.strictObject({
				changes: z.array(difference()),
				confirm: z.array(z.string()),
				faults: z.array(z.strictObject({ path: z.array(z.string()), message: z.string() })),
			}),
			z.strictObject({ path: z.array(z.string()), ...optionals(["before", "after", "message"]) }),
		),
	async run(context, { older, newer, against }) {
		const [before, after] = [await usableMapping(context, older), await usableMapping(context, newer)];
		const changes = diffMappings(before, after);
		const faults: MappingFault[] =
			against === undefined ? [] : checkAgainst(after, readOpenApi(await context.files.documents.readDescription(against)));
		return {
			data: { changes, confirm: confirmedAnew(before, after), faults },
			exit: changes.length + faults.length > 0 ? ("partial" as const) : undefined,
			next: changes.length > 0 ? [purser`api use ${{ path: newer }} --dry-run`] : [],
			lines: [...changes, ...faults],
		};
	},
	text: ({ changes, confirm, faults }, style) =>
		[
			...(changes.length === 0 ? [style.good("Nothing that is used differs.")] : changes.map(differenceText)),
			...(confirm.length === 0 ? [] : [`To be confirmed again: ${confirm.join(", ")}`]),
			...faults.map(({ path, message }) => `${style.bad("against the document")}  ${path.join(".")} ${message}`),
		].join("\n"),
});

const differenceText = ({ path, before = "not there", after = "not there" }: Difference): string =>
	`${path.join(".")}: ${before} → ${after}`;

/** Every value of a mapping with the names that lead to it. */
function leavesOf(value: unknown, path: readonly string[] = []): [string, string][] {
	if (Array.isArray(value) && value.some(isRecord))
		return value.flatMap(({ value: one, ...place }) => leavesOf(one, [...path, placeText(place)]));
	if (!isRecord(value)) return value === undefined ? [] : [[path.join("\0"), Array.isArray(value) ? JSON.stringify(value) : String(value)]];
	const { place, at, ...rest } = value;
	const own = place === undefined ? value : rest;
	const inside = Object.entries(own).flatMap(([name, part]) => leavesOf(part, [...path, name]));
	return place === undefined ? inside : [[path.join("\0"), placeText({ place, at } as RequestPlace)], ...inside];
}

/** What two mappings do differently, in their order: one that only says the same in other words has no difference. */
export function diffMappings(before: Mapping, after: Mapping): Difference[] {
	const [old, now] = [new Map(leavesOf(before)), new Map(leavesOf(after))];
	return [...new Set([...old.keys(), ...now.keys()])].flatMap((key): Difference[] => {
		const [was, is] = [old.get(key), now.get(key)];
		if (was === is) return [];
		return [{ path: key.split("\0"), ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }) }];
	});
}

/** The operations that have to be confirmed again. The address is any: it is the same for both. */
function confirmedAnew(before: Mapping, after: Mapping): string[] {
	const digestIn = (mapping: Mapping, one: AnyOperation) => confirmable(one, { baseUrl: "https://api.example.com", mapping })?.digest;
	return catalog.filter((one) => digestIn(before, one) !== digestIn(after, one)).map(({ id }) => id);
}
