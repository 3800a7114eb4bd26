/**
 * What a service can answer that once took minutes or gigabytes, each against the built program with a limit in time and memory. The
 * limits are far from what a run takes: they hold on a busy machine too.
 */
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { programTerminal } from "../support/built.js";
import { type Answering, deskAt, jsonOf, measured } from "../support/measured.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const show = ["ledger", "show", id];
const list = ["ledger", "list", "--output", "text"];
const ledger = (more: string): string => `{"id":"${id}","friendlyName":"Main","status":"ACTIVE","currency":"EUR",${more}}`;

const from = "aaaaaaaa-0001-4000-8000-000000000001";
const to = "bbbbbbbb-0001-4000-8000-000000000001";
const nothing = jsonOf('{"message":"not here"}', 404);

/** Seconds; a run takes less than two. */
const longest = 60;
/** Megabytes; the largest texts take some six hundred, everything else less than two hundred and fifty. */
const most = 700;

async function bounded(argv: readonly string[], answer: Answering, exit: number, files?: Readonly<Record<string, string>>) {
	const ran = await measured(argv, answer, { files }, longest);
	expect({ late: ran.late, exit: ran.exit }, ran.stderr.slice(0, 1_000)).toEqual({ late: false, exit });
	expect(ran.megabytes).toBeLessThan(most);
	return ran;
}

/** An answer of 400,000 bytes, each of which is a chunk of its own. */
const byteByByte: Answering = (_, response) => {
	const socket = response.writeHead(200, { "content-type": "application/json" }).socket as Socket;
	response.flushHeaders();
	const more = (left: number): void => {
		if (socket.destroyed) return;
		if (left > 0) socket.write("1\r\n \r\n".repeat(10_000), () => more(left - 1));
		else socket.end(`${ledger('"a":1').length.toString(16)}\r\n${ledger('"a":1')}\r\n0\r\n\r\n`);
	};
	more(40);
};

const endless: Answering = (_, response) => {
	const part = Buffer.alloc(1_024 * 1_024, 0x20);
	// What failed is not followed by more.
	const more = (error?: Error | null): void => {
		if (!error) response.write(part, more);
	};
	response.writeHead(200, { "content-type": "application/json" });
	more();
};

const senseless = "the answer (status 200, application/json) makes no sense";

const many = (count: number, one: (number: number) => string): string =>
	Array.from({ length: count }, (_, number) => one(number)).join(",");

describe("an answer", () => {
	const ofMembers = (count: number): string => many(count, (number) => `"k${number}":1`);
	const longName = ledger('"a":1').replace("Main", "a b".repeat(400_000));
	const longMember = `"${"a".repeat(2_000_000)}":{${ofMembers(10_000)}}`;

	test.each([
		["with a number of a million digits", jsonOf(ledger(`"availableAmount":${"7".repeat(1_000_000)}`)), senseless],
		["with a million decimals", jsonOf(ledger(`"availableAmount":0.${"0".repeat(1_000_000)}1`)), senseless],
		["with 20,000 members", jsonOf(`{"id":"${id}",${ofMembers(20_000)}}`), senseless],
		["with three million lists", jsonOf(`{"id":"${id}","a":[${many(3_400_000, () => "[]")}]}`), senseless],
		["that never ends", endless, "is longer than 10485760 bytes"],
	])("%s is not understood", async (_, answer, why) => {
		const { stdout, stderr } = await bounded(show, answer, 1);
		expect([stdout, stderr]).toEqual(["", expect.stringContaining(why)]);
	});

	test.each([
		["in chunks of a byte", show, byteByByte, 5_000, "Main"],
		["of a text of ten megabytes", show, jsonOf(ledger(`"iban":"${"x".repeat(10_000_000)}"`)), Infinity, "Main"],
		["with a name of 1.2 megabytes, which is cut", list, jsonOf(`{"content":[${longName}]}`), 5_000, "…"],
		["of 10,000 members, of which a person is shown a ledger's", show, jsonOf(`{"id":"${id}",${ofMembers(9_999)}}`), Infinity, "unknown"],
		["with 10,000 members below a name of two megabytes, which is cut", show, jsonOf(ledger(longMember)), 50_000, "Main"],
	])("%s is read", async (_, argv, answer, longestText, words) => {
		const { stdout } = await bounded(argv, answer, 0);
		expect([stdout.length < longestText, stdout]).toEqual([true, expect.stringContaining(words)]);
	});
});

test("a payment whose answer holds 500,001 values is in doubt", async () => {
	const argv = ["pay", "ledger", "--ledger-from-id", from, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--json"];
	const made = jsonOf(`{"id":"44444444-4444-4444-8444-444444444444","a":[${many(500_000, () => "0")}]}`, 201);
	const answer: Answering = (request, response) => (request.method === "POST" ? made : nothing)(request, response);
	const { stderr } = await bounded(argv, answer, 7);
	expect(JSON.parse(stderr.trim().split("\n").at(-1) as string).error).toMatchObject({
		code: "TRANSFER_IN_DOUBT",
		moneyMayHaveMoved: true,
	});
});

describe("a file", () => {
	const small = `0.${"0".repeat(900_000)}1`;

	test("with an amount of 900,000 decimals is refused: CSV, JSON", async () => {
		const files = {
			"pay.csv": `ledgerFromId,ledgerToId,amount\n${from},${to},${small}\n`,
			"pay.json": `{"ledgerFromId":"${from}","ledgerToId":"${to}","amount":${small}}`,
		};
		for (const argv of [
			["pay", "batch", "plan", "pay.csv"],
			["pay", "ledger", "--file", "pay.json", "--yes"],
		])
			expect((await bounded(argv, nothing, 3, files)).stderr).toMatch(/has 900003 characters; at most 30 are allowed/);
	});

	test("of a statement with amounts of 900,000 digits is read", async () => {
		const files = { "bank.csv": `id,date,amount\n1,2026-03-01,-${"1".repeat(900_000)}\n2,2026-03-09,-${small}\n` };
		await bounded(["pay", "settle", "--statement", "bank.csv"], nothing, 0, files);
	});
});

test("a terminal that does not tell its width is not flooded while a slow service is asked before a payment", async () => {
	const { env } = await deskAt((request, response) => void setTimeout(() => nothing(request, response), 2_000));
	const argv = ["pay", "beneficiary", "--ledger-from-id", from, "--beneficiary-id", to, "--amount", "1.00"];
	const screen = programTerminal(argv, env, 100, "stty cols 0 rows 0");
	await screen.sees("Send 1.00");
	expect(screen.written).toBeGreaterThan(500);
	// A spinner of two seconds or of twenty, on a machine that does much else beside.
	expect(screen.written).toBeLessThan(100_000);
	screen.type("\u0003");
	expect(await screen.exit).toBe(130);
});
