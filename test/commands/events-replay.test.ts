/**
 * Events that are handed on once more, and what becomes of each.
 */
import { describe, expect, test } from "vitest";
import replay from "../../src/commands/events/replay.js";
import type { Kind } from "../../src/errors.js";
import { changeIn } from "../../src/events/normal.js";
import { verdictOn } from "../../src/events/verdict.js";
import { changed, smallContext } from "../support/context.js";
import { ownSecret, type Place, place, receiving, signedHeaders, transaction } from "../support/listening.js";

const payment = "3f1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11";

/** Puts an event into the inbox as a delivery brings it. @returns its id */
async function heard(at: Place, id: string, status: string): Promise<string> {
	const body = Buffer.from(transaction(payment, status));
	const headers = signedHeaders({ id, body: String(body) });
	const { event } = await at.inbox.receive({ source: "webhook", change: changeIn(body), delivery: { id, headers, body } });
	return event.id;
}

type Input = Parameters<typeof replay.run>[1];

/** Of each run, in order. */
const exits: (Kind | undefined)[] = [];

async function replayed(at: Place, input: Partial<Input>) {
	const transport = (await import("../../src/http/transport/http.js")).createTransport({ env: {} });
	const context = changed(smallContext({ transport }).context, { journal: { inbox: async () => at.inbox, hasInbox: async () => true } });
	const { data, exit } = await replay.run(context, { failed: false, ...input } as Input);
	exits.push(exit);
	return data;
}

describe("events replay", () => {
	test("hands on the bytes and headers as they came", async () => {
		const at = await place();
		const id = await heard(at, "msg_1", "APPROVED");
		const { got, url } = await receiving(() => 204);
		const answer = await replayed(at, { events: [id.slice(0, 14)], forwardTo: [url] });
		const { port } = new URL(url);
		expect(answer).toEqual([{ id, type: "transaction.updated", hook: `http://127.0.0.1:${port}/webhooks`, acknowledged: true, why: null }]);
		expect(exits.at(-1)).toBeUndefined();
		expect(got.map((one) => verdictOn(one, [ownSecret], Date.now()))).toMatchObject([{ isGenuine: true, id: "msg_1" }]);
	});

	test("what a hook fails for is a failure that --failed finds, until it is acknowledged", async () => {
		const at = await place();
		const ids = [await heard(at, "msg_1", "PENDING"), await heard(at, "msg_2", "APPROVED"), await heard(at, "msg_3", "REVERSED")];
		let status = 500;
		const { got, url } = await receiving(() => status);
		const failed = await replayed(at, { events: ids, forwardTo: [url] });
		expect(failed.map(({ id }) => id)).toEqual(ids);
		expect(failed.every(({ why }) => why === "it answered 500")).toBe(true);
		expect(exits.at(-1)).toBe("partial");
		status = 200;
		await replayed(at, { events: [ids[1] as string], forwardTo: [url] });
		const again = await replayed(at, { failed: true, forwardTo: [url] });
		expect(again.map(({ id, acknowledged }) => [id, acknowledged])).toEqual([
			[ids[0], true],
			[ids[2], true],
		]);
		expect(await replayed(at, { failed: true, forwardTo: [url] })).toEqual([]);
		expect(got).toHaveLength(6);
	});

	test.each([
		["nothing to hand on", { exec: "./x" }, "MISSING_INPUT"],
		["nowhere to", { events: ["evt_00000000"] }, "MISSING_INPUT"],
		["an event that there is not", { events: ["evt_00000000"], exec: "./x" }, "EVENT_UNKNOWN"],
	])("%s is said", async (_, input, code) => {
		const error = await replayed(await place(), input).catch((cause: unknown) => cause);
		expect(error).toMatchObject({ kind: "usage", failure: { code } });
	});
});
