/**
 * What `purser --help --json` says of each command's answer. Every run of every other test is held against it too (support/purser.ts); here
 * are the answers that no other test reads as JSON, and what a script builds on.
 */
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { catalog } from "../../src/api/operations/catalog.js";
import type { AnyCommand } from "../../src/cli/command.js";
import { commandSpecOf } from "../../src/cli/help/command-spec.js";
import { columnsOf } from "../../src/cli/output/table.js";
import { commands } from "../../src/commands/index.js";
import { changeIn } from "../../src/events/normal.js";
import { checkAnswer } from "../support/answers.js";
import { makeWorld } from "../support/purser.js";

const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default as AnyCommand));

test.each(loaded.map((command) => [command.path, command] as const))("%s has a schema, and columns that are told apart", (_, command) => {
	const { answer } = commandSpecOf(command) as unknown as { answer: Record<string, unknown> };
	expect(Object.keys(answer)).toEqual(expect.arrayContaining([expect.stringMatching(/^(type|anyOf)$/)]));
	const columns = columnsOf(command);
	expect([columns.length > 0, new Set(columns).size]).toEqual([true, columns.length]);
});

test("a command does what the strongest of its operations does, whatever it says or leaves out", () => {
	const strengths = ["read", "write", "money"];
	const effects = new Map<string, number>(catalog.map(({ id, effect }) => [id, strengths.indexOf(effect)]));
	const strongest = ({ operations }: AnyCommand): number => operations.reduce((most, id) => Math.max(most, effects.get(id) ?? 0), 0);
	const others = loaded.filter((command) => !/^sandbox /.test(command.path) && strengths[strongest(command)] !== command.effect);
	// Settling asks about the one thing that it may send again; an approval is asked about as the payments are which it lets leave.
	expect(others.map(({ path, effect }) => `${path}: ${effect}`)).toEqual(["pay settle: read", "pay batch approve: money"]);
});

test("what a schema does not say is found: another member, another type, one that is missing", () => {
	const show = { ...(loaded[0] as AnyCommand), path: "one", answer: () => z.strictObject({ id: z.string(), rows: z.number() }) };
	expect(() => checkAnswer(show, { id: "1", rows: 2 })).not.toThrow();
	for (const wrong of [{ id: "1", rows: 2, more: 1 }, { id: "1", rows: "2" }, { id: "1" }, null, []])
		expect(() => checkAnswer(show, wrong)).toThrow("one answers what its schema does not say");
});

describe("answers that are read here alone", () => {
	test("help, completion and secrets", async () => {
		const world = await makeWorld();
		for (const [line, input] of [
			["help exit-codes"],
			["completion bash"],
			["events secret add live", `whsec_${Buffer.alloc(24, 7).toString("base64")}`],
			["events replay --failed --exec true"],
			["onboard plan --print-template"],
		] as const) {
			const ran = await world.purser([...line.split(" "), "--json"], { input });
			expect([line, ran.exit, ran.stdout !== ""], ran.stderr).toEqual([line, 0, true]);
		}
	});

	test("an event with its delivery, and its body alone", async () => {
		const world = await makeWorld();
		const body = Buffer.from('{"type":"transaction.approved","data":{"id":"3f1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11"}}');
		const delivery = { id: "msg_1", headers: { "webhook-id": "msg_1" }, body };
		const { event } = await (await world.inbox()).receive({ source: "webhook", change: changeIn(body), delivery });
		expect((await world.purser(["events", "show", event.id, "--json"])).json()).toMatchObject({ id: event.id, hooks: [] });
		expect((await world.purser(["events", "show", event.id, "--body", "--json"])).json()).toEqual({ body: body.toString() });
	});
});

describe("a month's payments for accounting", () => {
	const header =
		"id,type,paymentType,status,creationDate,amount,currency,information.reference,information.declineReason,information.note,information.clearingDate,sender.name,sender.ledgerId,receiver.name,receiver.ledgerId,receiver.beneficiaryId";

	test("has the same columns with and without payments, amounts as they are written, who paid whom, and all pages", async () => {
		const world = await makeWorld();
		const month = ["pay", "list", "--since", "2026-03-01", "--until", "2026-03-31", "-o", "csv", "-q"];
		expect((await world.purser(month)).stdout.split("\r\n")[0]).toBe(header);
		const [from, to] = ["aaaaaaaa-0001-4000-8000-000000000001", "aaaaaaaa-0002-4000-8000-000000000002"];
		const pay = ["pay", "ledger", "--from", from, "--to", to, "--amount", "0.10", "--yes"];
		for (let number = 1; number <= 103; number += 1) await world.purser([...pay, "--reference", `No ${number}`]);
		const whole = await world.purser([...month, "--limit", "1000"]);
		const rows = whole.stdout.trimEnd().split("\r\n");
		expect([whole.exit, rows[0], rows.length, whole.stderr]).toEqual([0, header, 104, ""]);
		expect(rows.at(-1)).toMatch(/^[0-9a-f-]{36},.*,0\.10,EUR,No 1,/);
		expect(rows.at(-1)).toContain(`,${from},`);
		const cut = await world.purser([...month, "--limit", "100"]);
		expect([cut.stdout.trimEnd().split("\r\n").length, cut.stderr]).toEqual([101, expect.stringContaining("more than 100")]);
	});
});
