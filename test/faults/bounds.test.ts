/**
 * What a service can answer that once took minutes or gigabytes, each against the built program with a limit in time and memory. The
 * limits are far from what a run takes: they hold on a busy machine too.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { programTerminal } from "../support/built.js";
import { type Answering, deskIn, jsonOf, measured, withService } from "../support/measured.js";
import { writeProfile } from "../support/profile-file.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const show = ["ledger", "show", id];
const list = ["ledger", "list", "--output", "text"];
const ledger = (more: string): string => `{"id":"${id}","friendlyName":"Main","status":"ACTIVE","currency":"EUR",${more}}`;

/** Seconds; a run takes less than two. */
const longest = 60;
/** Megabytes; the largest texts take some six hundred, everything else less than two hundred and fifty. */
const most = 700;

async function bounded(argv: readonly string[], answer: Answering, exit: number, files?: Readonly<Record<string, string>>) {
	const ran = await measured(argv, answer, { seconds: longest, files });
	expect({ late: ran.late, exit: ran.exit }, ran.stderr.slice(0, 1_000)).toEqual({ late: false, exit });
	expect(ran.megabytes).toBeLessThan(most);
	return ran;
}

/** A megabyte-long answer a byte at a time: each is a chunk of its own. */
const byteByByte =
	(bytes: number): Answering =>
	(_, response) => {
		const { socket } = response;
		if (socket === null) return;
		response.writeHead(200, { "content-type": "application/json" });
		response.flushHeaders();
		const chunks = "1\r\n \r\n".repeat(10_000);
		const more = (left: number): void => {
			if (socket.destroyed) return;
			if (left > 0) socket.write(chunks, () => more(left - 1));
			else socket.end(`${ledger('"a":1').length.toString(16)}\r\n${ledger('"a":1')}\r\n0\r\n\r\n`);
		};
		more(bytes / 10_000);
	};

const many = (count: number, one: (number: number) => string): string =>
	Array.from({ length: count }, (_, number) => one(number)).join(",");

describe("an answer", () => {
	test.each([
		["a number of a million digits", "7".repeat(1_000_000)],
		["a million decimals", `0.${"0".repeat(1_000_000)}1`],
	])("with %s is not understood", async (_, literal) => {
		const { stderr } = await bounded(show, jsonOf(ledger(`"availableAmount":${literal}`)), 1);
		expect(stderr).toContain("the answer (status 200, application/json) makes no sense");
	});

	test("in chunks of a byte takes no more memory than another", async () => {
		await bounded(show, byteByByte(400_000), 0);
	});

	test("of a text of ten megabytes takes some times as much memory", async () => {
		await bounded(show, jsonOf(ledger(`"iban":"${"x".repeat(10_000_000)}"`)), 0);
	});

	test("with a name of 1.2 megabytes is a table, in which it is cut", async () => {
		const { stdout } = await bounded(list, jsonOf(`{"content":[${ledger('"a":1').replace("Main", "a b".repeat(400_000))}]}`), 0);
		expect(stdout.length).toBeLessThan(5_000);
		expect(stdout).toContain("…");
	});

	test.each([
		["20,000 members", `{"id":"${id}",${many(20_000, (number) => `"k${number}":1`)}}`],
		["three million lists", `{"id":"${id}","a":[${many(3_400_000, () => "[]")}]}`],
	])("of %s is not understood", async (_, text) => {
		expect((await bounded(show, jsonOf(text), 1)).stdout).toBe("");
	});

	test("of 10,000 members is read, and of those a person is shown the first", async () => {
		const { stdout } = await bounded(show, jsonOf(`{"id":"${id}",${many(9_999, (number) => `"k${number}":1`)}}`), 0);
		expect(stdout).toContain("K79");
		expect(stdout).toContain("9919 more fields; see them with --json");
	});

	test("with 10,000 members below a name of two megabytes shows names that are cut", async () => {
		const { stdout } = await bounded(show, jsonOf(ledger(`"${"a".repeat(2_000_000)}":{${many(10_000, (number) => `"k${number}":1`)}}`)), 0);
		expect(stdout.length).toBeLessThan(50_000);
	});
});

describe("a payment", () => {
	const payee = "bbbbbbbb-0001-4000-8000-000000000001";
	const argv = ["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", payee, "--amount", "1.00", "--yes", "--json"];
	const answering =
		(text: string): Answering =>
		(request, response) =>
			request.method === "POST" ? jsonOf(text, 201)(request, response) : jsonOf('{"message":"not here"}', 404)(request, response);
	const made = "44444444-4444-4444-8444-444444444444";

	test.each([["500,001 values", `{"id":"${made}","a":[${many(500_000, () => "0")}]}`]])(
		"whose answer holds %s is in doubt",
		async (_, text) => {
			const { stderr } = await bounded(argv, answering(text), 7);
			const { error } = JSON.parse(stderr.trim().split("\n").at(-1) as string);
			expect(error).toMatchObject({ code: "TRANSFER_IN_DOUBT", moneyMayHaveMoved: true });
		},
	);
});

describe("a file", () => {
	const from = "aaaaaaaa-0001-4000-8000-000000000001";
	const to = "bbbbbbbb-0001-4000-8000-000000000001";
	const nothing = jsonOf('{"message":"not here"}', 404);
	const ones = "1".repeat(900_000);
	const small = `0.${"0".repeat(900_000)}1`;

	test.each([["900,000 decimals", small, /has 900003 characters; at most 30 are allowed/]])(
		"with an amount of %s is refused: CSV, JSON",
		async (_, amount, message) => {
			const files = {
				"pay.csv": `ledgerFromId,ledgerToId,amount\n${from},${to},${amount}\n`,
				"pay.json": `{"ledgerFromId":"${from}","ledgerToId":"${to}","amount":${amount}}`,
			};
			expect((await bounded(["pay", "batch", "plan", "pay.csv"], nothing, 3, files)).stderr).toMatch(message);
			for (const name of ["pay.json"])
				expect((await bounded(["pay", "ledger", "--file", name, "--yes"], nothing, 3, files)).stderr).toMatch(message);
		},
	);

	test("of a statement with amounts of 900,000 digits is read", async () => {
		const files = { "bank.csv": `id,date,amount\n1,2026-03-01,-${ones}\n2,2026-03-09,-${small}\n` };
		await bounded(["pay", "settle", "--statement", "bank.csv", "--ledger-id", from], nothing, 0, files);
	});
});

describe("a terminal that does not tell its width", () => {
	test.each(["0"])("of %s columns is not flooded while a slow service is asked before a payment", async (columns) => {
		const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
		const slow: Answering = (request, response) => void setTimeout(() => jsonOf('{"message":"not here"}', 404)(request, response), 2_000);
		try {
			await withService(slow, async (url) => {
				const other = "bbbbbbbb-0001-4000-8000-000000000001";
				const argv = ["pay", "beneficiary", "--ledger-from-id", id, "--beneficiary-id", other, "--amount", "1.00"];
				await writeProfile(folder, url);
				const env = { ...deskIn(folder), TERM: "xterm-256color", ...(columns === "0" ? {} : { COLUMNS: columns }) };
				const screen = programTerminal(argv, env, 100, "stty cols 0 rows 0");
				await screen.sees("Send 1.00");
				expect(screen.written).toBeGreaterThan(500);
				// A spinner of two seconds or of twenty, on a machine that does much else beside.
				expect(screen.written).toBeLessThan(100_000);
				screen.type("\u0003");
				expect(await screen.exit).toBe(130);
			});
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	});
});
