/**
 * The probe against services that speak other words, whose bindings are known to be right, and against the same services without them.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Bindings } from "../../src/binding/file.js";
import { makeWorld } from "../support/purser.js";

const bindingsOf = (name: string): Bindings =>
	JSON.parse(readFileSync(new URL(`../openapi/documents/${name}.binding.json`, import.meta.url), "utf8"));

const lists = ["terms.get", "corporate.list", "ledger.list", "beneficiary.list", "transaction.list"];

test.each(["camel", "kebab", "rpc", "category", "envelope"])("%s", async (name) => {
	const world = await makeWorld({ dialect: bindingsOf(name) });
	const probed = async () => {
		const { operations } = (await world.purser(["doctor", "--probe", "--json"])).json().probe;
		return (answer: string): string[] =>
			operations.filter((one: { answer: string }) => one.answer === answer).map(({ operation }: { operation: string }) => operation);
	};
	const bound = await probed();
	expect([bound("as-described"), bound("exists").length, bound("not-there")]).toEqual([lists, 19, []]);
	expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
	// The control: by the description's own words nothing of it is there.
	const profile = world.profiles.get("sandbox");
	if (profile) world.profiles.set("sandbox", { ...profile, overrides: {}, service: undefined });
	const unbound = await probed();
	expect([unbound("as-described"), unbound("exists"), unbound("not-there")]).toEqual([[], [], lists]);
});
