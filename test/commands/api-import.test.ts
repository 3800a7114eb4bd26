import { beforeEach, describe, expect, it } from "vitest";
import { shop, snake } from "../openapi/documents.js";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
beforeEach(async () => {
	world = await makeWorld({ loggedIn: false });
});

function importing(document: unknown, ...argv: string[]) {
	const input = typeof document === "string" ? document : JSON.stringify(document);
	return world.purser(["api", "import", "-", ...argv, "--json"], { input });
}

interface Told {
	operations: { operation: string; state: string; candidates: { method: string; path: string; evidence: string[] }[]; fields: unknown[] }[];
}

const stateOf = ({ operations }: Told, id: string): string | undefined => operations.find(({ operation }) => operation === id)?.state;

describe("api import", () => {
	it("a dry run needs no profile, and tells the document, the candidates and the fields", async () => {
		const ran = await importing(snake, "--dry-run", "--only", "transaction.interLedger");
		expect([ran.exit, ran.stderr]).toEqual([0, ""]);
		expect(ran.json()).toMatchObject({
			document: { title: "Harbour Banking", version: "7" },
			server: "https://api.example.com",
			envelope: { record: null },
			auth: { kind: "bearer" },
			operations: [
				{
					operation: "transaction.interLedger",
					state: "ask",
					candidates: [{ method: "POST", path: "/v3/transfers/internal" }, {}],
					fields: expect.arrayContaining([
						{ ours: "ledgerFromId", place: "body", theirs: "/source_wallet_id", codec: null, sure: true },
						{ ours: "ledgerToId", place: "body", theirs: "/destination_wallet_id", codec: null, sure: true },
						{ ours: "amount", place: "body", theirs: "/amount", codec: "decimal-text", sure: true },
					]),
				},
			],
		});
	});

	it("a script that leaves something to ask stores nothing; what is sure is stored on request, payments only where they are picked", async () => {
		await world.purser(["profile", "add", "box", "--base-url", "https://api.example.com"]);
		const asked = await importing(snake);
		expect([asked.exit, asked.stdout]).toEqual([2, ""]);
		const { error } = JSON.parse(asked.stderr);
		expect([error.code, error.details.map((one: { field: string }) => one.field).includes("transaction.beneficiary")]).toEqual([
			"IMPORT_OPEN",
			true,
		]);
		const stored = await importing(snake, "--accept", "sure");
		expect([stored.exit, stateOf(stored.json(), "corporate.get"), stateOf(stored.json(), "transaction.beneficiary")]).toEqual([
			9,
			"bound",
			"ask",
		]);
		const rows: { id: string; path: string; override?: object }[] = (await world.purser(["api", "list", "--json"])).json();
		expect(rows.find(({ id }) => id === "corporate.get")).toMatchObject({ path: "/v3/businesses/{business_id}" });
		expect(rows.find(({ id }) => id === "transaction.beneficiary")?.override).toBeUndefined();
		const again = await importing(snake, "--dry-run");
		expect(stateOf(again.json(), "corporate.get")).toBe("bound");
	});

	it("a pick is stored where it is whole; one of money is stored too, and nobody has confirmed it", async () => {
		await world.purser(["profile", "add", "box", "--base-url", "https://api.example.com"]);
		const picked = await importing(snake, "--only", "phone.sendCode", "--pick", "phone.sendCode=POST /v3/phone_verifications");
		expect([picked.exit, picked.json().stored]).toEqual([0, ["phone.sendCode"]]);
		const money = await importing(
			snake,
			"--only",
			"transaction.interLedger",
			"--pick",
			"transaction.interLedger=POST /v3/transfers/internal",
		);
		expect([money.exit, money.json().stored, money.json().unconfirmed]).toEqual([
			0,
			["transaction.interLedger"],
			["transaction.interLedger"],
		]);
		const nothing = await importing(snake, "--pick", "kyb.request=POST /nowhere");
		expect([nothing.exit, JSON.parse(nothing.stderr).error.details]).toEqual([
			2,
			[{ field: "pick", message: "POST /nowhere is not in the document" }],
		]);
	});

	it("what is not valid stores nothing; an import sends nothing anyway", async () => {
		const ran = await importing(snake, "--only", "nope");
		expect([ran.exit, JSON.parse(ran.stderr).error.message]).toEqual([3, "--only is not valid; nothing was stored"]);
	});

	it("bad documents are one error each, and nothing of another service is sure", async () => {
		for (const [document, code, exit] of [
			["{}", "OPENAPI_UNREADABLE", 3],
			['{"openapi": "3.1.0", "paths": {', "INPUT_UNREADABLE", 2],
			['{"swagger": "2.0"}', "OPENAPI_UNREADABLE", 3],
		] as const) {
			const ran = await importing(document, "--dry-run");
			expect([ran.exit, ran.stdout, JSON.parse(ran.stderr).error.code]).toEqual([exit, "", code]);
		}
		const cut = await importing('{"openapi": "3.1.0", "paths": {', "--dry-run");
		expect(JSON.parse(cut.stderr).error.fix).toBe("Fetch it again, whole: it may be cut off. Then run this again.");
		const other: Told = (await importing(shop, "--dry-run")).json();
		expect(other.operations.filter(({ state }) => state === "sure")).toEqual([]);
	});
});
