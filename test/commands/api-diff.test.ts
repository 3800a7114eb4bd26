import { beforeEach, describe, expect, it } from "vitest";
import { snake } from "../openapi/documents.js";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
beforeEach(async () => {
	world = await makeWorld({ loggedIn: false });
	await world.purser(["profile", "add", "box", "--base-url", "https://api.example.com"]);
});

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is changed here
type Document = any;

const newer = (change: (paths: Document) => void): Document => {
	const document = structuredClone(snake) as Document;
	document.info.version = "8";
	change(document.paths);
	return document;
};

async function comparing(document: unknown, ...argv: string[]) {
	return world.purser(["api", "diff", "-", "--json", ...argv], { input: JSON.stringify(document) });
}

const importing = () => world.purser(["api", "import", "-", "--accept", "sure", "--json"], { input: JSON.stringify(snake) });

interface Told {
	operations: { operation: string; state: string; now?: object; changes: { kind: string; at: string; message: string }[] }[];
	found: { operation: string }[];
	others: string[];
}

const touched = ({ operations }: Told) => operations.filter(({ state }) => state !== "same");

describe("api diff", () => {
	it("the same document, or one with other words, touches nothing", async () => {
		await importing();
		const same = await comparing(snake);
		expect([same.exit, touched(same.json())]).toEqual([0, []]);
		const reworded = newer((paths) => {
			paths["/v3/businesses/{business_id}"].get.summary = "Read it";
			paths["/v3/businesses/{id}"] = paths["/v3/businesses/{business_id}"];
			delete paths["/v3/businesses/{business_id}"];
		});
		const ran = await comparing(reworded);
		expect([ran.exit, touched(ran.json())]).toEqual([0, []]);
	});

	it("what was required already when it was bound is no change", async () => {
		const required = (paths: Document) => {
			const kyc = paths["/v3/kyc_sessions"].post.requestBody.content["application/json"].schema;
			kyc.properties.purpose = { type: "string" };
			kyc.required.push("purpose");
		};
		const imported = await world.purser(["api", "import", "-", "--accept", "sure", "--json"], { input: JSON.stringify(newer(required)) });
		expect(imported.json().told.join()).toContain("/purpose");
		const ran = await comparing(
			newer((paths) => {
				required(paths);
				paths["/v3/businesses"].get.summary = "List them";
			}),
		);
		expect([ran.exit, touched(ran.json())]).toEqual([0, []]);
	});

	it("moved, gone, a new required field, a field that is gone, a new status: exit 9", async () => {
		await importing();
		const ran = await comparing(
			newer((paths) => {
				paths["/v4/wallets/{wallet_id}"] = paths["/v3/wallets/{wallet_id}"];
				delete paths["/v3/wallets/{wallet_id}"];
				delete paths["/v3/payees/{payee_id}"];
				const kyc = paths["/v3/kyc_sessions"].post.requestBody.content["application/json"].schema;
				kyc.properties.purpose = { type: "string" };
				kyc.required.push("purpose");
				const read = paths["/v3/transfers/{transfer_id}"].get.responses[200].content["application/json"].schema.properties;
				delete read.reference;
				read.status.enum = [...(read.status.enum ?? []), "parked"];
			}),
		);
		expect(ran.exit).toBe(9);
		const told = Object.fromEntries(touched(ran.json()).map((one) => [one.operation, one]));
		expect(told["ledger.get"]).toMatchObject({ state: "moved", now: { method: "GET", path: "/v4/wallets/{wallet_id}" } });
		expect(told["beneficiary.get"]).toMatchObject({ state: "gone" });
		expect(told["kyc.link"]).toMatchObject({
			state: "changed",
			changes: [{ kind: "required", at: "body /purpose", message: "it is required, and nothing is sent there" }],
		});
		expect(told["transaction.get"]?.changes.map(({ kind }) => kind)).toEqual(["values", "missing"]);
		expect(Object.keys(told).sort()).toEqual(["beneficiary.get", "kyc.link", "ledger.get", "transaction.get"]);
	});

	it("an amount that is written in another form is told", async () => {
		await importing();
		const ran = await comparing(
			newer((paths) => {
				const read = paths["/v3/transfers/{transfer_id}"].get.responses[200].content["application/json"].schema.properties;
				read.amount = { type: "integer" };
			}),
		);
		const [one] = touched(ran.json());
		expect([ran.exit, one?.operation, one?.changes[0]?.kind]).toEqual([9, "transaction.get", "form"]);
		const text = await world.purser(["api", "diff", "-"], {
			input: JSON.stringify(newer((paths) => delete paths["/v3/kyc_sessions"])),
			terminal: true,
		});
		expect(text.stdout).toContain("gone");
		expect(text.stdout).toContain("kyc.link");
	});

	it("what comes from another document is not compared; a profile without bindings has nothing to compare", async () => {
		const empty = await comparing(snake);
		expect([empty.exit, JSON.parse(empty.stderr).error.code]).toEqual([2, "NOTHING_BOUND"]);
		await importing();
		await world.purser(["api", "set", "auth.login", "--path", "/login"]);
		const told: Told = (await comparing(newer(() => {}))).json();
		expect(told.others).toEqual(["auth.login"]);
		expect(told.found.map(({ operation }) => operation)).toContain("transaction.interLedger");
	});
});
