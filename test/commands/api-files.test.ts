/**
 * A mapping from the service's document to the profile: drafted, searched, checked, stored and compared.
 */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { makeWorld, type Ran, type World } from "../support/purser.js";

const shipped = (name: string) => readFileSync(new URL(`../mapping/documents/${name}`, import.meta.url), "utf8");
const [document, completed] = [shipped("harbour.yaml"), shipped("harbour.mapping.yaml")];

let world: World;
const put = (name: string, text: string) => world.files.set(name, new TextEncoder().encode(text));
const run = (...argv: string[]) => world.purser(["api", ...argv]);
const stored = (name = "box") => world.profiles.get(name)?.mapping;
const errorOf = ({ stderr }: Ran) => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;
beforeEach(async () => {
	world = await makeWorld({ loggedIn: false });
	await world.purser("profile add box --base-url https://api.example.com");
	put("openapi.yaml", document);
	put("bank.yaml", completed);
});

describe("from a document to a file", () => {
	it("a draft is YAML whose open places are told by check with their lines, and use stores nothing of it", async () => {
		const drafted = await run("draft", "openapi.yaml");
		expect([drafted.exit, drafted.stderr, world.requests]).toEqual([0, "", []]);
		put("draft.yaml", drafted.stdout);
		const checked = await run("check", "draft.yaml", "--json");
		const lines = drafted.stdout.split("\n");
		const { faults } = checked.json() as { faults: { line: number; at: string; message: string }[] };
		expect([checked.exit, faults.length > 0]).toEqual([3, true]);
		for (const { line, message } of faults)
			expect([lines[line - 1]?.includes("?"), message]).toEqual([true, expect.stringMatching(/^is open/)]);
		const used = await run("use", "draft.yaml", "--json");
		expect([used.exit, used.error().code, used.error().details.length, stored()]).toEqual([3, "MAPPING_INVALID", faults.length, undefined]);
	});

	it("find shows the operations that speak of the words, the best first", async () => {
		const [first] = (await run("find", "send", "email", "challenge", "--in", "openapi.yaml", "--json")).json();
		expect([first.method, first.path]).toEqual(["POST", "/people/{person_id}/email_challenges"]);
		expect((await run("find", "zeppelin", "--in", "openapi.yaml")).stdout).toBe("No operation has these words. Try others, or fewer.\n");
	});

	it("the JSON Schema is written for an editor, and a draft needs a document", async () => {
		expect((await run("draft", "--schema")).json().title).toBe("A mapping of purser");
		expect([(await run("draft", "--json")).exit, (await run("draft", "--json")).error().details]).toEqual([
			2,
			[{ field: "document", message: "is required" }],
		]);
	});
});

describe("a file that is complete", () => {
	it("is stored in a script as at a terminal, after a dry run that stores nothing, and confirms nothing", async () => {
		const money = ["transaction.interLedger", "transaction.beneficiary"];
		const dry = (await run("use", "bank.yaml", "--dry-run", "--json")).json();
		expect([dry.dryRun, dry.unconfirmed, stored()]).toEqual([true, money, undefined]);
		const used = (await run("use", "bank.yaml", "--json")).json();
		expect([used.unconfirmed, used.absent, world.profiles.get("box")?.confirmations]).toEqual([money, ["related.delete"], undefined]);
		const inScript = stored();
		await world.purser("profile add other --base-url https://api.example.com");
		await world.purser("api use bank.yaml --profile other", { answers: [], terminal: true });
		expect([stored("other"), world.asked]).toEqual([inScript, []]);
	});

	it("is held against a document: a fault keeps it from being used", async () => {
		const [schema, name] = [{ type: "string" }, { type: "object", required: ["name"], properties: { name: { type: "string" } } }];
		const patch = {
			parameters: [{ name: "id", in: "path", required: true, schema }],
			requestBody: { content: { "application/json": { schema: name } } },
			responses: { 200: { description: "Changed" } },
		};
		put(
			"small.json",
			JSON.stringify({ openapi: "3.1.0", info: { title: "Example", version: "1" }, paths: { "/companies/{id}": { patch } } }),
		);
		const checked = async (fields: string) => {
			put(
				"small.yaml",
				`purser: mapping\nversion: 1\noperations:\n  corporate.update:\n    send: PATCH /companies/{id}\n    fields: { corporateId: path id, ${fields} }\n`,
			);
			const ran = await run("check", "small.yaml", "--against", "small.json");
			return [ran.exit, ran.stdout.trim().split("\n")];
		};
		expect(await checked("corporateName: body /name")).toEqual([0, ["This mapping can be used: 1 of 26 operations."]]);
		expect(await checked("corporateName: body /title")).toEqual([
			3,
			[
				"2 places are wrong or open in small.yaml",
				"corporate.update",
				"  line 4  constants: have no body /name, and the document requires it",
				"  line 6  fields corporateName: the document has no body /title",
			],
		]);
	});

	it("with a fault stores nothing, and every fault is told with its line", async () => {
		put(
			"bank.yaml",
			`purser: mapping
version: 1
ids: { ledger: "(a+)+" }
operations:
  corporate.get:
    send: GET /companies/{id}/{other}
    fields: { corporateId: path id }
  no.such: { send: GET /x }
  kyc.link: { send: POST /k, server: https://elsewhere.example.com }
`,
		);
		const told = async (...words: string[]) => (await run(...words, "--json")).error().details;
		expect(await told("use", "bank.yaml")).toEqual([
			{ field: "line 3, ids ledger", message: expect.stringMatching(/^must be a row of letters/) },
			{ field: "line 9, kyc.link", message: "has server, which no mapping has" },
		]);
		const text = new TextDecoder().decode(world.files.get("bank.yaml"));
		put("bank.yaml", text.replace(/, server: \S+/, "").replace("(a+)+", "a{8}"));
		expect(await told("use", "bank.yaml")).toEqual([
			{ field: "line 6, corporate.get send", message: "has {other}, and no field goes there (path other)" },
			{ field: "line 8, no.such", message: expect.stringMatching(/^is no operation of purser/) },
		]);
		put("bank.yaml", "- just\n- a list\n");
		expect([(await run("use", "bank.yaml")).exit, (await run("check", "bank.yaml")).exit, stored()]).toEqual([3, 3, undefined]);
	});
});

describe("what another file, or a newer document, changes", () => {
	const changed = (from: string, to: string): string => {
		expect(completed).toContain(from);
		return completed.replace(from, to);
	};
	const compared = async (text: string, ...argv: string[]) => {
		put("new.yaml", text);
		const ran = await run("diff", "bank.yaml", "new.yaml", "--json", ...argv);
		return { exit: ran.exit, ...ran.json() };
	};

	it("a key that moves asks for every payment again, and a zone is told", async () => {
		const { exit, confirm, changes } = await compared(changed("key: header Idempotency-Key", "key: header X-Once"));
		expect([exit, confirm, changes]).toEqual([
			9,
			["transaction.interLedger", "transaction.beneficiary"],
			[
				{
					path: ["idempotency"],
					before: "header Idempotency-Key",
					after: "header X-Once",
				},
			],
		]);
		const told = async (from: string, to: string) => {
			const { changes } = await compared(changed(from, to));
			return changes.map(({ path, before, after }: { path: string[]; before?: string; after?: string }) => [path.join(" "), before, after]);
		};
		expect(await told("zone: UTC", "zone: Europe/Paris")).toEqual([["zone", "UTC", "Europe/Paris"]]);
		expect(await told("at: cursor,", "at: after,")).toEqual([["paging at", "cursor", "after"]]);
		const to = "operations transaction.interLedger fields ledgerToId";
		expect(await told("ledgerToId: body /destination_account_id", "ledgerToId: body /note")).toEqual([
			[to, "body /destination_account_id", "body /note"],
		]);
	});

	it("a newer document: what no longer fits is told, and a version number alone is nothing", async () => {
		put(
			"bank.yaml",
			"purser: mapping\nversion: 1\noperations:\n  corporate.diligenceReview:\n    send: GET /businesses/{business_id}/review_pack\n    fields: { corporateId: path business_id }\n",
		);
		const newer = async (from: string, to: string) => {
			put("next.yaml", document.replace(from, to));
			const ran = await run("diff", "bank.yaml", "bank.yaml", "--against", "next.yaml", "--json");
			return [ran.exit, ran.json().changes, ran.json().faults.map(({ path }: { path: string[] }) => path.join(" "))];
		};
		expect(await newer("version: 1.14.0", "version: 2.0.0")).toEqual([0, [], []]);
		expect(await newer("/review_pack:", "/pack:")).toEqual([9, [], ["operations corporate.diligenceReview send"]]);
	});
});
