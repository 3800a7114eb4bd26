import { beforeEach, describe, expect, it } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering, page } from "./answers.js";

const main = "11111111-1111-4111-8111-111111111111";
const savings = "22222222-2222-4222-8222-222222222222";
const who = "33333333-3333-4333-8333-333333333333";
const made = "44444444-4444-4444-8444-444444444444";

const own = { id: main, friendlyName: "Main account", status: "ACTIVE", currency: "EUR" };
const ledgers = [
	{ ...own, availableAmount: 1000.5, totalAmount: 1200, iban: "FR7630006000011234567890189" },
	{ ...own, id: savings, friendlyName: "Savings", availableAmount: 5 },
];
const payee = {
	id: who,
	name: "Sample Supplies GmbH",
	status: "VALID",
	active: true,
	accountNumber: "DE89370400440532013000",
	currency: "EUR",
};
const madeLine = `GET /api/partner/transactions/${made}`;
const between = "POST /api/partner/transactions/inter-ledger";

const service: Answers = {
	"GET /api/partner/ledgers": page(...ledgers),
	[`GET /api/partner/ledgers/${main}`]: { body: ledgers[0] },
	[`GET /api/partner/ledgers/${savings}`]: { body: ledgers[1] },
	"GET /api/partner/beneficiaries": page(payee),
	[`GET /api/partner/beneficiaries/${who}`]: { body: payee },
	"GET /api/partner/transactions": page(),
	[between]: { status: 201, body: { id: made } },
	"POST /api/partner/transactions/beneficiary": { status: 201, body: { id: made } },
	[madeLine]: ["PENDING", "APPROVED"].map((status) => ({ body: { id: made, status, amount: 10.1, currency: "EUR" } })),
};

let world: World;
const answer = (more: Answers = {}): void => {
	world.wire = answering({ ...service, ...more });
};
beforeEach(async () => {
	world = await makeWorld();
	answer();
});

const bodies = () => world.changes().map(({ body }) => body);
const pay = (more = "", options = {}) => world.purser(`pay ledger --from ${main} --to ${savings} --amount 10.10 ${more}`, options);
const payOut = (more = "", options = {}) =>
	world.purser(`pay beneficiary --ledger-from-id ${main} --beneficiary-id ${who} --amount 250.00 ${more}`, options);

describe("pay ledger", () => {
	it("shows who pays whom what and asks; a No sends nothing, a Yes exactly what was typed, once", async () => {
		const no = await pay('--reference "Invoice 2041"', { answers: [false], columns: 140 });
		expect([no.exit, bodies()]).toEqual([10, []]);
		expect(world.asked).toEqual([{ kind: "confirm", message: "Send 10.10 EUR to Savings?" }]);
		// What the preview says of which facts is tested in payments/preview.test.ts.
		for (const line of [/From +Main account · \S+ · ACTIVE/, /Left after +990\.40 EUR/, /Rail +inter-ledger/, /Reference +"Invoice 2041"/])
			expect(no.stderr).toMatch(line);
		const yes = await pay('--reference "Invoice 2041"', { answers: [true] });
		expect(yes.exit).toBe(0);
		const body = `{"ledgerFromId":"${main}","ledgerToId":"${savings}","amount":10.10,"reference":"Invoice 2041"}`;
		expect(world.changes().map(({ line, body }) => [line, body])).toEqual([[between, body]]);
		expect(yes.stdout).toContain("Payment accepted");
		expect(yes.stderr).toContain(`purser pay show ${made} --wait`);
	});

	it("is taken from a file, JSON or YAML, with the digits as they stand there; flags win, by their shorter names too", async () => {
		world.put("payment.yaml", `ledgerFromId: ${main}\r\nledgerToId: ${savings}\r\namount: 10.10\r\nreference: 0012\r\n`);
		expect((await world.purser("pay ledger --file payment.yaml --yes --json")).exit).toBe(0);
		const input = `{"ledgerFromId":"${savings}","beneficiaryId":"${main}","amount":7.50,"allowFastPayment":false}`;
		const ran = await world.purser(`pay beneficiary -f - --from ${main} --to ${who} --amount 8.00 -y --json`, { input });
		expect([ran.exit, ran.stderr]).toEqual([0, ""]);
		expect(bodies()).toEqual([
			`{"ledgerFromId":"${main}","ledgerToId":"${savings}","amount":10.10,"reference":"0012"}`,
			`{"ledgerFromId":"${main}","beneficiaryId":"${who}","amount":8.00,"allowFastPayment":false,"allowInterLedger":true}`,
		]);
	});

	it.each([
		[`--from ${main} --ledger-from-id ${main}`, "--from and --ledger-from-id are the same field, and it takes one value"],
		[`--from ${main} --set label=rent`, "Unknown option '--set'"],
		["--from --yes", "--from needs a value, but --yes follows"],
	])("%j: exit 2, nothing sent", async (words, message) => {
		const ran = await world.purser(`pay ledger --amount 10 --yes ${words}`);
		expect([ran.exit, ran.stderr, world.requests]).toEqual([2, expect.stringContaining(message), []]);
	});

	const whole = `"ledgerFromId":"${main}","ledgerToId":"${savings}"`;
	it.each([
		[`{${whole},"amount":1e1}`, 3],
		[`{${whole},"amount":1,"yes":true}`, 3],
		[`{${whole},"amount":1,"amount":2}`, 2],
		[`[{${whole},"amount":1}]`, 3],
		[`{${whole}}`, 2],
		[`ledgerFromId: ${main}\nledgerToId: ${savings}\namount: 1\n__proto__: {reference: x}\n`, 3],
		[`{${whole},"amount":1,"__proto__":{"reference":"x"}}`, 3],
	])("a file of another shape sends nothing: %j", async (input, exit) => {
		expect([(await world.purser("pay ledger --file - --yes --json", { input })).exit, bodies()]).toEqual([exit, []]);
	});

	it("in a script answers with id and intent, and asks nothing", async () => {
		const ran = await pay("--yes --json");
		expect([ran.exit, ran.json()]).toEqual([0, { id: made, intent: "1", waiting: false }]);
		expect(world.journal[0]?.intent).toMatchObject({
			operation: "transaction.interLedger",
			transfer: { kind: "ledger", ledgerFromId: main, counterpartyId: savings, amount: "10.10", currency: "EUR" },
		});
	});

	it("--wait follows it to its final status", async () => {
		const ran = await pay("--yes --wait --json");
		expect([ran.exit, ran.stdout]).toEqual([0, expect.stringContaining('"amount": 10.1')]);
		expect(ran.json()).toMatchObject({ id: made, transaction: { status: "APPROVED" } });
	});

	const declined = { id: made, status: "DECLINED", information: { declineReason: "INSUFFICIENT_FUNDS" } };
	it.each<[string, Answers, string, number, string]>([
		["it is declined", { [madeLine]: { body: declined } }, "--wait", 5, "INSUFFICIENT_FUNDS"],
		[
			"it is not final",
			{ [madeLine]: { body: { id: made, status: "NEW" } } },
			"--wait --wait-timeout 5",
			8,
			"not a status known to be final",
		],
		["the creation's own answer declines it", { [between]: { body: declined } }, "", 5, "Payment ended as DECLINED, not as APPROVED"],
		["control: the creation's own answer is not final", { [between]: { body: { id: made, status: "PENDING" } } }, "", 0, ""],
		[
			"its status cannot be read",
			{ [madeLine]: { status: 404, body: {} } },
			"--wait",
			8,
			`as transaction ${made}, but its status could not`,
		],
		[
			"it waits for strong authentication",
			{ [between]: { status: 202, body: { id: made } } },
			"",
			8,
			"waiting for strong customer authentication: no money moves before the account holder confirms it",
		],
	])("where %s, the exit code says so", async (_, answers, more, exit, told) => {
		answer(answers);
		const ran = await pay(`--yes ${more}`);
		expect([ran.exit, ran.stdout + ran.stderr]).toEqual([exit, expect.stringContaining(told)]);
	});

	it("refuses decimals of a currency that has none, asked or not", async () => {
		answer({ [`GET /api/partner/ledgers/${main}`]: { body: { ...ledgers[0], currency: "JPY" } } });
		expect([(await pay("--yes")).exit, (await pay("", { answers: [] })).exit, bodies()]).toEqual([3, 3, []]);
	});

	it("goes on where nothing can be looked up, and says so", async () => {
		answer({
			[`GET /api/partner/ledgers/${main}`]: { status: 404, body: {} },
			[`GET /api/partner/ledgers/${savings}`]: { body: { ...ledgers[1], id: main } },
			"GET /api/partner/transactions": { status: 403, body: {} },
		});
		const ran = await pay("", { answers: [true], columns: 140 });
		expect([ran.exit, ran.stderr]).toEqual([0, expect.stringContaining("The ledger to debit could not be read")]);
		expect(ran.stderr).toContain(`The ledger to credit could not be read: the service answered with another one, ${main}`);
		expect(ran.stderr).toContain("Earlier payments could not be read");
		expect(ran.stderr).toMatch(/Left after +not known/);
	});
});

describe("pay beneficiary", () => {
	it("always sends both switches", async () => {
		await payOut("--yes");
		await payOut("--yes --no-allow-fast-payment --no-allow-inter-ledger");
		expect(bodies()).toEqual(
			[true, false].map(
				(on) => `{"ledgerFromId":"${main}","beneficiaryId":"${who}","amount":250.00,"allowFastPayment":${on},"allowInterLedger":${on}}`,
			),
		);
	});

	it("warns of a likely duplicate in the service's list, within the days of the setting", async () => {
		const receiver = { name: "Sample Supplies GmbH" };
		const earlier = { id: made, amount: 250, createdAt: "x", creationDate: "2026-02-27T09:00:00Z", status: "APPROVED", receiver };
		answer({ "GET /api/partner/transactions": page(earlier) });
		const question = async () => {
			expect((await payOut("", { answers: [false], columns: 200 })).exit).toBe(10);
			return world.asked.at(-1)?.message;
		};
		expect(await question()).toBe(`Already paid 2 days ago as transaction ${made}. Send 250.00 EUR to Sample Supplies GmbH AGAIN?`);
		await world.purser("profile set sandbox --set duplicate-days=1 --yes");
		expect(await question()).toBe("Send 250.00 EUR to Sample Supplies GmbH?");
	});
});

it("with live money the amount is typed at a terminal", async () => {
	world = await makeWorld({ profile: { environment: "live", baseUrl: "https://api.example.com" } });
	answer();
	const other = await pay("", { answers: [true, "10.1"] });
	expect([other.exit, other.stderr.includes("The amounts do not match. Nothing was sent"), bodies()]).toEqual([10, true, []]);
	expect([(await pay("", { answers: [true, "10.10"] })).exit, bodies().length]).toEqual([0, 1]);
	// As it is shown.
	const large = await world.purser(`pay ledger --from ${main} --to ${savings} --amount 1250.10`, { answers: [true, "1 250.10"] });
	expect([large.exit, bodies().length]).toEqual([0, 2]);
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
		answer({ [madeLine]: { body: { id: made, status } } });
		expect((await world.purser(`pay show ${made}`)).exit).toBe(exit);
		expect((await world.purser(`pay show ${made} --wait --wait-timeout 3`)).exit).toBe(waited);
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
		const one = { id: made, creationDate: "2026-03-01T09:30:00Z", amount: 1234.5, currency: "EUR", status: "APPROVED" };
		answer({ "GET /api/partner/transactions": page(one) });
		const words = `pay list --ledger-id ${main} --status APPROVED --status PENDING --start-date 2026-03-01T00:00:00Z`;
		const ran = await world.purser(words, { columns: 140 });
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toMatch(new RegExp(`${made}  2026-03-01 \\d\\d:\\d\\d [+-]\\d\\d:\\d\\d  1 234\\.50 EUR`));
		const query = new URL(world.requests[0]?.url ?? "").searchParams;
		expect([query.get("ledgerId"), query.getAll("status"), query.get("startDate")]).toEqual([
			main,
			["APPROVED", "PENDING"],
			"2026-03-01T00:00:00Z",
		]);
	});
});

it.each([
	["ledger list", "FR7630006000011234567890189", "FR76••••0189"],
	[`ledger show ${main}`, "FR7630006000011234567890189", "1 000.50 EUR"],
	[`beneficiary show ${who}`, "DE89370400440532013000", "DE89••••3000"],
])("%s masks the account number for people and gives it whole to programs", async (line, whole, shown) => {
	const { stdout } = await world.purser(line, { columns: 160 });
	expect([stdout.includes(shown), stdout.includes(whole)]).toEqual([true, false]);
	expect(JSON.stringify(await world.json(line))).toContain(whole);
});
