/**
 * What a probe would ask of other services, by the mappings in test/mapping/documents.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { catalog } from "../../src/api/operations/catalog.js";
import { draftRequest } from "../../src/client/request/request.js";
import { type Planned, planOf } from "../../src/doctor/plan.js";
import { readMapping } from "../../src/mapping/file.js";
import type { Mapping } from "../../src/ports/mapping.js";
import { makeChance } from "../support/world-time.js";

const planned = (mapping?: Mapping): Planned[] =>
	planOf(
		{ name: "box", baseUrl: "https://api.example.com", environment: "sandbox", auth: { kind: "none" }, settings: {}, mapping },
		makeChance(),
	);
const mapped = (name: string): Planned[] =>
	planned(readMapping(parse(readFileSync(new URL(`../mapping/documents/${name}.mapping.yaml`, import.meta.url), "utf8"))).mapping);

const addresses = (plan: readonly Planned[]): string[] =>
	plan
		.flatMap(({ knock, control }) => [knock, control])
		.flatMap((one) => {
			if (one === undefined) return [];
			const { method, url, body } = draftRequest(one.profile, one.operation, one.input, "test");
			return [`${method} ${url}${body === undefined ? "" : " with a body"}`];
		});

test.each([
	["harbour", ["related.delete"]],
	["quay", []],
])("%s: every operation that it has but the logins is asked of once, by GET alone", (name, absent) => {
	const plan = mapped(name);
	const asked = addresses(plan);
	expect(asked.filter((line) => !/^GET https:\/\/api\.example\.com\/[^ ]+$/.test(line))).toEqual([]);
	expect(plan.filter(({ knock }) => knock === undefined).map(({ operation }) => operation.id)).toEqual([
		...absent,
		"auth.login",
		"auth.refresh",
	]);
	// One path that cannot exist is asked for twice.
	expect(new Set(asked).size + 1).toBeLessThanOrEqual(40);
});

test("ids have the form and the place that the service gives them", () => {
	expect(addresses(mapped("harbour"))).toContainEqual(expect.stringMatching(/\/accounts\/acct_[0-9a-z]{12}$/));
	expect(addresses(mapped("quay"))).toContainEqual(expect.stringMatching(/\/wallet\.get\?wallet_id=[1-9]\d{3,9}$/));
});

test("two payments at one path share its answer, and so does a creation with its list", () => {
	const at = (method: "GET" | "POST", path: string) => ({ method, path }) as const;
	const plan = planned({
		operations: {
			"transaction.interLedger": at("POST", "/payments"),
			"transaction.beneficiary": at("POST", "/payments"),
			"transaction.list": at("GET", "/payments"),
			"kyb.request": "none",
		},
	});
	const keyOf = (id: string): string | undefined => plan.find(({ operation }) => operation.id === id)?.knock?.key;
	expect([keyOf("transaction.interLedger"), keyOf("transaction.beneficiary"), keyOf("corporate.create")]).toEqual([
		"transaction.list",
		"transaction.list",
		"corporate.list",
	]);
	expect([plan.length, plan.find(({ operation }) => operation.id === "kyb.request")]).toMatchObject([
		catalog.length,
		{ reason: "not tried: the mapping says that it is none" },
	]);
});
