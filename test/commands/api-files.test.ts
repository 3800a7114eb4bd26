/**
 * A mapping from the service's document to the profile: drafted, searched, checked, stored, compared and listed.
 */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { Mapping } from "../../src/ports/mapping.js";
import { makeWorld, type World } from "../support/purser.js";

const shipped = (name: string) => readFileSync(new URL(`../mapping/documents/${name}`, import.meta.url), "utf8");
const [document, completed] = [shipped("harbour.yaml"), shipped("harbour.mapping.yaml")];

let world: World;
const run = (line: string) => world.purser(`api ${line}`);
const stored = (name = "box") => world.profiles.get(name)?.mapping;
const header = "purser: mapping\nversion: 1\noperations:\n";
const money = ["transaction.interLedger", "transaction.beneficiary"];
beforeEach(async () => {
	world = await makeWorld({ loggedIn: false });
	await world.purser("profile add box --base-url https://api.example.com");
	world.put("openapi.yaml", document);
	world.put("bank.yaml", completed);
});

describe("from a document to a file", () => {
	it("a draft is YAML whose open places are told by check with their lines, and use stores nothing of it", async () => {
		const drafted = await run("draft openapi.yaml");
		expect([drafted.exit, drafted.stderr, world.requests]).toEqual([0, "", []]);
		world.put("draft.yaml", drafted.stdout);
		const checked = await run("check draft.yaml --json");
		const lines = drafted.stdout.split("\n");
		const { faults } = checked.json() as { faults: { line: number; at: string; message: string }[] };
		expect([checked.exit, faults.length > 0]).toEqual([3, true]);
		for (const { line, message } of faults)
			expect([lines[line - 1]?.includes("?"), message]).toEqual([true, expect.stringMatching(/^is open/)]);
		const used = await run("use draft.yaml --json");
		expect([used.exit, used.error().code, used.error().details.length, stored()]).toEqual([3, "MAPPING_INVALID", faults.length, undefined]);
	});

	it("the JSON Schema is written for an editor, and a draft needs a document", async () => {
		expect((await run("draft --schema")).json().title).toBe("A mapping of purser");
		const ran = await run("draft --json");
		expect([ran.exit, ran.error().details]).toEqual([2, [{ field: "document", message: "is required" }]]);
	});
});

describe("a file that is complete", () => {
	it("is stored in a script as at a terminal, after a dry run that stores nothing, and confirms nothing", async () => {
		const dry = await world.json("api use bank.yaml --dry-run");
		expect([dry.dryRun, dry.unconfirmed, stored()]).toEqual([true, money, undefined]);
		const used = await world.json("api use bank.yaml");
		expect([used.unconfirmed, used.absent, world.profiles.get("box")?.confirmations]).toEqual([money, ["related.delete"], undefined]);
		await world.purser("profile add other --base-url https://api.example.com");
		await world.purser("api use bank.yaml --profile other", { answers: [], terminal: true });
		expect([stored("other"), world.asked]).toEqual([stored(), []]);
	});

	it("is held against a document: a fault keeps it from being used", async () => {
		const checked = async (to: string) => {
			world.put("bank.yaml", completed.replace("ledgerToId: body /destination_account_id", `ledgerToId: body ${to}`));
			const ran = await run("check bank.yaml --against openapi.yaml");
			return [ran.exit, ran.stdout];
		};
		const good = "This mapping can be used: 23 of 26 operations, and 1 that the service does not have.\n";
		expect(await checked("/destination_account_id")).toEqual([0, good]);
		const faults = /^2 places .* in bank\.yaml\ntransaction\.interLedger\n {2}line \d+ {2}[\s\S]*the document has no body \/title\n/;
		expect(await checked("/title")).toEqual([3, expect.stringMatching(faults)]);
	});

	it("with a fault stores nothing, and every fault is told with its line", async () => {
		const told = async (ids: string, server: string) => {
			const get = "  corporate.get:\n    send: GET /companies/{id}/{other}\n    fields: { corporateId: path id }\n";
			const others = `  no.such: { send: GET /x }\n  kyc.link: { send: POST /k${server} }\n`;
			world.put("bank.yaml", header.replace("operations", `ids: { ledger: "${ids}" }\noperations`) + get + others);
			return (await run("use bank.yaml --json")).error().details;
		};
		expect(await told("(a+)+", ", server: https://elsewhere.example.com")).toEqual([
			{ field: "line 3, ids ledger", message: expect.stringMatching(/^must be a row of letters/) },
			{ field: "line 9, kyc.link", message: "has server, which no mapping has" },
		]);
		expect(await told("a{8}", "")).toEqual([
			{ field: "line 6, corporate.get send", message: "has {other}, and no field goes there (path other)" },
			{ field: "line 8, no.such", message: expect.stringMatching(/^is no operation of purser/) },
		]);
		world.put("bank.yaml", "- just\n- a list\n");
		expect([(await run("use bank.yaml")).exit, (await run("check bank.yaml")).exit, stored()]).toEqual([3, 3, undefined]);
	});
});

describe("what another file, or a newer document, changes", () => {
	it.each([
		["key: header Idempotency-Key", "key: header X-Once", ["idempotency", "header Idempotency-Key", "header X-Once"]],
		[
			"ledgerToId: body /destination_account_id",
			"ledgerToId: body /note",
			["operations transaction.interLedger fields ledgerToId", "body /destination_account_id", "body /note"],
		],
	])("%s becomes %s: told, and a key that moves asks for every payment again", async (from, to, change) => {
		expect(completed).toContain(from);
		world.put("new.yaml", completed.replace(from, to));
		const ran = await run("diff bank.yaml new.yaml --json");
		const { changes, confirm } = ran.json();
		expect(changes.map((one: Record<string, string[]>) => [one.path?.join(" "), one.before, one.after])).toEqual([change]);
		if (from.startsWith("key")) expect([ran.exit, confirm]).toEqual([9, money]);
	});

	it("a newer document: what no longer fits is told, and a version number alone is nothing", async () => {
		const entry = "    send: GET /businesses/{business_id}/review_pack\n    fields: { corporateId: path business_id }\n";
		world.put("bank.yaml", `${header}  corporate.diligenceReview:\n${entry}`);
		const newer = async (from: string, to: string) => {
			world.put("next.yaml", document.replace(from, to));
			const ran = await run("diff bank.yaml bank.yaml --against next.yaml --json");
			return [ran.exit, ran.json().changes, ran.json().faults.map(({ path }: { path: string[] }) => path.join(" "))];
		};
		expect(await newer("version: 1.14.0", "version: 2.0.0")).toEqual([0, [], []]);
		expect(await newer("/review_pack:", "/pack:")).toEqual([9, [], ["operations corporate.diligenceReview send"]]);
	});
});

describe("api list", () => {
	it("needs no profile, and starts with the specification's sixteen in its order", async () => {
		const rows = (await world.json("api list")) as { id: string; specified: boolean }[];
		expect(rows.filter((row) => row.specified).map((row) => row.id)).toEqual([
			...["terms.get", "corporate.create", "email.sendLink", "corporate.update", "related.update", "related.create", "related.get"],
			...["corporate.diligenceReview", "kyb.request", "corporate.get", "kyc.link", "phone.sendCode", "phone.verifyCode"],
			...["transaction.interLedger", "transaction.beneficiary", "transaction.get"],
		]);
		expect(rows.find((row) => row.id === "corporate.update")).toMatchObject({
			...{ method: "PATCH", path: "/api/partner/corporates/{corporateId}" },
			provenance: { method: "spec", path: "assumed", request: "assumed", answer: "assumed" },
		});
	});

	it.each([
		["api list --profile nope --json", {}],
		["api list --json", { PURSER_PROFILE: "nope" }],
	])("a profile that there is not is no profile without a mapping, whoever names it: %s", async (line, env: Record<string, string>) => {
		const ran = await world.purser(line, { env });
		expect([ran.exit, ran.stdout, ran.error().code]).toEqual([2, "", "PROFILE_UNKNOWN"]);
	});

	/** The cells of an operation's row. */
	const rowOf = async (id: string) => {
		const { stdout } = await world.purser("api list", { columns: 250 });
		return (stdout.split("\n").find((line) => line.startsWith(`${id} `)) as string).split(/ {2,}/);
	};

	it.each([
		["kyb.request", "method, path, request, answer"],
		// Fields that nobody showed, of a request or an answer that is known otherwise.
		["corporate.create", "the field accountOwnerInfo.position"],
		["phone.verifyCode", ""],
		["beneficiary.get", "method, path, request, the field currency"],
	])("says in words what is assumed of %s", async (id, assumed) => {
		expect(await rowOf(id)).toEqual([id, expect.any(String), expect.any(String), ...(assumed === "" ? [] : [assumed]), "no"]);
	});

	it("takes for known what the mapping says, which payment nobody confirmed, and what the service does not have", async () => {
		const operations: Mapping["operations"] = {
			"corporate.create": {
				...{ method: "POST", path: "/c", constants: [{ place: "header", at: "X-Edition", value: 2 }] },
				fields: { corporateName: { place: "body", at: "/name" }, website: "none" },
			},
			"transaction.interLedger": { method: "POST", path: "/p" },
			"kyb.request": "none",
		};
		world = await makeWorld({ profile: { mapping: { operations } } });
		expect(await rowOf("corporate.create")).toEqual(["corporate.create", "POST", "/c", "yes"]);
		expect(await rowOf("transaction.interLedger")).toEqual(["transaction.interLedger", "POST", "/p", "yes, not confirmed"]);
		expect((await rowOf("kyb.request")).at(-1)).toBe("none");
		expect((await run("list")).stderr).toContain("purser api confirm transaction.interLedger");
	});
});
