/**
 * What the transport does with connections: reuse, queueing, cancelling. One request on the wire a call, and no other.
 */
import { describe, expect, it } from "vitest";
import { createTransport } from "../../src/http/transport/http.js";
import { createPooled } from "../../src/http/transport/pooled.js";
import type { Transport, WireLimits, WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { until } from "../support/time.js";
import { answer, type Peer, type PeerOptions, peerFor, type Script } from "./wire-peer.js";
import { type Create, transportFor, transports } from "./wire-transports.js";

async function pairOf(create: Create, script: Script, options?: PeerOptions): Promise<{ peer: Peer; transport: Transport }> {
	return { peer: await peerFor(script, options), transport: transportFor(create) };
}

function post(port: number, text = "{}"): WireRequest {
	return { method: "POST", url: `http://127.0.0.1:${port}/x`, headers: { accept: "*/*" }, body: new TextEncoder().encode(text) };
}

const limits: WireLimits = { connect: 30_000, total: 60_000, bytes: 1_000 };
const kindsOf = (outcomes: WireOutcome[]) => outcomes.map((outcome) => outcome.kind).sort();
const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("a kept connection", () => {
	const pair = (script: Script, options?: PeerOptions) => pairOf(createPooled, script, options);

	it("is used again", async () => {
		const { peer, transport } = await pair((socket) => void socket.write(answer(200, "{}")));
		for (let count = 0; count < 3; count++) {
			expect((await transport.send(post(peer.port), limits)).kind).toBe("answer");
			await later(5);
		}
		expect({ requests: peer.requests.length, connections: peer.connections }).toEqual({ requests: 3, connections: 1 });
	});

	it("that the server closed meanwhile is replaced, and the request leaves once", async () => {
		let closed = false;
		const { peer, transport } = await pair((socket) => {
			socket.write(answer(200, "{}"));
			socket.once("close", () => {
				closed = true;
			});
			setTimeout(() => socket.end(), 20);
		});
		expect((await transport.send(post(peer.port), limits)).kind).toBe("answer");
		await until(() => closed);
		expect((await transport.send(post(peer.port), limits)).kind).toBe("answer");
		expect({ requests: peer.requests.length, connections: peer.connections }).toEqual({ requests: 2, connections: 2 });
	});

	it("that is reset when the next request arrives leaves that one in doubt, and it is not sent again", async () => {
		const { peer, transport } = await pair((socket, { ofConnection }) => {
			if (ofConnection === 1) socket.write(answer(200, "{}"));
			else socket.resetAndDestroy();
		});
		expect((await transport.send(post(peer.port), limits)).kind).toBe("answer");
		await later(5);
		expect((await transport.send(post(peer.port), limits)).kind).toBe("sent");
		await later(50);
		expect(peer.requests).toHaveLength(2);
	});

	it("that is closed in the very moment of the next request: it left at most once, whatever the outcome says", async () => {
		for (let wait = 0; wait < 12; wait++) {
			const { peer, transport } = await pair((socket, { ofConnection }) => {
				if (ofConnection > 1) return;
				socket.write(answer(200, "{}"));
				setTimeout(() => socket.destroy(), wait);
			});
			await transport.send(post(peer.port), limits);
			await later(wait);
			const outcome = await transport.send(post(peer.port, '"second"'), { ...limits, total: 200 });
			const arrived = peer.requests.filter((request) => request.body === '"second"').length;
			expect(arrived).toBeLessThanOrEqual(outcome.kind === "not-sent" ? 0 : 1);
		}
	});

	it("is there for each of as many requests as a batch sends at once: none waits for another's", async () => {
		const { peer, transport } = await pair(() => {});
		const sending = Promise.all(Array.from({ length: 256 }, () => transport.send(post(peer.port), { ...limits, total: 20_000 })));
		await until(() => peer.requests.length === 256);
		expect(peer.connections).toBe(256);
		await transport.close();
		expect(new Set(kindsOf(await sending))).toEqual(new Set(["sent"]));
	});
});

describe.each(transports)("%s", (name, create) => {
	const pair = (script: Script, options?: PeerOptions) => pairOf(create, script, options);

	describe("many at once", () => {
		it("through connections that all break after one request: none is sent twice", async () => {
			const { peer, transport } = await pair((socket, { number }) => {
				if (number % 2 === 0) socket.end(answer(200, "{}"));
				else socket.resetAndDestroy();
			});
			const outcomes = await Promise.all(Array.from({ length: 150 }, (_, index) => transport.send(post(peer.port, `"${index}"`), limits)));
			const arrived = peer.requests.map((request) => request.body);
			expect(new Set(arrived).size).toBe(arrived.length);
			expect(arrived.length).toBe(outcomes.filter((outcome) => outcome.kind !== "not-sent").length);
			expect(outcomes.filter((outcome) => outcome.kind === "answer")).toHaveLength(
				peer.requests.filter(({ number }) => number % 2 === 0).length,
			);
		});

		it("never share a connection before the one in front is answered", async () => {
			let busy = 0;
			const { peer, transport } = await pair((socket, { ofConnection }) => {
				busy = Math.max(busy, ofConnection);
				setTimeout(() => socket.write(answer(200, "{}")), 20);
			});
			await Promise.all(Array.from({ length: 10 }, () => transport.send(post(peer.port), limits)));
			expect({ connections: peer.connections, busy }).toEqual({ connections: 10, busy: 1 });
		});
	});

	describe("cancelling", () => {
		/** A request that is cancelled after so many milliseconds: before it begins, in the same turn, or while it is under way. */
		async function cancelled(after: number | "before" | "at once", method: "GET" | "POST", script: Script) {
			const { peer, transport } = await pair(script);
			const stop = new AbortController();
			if (after === "before") stop.abort();
			const request = method === "GET" ? { ...post(peer.port), method, body: undefined } : post(peer.port);
			const sending = transport.send(request, { ...limits, signal: stop.signal });
			if (typeof after === "number") await later(after);
			stop.abort();
			return { outcome: await sending, peer };
		}
		const late: Script = (socket) => void setTimeout(() => socket.write(answer(201, "{}")), 120);

		it("before it begins, or while the connection is being made: nothing leaves, not even later", async () => {
			const before = await cancelled("before", "POST", late);
			expect([before.outcome, before.peer.connections]).toMatchObject([{ kind: "not-sent", reason: "cancelled" }, 0]);
			const { outcome, peer } = await cancelled("at once", "POST", late);
			expect(outcome.kind).toBe("not-sent");
			await later(60);
			expect(peer.requests).toHaveLength(0);
		});

		it("under way a read ends at once, and a change still gets its answer", async () => {
			expect((await cancelled(60, "GET", () => {})).outcome).toMatchObject({ kind: "sent", reason: "cancelled" });
			expect((await cancelled(60, "POST", late)).outcome).toMatchObject({ kind: "answer", status: 201 });
		});
	});

	it("an answer beyond the cap is cut off, announced or not", async () => {
		const { peer, transport } = await pair((socket, { number }) => {
			if (number === 1) socket.write(answer(200, "x".repeat(1_001)));
			else socket.write(`HTTP/1.1 200 OK\r\n\r\n${"y".repeat(100_000)}`);
		});
		for (let count = 0; count < 2; count++) {
			const outcome = await transport.send(post(peer.port), limits);
			expect(outcome).toMatchObject({ kind: "sent", status: 200, cause: { code: "ANSWER_TOO_LARGE" } });
		}
	});

	it("the exact bytes of a request, by hand", async () => {
		const { peer, transport } = await pair((socket) => void socket.write(answer(200, "{}")));
		const body = new TextEncoder().encode('{"amount":10.10,"reference":"Café"}');
		const headers = { accept: "application/json", "content-type": "application/json" };
		await transport.send({ method: "POST", url: `http://127.0.0.1:${peer.port}/a/b?c=d%20e`, headers, body }, limits);
		expect(peer.requests[0]?.head.split("\r\n")).toEqual([
			"POST /a/b?c=d%20e HTTP/1.1",
			`host: 127.0.0.1:${peer.port}`,
			`connection: ${name === "pooled" ? "keep-alive" : "close"}`,
			"accept: application/json",
			"content-type: application/json",
			"content-length: 36",
		]);
		expect(Buffer.from(peer.requests[0]?.body ?? "", "latin1").toString("utf8")).toBe('{"amount":10.10,"reference":"Café"}');
	});

	it("closing the transport gives up what is still connecting", async () => {
		const { peer, transport } = await pair(() => {});
		const sending = transport.send({ ...post(peer.port), url: `https://127.0.0.1:${peer.port}/` }, limits);
		await later(30);
		await transport.close();
		expect((await sending).kind).toBe("not-sent");
	});
});

describe("a run", () => {
	const pair = (script: Script) => pairOf(createTransport, script);

	it("that asks a few things has a connection for each; one that asks more keeps its connection", async () => {
		const { peer, transport } = await pair((socket) => void socket.write(answer(200, "{}")));
		for (let count = 0; count < 8; count++) {
			expect((await transport.send(post(peer.port), limits)).kind).toBe("answer");
			await later(5);
		}
		expect({ requests: peer.requests.length, connections: peer.connections }).toEqual({ requests: 8, connections: 5 });
	});

	it("that asks at the same time sends each once", async () => {
		const { peer, transport } = await pair((socket) => void setTimeout(() => socket.write(answer(200, "{}")), 20));
		const outcomes = await Promise.all(Array.from({ length: 10 }, () => transport.send(post(peer.port), limits)));
		expect(kindsOf(outcomes)).toEqual(Array.from({ length: 10 }, () => "answer"));
		expect(peer.requests).toHaveLength(10);
	});
});
