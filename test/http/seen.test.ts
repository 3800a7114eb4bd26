import { expect, test } from "vitest";
import { listBeneficiaries } from "../../src/api/operations/beneficiary.js";
import { createCorporate, getCorporate } from "../../src/api/operations/corporate.js";
import { listLedgers } from "../../src/api/operations/ledger.js";
import { createRelated, listRelated } from "../../src/api/operations/related.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { cachedRecordsIn } from "../../src/http/cached-records.js";
import type { Reply } from "../../src/http/content.js";

const reply = (data: unknown, id?: string): Reply =>
	({ status: 200, data, id, bytes: new Uint8Array(), waiting: false }) as unknown as Reply;

test("a list, a look and a creation show ids and names", () => {
	expect(
		cachedRecordsIn(listLedgers, {}, reply({ content: [{ id: "a", friendlyName: "Main" }, { id: "b" }, { name: "no id" }, 7] })),
	).toEqual([
		{ kind: "ledger", id: "a", name: "Main" },
		{ kind: "ledger", id: "b", name: undefined },
	]);
	expect(cachedRecordsIn(getCorporate, {}, reply({ corporateId: "c", registeredName: "Example" }))).toEqual([
		{ kind: "corporate", id: "c", name: "Example" },
	]);
	expect(cachedRecordsIn(createCorporate, { body: { corporateName: "New" } }, reply({ id: "d" }, "d"))).toEqual([
		{ kind: "corporate", id: "d", name: "New" },
	]);
});

test("of natural persons kind and status are shown, and no name", () => {
	const persons = [
		{ id: "p", firstName: "Ada", lastName: "Example", kycInfo: { status: "DRAFT" } },
		{ id: "q", type: "PHYSICAL", name: "Ada Example" },
	];
	expect(cachedRecordsIn(listRelated, {}, reply(persons))).toEqual([
		{ kind: "related", id: "p", name: "natural person, DRAFT" },
		{ kind: "related", id: "q", name: "natural person" },
	]);
	expect(cachedRecordsIn(createRelated, { body: { firstName: "Ada", lastName: "Example" } }, reply({}, "r"))).toEqual([
		{ kind: "related", id: "r", name: "natural person" },
	]);
	expect(cachedRecordsIn(createRelated, { body: { type: "COMPANY", corporateName: "Example BV" } }, reply({}, "s"))).toEqual([
		{ kind: "related", id: "s", name: "Example BV" },
	]);
});

test("a beneficiary is named where its type says that it is a company", () => {
	const records = [
		{ id: "a", type: "COMPANY", name: "Example SAS", friendlyName: "Our baker", status: "VALID" },
		{ id: "b", type: "INDIVIDUAL", name: "Ada Example", friendlyName: "Ada", status: "VALID" },
		{ id: "c", name: "Ada Example", friendlyName: "Ada" },
	];
	expect(cachedRecordsIn(listBeneficiaries, {}, reply(records))).toEqual([
		{ kind: "beneficiary", id: "a", name: "Example SAS" },
		{ kind: "beneficiary", id: "b", name: "beneficiary INDIVIDUAL, VALID" },
		{ kind: "beneficiary", id: "c", name: "beneficiary" },
	]);
});

test("payments, and answers that make no sense, show nothing", () => {
	expect(cachedRecordsIn(createInterLedger, {}, reply({ id: "t" }, "t"))).toEqual([]);
	for (const data of [undefined, 42, "text", null, [null]]) expect(cachedRecordsIn(listLedgers, {}, reply(data))).toEqual([]);
});
