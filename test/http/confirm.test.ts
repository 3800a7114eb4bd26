/**
 * What has to be confirmed of a mapping, what a person is shown of it, and the last look where the bytes leave: a caller that forgot to ask
 * sends nothing.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { AnyOperation } from "../../src/api/operation.js";
import { catalog } from "../../src/api/operations/catalog.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { exchange } from "../../src/http/call.js";
import { type Confirmed, requireConfirmed } from "../../src/http/confirm/confirmed.js";
import { exampleOf } from "../../src/http/confirm/example.js";
import type { Call } from "../../src/http/job.js";
import { draftRequest } from "../../src/http/request/request.js";
import { momentOf } from "../../src/http/shelf-life.js";
import { mappingFaults } from "../../src/mapping/faults.js";
import { readMapping } from "../../src/mapping/file.js";
import { confirmable } from "../../src/mapping/request/confirmation.js";
import type { MappedOperation, Mapping } from "../../src/ports/mapping.js";
import type { Profile } from "../../src/ports/profiles.js";
import { answered, changed, smallContext } from "../support/context.js";
import { failure } from "../support/failure.js";

const baseUrl = "https://api.example.com";
const pay = "transaction.interLedger";
const entry: MappedOperation = { method: "POST", path: "/v2/pay" };
const mapping: Mapping = { operations: { [pay]: entry } };
const profileOf = (of: Mapping, more: Partial<Profile> = {}): Profile => ({
	name: "bank",
	baseUrl,
	environment: "live",
	auth: { kind: "login" },
	settings: {},
	mapping: of,
	...more,
});
const operationOf = (id: string): AnyOperation => catalog.find((one) => one.id === id) as AnyOperation;
const digestOf = (of: Mapping, id = pay): string | undefined => confirmable(operationOf(id), profileOf(of))?.digest;

test.each<[string, string, Partial<Mapping>, boolean]>([
	["a payment with an entry", pay, mapping, true],
	["a payment beside the entries of others", "transaction.beneficiary", mapping, false],
	["a payment as described with a key", pay, { idempotency: { place: "header", at: "K" } }, true],
	["a payment as described with other ids", pay, { ids: { ledger: "acc_[0-9]{8}" } }, true],
	["a payment as described with other pages", pay, { paging: { style: "page", at: "p" } }, false],
	["a payment that the service does not have", pay, { operations: { [pay]: "none" } }, false],
	["a change that becomes a PUT", "corporate.update", { operations: { "corporate.update": { method: "PUT", path: "/c" } } }, true],
	["a change that becomes a POST", "corporate.update", { operations: { "corporate.update": { method: "POST", path: "/c" } } }, false],
	["a read that is no GET", "ledger.list", { operations: { "ledger.list": { method: "POST", path: "/l" } } }, true],
	["a read elsewhere", "ledger.list", { operations: { "ledger.list": { method: "GET", path: "/l" } } }, false],
])("whether %s has to be confirmed", (_name, id, more, expected) => {
	expect(digestOf({ operations: {}, ...more }, id) !== undefined).toBe(expected);
});

test("a confirmation is for the entry, for what holds for all operations, and for the address", () => {
	const digest = digestOf(mapping) as string;
	const given = { digest, service: baseUrl, at: "2026-01-01T00:00:00.000Z", by: "anna" };
	const standing = (of: Mapping, more: Partial<Profile> = {}) => {
		const asked = confirmable(createInterLedger, profileOf(of, { confirmations: { [pay]: given }, ...more }));
		return asked?.confirmed ? "confirmed" : asked?.earlier ? "changed" : "never";
	};
	expect(standing(mapping)).toBe("confirmed");
	expect(standing({ operations: { ...mapping.operations, "ledger.get": { method: "GET", path: "/l/{ledgerId}" } } })).toBe("confirmed");
	expect(standing(mapping, { baseUrl: `${baseUrl}/` })).toBe("confirmed");
	expect(standing(mapping, { baseUrl: "https://other.example.com" })).toBe("changed");
	expect(standing(mapping, { confirmations: { "transaction.beneficiary": given } })).toBe("never");
	for (const more of [
		{ operations: { [pay]: { ...entry, path: "/v3/pay" } } },
		{ operations: { [pay]: { ...entry, constants: [{ place: "body", at: "/kind", value: "x" }] } } },
		{ ids: { ledger: "acc_[0-9]{8}" } },
		{ errors: { code: "/code" } },
		{ zone: "UTC" },
		{ idempotency: { place: "header", at: "K" } },
	] as Partial<Mapping>[])
		expect([more, standing({ ...mapping, ...more })]).toEqual([more, "changed"]);
});

test("what nobody has confirmed is refused, with what became of an earlier confirmation", async () => {
	const refused = async (more: Partial<Profile>) => {
		const { context } = smallContext({ profile: { mapping, ...more } });
		const { profile } = await context.settings.read();
		const stored = { get: async () => profile } as never;
		const found = requireConfirmed(changed(context, { config: { profiles: async () => stored } }), profile, createInterLedger);
		return (await found.catch(({ kind, failure: { code, why } }) => `${kind} ${code}: ${why}`)) as string;
	};
	const given = { digest: "0".repeat(64), service: baseUrl, at: "2026-01-01T00:00:00.000Z", by: "anna" };
	expect(await refused({})).toBe(
		"guard MAPPING_UNCONFIRMED: A wrong address or field could pay the wrong party, the wrong amount, or overwrite what is there",
	);
	expect(await refused({ confirmations: { [pay]: given } })).toContain("The mapping has changed since anna confirmed it on 2026-01-01");
	const elsewhere = { ...given, digest: digestOf(mapping) as string, service: "https://other.example.com" };
	expect(await refused({ confirmations: { [pay]: elsewhere } })).toContain("The profile's address has changed since anna");
});

test.each([
	["no confirmation", undefined, "not-sent"],
	["the confirmation of another entry", "0".repeat(64), "not-sent"],
	["its own (control)", digestOf(mapping), "answer"],
])("where the bytes leave, with %s", async (_name, confirmed, kind) => {
	const id = "11111111-1111-4111-8111-111111111111";
	const { context, requests } = smallContext({ profile: { mapping }, answers: [answered(201, { id })] });
	const { profile } = await context.settings.read();
	const input = { body: { ledgerFromId: id, ledgerToId: "22222222-2222-4222-8222-222222222222", amount: "1" } };
	const job: Call = {
		context,
		profile,
		operation: createInterLedger,
		input,
		request: draftRequest(profile, createInterLedger, input, "0"),
		confirmed: confirmed as Confirmed,
		timeout: 1_000,
		debug: false,
		recorded: momentOf(context.clock),
	};
	const { outcome } = await exchange(job, { headers: {} });
	expect([outcome.kind, requests.length]).toEqual([kind, kind === "answer" ? 1 : 0]);
});

describe.each(["json", "form"] as const)("what a person is shown of a request in %s", (body) => {
	const text = readFileSync(new URL("../mapping/documents/harbour.mapping.yaml", import.meta.url), "utf8");
	const written = readMapping(parse(text)).mapping as Mapping;
	const operations = Object.entries(written.operations).map(([id, one]) => [id, one === "none" ? one : { ...one, body }]);
	const profile = profileOf({ ...written, operations: Object.fromEntries(operations) });

	test("payer and payee stand at one place each, and the bytes hold the example there", () => {
		expect(mappingFaults(profile.mapping as Mapping)).toEqual([]);
		for (const id of [pay, "transaction.beneficiary"]) {
			const { fields, request } = exampleOf(operationOf(id), profile, "0");
			const [payer, payee, amount] = fields;
			expect([payer?.field, payee?.field, amount?.field]).toEqual(["ledgerFromId", id === pay ? "ledgerToId" : "beneficiaryId", "amount"]);
			expect(payer?.value).not.toBe(payee?.value);
			for (const one of [payer, payee]) {
				const at = one?.place.replace("body /", "") as string;
				const sent = body === "form" ? new URLSearchParams(request.body ?? "").get(at) : JSON.parse(request.body ?? "")[at];
				expect([one?.field, sent]).toEqual([one?.field, one?.value]);
			}
			expect(request.headers.authorization).toBe("Bearer …");
		}
	});

	test("every other request that must be confirmed can be shown", () => {
		const asked = catalog.filter((one) => confirmable(one, profile) !== undefined);
		expect(asked.length).toBeGreaterThanOrEqual(2);
		for (const one of asked) expect([one.id, exampleOf(one, profile, "0").request.url.startsWith(baseUrl)]).toEqual([one.id, true]);
	});
});

test("a mapping with faults cannot be shown, so nobody confirms that one ledger goes under the name of the other", () => {
	const at = { place: "body", at: "/party" } as const;
	const fields = { ledgerFromId: at, ledgerToId: at, amount: { place: "body", at: "/sum" } } as const;
	const error = failure(() => exampleOf(createInterLedger, profileOf({ operations: { [pay]: { ...entry, fields } } }), "0"));
	expect([error.kind, error.failure.code, error.failure.details]).toEqual([
		"validation",
		"MAPPING_INVALID",
		[{ field: `operations.${pay}.fields.ledgerToId`, message: "stands at one place with ledgerFromId: only one of them would be sent" }],
	]);
});

test("a payment whose fields stand under our own names is shown with its reference, which it may have", () => {
	const { fields, request } = exampleOf(createInterLedger, profileOf({ operations: {}, ids: { ledger: "acc_[0-9]{8}" } }), "0");
	expect(fields.find(({ field }) => field === "reference")).toEqual({ field: "reference", value: "Example 1", place: "body /reference" });
	expect(request.body).toBe('{"ledgerFromId":"acc_11111111","ledgerToId":"acc_22222222","amount":12.34,"reference":"Example 1"}');
});
