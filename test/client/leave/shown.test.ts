/**
 * What a person is shown of a binding before they confirm it: through each of the foreign bindings of the tests, payer and payee stand at one
 * place each, and the bytes hold the sample at that place.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseJson } from "../../../src/api/json.js";
import { catalog } from "../../../src/api/operations/catalog.js";
import { createBeneficiaryTransaction, createInterLedger } from "../../../src/api/operations/transaction.js";
import { confirmable } from "../../../src/binding/confirmation.js";
import { readBindingFile } from "../../../src/binding/file.js";
import { sampleId } from "../../../src/client/leave/sample.js";
import { faultsOf, shownBinding } from "../../../src/client/leave/shown.js";
import type { Profile } from "../../../src/ports/profiles.js";

const folder = new URL("../../openapi/documents/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".binding.json"));
const baseUrl = "https://api.example.com";

function profileOf(name: string): Profile {
	const { bindings, faults } = readBindingFile(parseJson(readFileSync(new URL(name, folder), "utf8")), catalog, baseUrl);
	expect(faults).toEqual([]);
	return {
		name: "bank",
		baseUrl,
		environment: "live",
		auth: { kind: "login" },
		overrides: bindings.operations,
		service: bindings.service,
		settings: {},
	};
}

test("there are bindings to show", () => expect(files.length).toBeGreaterThanOrEqual(5));

describe.each(files)("%s", (name) => {
	test.each([createInterLedger, createBeneficiaryTransaction])("$id: who pays whom, in the bytes", (operation) => {
		const profile = profileOf(name);
		expect([faultsOf(operation, profile), confirmable(operation, profile)?.confirmed]).toEqual([[], undefined]);
		const { direction, fields, request, answer } = shownBinding(operation, profile, "0");
		const [payer, payee, amount] = fields;
		for (const [field, id] of [
			[payer, direction?.leaves],
			[payee, direction?.arrives],
		] as const)
			expect([field?.places.length, field?.places[0]?.value]).toEqual([1, id]);
		expect(payer?.places[0]?.place).not.toBe(payee?.places[0]?.place);
		expect(amount?.places.length).toBeGreaterThanOrEqual(1);
		expect(`${request.url} ${request.body}`).toContain(direction?.leaves);
		expect(`${request.url} ${request.body}`).toContain(direction?.arrives);
		expect(request.headers.authorization).toBe("Bearer …");
		expect(answer).toContain(sampleId(profile.service?.ids?.transaction, "5"));
	});

	test("every other request that must be confirmed can be shown", () => {
		const profile = profileOf(name);
		for (const operation of catalog.filter((one) => confirmable(one, profile) !== undefined))
			expect([operation.id, shownBinding(operation, profile, "0").request.url.startsWith(baseUrl)]).toEqual([operation.id, true]);
	});
});

test.each([
	[undefined, "11111111-1111-4111-8111-111111111111"],
	["acc_[0-9]{8}", "acc_11111111"],
	["pay-[a-z]{4,9}", "pay-bbbb"],
	["[A-F]{2}[0-9]{3}", "BB111"],
])("a sample id of the form %s", (pattern, sample) => {
	expect(sampleId(pattern, "1")).toBe(sample);
	expect(sampleId(pattern, "2")).not.toBe(sample);
});
