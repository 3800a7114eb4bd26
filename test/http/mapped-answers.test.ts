/**
 * What the content of a success proves of a payment; what a mapping says of answers never lets one prove more than it would without it.
 */
import { expect, test } from "vitest";
import { updateCorporate } from "../../src/api/operations/corporate.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { classify } from "../../src/http/classify.js";
import { contentOf } from "../../src/http/content.js";
import { appliedMapping } from "../../src/mapping/request/applied.js";
import type { MappedOperation } from "../../src/ports/mapping.js";

const [a, b, made] = ["1", "2", "9"].map((digit) => `${digit.repeat(8)}-a999-4999-8999-999999999999`) as [string, string, string];
const json = { "content-type": "application/json" };

function verdictOf(more: Partial<MappedOperation>, status: number, data: unknown) {
	const entry: MappedOperation = { method: "POST", path: "/pay", ...more };
	const applied = appliedMapping(createInterLedger, { operations: { [createInterLedger.id]: entry } });
	const body = new TextEncoder().encode(data === undefined ? "" : JSON.stringify(data));
	const { state, ...rest } = classify(
		{ operation: createInterLedger, input: { body: { ledgerFromId: a, ledgerToId: b } }, applied },
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

type Row = [string, Partial<MappedOperation>, number, unknown, unknown[]];

test.each<Row>([
	["a status that means waiting, without an id", waiting, 200, { message: "hello" }, doubt],
	["a status that means waiting, without anything", waiting, 200, undefined, doubt],
	["a status that means waiting, with a new id (control)", waiting, 200, { id: made }, accepted],
	["202 without an id (control)", waiting, 202, {}, ["accepted", undefined]],
	["a success that the mapping does not name", { statuses: { done: [201] } }, 200, { id: made }, doubt],
	["the one that it names (control)", { statuses: { done: [201] } }, 201, { id: made }, accepted],
	["an id under our name, where the mapping says another place", moved, 201, { id: made }, doubt],
	["an id at the mapping's place (control)", moved, 201, { paymentId: made, id: "other" }, accepted],
	["an id under our name, where nothing moves it (control)", { fields: {} }, 201, { id: made }, accepted],
	["the debited ledger's id", {}, 201, { id: a }, doubt],
	["the credited ledger's id, in capitals", {}, 200, { id: b.toUpperCase() }, doubt],
	["the id of no record (all zeros)", {}, 201, { id: "00000000-0000-0000-0000-000000000000" }, doubt],
	["the id of no record (all ones)", {}, 201, { id: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF" }, doubt],
	...[
		{ errorCode: "LEDGER_NOT_FOUND", message: "no such ledger" },
		...[{ status: 400, error: "linkcy.bad.request" }, { error: { code: "LIMIT" } }, { status: "503" }, { success: false }],
	].flatMap((told) =>
		[200, 201, 202].map((status): Row => [`an error beside an id: ${JSON.stringify(told)}`, {}, status, { id: made, ...told }, doubt]),
	),
	...[
		...[{ error: null, errorCode: "" }, { error: false, success: true }, { error: {}, status: "PENDING" }, { status: 200 }],
		...[{ errorCode: "00" }, { errorCode: 0 }, { error: "None" }, { errorCode: "SUCCESS" }],
	].map((told): Row => [`a field for an error that holds none: ${JSON.stringify(told)}`, {}, 200, { id: made, ...told }, accepted]),
])("%s", (_name, entry, status, data, expected) => {
	expect(verdictOf(entry, status, data)).toEqual(expected);
});

test.each([
	...[{ errorCode: "NOT_ALLOWED" }, { status: 400 }, { success: false }, { error: "linkcy.bad.request" }].map(
		(told) => [told, "in-doubt"] as const,
	),
	...[
		{ error: { code: 0 } },
		{ errors: { email: [] } },
		{ errorCode: "200" },
		{ status: "1000" },
		{ status: "PENDING" },
		{ error: "N/A" },
	].map((told) => [told, "accepted"] as const),
])("of an update that is answered with %j: %s", (told, state) => {
	const body = new TextEncoder().encode(JSON.stringify(told));
	const outcome = { kind: "answer", status: 200, headers: json, body } as const;
	const asked = { operation: updateCorporate, input: { params: { corporateId: a }, body: {} } };
	expect(classify(asked, outcome, contentOf(200, json, body, {}), undefined).state).toBe(state);
});
