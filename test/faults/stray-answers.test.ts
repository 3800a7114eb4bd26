/**
 * What a proxy says to a connection that it closes is no answer to the transfer that passes it on the way: no row that the service processed
 * is called refused.
 */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { openSender } from "../../src/http/sender.js";
import { momentOf } from "../../src/http/shelf-life.js";
import { createPooled } from "../../src/http/transport/pooled.js";
import type { Sender } from "../../src/ports/service.js";
import type { WireOutcome } from "../../src/ports/wire.js";
import { Random } from "../payments/simulation/random.js";
import { answered, smallContext } from "../support/context.js";
import { seedOfRun } from "../support/seed.js";
import { until } from "../support/time.js";
import { answer, type Peer, peerFor, type Script } from "./wire-peer.js";
import { transportFor, transports } from "./wire-transports.js";

const stray = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";
const created = () => answer(201, JSON.stringify({ id: randomUUID() }));
const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const row = (reference: string): Transfer => ({
	kind: "ledger",
	ledgerFromId: "11111111-1111-4111-8111-111111111111",
	counterpartyId: "22222222-2222-4222-8222-222222222222",
	amount: "10.10",
	reference,
});

async function senderTo(script: Script): Promise<{ sender: Sender; peer: Peer; isProcessed: (reference: string) => boolean }> {
	const peer = await peerFor((socket, seen) => {
		if (seen.head.startsWith("GET ")) socket.write(answer(200, "{}"));
		else script(socket, seen);
	});
	const { context } = smallContext({ transport: transportFor(createPooled), profile: { baseUrl: `http://127.0.0.1:${peer.port}` } });
	const send = await openSender(context, row("first"));
	const sender: Sender = (transfer, of) => send(transfer, { ...of, recorded: momentOf(context.clock) });
	const isProcessed = (reference: string) => peer.requests.some(({ body }) => body.includes(`"${reference}"`));
	return { sender, peer, isProcessed };
}

/** The states of as many rows, sent at once. */
async function statesOf(sender: Sender, atOnce: number, wave: string): Promise<string[]> {
	const recorded = { now: new Date(), monotonic: 0 };
	const send = (_: unknown, index: number) => sender(row(`${wave} ${index}`), { intent: String(index), attempt: 1, recorded });
	return (await Promise.all(Array.from({ length: atOnce }, send))).map(({ outcome }) => outcome.state);
}

describe.each([1, 16])("with %i at once, on a kept connection", (atOnce) => {
	const all = (state: string) => Array.from({ length: atOnce }, () => state);
	const close = { connection: "close" };

	/** The first transfer on a connection is accepted; the second is processed, and then answered so. */
	test.each([
		["a 400 of no form", stray, "in-doubt"],
		["a 400 with text", answer(400, "Bad Request", { "content-type": "text/plain", ...close }), "in-doubt"],
		["a 400 with a message alone", answer(400, '{"message":"Bad Request"}', close), "in-doubt"],
		[
			"a 400 in the service's own form (control)",
			answer(400, '{"status":400,"error":"x","errorCode":"LEDGER_NOT_FOUND"}', close),
			"refused",
		],
	])("%s that closes it as the next transfer passes", async (_name, text, state) => {
		const { sender } = await senderTo((socket, { body }) => {
			if (body.includes('"warm')) socket.write(created());
			else socket.end(text);
		});
		expect(await statesOf(sender, atOnce, "warm")).toEqual(all("accepted"));
		expect(await statesOf(sender, atOnce, "next")).toEqual(all(state));
	});

	test("a 400 while no request is under way is no answer: the next transfer has another connection (control)", async () => {
		const { sender } = await senderTo((socket, { body }) => {
			socket.write(created());
			if (body.includes('"warm')) setTimeout(() => socket.end(stray), 10);
		});
		await statesOf(sender, atOnce, "warm");
		await later(100);
		expect(await statesOf(sender, atOnce, "next")).toEqual(all("accepted"));
	});

	test.each([
		["a byte", "H"],
		["a whole answer", created()],
	])("%s while no request is under way ends the connection, and is no answer to the next transfer", async (_name, more) => {
		let ended = 0;
		const { sender, peer } = await senderTo((socket, { body }) => {
			socket.write(created());
			if (!body.includes('"warm')) return;
			socket.once("close", () => ended++);
			setTimeout(() => socket.write(more), 10);
		});
		expect(await statesOf(sender, atOnce, "warm")).toEqual(all("accepted"));
		await until(() => ended === atOnce);
		expect(await statesOf(sender, atOnce, "next")).toEqual(all("accepted"));
		const next = peer.requests.filter(({ body }) => body.includes('"next'));
		expect(next.map(({ ofConnection }) => ofConnection)).toEqual(Array.from({ length: atOnce }, () => 1));
	});

	test("at any moment: no row that was processed is called refused, and none that was not sent arrived", async () => {
		const random = new Random(seedOfRun(`stray answers, ${atOnce} at once`));
		const { sender, isProcessed } = await senderTo((socket) => {
			socket.write(created());
			setTimeout(() => socket.write(stray, () => setTimeout(() => socket.destroy(), 5)), random.fraction() * 4);
		});
		for (let wave = 0; wave < 40; wave++) {
			const states = await statesOf(sender, atOnce, `wave ${wave},`);
			// A transfer whose connection ended while it was being written may have arrived or not: in doubt is true of both.
			for (const [index, state] of states.entries())
				if (state !== "in-doubt") expect([state, isProcessed(`wave ${wave}, ${index}`)]).toEqual([state, state === "accepted"]);
			await later(random.fraction() * 4);
		}
	});
});

test.each(transports)("with the %s transport, an answer before the request was written whole is known as such", async (_name, create) => {
	for (const bytes of [30_000_000, 1_000]) {
		const onConnection = (socket: Socket): void =>
			void socket.once("data", () => {
				socket.pause();
				socket.write(answer(422, '{"errorCode":"NO"}'));
			});
		const peer = await peerFor(() => {}, { onConnection });
		const request = { method: "POST", url: `http://127.0.0.1:${peer.port}/x`, headers: {}, body: new Uint8Array(bytes) } as const;
		const outcome = await transportFor(create).send(request, { connect: 10_000, total: 10_000, bytes: 1_000 });
		expect([outcome.kind, outcome.kind === "answer" && outcome.early]).toEqual(["answer", bytes > 1_000]);
	}
});

test.each([
	[true, "in-doubt"],
	[false, "refused"],
])("a refusal that came before the request was written whole (%s) leaves the transfer %s", async (early, state) => {
	const { context } = smallContext({ answers: [{ ...answered(422, { errorCode: "NO" }), early } as WireOutcome] });
	const sender = await openSender(context, row("first"));
	expect((await sender(row("next"), { intent: "1", attempt: 1, recorded: momentOf(context.clock) })).outcome.state).toBe(state);
});
