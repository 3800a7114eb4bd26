/**
 * What a mapping says of answers never lets one prove more than it would without it.
 */
import { expect, test } from "vitest";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { classify } from "../../src/http/classify.js";
import { contentOf } from "../../src/http/content.js";
import { appliedMapping } from "../../src/mapping/request/applied.js";
import type { MappedOperation } from "../../src/ports/mapping.js";

const made = "99999999-9999-4999-8999-999999999999";
const json = { "content-type": "application/json" };

function verdictOf(more: Partial<MappedOperation>, status: number, data: unknown) {
	const entry: MappedOperation = { method: "POST", path: "/pay", ...more };
	const applied = appliedMapping(createInterLedger, { operations: { [createInterLedger.id]: entry } });
	const body = new TextEncoder().encode(data === undefined ? "" : JSON.stringify(data));
	const { state, ...rest } = classify(
		{ operation: createInterLedger, input: {}, applied },
		{ kind: "answer", status, headers: json, body },
		contentOf(status, json, body, { applied }),
		undefined,
	);
	return [state, "id" in rest ? rest.id : undefined];
}

const waiting = { statuses: { waiting: [200, 202] } };
const moved = { answer: { fields: { id: { at: "/paymentId" } } } };
const accepted = ["accepted", made];
const doubt = ["in-doubt", undefined];

test.each<[string, Partial<MappedOperation>, number, unknown, unknown[]]>([
	["a status that means waiting, without an id", waiting, 200, { message: "hello" }, doubt],
	["a status that means waiting, without anything", waiting, 200, undefined, doubt],
	["a status that means waiting, with a new id (control)", waiting, 200, { id: made }, accepted],
	["202 without an id (control)", waiting, 202, {}, ["accepted", undefined]],
	["a success that the mapping does not name", { statuses: { done: [201] } }, 200, { id: made }, doubt],
	["the one that it names (control)", { statuses: { done: [201] } }, 201, { id: made }, accepted],
	["an id under our name, where the mapping says another place", moved, 201, { id: made }, doubt],
	["an id at the mapping's place (control)", moved, 201, { paymentId: made, id: "other" }, accepted],
	["an id under our name, where nothing moves it (control)", { fields: {} }, 201, { id: made }, accepted],
])("%s", (_name, entry, status, data, expected) => {
	expect(verdictOf(entry, status, data)).toEqual(expected);
});
