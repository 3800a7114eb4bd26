import { beforeEach, describe, expect, it } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering } from "./answers.js";

const main = "11111111-1111-4111-8111-111111111111";
const savings = "22222222-2222-4222-8222-222222222222";
const who = "33333333-3333-4333-8333-333333333333";
const made = "44444444-4444-4444-8444-444444444444";

const ledgers = [
	{
		id: main,
		friendlyName: "Main account",
		status: "ACTIVE",
		currency: "EUR",
		availableAmount: 1000.5,
		totalAmount: 1200,
		iban: "FR7630006000011234567890189",
	},
	{ id: savings, friendlyName: "Savings", status: "ACTIVE", currency: "EUR", availableAmount: 5 },
	{ id: "55555555-5555-4555-8555-555555555555", friendlyName: "Old", status: "CLOSED", currency: "EUR" },
];
const payee = {
	id: who,
	name: "Sample Supplies GmbH",
	status: "VALID",
	active: true,
	accountNumber: "DE89370400440532013000",
	currency: "EUR",
};

const service: Answers = {
	"GET /api/partner/ledgers": { body: { content: ledgers, totalElements: 3 } },
	[`GET /api/partner/ledgers/${main}`]: { body: ledgers[0] },
	[`GET /api/partner/ledgers/${savings}`]: { body: ledgers[1] },
	"GET /api/partner/beneficiaries": { body: { content: [payee], totalElements: 1 } },
	[`GET /api/partner/beneficiaries/${who}`]: { body: payee },
	"GET /api/partner/transactions": { body: { content: [], totalElements: 0 } },
	"POST /api/partner/transactions/inter-ledger": { status: 201, body: { id: made } },
	"POST /api/partner/transactions/beneficiary": { status: 201, body: { id: made } },
	[`GET /api/partner/transactions/${made}`]: [
		{ body: { id: made, status: "PENDING", amount: 10.1, currency: "EUR" } },
		{ body: { id: made, status: "APPROVED", amount: 10.1, currency: "EUR" } },
	],
};

let world: World;
const answer = (more: Answers = {}): void => {
	world.wire = answering({ ...service, ...more });
};
beforeEach(async () => {
	world = await makeWorld();
	answer();
});

const sent = () => world.requests.filter((request) => request.method === "POST");
const between = ["pay", "ledger", "--from", main, "--to", savings, "--amount", "10.10"];
const outside = ["pay", "beneficiary", "--ledger-from-id", main, "--beneficiary-id", who, "--amount", "250.00"];

describe("pay ledger", () => {
	it("shows who pays whom what, asks with No as default, and a No sends nothing", async () => {
		const ran = await world.purser([...between, "--reference", "Invoice 2041"], { answers: [false], columns: 140 });
		expect(ran.exit).toBe(10);
		expect(sent()).toEqual([]);
		expect(world.asked).toEqual([{ kind: "confirm", message: "Send 10.10 EUR to Savings?" }]);
		// What the preview says of which facts is tested in payments/preview.test.ts.
		for (const line of [/From +Main account · \S+ · ACTIVE/, /Left after +990\.40 EUR/, /Rail +inter-ledger/, /Reference +"Invoice 2041"/])
			expect(ran.stderr).toMatch(line);
	});

	it("a Yes sends exactly what was typed, once", async () => {
		const ran = await world.purser([...between, "--reference", "Invoice 2041"], { answers: [true] });
		expect(ran.exit).toBe(0);
		expect(sent().map(({ line, body }) => [line, body])).toEqual([
			[
				"POST /api/partner/transactions/inter-ledger",
				`{"ledgerFromId":"${main}","ledgerToId":"${savings}","amount":10.10,"reference":"Invoice 2041"}`,
			],
		]);
		expect(ran.stdout).toContain("Payment accepted");
		expect(ran.stderr).toContain(`purser pay show ${made} --wait`);
	});

	it("is taken from a file, JSON or YAML, with the digits as they stand there; flags win, by their shorter names too", async () => {
		const bytes = (text: string) => new TextEncoder().encode(text);
		world.files.set("payment.yaml", bytes(`ledgerFromId: ${main}\r\nledgerToId: ${savings}\r\namount: 10.10\r\nreference: 0012\r\n`));
		expect((await world.purser("pay ledger --file payment.yaml --yes --json")).exit).toBe(0);
		const input = `{"ledgerFromId":"${savings}","beneficiaryId":"${main}","amount":7.50,"allowFastPayment":false}`;
		const flags = ["--from", main, "--to", who, "--amount", "8.00", "-y", "--json"];
		const ran = await world.purser(["pay", "beneficiary", "-f", "-", ...flags], { input });
		expect([ran.exit, ran.stderr]).toEqual([0, ""]);
		expect(sent().map(({ body }) => body)).toEqual([
			`{"ledgerFromId":"${main}","ledgerToId":"${savings}","amount":10.10,"reference":"0012"}`,
			`{"ledgerFromId":"${main}","beneficiaryId":"${who}","amount":8.00,"allowFastPayment":false,"allowInterLedger":true}`,
		]);
	});

	it.each([
		[["--from", main, "--ledger-from-id", main], "--from and --ledger-from-id are the same field, and it takes one value"],
		[["--to", main, "--ledger-to-id", main], "--to and --ledger-to-id are the same field, and it takes one value"],
		[["--from", main, "--from", savings], "--from was given twice, and it takes one value"],
		[["--from", main, "--set", "label=rent"], "Unknown option '--set'"],
		[["--from", "--yes"], "--from needs a value, but --yes follows"],
	])("%j: exit 2, nothing sent", async (words, message) => {
		const ran = await world.purser(["pay", "ledger", "--amount", "10", "--yes", ...words]);
		expect([ran.exit, ran.stderr, world.requests]).toEqual([2, expect.stringContaining(message), []]);
	});

	it("a file of another shape sends nothing", async () => {
		const from = (input: string) => world.purser("pay ledger --file - --yes --json", { input });
		const whole = `"ledgerFromId":"${main}","ledgerToId":"${savings}"`;
		for (const [input, exit] of [
			[`{${whole},"amount":1e1}`, 3],
			[`{${whole},"amount":1,"yes":true}`, 3],
			[`{${whole},"amount":1,"amount":2}`, 2],
			[`[{${whole},"amount":1}]`, 3],
			[`{${whole}}`, 2],
			[`ledgerFromId: ${main}\nledgerToId: ${savings}\namount: 1\n__proto__: {reference: x}\n`, 3],
			[`{${whole},"amount":1,"__proto__":{"reference":"x"}}`, 3],
		] as const)
			expect([input, (await from(input)).exit]).toEqual([input, exit]);
		expect(sent()).toEqual([]);
	});

	it("in a script answers with id and intent, and asks nothing", async () => {
		const ran = await world.purser([...between, "--yes", "--json"]);
		expect(ran.exit).toBe(0);
		expect(ran.json()).toEqual({ id: made, intent: "1", waiting: false });
		expect(world.journal[0]?.intent).toMatchObject({
			operation: "transaction.interLedger",
			transfer: { kind: "ledger", ledgerFromId: main, counterpartyId: savings, amount: "10.10", currency: "EUR" },
		});
	});

	it("--wait follows it to its final status", async () => {
		const ran = await world.purser([...between, "--yes", "--wait", "--json"]);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toContain('"amount": 10.1');
		expect(ran.json()).toMatchObject({ id: made, transaction: { status: "APPROVED" } });
	});

	it("ends with 5 and the reason when it is declined, with 8 when it is not final in time", async () => {
		const path = `GET /api/partner/transactions/${made}`;
		answer({ [path]: { body: { id: made, status: "DECLINED", information: { declineReason: "INSUFFICIENT_FUNDS" } } } });
		const declined = await world.purser([...between, "--yes", "--wait"]);
		expect([declined.exit, declined.stdout]).toEqual([5, expect.stringContaining("INSUFFICIENT_FUNDS")]);
		answer({ [path]: { body: { id: made, status: "ON_ITS_WAY" } } });
		const late = await world.purser([...between, "--yes", "--wait", "--wait-timeout", "5"]);
		expect(late.exit).toBe(8);
		expect(late.stdout).toContain("ON_ITS_WAY (not a status known to be final)");
	});

	it("ends with 5 where the creation's own answer says that it is declined", async () => {
		answer({ "POST /api/partner/transactions/inter-ledger": { body: { id: made, status: "DECLINED" } } });
		const declined = await world.purser([...between, "--yes"]);
		expect([declined.exit, declined.stdout]).toEqual([5, expect.stringContaining("Payment ended as DECLINED, not as APPROVED")]);
		answer({ "POST /api/partner/transactions/inter-ledger": { body: { id: made, status: "PENDING" } } });
		expect((await world.purser([...between, "--yes"])).exit).toBe(0);
	});

	it("an accepted payment whose status cannot be read is told with its id, exit 8", async () => {
		answer({ [`GET /api/partner/transactions/${made}`]: { status: 404, body: {} } });
		const ran = await world.purser([...between, "--yes", "--wait", "--json"]);
		expect(ran.exit).toBe(8);
		expect(ran.json()).toMatchObject({ id: made });
		expect(ran.stderr).toContain(`accepted as transaction ${made}, but its status could not be read`);
	});

	it("explains a 202: accepted, waiting for strong authentication, exit 8", async () => {
		answer({ "POST /api/partner/transactions/inter-ledger": { status: 202, body: { id: made } } });
		const ran = await world.purser([...between, "--yes"]);
		expect(ran.exit).toBe(8);
		expect(ran.stdout).toContain("waiting for strong customer authentication: no money moves before the account holder confirms it");
	});

	it("refuses decimals of a currency that has none, asked or not", async () => {
		answer({ [`GET /api/partner/ledgers/${main}`]: { body: { ...ledgers[0], currency: "JPY" } } });
		expect((await world.purser([...between, "--yes"])).exit).toBe(3);
		expect((await world.purser(between, { answers: [] })).exit).toBe(3);
		expect(sent()).toEqual([]);
	});

	it("goes on where nothing can be looked up, and says so", async () => {
		answer({
			[`GET /api/partner/ledgers/${main}`]: { status: 404, body: {} },
			[`GET /api/partner/ledgers/${savings}`]: { body: { ...ledgers[1], id: main } },
			"GET /api/partner/transactions": { status: 403, body: {} },
		});
		const ran = await world.purser(between, { answers: [true], columns: 140 });
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("The ledger to debit could not be read");
		expect(ran.stderr).toContain(`The ledger to credit could not be read: the service answered with another one, ${main}`);
		expect(ran.stderr).toContain("Earlier payments could not be read");
		expect(ran.stderr).toMatch(/Left after +not known/);
	});
});

describe("pay beneficiary", () => {
	it("always sends both switches", async () => {
		await world.purser([...outside, "--yes"]);
		await world.purser([...outside, "--yes", "--no-allow-fast-payment", "--no-allow-inter-ledger"]);
		expect(sent().map((request) => request.body)).toEqual([
			`{"ledgerFromId":"${main}","beneficiaryId":"${who}","amount":250.00,"allowFastPayment":true,"allowInterLedger":true}`,
			`{"ledgerFromId":"${main}","beneficiaryId":"${who}","amount":250.00,"allowFastPayment":false,"allowInterLedger":false}`,
		]);
	});

	it("warns of a likely duplicate in the service's list, within the days of the setting", async () => {
		const earlier = {
			id: made,
			amount: 250,
			createdAt: "x",
			creationDate: "2026-02-27T09:00:00Z",
			status: "APPROVED",
			receiver: { name: "Sample Supplies GmbH" },
		};
		answer({ "GET /api/partner/transactions": { body: { content: [earlier], totalElements: 1 } } });
		const near = await world.purser(outside, { answers: [false], columns: 200 });
		expect(near.exit).toBe(10);
		expect(world.asked.at(-1)?.message).toBe(
			`Already paid 2 days ago as transaction ${made}. Send 250.00 EUR to Sample Supplies GmbH AGAIN?`,
		);
		await world.purser("profile set sandbox --set duplicate-days=1 --yes");
		const far = await world.purser(outside, { answers: [false], columns: 200 });
		expect(far.exit).toBe(10);
		expect(world.asked.at(-1)?.message).toBe("Send 250.00 EUR to Sample Supplies GmbH?");
	});
});

describe("with live money", () => {
	beforeEach(async () => {
		world = await makeWorld({ profile: { environment: "live", baseUrl: "https://api.example.com" } });
		answer();
	});

	it("needs the amount typed at a terminal", async () => {
		const other = await world.purser(between, { answers: [true, "10.1"] });
		expect([other.exit, other.stderr.includes("The amounts do not match. Nothing was sent")]).toEqual([10, true]);
		expect(sent()).toEqual([]);
		expect((await world.purser(between, { answers: [true, "10.10"] })).exit).toBe(0);
		expect(sent()).toHaveLength(1);
		// As it is shown.
		const large = between.map((word) => (word === "10.10" ? "1250.10" : word));
		expect((await world.purser(large, { answers: [true, "1 250.10"] })).exit).toBe(0);
		expect(sent()).toHaveLength(2);
	});
});

describe("pay show", () => {
	it.each([
		["APPROVED", 0, 0],
		["DECLINED", 5, 5],
		["ABORTED", 5, 5],
		["RELEASED", 5, 5],
		["REVERSED", 5, 5],
		["PENDING", 0, 8],
		["SOMETHING_NEW", 0, 8],
		[undefined, 1, 1],
		[null, 1, 1],
		["", 1, 1],
	])("%s ends with %i, with --wait %i", async (status, exit, waited) => {
		answer({ [`GET /api/partner/transactions/${made}`]: { body: { id: made, status } } });
		expect((await world.purser(`pay show ${made}`)).exit).toBe(exit);
		expect((await world.purser(`pay show ${made} --wait --wait-timeout 3`)).exit).toBe(waited);
	});

	it.each([[[]], [["--wait"]]])("does not show another transaction for the one that was asked for (%s)", async (more) => {
		answer({ [`GET /api/partner/transactions/${made}`]: { body: { id: who, status: "APPROVED" } } });
		const ran = await world.purser(["pay", "show", made, ...more]);
		expect([ran.exit, ran.stdout]).toEqual([1, ""]);
		expect(ran.stderr).toContain(`answered with another one, ${who}`);
	});
});

describe("pay list", () => {
	it("a day alone is that day of UTC, to its beginning or its end", async () => {
		expect((await world.purser("pay list --start-date 2026-03-01 --end-date 2026-03-31")).exit).toBe(0);
		const query = new URL(world.requests[0]?.url ?? "").searchParams;
		expect([query.get("startDate"), query.get("endDate")]).toEqual(["2026-03-01T00:00:00Z", "2026-03-31T23:59:59.999Z"]);
		expect((await world.purser("pay list --end-date 2026-02-30")).exit).toBe(3);
	});

	it("shows where the id is that pay show lacks", async () => {
		expect((await world.purser("pay show")).stderr).toContain("They are listed by: purser pay list\n");
		expect((await world.purser("pay batch status")).stderr).toContain("They are listed by: purser pay batch list\n");
		expect((await world.purser("pay show Rent")).stderr).not.toContain("Missing");
	});

	it("sends the filters and shows a line each", async () => {
		const content = [
			{
				id: made,
				creationDate: "2026-03-01T09:30:00Z",
				amount: 1234.5,
				currency: "EUR",
				status: "APPROVED",
				receiver: { name: "Savings" },
				information: { reference: "Rent" },
			},
		];
		answer({ "GET /api/partner/transactions": { body: { content, totalElements: 1 } } });
		const ran = await world.purser(`pay list --ledger-id ${main} --status APPROVED --status PENDING --start-date 2026-03-01T00:00:00Z`, {
			columns: 140,
		});
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toMatch(new RegExp(`${made}  2026-03-01 \\d\\d:\\d\\d [+-]\\d\\d:\\d\\d  1 234\\.50 EUR`));
		const query = new URL(world.requests[0]?.url ?? "").searchParams;
		expect(query.get("ledgerId")).toBe(main);
		expect(query.getAll("status")).toEqual(["APPROVED", "PENDING"]);
		expect(query.get("startDate")).toBe("2026-03-01T00:00:00Z");
	});
});

describe("ledgers and beneficiaries", () => {
	it("list masks the IBAN for people and gives it whole to programs", async () => {
		const text = await world.purser("ledger list", { columns: 160 });
		expect(text.stdout).toContain("FR76••••0189");
		expect(text.stdout).not.toContain("FR7630006000011234567890189");
		const json = await world.purser("ledger list --json");
		expect(json.json()[0]).toMatchObject({ id: main, iban: "FR7630006000011234567890189" });
	});

	it("show does too", async () => {
		const ledger = await world.purser(`ledger show ${main}`);
		expect(ledger.stdout).toMatch(/Available +1 000\.50 EUR/);
		expect(ledger.stdout).not.toContain("FR7630006000011234567890189");
		const beneficiary = await world.purser(`beneficiary show ${who}`);
		expect(beneficiary.stdout).toContain("DE89••••3000");
		expect(beneficiary.stdout).not.toContain("DE89370400440532013000");
		expect((await world.purser(`beneficiary show ${who} --json`)).stdout).toContain("DE89370400440532013000");
	});
});
