/**
 * What a probe would ask of foreign services, by the bindings of the documents in test/openapi.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { draftRequest } from "../../src/client/request/request.js";
import { type Planned, planOf } from "../../src/doctor/plan.js";
import type { Profile } from "../../src/ports/profiles.js";
import { makeChance } from "../support/world-time.js";

function planned(name: string): Planned[] {
	const { operations, service } = JSON.parse(readFileSync(new URL(`../openapi/documents/${name}.binding.json`, import.meta.url), "utf8"));
	const profile: Profile = {
		name: "box",
		baseUrl: "https://api.example.com",
		environment: "sandbox",
		auth: { kind: "none" },
		overrides: operations,
		service,
		settings: {},
	};
	return planOf(profile, makeChance());
}

const addresses = (plan: readonly Planned[]): string[] =>
	plan
		.flatMap(({ knock, control }) => [knock, control])
		.flatMap((one) => {
			if (one === undefined) return [];
			const { method, url, body } = draftRequest(one.profile, one.operation, one.input, "test");
			return [`${method} ${url}${body === undefined ? "" : " with a body"}`];
		});

test.each(["camel", "kebab", "rpc", "category", "envelope"])(
	"%s: every operation but the logins is asked of once, by GET alone",
	(name) => {
		const plan = planned(name);
		const asked = addresses(plan);
		expect(asked.filter((line) => !/^GET https:\/\/api\.example\.com\/[^ ]+$/.test(line))).toEqual([]);
		expect(plan.filter(({ knock }) => knock === undefined).map(({ operation }) => operation.id)).toEqual(["auth.login", "auth.refresh"]);
		// One path that cannot exist is asked for twice.
		expect(new Set(asked).size + 1).toBeLessThanOrEqual(40);
	},
);

test("ids have the form and the place that the service gives them", () => {
	expect(addresses(planned("kebab"))).toContainEqual(expect.stringMatching(/\/settlement-accounts\/acc_[0-9a-z]{16}$/));
	expect(addresses(planned("rpc"))).toContainEqual(expect.stringMatching(/\/v1\/getAccount\?account_id=\d{12}$/));
});

test("two payments at one path share its answer, and so does a creation with its list", () => {
	const plan = planned("category");
	const keyOf = (id: string): string | undefined => plan.find(({ operation }) => operation.id === id)?.knock?.key;
	expect([keyOf("transaction.interLedger"), keyOf("transaction.beneficiary"), keyOf("corporate.create")]).toEqual([
		"transaction.list",
		"transaction.list",
		"corporate.list",
	]);
});
