/**
 * Nothing is sent through a mapping of money, or of a request that replaces a record, that nobody has confirmed: whatever the command, and
 * however it is called. Each refusal has a control, in which the same command sends. And another mapping is not stored while money leaves by
 * the one that the profile has.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MappedOperation, Mapping } from "../../src/ports/mapping.js";
import type { MappingConfirmation, Profile } from "../../src/ports/profiles.js";
import { caseWorld, entitiesOf, layers } from "../onboarding/case-world.js";
import type { RunOptions } from "../support/purser.js";
import { answered, delivered, lostAnswer, sandboxAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const payee = "dddddddd-0000-4000-8000-000000000001";
const company = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const person = "5b1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const body = (at: string) => ({ place: "body", at }) as const;
const channel = (value: string) => ({ constants: [{ place: "header", at: "X-Channel", value }] }) as const;
const described = { method: "POST", path: "/api/partner/transactions/inter-ledger" } as const;
const payment = `POST ${described.path}`;
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
beforeEach(async () => {
	world = await batchWorld({}, { mapping: { operations } });
	world.operator = "anna";
	world.requests.length = 0;
	world.wire = async (request) => {
		if (!new URL(request.url).pathname.startsWith("/v2/") && request.method !== "PUT")
			return delivered(await sandboxAnswer(world, request));
		return answered(201, JSON.stringify({ id: `eeeeeeee-0000-4000-8000-${String(world.changes().length).padStart(12, "0")}` }));
	};
});
afterEach(() => world.end());

/** What left and changes something. */
const sent = () => world.changes().map(({ line }) => line);
const profile = (): Profile => world.profiles.get("sandbox") as Profile;
const store = (more: Partial<Profile>): void => void world.profiles.set("sandbox", { ...profile(), ...more });
/** The profile has these operations, and nothing else of them is mapped. */
const map = (given: Mapping["operations"], shared: Partial<Mapping> = {}): void => store({ mapping: { ...shared, operations: given } });
const shown = (operation: string) => world.json(`api confirm ${operation} --dry-run`);
const confirm = async (operation: string) => {
	const ran = await world.purser(`api confirm ${operation} --digest ${(await shown(operation)).digest} --json`);
	expect([ran.exit, ran.stderr]).toEqual([0, ""]);
};
const pay = (more = "--yes --json", options: RunOptions = {}) =>
	world.purser(`pay ledger --from ${world.from} --to ${world.to} --amount 1 ${more}`, options);
const refused = async (line: string, options: RunOptions = {}) => {
	const ran = await world.purser(line, options);
	expect([line, ran.exit, ran.error().code, sent()]).toEqual([line, 10, "MAPPING_UNCONFIRMED", []]);
};

describe("a request that nobody has confirmed is not sent", () => {
	test.each<[string, () => string, string]>([
		["transaction.interLedger", () => `pay ledger --from ${world.from} --to ${world.to} --amount 1`, payment],
		["transaction.beneficiary", () => `pay beneficiary --from ${world.from} --to ${payee} --amount 1`, "POST /v2/payouts"],
		["corporate.update", () => `corporate update ${company} --trade-name Example`, `PUT /api/partner/corporates/${company}`],
		["corporate.update", () => `terms accept ${company} --confirmed-by operator`, `PUT /api/partner/corporates/${company}`],
		["related.update", () => `related update ${person} --first-name Ada`, `PUT /api/partner/corporates/related/${person}`],
		// Which reads.
		["ledger.get", () => `ledger show ${company}`, `PUT /api/partner/ledgers/${company}`],
	])("%s, by %s, in a script, with every flag, and in CI; once confirmed it sends", async (operation, line, leaves) => {
		await refused(`${line()} --yes --json`);
		await refused(`${line()} --yes --json`, { env: { CI: "1" } });
		await refused(`${line()} --yes --json --quiet --debug`, { env: { PURSER_NO_INPUT: "1" } });
		expect(await world.json("history list")).toEqual([]);
		await confirm(operation);
		await world.purser(`${line()} --yes --json`);
		expect(sent()).toContain(leaves);
	});

	test("a live profile with --yes --live sends nothing either", async () => {
		store({ environment: "live", baseUrl: "https://api.example.com", auth: { kind: "none" } });
		await refused(`pay ledger --from ${world.from} --to ${world.to} --amount 1 --yes --live --new-journal --json`);
	});

	test("a batch: before its first row, and no row is marked", async () => {
		world.file([["1", "a"]]);
		await world.plan();
		await refused("pay batch send pay.csv.plan.json --yes --json");
		expect((await world.json("pay batch status 1")).counts).toMatchObject({ planned: 1, "not-sent": 0, sending: 0 });
		await confirm("transaction.interLedger");
		expect([(await world.send()).exit, sent()]).toEqual([0, [payment]]);
	});

	test("what the description replaces by itself, and what is not replaced, needs no confirmation", async () => {
		map({});
		expect((await pay()).exit).toBe(0);
		map({ "related.delete": removal });
		await world.purser(`related remove ${person} --yes`);
		expect(sent()).toEqual([payment, `DELETE /api/partner/corporates/related/${person}`]);
	});

	test("a read that is no GET could be a payment: it is held until somebody has seen it", async () => {
		map({ "ledger.list": { method: "POST", path: "/v1/payments", constants: [{ ...body("/amount"), value: 1000 }] } });
		await refused("ledger list --json");
		await confirm("ledger.list");
		await world.purser("ledger list --json");
		expect(sent()).toEqual([expect.stringMatching(/^POST \/v1\/payments/)]);
	});

	test("of a list by POST the page size is shown, which could be an amount; changed pages ask again", async () => {
		const paging = (at: string) => ({ paging: { style: "page", at: "number", first: 0, size: { at, most: 100 } } }) as const;
		const list: Mapping["operations"] = { "transaction.list": { method: "POST", path: "/v2/withdrawals" } };
		const line = `pay list --ledger-id ${company} --json`;
		map(list, paging("amount"));
		await refused(line);
		expect((await shown("transaction.list")).request.url).toContain("amount=100");
		await confirm("transaction.list");
		await world.purser(line);
		expect(sent()).toHaveLength(1);
		world.requests.length = 0;
		map(list, paging("total"));
		await refused(line);
	});

	test("a sandbox of purser's own needs none, and nothing else that calls itself a sandbox", async () => {
		expect((await pay()).error().code).toBe("MAPPING_UNCONFIRMED");
		world.identity = "0f0f0f0f";
		expect([(await pay()).exit, sent()]).toEqual([0, [payment]]);
	});

	test("another mapping, another address and another operation are not confirmed by it", async () => {
		await confirm("transaction.interLedger");
		const held = profile();
		const given = held.confirmations?.["transaction.interLedger"] as MappingConfirmation;
		for (const changed of [
			{ mapping: { operations: { ...operations, "transaction.interLedger": { ...described, ...channel("other") } } } },
			{ mapping: { operations, idempotency: { place: "header", at: "Idempotency-Key" } } },
			{ baseUrl: "http://127.0.0.1:4011" },
			{ confirmations: { "transaction.beneficiary": given } },
		] as Partial<Profile>[]) {
			world.profiles.set("sandbox", { ...held, ...changed });
			expect([changed, (await pay()).exit === 0, sent()]).toEqual([changed, false, []]);
		}
		world.profiles.set("sandbox", held);
		// An address given for one run is another one, too.
		await refused(`pay ledger --from ${world.from} --to ${world.to} --amount 1 --yes --json --base-url http://127.0.0.1:4012`);
		expect((await pay()).exit).toBe(0);
	});
});

describe("api confirm", () => {
	test("shows who is debited and credited, the exact request, and asks; a No confirms nothing", async () => {
		const declined = await world.purser("api confirm transaction.beneficiary", { answers: ["no"] });
		expect([declined.exit, profile().confirmations]).toEqual([10, undefined]);
		const above = world.asked[0]?.above ?? [];
		const [a, b] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
		expect(above.slice(0, 6)).toEqual([
			...["Create a transaction to a beneficiary (transaction.beneficiary)", "12.34 EUR leaves A, arrives at B"],
			...[`  Leaves A    ${a} · body /payer`, `  Arrives B   ${b} · body /payee`],
			...["  Amount      12.34 · body /amount", "  Reference   Example 1 · body /reference"],
		]);
		expect(above).toContain("  POST http://127.0.0.1:4010/v2/payouts");
		expect(above).toContain(`  {"payer":"${a}","payee":"${b}","amount":12.34,"reference":"Example 1"}`);
		expect(above.join("\n")).not.toContain("token-1");
		const said = await world.purser("api confirm transaction.beneficiary", { answers: ["yes"] });
		expect([said.exit, said.stdout]).toEqual([0, expect.stringContaining("Confirmed")]);
		const { digest } = await shown("transaction.beneficiary");
		const at = world.clock.now().toISOString();
		expect(profile().confirmations).toEqual({
			"transaction.beneficiary": { digest, service: "http://127.0.0.1:4010", at, by: "anna" },
		});
		const latest = (await world.json("history export --kind settings")).at(-1);
		expect(latest.content).toMatchObject({ how: "command", operator: "anna", changes: [{ key: "confirmed transaction.beneficiary" }] });
	});

	test("a script needs the digest, and --yes is none; a digest of something else confirms nothing", async () => {
		for (const more of ["", "--yes", "--yes --live"]) {
			const ran = await world.purser(`api confirm transaction.interLedger --json ${more}`);
			expect([ran.exit, ran.error().code]).toEqual([2, "CONFIRMATION_NEEDED"]);
		}
		const { digest } = await shown("transaction.beneficiary");
		const wrong = await world.purser(`api confirm transaction.interLedger --digest ${digest} --json`);
		expect([wrong.exit, wrong.error().code, profile().confirmations]).toEqual([10, "MAPPING_CHANGED", undefined]);
		const dry = await world.purser(`api confirm transaction.beneficiary --digest ${digest} --dry-run --json`);
		expect([dry.exit, dry.json().confirmed, profile().confirmations]).toEqual([0, null, undefined]);
	});

	test("a mapping that swaps the parties shows it", async () => {
		const fields = { ledgerFromId: body("/ledgerToId"), ledgerToId: body("/ledgerFromId"), amount: body("/amount") };
		map({ "transaction.interLedger": { ...described, fields } });
		const swapped = await shown("transaction.interLedger");
		expect(swapped.fields.slice(0, 2)).toEqual([
			{ field: "ledgerFromId", value: "11111111-1111-4111-8111-111111111111", place: "body /ledgerToId" },
			{ field: "ledgerToId", value: "22222222-2222-4222-8222-222222222222", place: "body /ledgerFromId" },
		]);
		expect(swapped.request.body).toContain('"ledgerToId":"11111111-1111-4111-8111-111111111111"');
	});

	test("what needs none says so, and PUT is told as what it is", async () => {
		const ran = await world.purser("api confirm kyb.request");
		const none = "Nothing to confirm: the profile sandbox sends kyb.request as described, or changes nothing by it.\n";
		expect([ran.exit, ran.stdout]).toEqual([0, none]);
		await world.purser("api confirm corporate.update", { answers: ["yes"] });
		expect(world.asked[0]?.above?.slice(0, 2)).toEqual([
			"Update a Corporate (corporate.update)",
			"PUT replaces the record: the service may remove what the request does not hold.",
		]);
	});
});

describe("a payment through a mapping", () => {
	test("at a terminal nobody is asked about one that would not be sent; once confirmed, the payment alone is asked about", async () => {
		const held = await pay("", { answers: [] });
		expect([held.exit, sent(), world.asked]).toEqual([10, [], []]);
		expect(held.stderr.replace(/\s+/g, " ")).toContain(
			"Look at the exact request and confirm it: purser api confirm transaction.interLedger",
		);
		await confirm("transaction.interLedger");
		expect([(await pay("", { answers: [true] })).exit, sent(), world.asked.map(({ kind }) => kind)]).toEqual([0, [payment], ["confirm"]]);
	});

	test("an amount in minor units leaves in the currency of the ledger, which is looked up", async () => {
		const amount = { ...body("/cents"), form: "minor-units" } as const;
		const fields = { ledgerFromId: body("/payer"), ledgerToId: body("/payee"), amount, reference: body("/memo") };
		map({ "transaction.interLedger": { method: "POST", path: "/v2/payments", fields } });
		await confirm("transaction.interLedger");
		expect([(await pay()).exit, sent()]).toEqual([0, ["POST /v2/payments"]]);
		expect(JSON.parse(world.changes()[0]?.body ?? "")).toMatchObject({ payer: world.from, payee: world.to, cents: 100 });
	});

	test("a confirmation that was written without purser is told once and put on record", async () => {
		const { digest } = await shown("transaction.interLedger");
		await confirm("transaction.beneficiary");
		const given = { digest, service: "http://127.0.0.1:4010", at: "2026-01-01T00:00:00.000Z" };
		store({ confirmations: { ...profile().confirmations, "transaction.interLedger": given } });
		const paid = await pay("--yes");
		expect([paid.exit, paid.stderr]).toEqual([0, expect.stringContaining("without purser: confirmed transaction.interLedger")]);
		const latest = (await world.json("history export --kind settings")).at(-1);
		expect(latest.content).toMatchObject({ how: "outside", changes: [{ key: "confirmed transaction.interLedger" }] });
		const again = await pay("--reference second --yes");
		expect([again.exit, again.stderr]).toEqual([0, expect.not.stringContaining("without purser")]);
		expect(await world.faults()).toEqual([]);
	});
});

test("of a case nothing is created by PUT, in a script or at a terminal; once confirmed it is sent", async () => {
	const put = { "corporate.create": { method: "PUT", path: "/api/partner/corporates" } } as const;
	const onboarding = await caseWorld({ profile: { mapping: { operations: put } } });
	onboarding.put("case.yaml", layers);
	const apply = "onboard apply case.yaml --confirmed-by operator";
	const ran = await onboarding.purser(`${apply} --yes --json`);
	expect([ran.exit, onboarding.changes(), entitiesOf(onboarding, "crm-layers").corporates]).toEqual([10, [], 0]);
	expect(ran.stdout + ran.stderr).toContain("MAPPING_UNCONFIRMED");
	expect([(await onboarding.purser(apply, { answers: [true] })).exit, onboarding.changes()]).toEqual([10, []]);
	await onboarding.purser("api confirm corporate.create", { answers: ["yes"] });
	await onboarding.purser(`${apply} --yes --json`);
	expect(onboarding.changes()[0]?.method).toBe("PUT");
});

test.each([
	["a single payment is being sent", "Payment 1", () => world.pay("1.10", "Rent")],
	["a batch is under way", "Batch 1", () => world.sent([["1.00", "Row 1"]])],
])("while %s another mapping is not stored; a doubt keeps nobody from it", async (_, what, act) => {
	map({});
	const file = (given: object) => JSON.stringify({ purser: "mapping", version: 1, operations: given });
	world.put("bank.json", file({ "transaction.get": { send: "GET /v2/movements/{transactionId}" } }));
	world.put("same.json", file({}));
	const use = (name: string) => world.purser(`api use ${name} --yes --json`);
	/** What the commands said while a payment was on its way. */
	const said: unknown[] = [];
	world.onTransfer(async () => {
		said.push((await use("bank.json")).error().message, (await use("same.json")).exit);
		return lostAnswer;
	});
	await act();
	expect(said).toEqual([`${what} is being sent by the mapping that the profile sandbox has; nothing was stored`, 0]);
	expect(profile().mapping).toEqual({ operations: {} });
	expect((await use("bank.json")).exit).toBe(0);
	expect(profile().mapping?.operations).toEqual({ "transaction.get": { method: "GET", path: "/v2/movements/{transactionId}" } });
});
