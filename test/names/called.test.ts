/**
 * What people call a record, by what answers have told: with whose it is, and never by a name that two have.
 */
import { expect, test } from "vitest";
import { calledBy } from "../../src/names/resolver.js";
import type { SeenName } from "../../src/ports/resolver.js";

const [bakery, florist] = ["3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f", "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80"];

const seen: readonly SeenName[] = [
	{ kind: "corporate", id: bakery, name: "Example Bakery SAS" },
	{ kind: "corporate", id: florist, name: "Example Florist" },
	{ kind: "ledger", id: "m1", name: "Main account", of: bakery },
	{ kind: "ledger", id: "m2", name: "Main account", of: florist.toUpperCase() },
	{ kind: "ledger", id: "m3", name: "Main account", of: "nobody" },
	{ kind: "ledger", id: "t1", name: "Twin", of: bakery },
	{ kind: "ledger", id: "t2", name: "Twin", of: bakery },
	{ kind: "beneficiary", id: "s1", name: "Example Supplies Ltd", of: bakery },
	{ kind: "beneficiary", id: "s2", name: "Example Supplies Ltd", of: florist },
	{ kind: "beneficiary", id: "m1", name: "Only One Ltd", of: bakery },
	{ kind: "beneficiary", id: "p1", name: "", of: bakery },
	{ kind: "related", id: "a1", name: "", of: bakery },
	{ kind: "related", id: "a1", name: "Ada Example", personal: true },
	{ kind: "related", id: "g1", name: "", of: florist },
	{ kind: "transaction", id: "x1", name: "12.50 EUR to Example Supplies Ltd", personal: true },
	{ kind: "transaction", id: "x2", name: "12.50 EUR to Example Supplies Ltd", personal: true },
];

test.each<[SeenName["kind"], string | undefined, string | undefined]>([
	["corporate", bakery, "Example Bakery SAS"],
	["ledger", "m1", "Main account of Example Bakery SAS"],
	["ledger", "m2", "Main account of Example Florist"],
	["ledger", "m3", undefined],
	["ledger", "t1", undefined],
	["beneficiary", "m1", "Only One Ltd"],
	["beneficiary", "s2", "Example Supplies Ltd (payee of Example Florist)"],
	["beneficiary", "p1", undefined],
	["related", "a1", "Ada Example, Example Bakery SAS"],
	["related", "g1", "a person of Example Florist"],
	["transaction", "x1", "12.50 EUR to Example Supplies Ltd"],
])("%s %s is called %s", (kind, id, name) => {
	expect(calledBy(seen).nameOf(kind, id)).toBe(name);
});

test("what nobody named is read, and the companies of what was named", () => {
	const wanted = [
		["ledger", "m1"],
		["ledger", "m3"],
		["ledger", "new"],
		["ledger", "new"],
		["related", "g1"],
		["ledger", undefined],
	] as const;
	expect(calledBy(seen).unnamed(wanted)).toEqual([
		["corporate", "nobody"],
		["ledger", "new"],
		["related", "g1"],
	]);
});
