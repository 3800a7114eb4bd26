/**
 * A read that was not understood is no success: exit 1, the answer as received on standard error, nothing on standard output, where a
 * script would take it for what it asked for.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { type Answers, answering } from "./answers.js";

const id = "44444444-4444-4444-8444-444444444444";
const other = "33333333-3333-4333-8333-333333333333";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});
const given = (answers: Answers): void => {
	world.wire = answering(answers);
};
const run = (argv: readonly string[]) => world.purser([...argv, "--json"]);
const failure = (stderr: string) => JSON.parse(stderr.trim().split("\n").at(-1) as string).error;

const corporate = `GET /api/partner/corporates/${id}`;
const related = `GET /api/partner/corporates/related/${id}`;
const persons = `GET /api/partner/corporates/${id}/related`;
const transaction = `GET /api/partner/transactions/${id}`;
const wait = ["--wait", "--wait-timeout", "2"];

/** What shows one record. */
const shows: readonly (readonly [string[], string, Record<string, unknown>])[] = [
	[["pay", "show", id], transaction, { status: "APPROVED", amount: 5 }],
	[["pay", "show", id, ...wait], transaction, { status: "APPROVED", amount: 5 }],
	[["corporate", "show", id], corporate, { corporateName: "Example", kybStatus: "VALIDATED" }],
	[["corporate", "status", id], corporate, { corporateName: "Example", kybStatus: "VALIDATED" }],
	[["kyb", "status", id], corporate, { corporateName: "Example", kybStatus: "VALIDATED" }],
	[["kyb", "status", id, ...wait], corporate, { corporateName: "Example", kybStatus: "VALIDATED" }],
	[["kyc", "status", id], related, { lastName: "Example", kycInfo: { status: "VALIDATED" } }],
	[["kyc", "status", id, ...wait], related, { lastName: "Example", kycInfo: { status: "VALIDATED" } }],
	[["related", "show", id], related, { lastName: "Example", isDirector: true }],
	[["email", "status", id, ...wait], related, { lastName: "Example", emailAddressVerified: true }],
	[["ledger", "show", id], `GET /api/partner/ledgers/${id}`, { friendlyName: "Main", status: "ACTIVE" }],
	[["beneficiary", "show", id], `GET /api/partner/beneficiaries/${id}`, { name: "Example", status: "VALID" }],
	[["terms", "show"], "GET /api/partner/terms-and-conditions", { version: "3", downloadUrl: "https://x.example" }],
];

describe.each(shows)("%j", (argv, line, record) => {
	const rest: Answers = { [persons]: { body: { content: [], totalElements: 0 } } };

	test("the record itself is read", async () => {
		given({ ...rest, [line]: { body: { id, ...record } } });
		const ran = await run(argv);
		expect(ran.exit, ran.stderr).toBe(0);
		expect(JSON.stringify(ran.json())).not.toBe("{}");
	});

	test.each([
		["in an envelope", { data: { id, ...record } }],
		["in an envelope with a status", { status: "success", data: { id, ...record } }],
		["in an envelope, without its id", { status: "success", message: "ok", result: record }],
		["in a list", [{ id, ...record }]],
		["nowhere", { code: 200, message: "ok" }],
	])("%s: exit 1, and shown as received", async (_, body) => {
		given({ ...rest, [line]: { body } });
		const ran = await run(argv);
		expect([ran.exit, ran.stdout]).toEqual([1, ""]);
		expect(ran.error()).toMatchObject({ code: "ANSWER_UNREADABLE", kind: "bug", answer: body });
	});

	test.runIf(line.includes(id))("another record: exit 1, and shown as received", async () => {
		given({ ...rest, [line]: { body: { id: other, ...record } } });
		const ran = await run(argv);
		expect([ran.exit, ran.stdout]).toEqual([1, ""]);
		expect(ran.error()).toMatchObject({ code: "ANSWER_UNREADABLE", answer: { id: other, ...record } });
		expect(ran.error().message).toContain(`answered with another one, ${other}`);
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
	const lists: readonly (readonly [string[], string])[] = [
		[["pay", "list"], "GET /api/partner/transactions"],
		[["ledger", "list"], "GET /api/partner/ledgers"],
		[["beneficiary", "list"], "GET /api/partner/beneficiaries"],
		[["corporate", "list"], "GET /api/partner/corporates"],
		[["overview"], "GET /api/partner/corporates"],
		[["related", "list", id], persons],
	];
	test.each(lists)("%j: an answer that is no list, or none of known records, exits 1 and is shown as received", async (argv, line) => {
		for (const body of [{ data: [] }, { items: [{ id }] }, { message: "ok" }, { content: [{ entry: { id } }, { entry: { id: other } }] }]) {
			given({ [line]: { body } });
			const ran = await run(argv);
			expect([ran.exit, ran.stdout], JSON.stringify(body)).toEqual([1, ""]);
			expect(ran.error()).toMatchObject({ code: "ANSWER_UNREADABLE", answer: body });
		}
	});

	test("with one record that is none among others is not complete", async () => {
		given({ "GET /api/partner/ledgers": { body: { content: [{ id, friendlyName: "Main" }, { entry: {} }], totalElements: 2 } } });
		const ran = await run(["ledger", "list"]);
		expect(ran.exit).toBe(0);
		expect(ran.stderr).toContain("The service may not have listed all");
	});
});

describe("a status that is missing is told", () => {
	test.each([
		[["pay", "show", id], transaction, { amount: 5 }, 1, "the transaction"],
		[["pay", "show", id, ...wait], transaction, { amount: 5 }, 1, "the transaction"],
		[["kyb", "status", id], corporate, { corporateName: "Example" }, 1, "the KYB"],
		[["kyb", "status", id, ...wait], corporate, { corporateName: "Example" }, 1, "the KYB"],
		[["corporate", "status", id], corporate, { corporateName: "Example" }, 0, "the KYB"],
		[["kyc", "status", id], related, { lastName: "Example" }, 1, "the KYC"],
		[["kyc", "status", id, ...wait], related, { lastName: "Example", kycInfo: {} }, 1, "the KYC"],
		[["email", "status", id], related, { lastName: "Example" }, 0, "the email's verification"],
		[["email", "status", id, ...wait], related, { lastName: "Example" }, 1, "the email's verification"],
	])("%j", async (argv, line, record, exit, of) => {
		given({ [line as string]: { body: { id, ...record } }, [persons]: { body: { content: [], totalElements: 0 } } });
		const ran = await run(argv);
		expect(ran.exit, ran.stderr).toBe(exit);
		if (exit === 0) expect(ran.json()).toMatchObject(argv[0] === "corporate" ? { corporateId: id } : { id });
		else expect([ran.stdout, ran.error().code, ran.error().answer]).toEqual(["", "STATUS_MISSING", { id, ...record }]);
		expect(ran.stderr).toContain(`The service's answer has no status of ${of}`);
	});

	test("a company, and a person of whom the service asks none, need no status of a KYC", async () => {
		given({ [related]: { body: { id, corporateName: "Example BV" } } });
		expect((await run(["kyc", "status", id, ...wait])).exit).toBe(0);
		given({ [related]: { body: { id, lastName: "Example", kycInfo: { type: "NOT_REQUIRED" } } } });
		expect((await run(["kyc", "status", id, ...wait])).exit).toBe(0);
	});

	test("of a payment that was waited for: it was accepted, and exit 1", async () => {
		given({ "POST /api/partner/transactions/inter-ledger": { status: 201, body: { id } }, [transaction]: { body: { id, amount: 10 } } });
		const pay = ["pay", "ledger", "--ledger-from-id", other, "--ledger-to-id", other.replaceAll("3", "5"), "--amount", "10", "--yes"];
		const ran = await run([...pay, ...wait]);
		expect([ran.exit, ran.json().id], ran.stderr).toEqual([1, id]);
		expect(ran.stderr).toContain(`The payment was accepted as transaction ${id}, but the service's answer has no status`);
	});
});
