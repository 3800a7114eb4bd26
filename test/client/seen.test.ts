import { expect, test } from "vitest";
import { createCorporate, getCorporate } from "../../src/api/corporate.js";
import { listLedgers } from "../../src/api/ledger.js";
import { createRelated, listRelated } from "../../src/api/related.js";
import { createInterLedger } from "../../src/api/transaction.js";
import type { Reply } from "../../src/client/reply.js";
import { seenIn } from "../../src/client/seen.js";

const reply = (data: unknown, id?: string): Reply =>
	({ status: 200, data, id, bytes: new Uint8Array(), waiting: false }) as unknown as Reply;

test("a list, a look and a creation show ids and names", () => {
	expect(seenIn(listLedgers, {}, reply({ content: [{ id: "a", friendlyName: "Main" }, { id: "b" }, { name: "no id" }, 7] }))).toEqual([
		{ kind: "ledger", id: "a", name: "Main" },
		{ kind: "ledger", id: "b", name: undefined },
	]);
	expect(seenIn(getCorporate, {}, reply({ corporateId: "c", registeredName: "Example" }))).toEqual([
		{ kind: "corporate", id: "c", name: "Example" },
	]);
	expect(seenIn(createCorporate, { body: { corporateName: "New" } }, reply({ id: "d" }, "d"))).toEqual([
		{ kind: "corporate", id: "d", name: "New" },
	]);
});

test("of a person the last name is not kept", () => {
	expect(seenIn(listRelated, {}, reply([{ id: "p", firstName: "Ada", lastName: "Example" }]))).toEqual([
		{ kind: "related", id: "p", name: "Ada E." },
	]);
	expect(seenIn(createRelated, { body: { firstName: "Ada", lastName: "Example" } }, reply({}, "q"))).toEqual([
		{ kind: "related", id: "q", name: "Ada E." },
	]);
});

test("payments, and answers that make no sense, show nothing", () => {
	expect(seenIn(createInterLedger, {}, reply({ id: "t" }, "t"))).toEqual([]);
	for (const data of [undefined, 42, "text", null, [null]]) expect(seenIn(listLedgers, {}, reply(data))).toEqual([]);
});
