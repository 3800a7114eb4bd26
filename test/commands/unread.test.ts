/**
 * A read that was not understood is no success: exit 1, the answer as received on standard error, nothing on standard output, where a
 * script would take it for what it asked for.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering, page } from "./answers.js";

const id = "44444444-4444-4444-8444-444444444444";
const other = "33333333-3333-4333-8333-333333333333";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});
const given = (answers: Answers): void => {
	world.wire = answering({ [persons]: page(), ...answers });
};

const corporate = `GET /api/partner/corporates/${id}`;
const related = `GET /api/partner/corporates/related/${id}`;
const persons = `GET /api/partner/corporates/${id}/related`;
const transaction = `GET /api/partner/transactions/${id}`;
const wait = "--wait --wait-timeout 2";
const validated = { corporateName: "Example", kybStatus: "VALIDATED" };
const verified = { lastName: "Example", kycInfo: { status: "VALIDATED" }, emailAddressVerified: true };

/** What shows one record. */
const shows: readonly (readonly [line: string, read: string, record: object])[] = [
	...["", wait].map((more) => [`pay show ${id} ${more}`, transaction, { status: "APPROVED", amount: 5 }] as const),
	...[`corporate show ${id}`, `corporate status ${id}`, `kyb status ${id}`, `kyb status ${id} ${wait}`].map(
		(line) => [line, corporate, validated] as const,
	),
	...[`kyc status ${id}`, `kyc status ${id} ${wait}`, `related show ${id}`, `email status ${id} ${wait}`].map(
		(line) => [line, related, verified] as const,
	),
	[`ledger show ${id}`, `GET /api/partner/ledgers/${id}`, { friendlyName: "Main", status: "ACTIVE" }],
	[`beneficiary show ${id}`, `GET /api/partner/beneficiaries/${id}`, { name: "Example", status: "VALID" }],
	["terms show", "GET /api/partner/terms-and-conditions", { version: "3", downloadUrl: "https://x.example" }],
];

describe.each(shows)("%s", (line, read, record) => {
	test("the record itself is read", async () => {
		given({ [read]: { body: { id, ...record } } });
		const ran = await world.purser(`${line} --json`);
		expect([ran.exit, ran.stdout], ran.stderr).toEqual([0, expect.stringMatching(/\w/)]);
	});

	test.each<readonly [string, object]>([
		["in an envelope", { data: { id, ...record } }],
		["in an envelope with a status, without its id", { status: "success", message: "ok", result: record }],
		["in a list", [{ id, ...record }]],
		["nowhere", { code: 200, message: "ok" }],
		...(read.includes(id) ? [["in another's place", { id: other, ...record }] as const] : []),
	])("%s: exit 1, and shown as received", async (where, body) => {
		given({ [read]: { body } });
		const ran = await world.purser(`${line} --json`);
		expect([ran.exit, ran.stdout, ran.error()]).toMatchObject([1, "", { code: "ANSWER_UNREADABLE", kind: "bug", answer: body }]);
		if (where === "in another's place") expect(ran.error().message).toContain(`answered with another one, ${other}`);
	});
});

test("a person is told how to see it", async () => {
	given({ [transaction]: { body: { data: { id, status: "APPROVED", note: "\u001b[31m" } } } });
	const ran = await world.purser(`pay show ${id}`, { columns: 200 });
	expect([ran.exit, ran.stdout]).toEqual([1, ""]);
	expect(ran.stderr).toContain("It cannot be read as the requested record: the record stands inside data");
	expect(ran.stderr.endsWith("  --json shows the answer as it was received.\n")).toBe(true);
});

describe("a list", () => {
	test.each([
		["pay list", "GET /api/partner/transactions"],
		["ledger list", "GET /api/partner/ledgers"],
		["beneficiary list", "GET /api/partner/beneficiaries"],
		["corporate list", "GET /api/partner/corporates"],
		["overview", "GET /api/partner/corporates"],
		[`related list ${id}`, persons],
	])("%s: an answer that is no list, or none of known records, exits 1 and is shown as received", async (line, read) => {
		for (const body of [{ data: [] }, { items: [{ id }] }, { message: "ok" }, { content: [{ entry: { id } }, { entry: { id: other } }] }]) {
			given({ [read]: { body } });
			const ran = await world.purser(`${line} --json`);
			expect([ran.exit, ran.stdout, ran.error()]).toMatchObject([1, "", { code: "ANSWER_UNREADABLE", answer: body }]);
		}
	});

	test("with one record that is none among others is not complete", async () => {
		given({ "GET /api/partner/ledgers": page({ id, friendlyName: "Main" }, { entry: {} }) });
		const ran = await world.purser("ledger list --json");
		expect([ran.exit, ran.stderr]).toEqual([0, expect.stringContaining("The service may not have listed all")]);
	});
});

describe("a status that is missing is told", () => {
	test.each([
		[`pay show ${id}`, transaction, { amount: 5 }, 1, "the transaction"],
		[`pay show ${id} ${wait}`, transaction, { amount: 5 }, 1, "the transaction"],
		[`kyb status ${id}`, corporate, { corporateName: "Example" }, 1, "the KYB"],
		[`kyb status ${id} ${wait}`, corporate, { corporateName: "Example" }, 1, "the KYB"],
		[`corporate status ${id}`, corporate, { corporateName: "Example" }, 0, "the KYB"],
		[`kyc status ${id}`, related, { lastName: "Example" }, 1, "the KYC"],
		[`kyc status ${id} ${wait}`, related, { lastName: "Example", kycInfo: {} }, 1, "the KYC"],
		[`email status ${id}`, related, { lastName: "Example" }, 0, "the email's verification"],
		[`email status ${id} ${wait}`, related, { lastName: "Example" }, 1, "the email's verification"],
	])("%s", async (line, read, record, exit, of) => {
		given({ [read]: { body: { id, ...record } } });
		const ran = await world.purser(`${line} --json`);
		expect(ran.exit, ran.stderr).toBe(exit);
		if (exit === 0) expect(JSON.stringify(ran.json())).toContain(id);
		else expect([ran.stdout, ran.error()]).toMatchObject(["", { code: "STATUS_MISSING", answer: { id, ...record } }]);
		expect(ran.stderr).toContain(`The service's answer has no status of ${of}`);
	});

	test.each([
		["a company", { corporateName: "Example BV" }],
		["a person of whom the service asks none", { lastName: "Example", kycInfo: { type: "NOT_REQUIRED" } }],
	])("%s needs no status of a KYC", async (_, record) => {
		given({ [related]: { body: { id, ...record } } });
		expect((await world.purser(`kyc status ${id} ${wait}`)).exit).toBe(0);
	});

	test("of a payment that was waited for: it was accepted, and exit 1", async () => {
		given({ "POST /api/partner/transactions/inter-ledger": { status: 201, body: { id } }, [transaction]: { body: { id, amount: 10 } } });
		const parties = `--ledger-from-id ${other} --ledger-to-id ${other.replaceAll("3", "5")}`;
		const ran = await world.purser(`pay ledger ${parties} --amount 10 --yes ${wait} --json`);
		expect([ran.exit, ran.json().id], ran.stderr).toEqual([1, id]);
		expect(ran.stderr).toContain(`The payment was accepted as transaction ${id}, but the service's answer has no status`);
	});
});
