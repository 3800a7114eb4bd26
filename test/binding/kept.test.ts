import { describe, expect, test } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { createBeneficiaryTransaction, createInterLedger } from "../../src/api/operations/transaction.js";
import { asThen, lookUpIds, sentThrough } from "../../src/binding/kept.js";
import type { OperationBinding, ServiceBinding } from "../../src/ports/binding.js";
import { answering } from "../commands/answers.js";
import { makeWorld } from "../support/purser.js";

const list = { path: "/movements", fields: { reference: "note" } };
const pay = { path: "/transfers", fields: { amount: "value" } };

describe("what a change is sent through", () => {
	test("is nothing where nothing that concerns it is bound", () => {
		const replaced: Record<string, OperationBinding>[] = [
			{},
			{ "corporate.get": { path: "/firms/{corporateId}" } },
			{ "transaction.list": {} },
		];
		for (const overrides of replaced) expect(sentThrough(createInterLedger, { overrides })).toEqual({ binding: null, kept: [] });
		expect(sentThrough(createInterLedger, { overrides: { "corporate.list": list }, service: {} }).binding).toBeNull();
	});

	test("names the operation's own binding, and apart from it that of its look-ups", () => {
		const both = sentThrough(createInterLedger, { overrides: { "transaction.interLedger": pay, "transaction.list": list } });
		expect(both.kept.map(({ digest, ...rest }) => [digest === both.binding?.digest, digest === both.binding?.lookUps, rest])).toEqual([
			[true, false, { operations: { "transaction.interLedger": pay } }],
			[false, true, { operations: { "transaction.list": list } }],
		]);
		const other = sentThrough(createInterLedger, {
			overrides: {
				"transaction.interLedger": { ...pay, path: "/v2/transfers" },
				"transaction.list": list,
				"corporate.get": { path: "/x" },
			},
		});
		expect(other.binding?.lookUps).toBe(both.binding?.lookUps);
		expect(other.binding?.digest).not.toBe(both.binding?.digest);
		expect(sentThrough(createBeneficiaryTransaction, { overrides: { "transaction.list": list } }).binding).toEqual({
			digest: null,
			lookUps: both.binding?.lookUps,
		});
	});

	test("where it comes from does not count, and the pages of lists do", () => {
		const source = { document: "api.yaml", sha256: "0".repeat(64), pointer: "/paths" };
		const of = (replaced: Parameters<typeof sentThrough>[1]) => sentThrough(createInterLedger, replaced).binding?.lookUps;
		expect(of({ overrides: { "transaction.list": { ...list, source } } })).toBe(of({ overrides: { "transaction.list": list } }));
		const paging = { style: "offset" as const, at: "skip" };
		expect(of({ overrides: { "transaction.list": list }, service: { paging } })).not.toBe(of({ overrides: { "transaction.list": list } }));
		expect(sentThrough(createInterLedger, { overrides: {}, service: { paging } }).binding?.digest).toBeNull();
	});

	test("holds no value of a header or a query field: it may be a secret", () => {
		const bound = {
			...list,
			headers: { "x-key": "hush" },
			constants: [
				{ place: "query" as const, at: "key", value: "hush-too" },
				{ place: "body" as const, at: "/kind", value: "SEPA" },
			],
		};
		const { kept } = sentThrough(createInterLedger, { overrides: { "transaction.list": bound, "transaction.interLedger": bound } });
		expect(JSON.stringify(kept)).not.toContain("hush");
		expect(kept[0]?.operations["transaction.interLedger"]?.constants?.[1]?.value).toBe("SEPA");
	});

	test("the operations that read what became of a change are reads of the catalog, all but those of the login", () => {
		const reads = catalog.filter(({ id, effect }) => effect === "read" && !id.startsWith("auth.") && id !== "terms.get");
		const lists = ["ledger.list", "beneficiary.list"];
		expect([...lookUpIds("money"), ...lookUpIds("write"), ...lists].sort()).toEqual(reads.map(({ id }) => id as string).sort());
	});
});

test("a payment is on record with what it was sent through", async () => {
	const [from, to, made] = ["1", "2", "4"].map(
		(one) => `${one.repeat(8)}-${one.repeat(4)}-4${one.repeat(3)}-8${one.repeat(3)}-${one.repeat(12)}`,
	);
	const ledger = (id: string | undefined) => ({ body: { id, friendlyName: id, status: "ACTIVE", currency: "EUR", availableAmount: 1000 } });
	const overrides = { "transaction.interLedger": { fields: { reference: "note" } }, "transaction.list": list };
	for (const bound of [true, false]) {
		const world = await makeWorld({ profile: { overrides: bound ? overrides : {} } });
		world.identity = "0f0f0f0f";
		world.wire = answering({
			[`GET /api/partner/ledgers/${from}`]: ledger(from),
			[`GET /api/partner/ledgers/${to}`]: ledger(to),
			"POST /api/partner/transactions/inter-ledger": { status: 201, body: { id: made } },
		});
		const pays = ["pay", "ledger", "--from", from, "--to", to, "--amount", "1", "--yes", "--json"] as string[];
		expect((await world.purser(pays)).exit).toBe(0);
		expect(world.journal.at(-1)?.intent.binding).toEqual(bound ? sentThrough(createInterLedger, { overrides }).binding : null);
	}
});

describe("what was then", () => {
	const ids = lookUpIds("money");
	const kept = (overrides: Record<string, OperationBinding>, service?: ServiceBinding) => {
		const [found] = sentThrough(createInterLedger, { overrides, service }).kept;
		return found;
	};
	const keyed = (key: string, version: string): Record<string, OperationBinding> => ({
		"transaction.list": {
			path: "/movements",
			headers: { "x-api-key": key, "x-version": version },
			constants: [
				{ place: "query", at: "apiToken", value: key },
				{ place: "query", at: "view", value: "full" },
			],
		},
	});

	test("replaces the look-ups of now and what holds for all, and nothing else", () => {
		const now = { overrides: { "transaction.get": pay, "auth.login": { path: "/login" } }, service: { ids: { ledger: "acc_[0-9]{8}" } } };
		expect(asThen(now, ids, undefined)).toEqual({ overrides: { "auth.login": { path: "/login" } } });
		const service = { paging: { style: "offset" as const, at: "skip" } };
		expect(asThen(now, ids, kept({ "transaction.list": list }, service))).toEqual({
			overrides: { "auth.login": { path: "/login" }, "transaction.list": list },
			service,
		});
	});

	test("has the credentials of now and every other value as it was, or says what is missing", () => {
		const then = kept(keyed("one", "1"));
		expect(asThen({ overrides: keyed("two", "1") }, ids, then)).toEqual({ overrides: keyed("two", "1") });
		expect(asThen({ overrides: keyed("one", "2") }, ids, then).lost).toBe(
			"transaction.list was read with another header x-version, and its value is not kept",
		);
		const without = structuredClone(keyed("one", "1"));
		without["transaction.list"]?.constants?.pop();
		expect(asThen({ overrides: without }, ids, then).lost).toBe(
			"transaction.list was read with another query field view, and its value is not kept",
		);
		expect(asThen({ overrides: {} }, ids, then).lost).toContain("another header x-api-key");
	});
});
