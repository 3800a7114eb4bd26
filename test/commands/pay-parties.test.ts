/**
 * `--from` and `--to` of a payment.
 */
import { beforeEach, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering } from "./answers.js";

const main = "11111111-1111-4111-8111-111111111111";
const savings = "22222222-2222-4222-8222-222222222222";
const made = "44444444-4444-4444-8444-444444444444";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
	world.wire = answering({
		[`GET /api/partner/ledgers/${main}`]: { body: { id: main, status: "ACTIVE", currency: "EUR", availableAmount: 1000 } },
		[`GET /api/partner/ledgers/${savings}`]: { body: { id: savings, status: "ACTIVE", currency: "EUR", availableAmount: 5 } },
		[`GET /api/partner/beneficiaries/${savings}`]: { body: { id: savings, status: "VALID", active: true, currency: "EUR" } },
		"POST /api/partner/transactions/inter-ledger": { status: 201, body: { id: made } },
		"POST /api/partner/transactions/beneficiary": { status: 201, body: { id: made } },
	});
});

const sent = () => world.requests.filter(({ method }) => method === "POST").map(({ body }) => body);

test("they are the same fields by shorter names", async () => {
	const ran = await world.purser(["pay", "ledger", "--from", main, "--to", savings, "--amount", "10", "--yes"]);
	expect(ran.exit).toBe(0);
	expect(sent()).toEqual([`{"ledgerFromId":"${main}","ledgerToId":"${savings}","amount":10}`]);
});

test("--to of a payment outside is the beneficiary", async () => {
	const ran = await world.purser(["pay", "beneficiary", "--from", main, "--to", savings, "--amount", "10", "-y"]);
	expect(ran.exit).toBe(0);
	expect(sent()).toEqual([
		`{"ledgerFromId":"${main}","beneficiaryId":"${savings}","amount":10,"allowFastPayment":true,"allowInterLedger":true}`,
	]);
});

test.each([
	[["--from", main, "--ledger-from-id", main], "--from and --ledger-from-id are the same field, and it takes one value"],
	[["--to", main, "--ledger-to-id", main], "--to and --ledger-to-id are the same field, and it takes one value"],
	[["--from", main, "--from", savings], "--from was given twice, and it takes one value"],
	[["--from", main, "--set", `ledgerFromId=${savings}`], "--set ledgerFromId and --ledger-from-id set the same field"],
	[["--from", "--yes"], "--from needs a value, but --yes follows"],
])("%j: exit 2, nothing sent", async (words, message) => {
	const ran = await world.purser(["pay", "ledger", "--amount", "10", "--yes", ...words]);
	expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining(message)]);
	expect(world.requests).toEqual([]);
});

test("the file beside them: flags win", async () => {
	world.files.set("payment.yaml", new TextEncoder().encode(`ledgerFromId: ${savings}\namount: 7.50\n`));
	const ran = await world.purser(["pay", "ledger", "-f", "payment.yaml", "--from", main, "--to", savings, "-y"]);
	expect(ran.exit).toBe(0);
	expect(sent()).toEqual([`{"ledgerFromId":"${main}","ledgerToId":"${savings}","amount":7.50}`]);
});
