/**
 * What a binding says of answers never lets one prove more than it would without it.
 */
import { expect, test } from "vitest";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { boundOperation } from "../../src/binding/binding.js";
import { classify } from "../../src/client/classify.js";
import { contentOf } from "../../src/client/content.js";
import type { OperationBinding } from "../../src/ports/binding.js";

const made = "99999999-9999-4999-8999-999999999999";
const json = { "content-type": "application/json" };

function verdictOf(binding: OperationBinding, status: number, data: unknown) {
	const bound = boundOperation(createInterLedger, binding, undefined);
	const body = new TextEncoder().encode(data === undefined ? "" : JSON.stringify(data));
	const { state, ...rest } = classify(
		{ operation: createInterLedger, input: {}, bound },
		{ kind: "answer", status, headers: json, body },
		contentOf(status, json, body, { bound }),
		undefined,
	);
	return [state, "id" in rest ? rest.id : undefined];
}

test.each<[string, number, unknown, unknown[]]>([
	["200 without an id", 200, { message: "hello" }, ["in-doubt", undefined]],
	["200 without anything", 200, undefined, ["in-doubt", undefined]],
	["200 with a new id (control)", 200, { id: made }, ["accepted", made]],
	["202 without an id (control)", 202, {}, ["accepted", undefined]],
])("of statuses that mean waiting: %s", (_name, status, data, expected) => {
	expect(verdictOf({ answer: { statuses: { waiting: [200, 202] } } }, status, data)).toEqual(expected);
});

test.each<[string, Record<string, string>, unknown, unknown[]]>([
	["under its own name alone", { id: "paymentId" }, { id: made }, ["in-doubt", undefined]],
	["under the name that the profile gives (control)", { id: "paymentId" }, { paymentId: made, id: "other" }, ["accepted", made]],
	["under its own name, where nothing renames it (control)", { amount: "sum" }, { id: made }, ["accepted", made]],
])("a new record's id %s", (_name, fields, data, expected) => {
	expect(verdictOf({ fields }, 201, data)).toEqual(expected);
});
