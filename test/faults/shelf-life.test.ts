/**
 * A sender that was stopped between the record of a payment and its first byte, with either clock standing still: what is too old never leaves.
 */
import { describe, expect, test } from "vitest";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { openSender, sendTransfer } from "../../src/http/sender.js";
import { momentOf } from "../../src/http/shelf-life.js";
import type { Transport } from "../../src/ports/wire.js";
import { answered, changed, smallContext } from "../support/context.js";
import { answer, peerFor } from "./wire-peer.js";
import { transportFor, transports } from "./wire-transports.js";

const id = "33333333-3333-4333-8333-333333333333";
const transfer: Transfer = {
	kind: "ledger",
	ledgerFromId: "11111111-1111-4111-8111-111111111111",
	counterpartyId: "22222222-2222-4222-8222-222222222222",
	amount: "10.10",
	currency: "EUR",
};
const [second, day] = [1_000, 86_400_000];

/** How the wall and the monotonic clock go on while the sender is stopped, in milliseconds, and whether what it holds may leave then. */
const stops: [what: string, wall: number, monotonic: number, leaves: boolean][] = [
	["not at all (control)", 0, 0, true],
	["for 59 seconds (control)", 59 * second, 59 * second, true],
	["for 61 seconds", 61 * second, 61 * second, false],
	["for a day", day, day, false],
	["for a day, the monotonic clock frozen", day, 0, false],
	["for a day, the wall clock frozen", 0, day, false],
	["while the wall clock is set back by an hour", -3_600 * second, 10, false],
	["for a day, with the wall clock set back as far", -10, day, false],
];

describe.each(transports)("over the %s transport", (_name, create) => {
	/** @param times how often the sender is stopped where the request is about to be written; `afterCheck`: after it was looked at */
	async function desk(wall: number, monotonic: number, times: number, afterCheck = false) {
		const peer = await peerFor((socket) => {
			socket.write(answer(201, JSON.stringify({ id })));
		});
		const transport = transportFor(create);
		const at = { wall: Date.parse("2026-03-01T10:00:00.000Z"), monotonic: 5_000 };
		let left = times;
		const stopped: Transport = {
			...transport,
			send: (request, limits) => {
				if (request.method !== "POST" || left-- <= 0) return transport.send(request, limits);
				const stop = <T>(value: T): T => {
					[at.wall, at.monotonic] = [at.wall + wall, at.monotonic + monotonic];
					return value;
				};
				return afterCheck
					? transport.send(request, { ...limits, tooOld: () => stop(limits.tooOld?.()) })
					: transport.send(stop(request), limits);
			},
		};
		const small = smallContext({ transport: stopped, profile: { baseUrl: `http://127.0.0.1:${peer.port}` } });
		const clock = { now: () => new Date(at.wall), monotonic: () => at.monotonic };
		const context = changed(small.context, { clock });
		const paid = () => peer.requests.filter(({ head }) => head.startsWith("POST ")).length;
		return { context, paid, states: () => small.journal.flatMap((one) => ("end" in one ? [one.end.state] : [])) };
	}

	test.each(stops)("stopped %s", async (_what, wall, monotonic, leaves) => {
		const once = await desk(wall, monotonic, 1);
		const sent = await sendTransfer(once.context, transfer, { despite: undefined, expected: undefined });
		expect([sent.id, once.paid(), once.states()]).toEqual([id, 1, leaves ? ["accepted"] : ["not-sent", "accepted"]]);

		const row = await desk(wall, monotonic, 1);
		const sender = await openSender(row.context, transfer);
		const arrived = await sender(transfer, { intent: "1", attempt: 1, recorded: momentOf(row.context.clock) });
		expect([arrived.outcome.state, arrived.tooOld, row.paid()]).toEqual(leaves ? ["accepted", undefined, 1] : ["not-sent", true, 0]);
	});

	test("control: stopped between the check and its first byte, it leaves when it goes on", async () => {
		const late = await desk(day, day, 1, true);
		expect((await sendTransfer(late.context, transfer, { despite: undefined, expected: undefined })).id).toBe(id);
		expect([late.paid(), late.context.clock.monotonic()]).toEqual([1, day + 5_000]);
	});

	test("stopped each time, it gives up after three, and nothing left", async () => {
		const always = await desk(day, 0, 9);
		await expect(sendTransfer(always.context, transfer, { despite: undefined, expected: undefined })).rejects.toMatchObject({ exit: 6 });
		expect([always.paid(), always.states()]).toEqual([0, ["not-sent", "not-sent", "not-sent"]]);
	});
});

test("a payment that nobody recorded does not leave", async () => {
	const { context, requests } = smallContext({ answers: [answered(201, { id })] });
	const sender = await openSender(context, transfer);
	const { outcome } = await sender(transfer, { intent: "1", attempt: 1, recorded: undefined as never });
	expect([outcome, requests.filter(({ method }) => method === "POST")]).toEqual([{ state: "not-sent", reason: "it is not recorded" }, []]);
});
