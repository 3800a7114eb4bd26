/**
 * Every list begins with the newest: the service is asked for that, and what this machine keeps is sorted so.
 */
import { afterEach, describe, expect, test } from "vitest";
import { makeWorld } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const corporate = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const query = (url = ""): string => decodeURIComponent(new URL(url).search);

describe("the service is asked for the newest first", () => {
	test.each([
		[["corporate", "list"], "?sortAttribute=CREATION_DATE&page=0&pageSize=100&sortDirection=DESC"],
		[["corporate", "list", "--sort-attribute", "update_date"], "?sortAttribute=UPDATE_DATE&page=0&pageSize=100&sortDirection=DESC"],
		[["corporate", "list", "--sort-direction", "asc"], "?sortAttribute=CREATION_DATE&page=0&pageSize=100&sortDirection=ASC"],
		[["related", "list", corporate], "?page=0&pageSize=100&sortDirection=DESC"],
		[["related", "list", corporate, "--sort-direction", "ASC"], "?page=0&pageSize=100&sortDirection=ASC"],
		[["ledger", "list"], "?page=0&pageSize=100&sortDirection=DESC"],
		[["ledger", "list", "--status", "ACTIVE", "--sort-direction", "ASC"], "?status=ACTIVE&page=0&pageSize=100&sortDirection=ASC"],
		[["beneficiary", "list"], "?page=0&pageSize=100&sortDirection=DESC"],
		[["pay", "list"], "?page=0&pageSize=100&sortDirection=DESC"],
		[["pay", "list", "--sort-direction", "ASC"], "?page=0&pageSize=100&sortDirection=ASC"],
	])("%j", async (argv, expected) => {
		const world = await makeWorld();
		world.requests.length = 0;
		await world.purser([...argv, "--json"]);
		expect(query(world.requests[0]?.url)).toBe(expected);
	});
});

test("profile list begins with the one added last", async () => {
	const world = await makeWorld();
	for (const name of ["second", "third"]) await world.purser(`profile add ${name} --base-url http://127.0.0.1:4011 --environment sandbox`);
	const names = (await world.json("profile list")).map((one: { name: string }) => one.name);
	expect(names).toEqual(["third", "second", "sandbox"]);
});

test("onboard list begins with the one started last", async () => {
	const world = await makeWorld();
	for (const company of ["Example Bakery", "Example Florist"]) {
		await world.purser("onboard start", { answers: ["yes", "Ada Example", "crm-1", company, "^C"] });
		world.clock.advance(60_000);
	}
	const drafts = await world.json("onboard list");
	expect(drafts.map(({ company }: { company: string }) => company)).toEqual(["Example Florist", "Example Bakery"]);
});

describe("the journal", () => {
	let world: BatchWorld;
	afterEach(() => world.end());

	test("payments, doubts and batches", async () => {
		world = await batchWorld();
		world.onTransfer(async () => ({ kind: "sent", reason: "the connection was closed before an answer came" }));
		for (const reference of ["one", "two"])
			await world.purser(`pay ledger --from ${world.from} --to ${world.to} --amount 5 --reference ${reference} --yes`);
		for (const name of ["first.csv", "second.csv"]) await world.purser(`pay batch plan ${world.file([["7", name]], name)}`);
		const listed = async (...argv: string[]) => (await world.json([...argv])) as Record<string, string>[];
		expect((await listed("history", "list")).map(({ intent }) => intent)).toEqual(["2", "1"]);
		expect((await listed("pay", "doubts")).map(({ intent }) => intent)).toEqual(["2", "1"]);
		expect((await listed("pay", "batch", "list")).map(({ batch }) => batch)).toEqual(["2", "1"]);
	});
});
