import { beforeEach, describe, expect, it } from "vitest";
import { type Candidate, documentMatch } from "../../src/openapi/import.js";
import { openDetails } from "../../src/openapi/walk/details.js";
import { documentOf, type Line, rpc, snake } from "../openapi/documents.js";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
beforeEach(async () => {
	world = await makeWorld({ loggedIn: false });
	await world.purser(["profile", "add", "box", "--base-url", "https://api.example.com"]);
});

const [yes, singly, none, another, later] = ["\0yes", "\0singly", "\0none", "\0another", "\0later"] as const;

async function walking(document: unknown, answers: readonly string[], ...argv: string[]) {
	world.files.set("openapi.json", new TextEncoder().encode(JSON.stringify(document)));
	const ran = await world.purser(["api", "import", "openapi.json", ...argv], { answers, terminal: true });
	return { ...ran, questions: world.asked.map(({ message }) => message) };
}

const box = () => world.profiles.get("box");
const above = (at: number): string => world.asked[at]?.above?.join("\n") ?? "";

describe("api import at a terminal", () => {
	it("asks what is not sure, the payments together, and one question for all amounts", async () => {
		const ran = await walking(rpc, [yes, "minor-units"]);
		expect(ran.questions).toEqual(["Are these the payments?", "How is an amount of 12.34 written there?"]);
		expect(above(0)).toContain("money leaves /debtorAccountId and arrives at /creditorAccountId; /category is INTERNAL");
		expect(above(0)).toContain("money leaves /debtorAccountId and arrives at /payeeId; /category is BENEFICIARY");
		expect(box()?.overrides["transaction.get"]?.answer?.fields?.amount).toEqual({ at: "/amountInCents", codec: "minor-units" });
		expect(box()?.overrides["corporate.get"]?.path).toBe("/rpc/fetchOrganisation");
		expect(ran.stdout).toContain("Ids of owners and directors, companies, payments, ledgers look like");
		expect(world.requests).toEqual([]);
	});

	it("what each status is taken for is told, and which mean nothing", async () => {
		const document = JSON.parse(
			JSON.stringify(snake).replaceAll('"PENDING","COMPLETED","FAILED"', '"PENDING","COMPLETED","FAILED","PARKED"'),
		);
		const { stdout } = await walking(document, [], "--only", "transaction.get");
		const told = "Statuses of a payment: COMPLETED is APPROVED, FAILED is DECLINED, PENDING is PENDING; PARKED mean nothing to purser yet.";
		expect(stdout.replace(/\s+/g, " ")).toContain(told);
	});

	it("Enter alone never says how an amount is written, nor who is debited", async () => {
		await walking(rpc, [yes, "unknown"]);
		expect(world.asked[1]?.fallback).toBe("unknown");
		expect(box()?.overrides["transaction.interLedger"]).toBeUndefined();
		expect(box()?.overrides["transaction.get"]).toBeUndefined();
		expect(box()?.overrides["corporate.get"]).toBeDefined();
	});

	it("Ctrl-C stores nothing, whatever was answered before", async () => {
		const before = structuredClone(box());
		const ran = await walking(rpc, [yes, "^C"]);
		expect([ran.exit, ran.stderr]).toEqual([130, expect.stringMatching(/nothing was stored/)]);
		expect(box()).toEqual(before);
	});

	it("one by one: the candidates with their reasons, none of these, another one, and the rest for later", async () => {
		const ran = await walking(snake, [singly, none, later, "1"]);
		expect(ran.questions).toEqual([
			"Are these the payments?",
			'Which is "Create an inter-ledger transaction"?',
			'Which is "Create a transaction to a beneficiary"?',
			"Which number has the first page?",
		]);
		expect(world.asked[1]?.choices?.map(({ label }) => label)).toEqual([
			"POST /v3/transfers/internal",
			"POST /v3/transfers/external",
			"None of these",
			"Another one of the document …",
			"Leave the rest for later",
		]);
		expect(above(1)).toContain("it takes an amount, who is debited and who is credited, a reference");
	});

	it("another operation of the document can be chosen; one of which nothing is recognised cannot, and the question comes again", async () => {
		const wrong = "GET /v3/wallets";
		await walking(snake, [another, wrong, another, "POST /v3/transfers/internal"], "--only", "transaction.interLedger");
		expect(world.asked.map(({ message }) => message)).toEqual([
			'Which is "Create an inter-ledger transaction"?',
			'Which is "Create an inter-ledger transaction"?',
			'Which is "Create an inter-ledger transaction"?',
			'Which is "Create an inter-ledger transaction"?',
		]);
		expect(world.asked[1]?.choices?.map(({ label }) => label)).toContain(wrong);
	});

	it("a place that is asked for of a read is no side of a payment, and Enter alone takes none", () => {
		const lines: Line[] = [
			{
				at: "GET /beneficiaries/{beneficiaryId}",
				id: "getBeneficiary",
				summary: "Get a beneficiary",
				answer: { "name!": "string", iban: "string" },
			},
		];
		const imports = documentMatch(documentOf("Books", lines), "0".repeat(64), { only: "beneficiary.get" });
		const candidate = imports.matched.operations[0]?.candidates[0] as Candidate;
		const { fit, proposal } = candidate;
		const binding = { ...proposal.binding, request: { fields: {} } };
		const chosen = new Map([["beneficiary.get", { fit, proposal: { ...proposal, binding } }]]);
		const [place] = openDetails({ chosen, service: {}, dropped: new Map() }, imports, new Set());
		expect(place).toMatchObject({ key: "place:beneficiary.get:beneficiaryId", message: "Which field says the beneficiary?", fallback: "" });
		expect(place?.choices.map(({ value }) => value)).toEqual(["path beneficiaryId", ""]);
	});

	it("a side that no name tells is asked, and without an answer the payment is left out", async () => {
		const lines: Line[] = [
			{
				at: "POST /transfers/internal",
				id: "createInternalTransfer",
				body: { "accountA!": "string", "accountB!": "string", "amount!": "number", "reference!": "string" },
				answer: { transferId: { schema: { type: "string", format: "uuid" } } },
			},
		];
		const only = ["--only", "transaction.interLedger"];
		const ran = await walking(documentOf("Books", lines), ["POST /transfers/internal", ""], ...only);
		expect(above(0).replace(/\s+/g, " ")).toContain("which field is ledgerFromId is asked next");
		expect(ran.questions[1]).toBe("Which field says who is debited: the ledger that the money leaves?");
		expect(world.asked[1]?.choices?.map(({ value }) => value)).toEqual(["body /accountA", "body /accountB", ""]);
		expect(world.asked[1]?.fallback).toBe("");
		expect(ran.stdout).toContain("ledgerFromId has no place in POST /transfers/internal");
		await walking(documentOf("Books", lines), ["POST /transfers/internal", "body /accountB", "body /accountA"], ...only);
		expect(world.asked[2]?.choices?.map(({ value }) => value)).toEqual(["body /accountA", ""]);
	});
});

describe("what a document does not say of the whole service", () => {
	const uuid = { schema: { type: "string", format: "uuid" } };
	const list = (page: object, id: object = uuid) => {
		const document = documentOf("Lists", [
			{
				at: "GET /v1/wallets",
				id: "listWallets",
				summary: "List wallets",
				query: ["page", "page_size"],
				answer: { "items!": [{ id, iban: "string", currency: "string", available_amount: "string", status: "string" }], total: "integer" },
			},
		]) as { paths: Record<string, { get: { parameters: { name: string; schema: object }[] } }> };
		for (const parameter of document.paths["/v1/wallets"]?.get.parameters ?? [])
			if (parameter.name === "page") parameter.schema = { type: "integer", ...page };
		return document;
	};
	const only = ["--only", "ledger.list"];
	const wallets = "GET /v1/wallets";

	it("the number of the first page is asked, and the lists are left out where nobody knows it", async () => {
		const ran = await walking(list({}), [wallets, "0"], ...only);
		expect(ran.questions).toEqual(['Which is "List ledgers"?', "Which number has the first page?"]);
		expect(box()?.service?.paging).toMatchObject({ style: "page", at: "page", first: 0 });
		expect(ran.stdout).toContain("Every list of this profile is now read in pages (page) from number 0 on");
	});

	it("without an answer the list is left out", async () => {
		const ran = await walking(list({}), [wallets, ""], ...only);
		expect([ran.exit, box()?.service?.paging, box()?.overrides]).toEqual([9, undefined, {}]);
	});

	it.each([
		[{ minimum: 1 }, 1],
		[{ default: 0 }, 0],
	])("%o says it, and it is not asked", async (page, first) => {
		const ran = await walking(list(page), [wallets], ...only);
		expect([ran.questions.length, box()?.service?.paging?.first]).toEqual([1, first]);
	});

	it("ids that are any text are asked: a pasted one gives the form", async () => {
		const ran = await walking(list({ minimum: 0 }, { schema: { type: "string" } }), [wallets, "example", "wal_8f3ka92x"], ...only);
		expect(ran.questions).toEqual([
			'Which is "List ledgers"?',
			"What does an id of this service look like?",
			"Paste an id of this service",
		]);
		expect(box()?.service?.ids).toEqual({ ledger: "wal_[0-9A-Za-z]{4,64}" });
	});

	it("a script is told what is open: no list is sure while the first page is not known", async () => {
		const ran = await world.purser(["api", "import", "-", "--dry-run", "--json", ...only], { input: JSON.stringify(list({})) });
		expect(ran.json().operations[0].candidates[0].evidence).toContain("to be asked: pages: is the first one number 0 or 1?");
		expect(ran.json().operations[0].state).toBe("ask");
	});

	it("a list that does not say how it is divided is read as one answer, and is said to prove nothing absent", async () => {
		const whole = documentOf("Lists", [
			{
				at: "GET /v1/wallets",
				id: "listWallets",
				summary: "List wallets",
				answer: { "items!": [{ id: uuid, iban: "string", currency: "string", available_amount: "string", status: "string" }] },
			},
		]);
		const ran = await walking(whole, [wallets], ...only);
		expect(box()?.service?.paging).toEqual({ style: "link" });
		expect(ran.stdout.replace(/\s+/g, " ")).toContain("is no proof that a payment is absent");
	});

	it("a second document whose lists have other pages adds nothing that would be misread", async () => {
		await walking(list({ minimum: 1 }), [wallets], ...only);
		const cursors = documentOf("Cursors", [
			{
				at: "GET /v1/payees",
				id: "listPayees",
				summary: "List payees",
				query: ["cursor", "limit"],
				answer: { "data!": [{ id: uuid, name: "string", account_number: "string", status: "string" }], next_cursor: "string" },
			},
		]);
		const ran = await walking(cursors, ["GET /v1/payees"], "--only", "beneficiary.list");
		expect([ran.exit, Object.keys(box()?.overrides ?? {}), box()?.service?.paging?.style]).toEqual([9, ["ledger.list"], "page"]);
		expect(ran.stdout.replace(/\s+/g, " ")).toContain("divided otherwise than the other lists");
	});
});
