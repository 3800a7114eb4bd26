/**
 * Nothing is sent through a mapping of money, or of a request that replaces a record, that nobody has confirmed: whatever the command, and
 * however it is called. Each refusal has a control, in which the same command sends.
 */
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MappedOperation, Mapping } from "../../src/ports/mapping.js";
import type { MappingConfirmation, Profile } from "../../src/ports/profiles.js";
import { caseWorld, entitiesOf, put } from "../onboarding/case-world.js";
import { confirmed } from "../support/companies.js";
import type { Ran, World } from "../support/purser.js";
import { answered, delivered, sandboxAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const payee = "dddddddd-0000-4000-8000-000000000001";
const company = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const person = "5b1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const body = (at: string) => ({ place: "body", at }) as const;
const channel = (value: string) => ({ constants: [{ place: "header", at: "X-Channel", value }] }) as const;
const described = { method: "POST", path: "/api/partner/transactions/inter-ledger" } as const;
const header: MappedOperation = { ...described, ...channel("treasury") };
const removal: MappedOperation = { method: "DELETE", path: "/api/partner/corporates/related/{corporateRelatedId}", ...channel("treasury") };
const operations: Mapping["operations"] = {
	"transaction.interLedger": header,
	"transaction.beneficiary": {
		method: "POST",
		path: "/v2/payouts",
		fields: { ledgerFromId: body("/payer"), beneficiaryId: body("/payee"), amount: body("/amount"), reference: body("/reference") },
	},
	"corporate.update": { method: "PUT", path: "/api/partner/corporates/{corporateId}" },
	"related.update": { method: "PUT", path: "/api/partner/corporates/related/{corporateRelatedId}" },
	"related.delete": removal,
	"ledger.get": { method: "PUT", path: "/api/partner/ledgers/{ledgerId}" },
};

let world: BatchWorld;
/** What left and changes something. */
let sent: string[];
beforeEach(async () => {
	world = await batchWorld({}, { mapping: { operations } });
	world.operator = "anna";
	sent = [];
	world.wire = async (request) => {
		const { method } = request;
		const { pathname } = new URL(request.url);
		if (method !== "GET") sent.push(`${method} ${pathname}`);
		if (pathname.startsWith("/v2/") || method === "PUT")
			return answered(201, JSON.stringify({ id: `eeeeeeee-0000-4000-8000-${String(sent.length).padStart(12, "0")}` }));
		return delivered(await sandboxAnswer(world, request));
	};
});
afterEach(() => world.end());

const profile = (): Profile => world.profiles.get("sandbox") as Profile;
const store = (more: Partial<Profile>): void => void world.profiles.set("sandbox", { ...profile(), ...more });
/** The profile has these operations, and nothing else of them is mapped. */
const map = (given: Mapping["operations"], shared: Partial<Mapping> = {}): void => store({ mapping: { ...shared, operations: given } });
const codeOf = ({ stderr }: Ran): string => JSON.parse(stderr.trim().split("\n").at(-1) as string).error?.code;
async function digestOf(operation: string): Promise<string> {
	return (await world.json(`api confirm ${operation} --dry-run`)).digest;
}
const confirm = async (operation: string) => world.purser(["api", "confirm", operation, "--digest", await digestOf(operation), "--json"]);

const commands: Readonly<Record<string, { operation: string; argv: () => string[]; leaves: string }>> = {
	"pay ledger": {
		operation: "transaction.interLedger",
		argv: () => ["pay", "ledger", "--from", world.from, "--to", world.to, "--amount", "1"],
		leaves: "POST /api/partner/transactions/inter-ledger",
	},
	"pay beneficiary": {
		operation: "transaction.beneficiary",
		argv: () => ["pay", "beneficiary", "--from", world.from, "--to", payee, "--amount", "1"],
		leaves: "POST /v2/payouts",
	},
	"corporate update": {
		operation: "corporate.update",
		argv: () => ["corporate", "update", company, "--trade-name", "Example"],
		leaves: `PUT /api/partner/corporates/${company}`,
	},
	"terms accept": {
		operation: "corporate.update",
		argv: () => ["terms", "accept", company, "--confirmed-by", "operator"],
		leaves: `PUT /api/partner/corporates/${company}`,
	},
	"related update": {
		operation: "related.update",
		argv: () => ["related", "update", person, "--first-name", "Ada"],
		leaves: `PUT /api/partner/corporates/related/${person}`,
	},
	"ledger show, which reads": {
		operation: "ledger.get",
		argv: () => ["ledger", "show", company],
		leaves: `PUT /api/partner/ledgers/${company}`,
	},
};

describe("a request that nobody has confirmed is not sent", () => {
	test.each(Object.keys(commands))("%s: in a script, with every flag, and in CI; once confirmed it sends", async (name) => {
		const { operation, argv, leaves } = commands[name] as (typeof commands)[string];
		for (const [more, env] of [
			[["--yes", "--json"], {}],
			[["--yes", "--json"], { CI: "1" }],
			[["--yes", "--json", "--quiet", "--debug"], { PURSER_NO_INPUT: "1" }],
		] as const) {
			const ran = await world.purser([...argv(), ...more], { env });
			expect([ran.exit, codeOf(ran), sent]).toEqual([10, "MAPPING_UNCONFIRMED", []]);
			expect(await (await world.history()).list({})).toEqual([]);
		}
		const said = await confirm(operation);
		expect([said.exit, said.stderr]).toEqual([0, ""]);
		await world.purser([...argv(), "--yes", "--json"]);
		expect(sent).toContain(leaves);
	});

	test("a live profile with --yes --live sends nothing either", async () => {
		store({ environment: "live", baseUrl: "https://api.example.com", auth: { kind: "none" } });
		const argv = [...(commands["pay ledger"] as (typeof commands)[string]).argv(), "--yes", "--live", "--new-journal", "--json"];
		const ran = await world.purser(argv);
		expect([ran.exit, codeOf(ran), sent]).toEqual([10, "MAPPING_UNCONFIRMED", []]);
	});

	test("a batch: before its first row, and no row is marked", async () => {
		const path = world.file([["1", "a"]]);
		await world.purser(`pay batch plan ${path}`);
		const held = await world.purser(`pay batch send ${path}.plan.json --yes --json`);
		expect([held.exit, codeOf(held), sent]).toEqual([10, "MAPPING_UNCONFIRMED", []]);
		const counts = (await world.json("pay batch status 1")).counts;
		expect([counts.planned, counts["not-sent"], counts.sending]).toEqual([1, 0, 0]);
		await confirm("transaction.interLedger");
		const ran = await world.purser(`pay batch send ${path}.plan.json --yes --json`);
		expect([ran.exit, sent]).toEqual([0, ["POST /api/partner/transactions/inter-ledger"]]);
	});

	test("what the description replaces by itself, and what is not replaced, needs no confirmation", async () => {
		map({});
		expect((await world.purser([...(commands["pay ledger"] as (typeof commands)[string]).argv(), "--yes", "--json"])).exit).toBe(0);
		map({ "related.delete": removal });
		await world.purser(`related remove ${person} --yes`);
		expect(sent).toEqual(["POST /api/partner/transactions/inter-ledger", `DELETE /api/partner/corporates/related/${person}`]);
	});

	test("a read that is no GET could be a payment: it is held until somebody has seen it", async () => {
		map({ "ledger.list": { method: "POST", path: "/v1/payments", constants: [{ ...body("/amount"), value: 1000 }] } });
		const held = await world.purser("ledger list --json");
		expect([held.exit, codeOf(held), sent]).toEqual([10, "MAPPING_UNCONFIRMED", []]);
		await confirm("ledger.list");
		await world.purser("ledger list --json");
		expect(sent).toContain("POST /v1/payments");
	});

	test("of a list by POST the page size is shown, which could be an amount; changed pages ask again", async () => {
		const paging = (at: string) => ({ paging: { style: "page", at: "number", first: 0, size: { at, most: 100 } } }) as const;
		const list: Mapping["operations"] = { "transaction.list": { method: "POST", path: "/v2/withdrawals" } };
		const argv = ["pay", "list", "--ledger-id", company, "--json"];
		map(list, paging("amount"));
		const ran = await world.purser(argv);
		expect([ran.exit, codeOf(ran), sent]).toEqual([10, "MAPPING_UNCONFIRMED", []]);
		const shown = await world.json("api confirm transaction.list --dry-run");
		expect(shown.request.url).toContain("amount=100");
		await confirm("transaction.list");
		await world.purser(argv);
		expect(sent.splice(0)).toEqual(["POST /v2/withdrawals"]);
		map(list, paging("total"));
		expect([codeOf(await world.purser(argv)), sent]).toEqual(["MAPPING_UNCONFIRMED", []]);
	});

	test("a sandbox of purser's own needs none, and nothing else that calls itself a sandbox", async () => {
		const { argv } = commands["pay ledger"] as (typeof commands)[string];
		expect(codeOf(await world.purser([...argv(), "--yes", "--json"]))).toBe("MAPPING_UNCONFIRMED");
		world.identity = "0f0f0f0f";
		expect((await world.purser([...argv(), "--yes", "--json"])).exit).toBe(0);
		expect(sent).toEqual(["POST /api/partner/transactions/inter-ledger"]);
	});

	test("another mapping, another address and another operation are not confirmed by it", async () => {
		const { argv } = commands["pay ledger"] as (typeof commands)[string];
		await confirm("transaction.interLedger");
		const held = profile();
		const given = held.confirmations?.["transaction.interLedger"] as MappingConfirmation;
		for (const changed of [
			{ mapping: { operations: { ...operations, "transaction.interLedger": { ...described, ...channel("other") } } } },
			{ mapping: { operations: { ...operations, "transaction.interLedger": { ...header, path: "/v2/transfers" } } } },
			{ mapping: { operations, ids: { ledger: "[0-9a-f-]{36}" } } },
			{ mapping: { operations, idempotency: { place: "header", at: "Idempotency-Key" } } },
			{ baseUrl: "http://127.0.0.1:4011" },
			{ baseUrl: "http://127.0.0.1:4010/v9" },
			{ confirmations: { "transaction.beneficiary": given } },
			{ confirmations: {} },
		] as Partial<Profile>[]) {
			world.profiles.set("sandbox", { ...held, ...changed });
			const ran = await world.purser([...argv(), "--yes", "--json"]);
			expect([changed, ran.exit === 0, sent]).toEqual([changed, false, []]);
		}
		world.profiles.set("sandbox", held);
		expect((await world.purser([...argv(), "--yes", "--json"])).exit).toBe(0);
	});

	test("an address given for one run is another one, also where the profile is confirmed", async () => {
		const { argv } = commands["pay ledger"] as (typeof commands)[string];
		await confirm("transaction.interLedger");
		const ran = await world.purser([...argv(), "--yes", "--json", "--base-url", "http://127.0.0.1:4012"]);
		expect([ran.exit, codeOf(ran), sent]).toEqual([10, "MAPPING_UNCONFIRMED", []]);
	});
});

describe("api confirm", () => {
	test("shows who is debited and credited, the exact request, and asks; a No confirms nothing", async () => {
		const declined = await world.purser("api confirm transaction.beneficiary", { answers: ["no"] });
		expect([declined.exit, profile().confirmations]).toEqual([10, undefined]);
		const above = world.asked[0]?.above ?? [];
		expect(above.slice(0, 6)).toEqual([
			"Create a transaction to a beneficiary (transaction.beneficiary)",
			"12.34 EUR leaves A, arrives at B",
			"  Leaves A    11111111-1111-4111-8111-111111111111 · body /payer",
			"  Arrives B   22222222-2222-4222-8222-222222222222 · body /payee",
			"  Amount      12.34 · body /amount",
			"  Reference   Example 1 · body /reference",
		]);
		expect(above).toContain("  POST http://127.0.0.1:4010/v2/payouts");
		expect(above).toContain(
			'  {"payer":"11111111-1111-4111-8111-111111111111","payee":"22222222-2222-4222-8222-222222222222","amount":12.34,"reference":"Example 1"}',
		);
		expect(above.join("\n")).not.toContain("token-1");
		const said = await world.purser("api confirm transaction.beneficiary", { answers: ["yes"] });
		expect([said.exit, said.stdout]).toMatchObject([0, expect.stringContaining("Confirmed")]);
		expect(profile().confirmations).toEqual({
			"transaction.beneficiary": {
				digest: await digestOf("transaction.beneficiary"),
				service: "http://127.0.0.1:4010",
				at: world.clock.now().toISOString(),
				by: "anna",
			},
		});
		const latest = (await world.json("history export --kind settings")).at(-1);
		expect(latest.content).toMatchObject({ how: "command", operator: "anna", changes: [{ key: "confirmed transaction.beneficiary" }] });
	});

	test("a script needs the digest, and --yes is none; a digest of something else confirms nothing", async () => {
		for (const more of [[], ["--yes"], ["--yes", "--live"]]) {
			const ran = await world.purser(["api", "confirm", "transaction.interLedger", "--json", ...more]);
			expect([ran.exit, codeOf(ran)]).toEqual([2, "CONFIRMATION_NEEDED"]);
		}
		const other = await digestOf("transaction.beneficiary");
		const wrong = await world.purser(`api confirm transaction.interLedger --digest ${other} --json`);
		expect([wrong.exit, codeOf(wrong), profile().confirmations]).toEqual([10, "MAPPING_CHANGED", undefined]);
		const dry = await world.purser(`api confirm transaction.beneficiary --digest ${other} --dry-run --json`);
		expect([dry.exit, dry.json().confirmed, profile().confirmations]).toEqual([0, null, undefined]);
	});

	test("a mapping that swaps the parties shows it", async () => {
		const fields = { ledgerFromId: body("/ledgerToId"), ledgerToId: body("/ledgerFromId"), amount: body("/amount") };
		map({ "transaction.interLedger": { ...described, fields } });
		const { fields: shown, request } = await world.json("api confirm transaction.interLedger --dry-run");
		expect(shown.slice(0, 2)).toEqual([
			{ field: "ledgerFromId", value: "11111111-1111-4111-8111-111111111111", place: "body /ledgerToId" },
			{ field: "ledgerToId", value: "22222222-2222-4222-8222-222222222222", place: "body /ledgerFromId" },
		]);
		expect(request.body).toContain('"ledgerToId":"11111111-1111-4111-8111-111111111111"');
	});

	test("what needs none says so", async () => {
		const ran = await world.purser("api confirm kyb.request");
		expect([ran.exit, ran.stdout]).toEqual([
			0,
			"Nothing to confirm: the profile sandbox sends kyb.request as described, or changes nothing by it.\n",
		]);
	});

	test("PUT is told as what it is", async () => {
		await world.purser("api confirm corporate.update", { answers: ["yes"] });
		expect(world.asked[0]?.above?.slice(0, 2)).toEqual([
			"Update a Corporate (corporate.update)",
			"PUT replaces the record: the service may remove what the request does not hold.",
		]);
	});
});

describe("a payment through a mapping", () => {
	const argv = () => (commands["pay ledger"] as (typeof commands)[string]).argv();

	test("at a terminal nobody is asked about one that would not be sent; once confirmed, the payment alone is asked about", async () => {
		const held = await world.purser(argv(), { answers: [] });
		expect([held.exit, sent, world.asked]).toEqual([10, [], []]);
		expect(held.stderr.replace(/\s+/g, " ")).toContain(
			"Next: Look at the exact request and confirm it: purser api confirm transaction.interLedger",
		);
		await confirm("transaction.interLedger");
		const paid = await world.purser(argv(), { answers: [true] });
		expect([paid.exit, sent, world.asked.map(({ kind }) => kind)]).toEqual([
			0,
			["POST /api/partner/transactions/inter-ledger"],
			["confirm"],
		]);
	});

	test("an amount in minor units leaves in the currency of the ledger, which is looked up", async () => {
		const amount = { ...body("/cents"), form: "minor-units" } as const;
		const fields = { ledgerFromId: body("/payer"), ledgerToId: body("/payee"), amount, reference: body("/memo") };
		map({ "transaction.interLedger": { method: "POST", path: "/v2/payments", fields } });
		await confirm("transaction.interLedger");
		const paid = await world.purser([...argv(), "--yes", "--json"]);
		expect([paid.exit, sent]).toEqual([0, ["POST /v2/payments"]]);
		const paidBy = world.requests.find(({ method }) => method === "POST");
		expect(JSON.parse(paidBy?.body ?? "")).toMatchObject({ payer: world.from, payee: world.to, cents: 100 });
	});

	test("a confirmation that was written without purser is told once and put on record", async () => {
		const given = { digest: await digestOf("transaction.interLedger"), service: "http://127.0.0.1:4010", at: "2026-01-01T00:00:00.000Z" };
		await confirm("transaction.beneficiary");
		store({ confirmations: { ...profile().confirmations, "transaction.interLedger": given } });
		const paid = await world.purser([...argv(), "--yes"]);
		expect([paid.exit, paid.stderr]).toMatchObject([
			0,
			expect.stringContaining("were changed without purser: confirmed transaction.interLedger"),
		]);
		const latest = (await world.json("history export --kind settings")).at(-1);
		expect(latest.content).toMatchObject({ how: "outside", changes: [{ key: "confirmed transaction.interLedger" }] });
		const again = await world.purser([...argv(), "--reference", "second", "--yes"]);
		expect([again.exit, again.stderr]).toMatchObject([0, expect.not.stringContaining("without purser")]);
		expect((await world.purser("history verify")).exit).toBe(0);
	});
});

describe("onboarding through a mapping that replaces", () => {
	const layers = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
	const changes = (world: World): string[] => world.requests.filter(({ method }) => method !== "GET").map(({ method }) => method);

	test("a case: nothing is created by PUT, in a script or at a terminal; once confirmed it is sent", async () => {
		const onboarding = await caseWorld({
			profile: { mapping: { operations: { "corporate.create": { method: "PUT", path: "/api/partner/corporates" } } } },
		});
		put(onboarding, "case.yaml", layers);
		const apply = ["onboard", "apply", ...confirmed, "case.yaml"];
		const ran = await onboarding.purser([...apply, "--json"]);
		expect([ran.exit, changes(onboarding), entitiesOf(onboarding, "crm-layers").corporates]).toEqual([10, [], 0]);
		expect(ran.stdout + ran.stderr).toContain("MAPPING_UNCONFIRMED");
		const asking = await onboarding.purser("onboard apply case.yaml --confirmed-by operator", { answers: [true] });
		expect(asking.exit).toBe(10);
		expect(changes(onboarding)).toEqual([]);
		await onboarding.purser("api confirm corporate.create", { answers: ["yes"] });
		await onboarding.purser([...apply, "--json"]);
		expect(changes(onboarding)[0]).toBe("PUT");
	});
});
