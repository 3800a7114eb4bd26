/**
 * The receiver of deliveries: what it takes, what it turns away, and that nothing which is sent to it makes it hold more than it may.
 */
import { createConnection, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { DeliveryAnswer, ReceivedDelivery, Receiver, ReceiverLimits, TurnedAway } from "../../src/ports/receiver.js";
import { openReceiver } from "../../src/system/receiver.js";

interface Opened extends Receiver {
	port: number;
	taken: ReceivedDelivery[];
	turned: (readonly [TurnedAway, string?])[];
}

interface Given {
	path?: string;
	hosts?: readonly string[];
	limits?: Partial<ReceiverLimits>;
	answer?: (delivery: ReceivedDelivery) => Promise<DeliveryAnswer>;
}

async function opened({ path = "/hook", hosts, limits, answer = async () => "stored" }: Given = {}): Promise<Opened> {
	const taken: ReceivedDelivery[] = [];
	const turned: (readonly [TurnedAway, string?])[] = [];
	const receiver = await openReceiver(
		{ port: 0, path, hosts },
		{
			limits,
			turnedAway: (why, host) => void turned.push(host === undefined ? [why] : [why, host]),
			take: async (delivery) => {
				taken.push(delivery);
				return answer(delivery);
			},
		},
	);
	onTestFinished(() => receiver.close());
	return Object.assign(receiver, { port: Number(new URL(receiver.url).port), taken, turned });
}

/** A connection that keeps all it is sent; `text` is everything once the other side has closed it. */
function connection(port: number): { socket: Socket; text: Promise<string>; soFar(): string } {
	const socket = createConnection({ port, host: "127.0.0.1" });
	onTestFinished(() => void socket.destroy());
	let got = "";
	socket.setEncoding("utf8").on("data", (part: string) => {
		got += part;
	});
	socket.on("error", () => {});
	return { socket, text: new Promise((resolve) => socket.once("close", () => resolve(got))), soFar: () => got };
}

/** One request as text, on a connection that is closed after it. */
async function send(port: number, head: readonly string[], body: string | Buffer = ""): Promise<string> {
	const { socket, text } = connection(port);
	const named = head.some((line) => /^host:/i.test(line)) ? [] : [`Host: 127.0.0.1:${port}`];
	socket.write([head[0] ?? "", ...named, "Connection: close", ...head.slice(1), "", ""].join("\r\n"));
	if (body.length > 0) socket.write(body);
	return text;
}

const statusOf = (text: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);

describe("a delivery", () => {
	test("is handed on with its bytes and its headers as they came", async () => {
		const receiver = await opened();
		const body = Buffer.from([0x7b, 0xff, 0x00, 0x0d, 0x0a, 0x7d]);
		const answer = await send(receiver.port, ["POST /hook?a=1 HTTP/1.1", "Svix-Id: m1", "X-Two: a", "x-two: b", "Content-Length: 6"], body);
		expect(statusOf(answer)).toBe(200);
		expect(answer).toContain("content-length: 0");
		expect(receiver.taken).toHaveLength(1);
		const [taken] = receiver.taken;
		expect(taken?.body).toEqual(body);
		expect(taken?.headers).toMatchObject({ "svix-id": "m1", "x-two": ["a", "b"] });
	});

	test("whose signature is not ours is answered with 401, one that cannot be stored with 503 and a time, one that fails with 500", async () => {
		const answers: DeliveryAnswer[] = ["unsigned", "busy"];
		const receiver = await opened({
			answer: async () => {
				const answer = answers.shift();
				if (answer === undefined) throw new Error("the disk is full");
				return answer;
			},
		});
		const ask = () => send(receiver.port, ["POST /hook HTTP/1.1", "Content-Length: 2"], "{}");
		expect(statusOf(await ask())).toBe(401);
		const busy = await ask();
		expect(statusOf(busy)).toBe(503);
		expect(busy).toMatch(/^retry-after: 5\r$/im);
		expect(statusOf(await ask())).toBe(500);
		expect(receiver.turned).toEqual([["busy"], ["failed"]]);
	});
});

describe("what is turned away", () => {
	const refused: [string, string[], number, TurnedAway, string][] = [
		["another path", ["POST / HTTP/1.1", "Content-Length: 2"], 404, "path", "{}"],
		["a path that goes on", ["POST /hook/ HTTP/1.1", "Content-Length: 2"], 404, "path", "{}"],
		["the path as an address", ["POST http://127.0.0.1/hook HTTP/1.1", "Content-Length: 2"], 404, "path", "{}"],
		["another method", ["GET /hook HTTP/1.1"], 405, "method", ""],
		["a name of somebody else", ["POST /hook HTTP/1.1", "Host: evil.example", "Content-Length: 2"], 421, "host", "{}"],
		["our name with another port", ["POST /hook HTTP/1.1", "Host: 127.0.0.1:1", "Content-Length: 2"], 421, "host", "{}"],
		["a compressed body", ["POST /hook HTTP/1.1", "Content-Encoding: gzip", "Content-Length: 2"], 415, "compressed", "{}"],
		["a compressed transfer", ["POST /hook HTTP/1.1", "Transfer-Encoding: gzip, chunked"], 415, "compressed", "0\r\n\r\n"],
		["a body announced as too large", ["POST /hook HTTP/1.1", "Content-Length: 1048577"], 413, "too-large", ""],
		["two lengths", ["POST /hook HTTP/1.1", "Content-Length: 2", "Content-Length: 3"], 400, "malformed", "{}"],
		["a length beside chunks", ["POST /hook HTTP/1.1", "Content-Length: 2", "Transfer-Encoding: chunked"], 400, "malformed", "0\r\n\r\n"],
		["no HTTP", ["\u0016\u0003\u0001"], 400, "malformed", ""],
	];

	test.each(refused)("%s", async (_, head, status, why, body) => {
		const receiver = await opened();
		const answer = await send(receiver.port, head, body);
		expect(statusOf(answer)).toBe(status);
		expect(answer.split("\r\n\r\n")[1]).toBe("");
		expect(receiver.turned.map(([reason]) => reason)).toEqual([why]);
		expect(receiver.taken).toEqual([]);
	});

	test("no host, and two of them", async () => {
		const receiver = await opened();
		const { socket, text } = connection(receiver.port);
		socket.write("POST /hook HTTP/1.0\r\ncontent-length: 2\r\n\r\n{}");
		expect(statusOf(await text)).toBe(421);
		const own = `Host: 127.0.0.1:${receiver.port}`;
		expect(statusOf(await send(receiver.port, ["POST /hook HTTP/1.1", own, own, "Content-Length: 2"], "{}"))).toBe(421);
		expect(receiver.taken).toEqual([]);
	});

	test("a body in chunks that grows too large, and what is sent after it", async () => {
		const receiver = await opened({ limits: { body: 1_000 } });
		const { socket, text } = connection(receiver.port);
		socket.write(`POST /hook HTTP/1.1\r\nHost: 127.0.0.1:${receiver.port}\r\nTransfer-Encoding: chunked\r\n\r\n`);
		const chunk = `400\r\n${"x".repeat(1_024)}\r\n`;
		const more = setInterval(() => socket.writable && socket.write(chunk), 5);
		onTestFinished(() => clearInterval(more));
		expect(statusOf(await text)).toBe(413);
		expect(receiver.taken).toEqual([]);
		expect(receiver.turned).toEqual([["too-large"]]);
	});
});

describe("a sender that is slow", () => {
	test.each([
		["with its headers", "POST /hook HTTP/1.1\r\nX-", "a"],
		["with its body", "POST /hook HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 100000\r\n\r\n", "x"],
		["with its chunks", "POST /hook HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n"],
	])("%s is told so and cut off", async (_, head, drip) => {
		const receiver = await opened({ limits: { request: 400 } });
		const { socket, text } = connection(receiver.port);
		socket.write(head.replace("PORT", String(receiver.port)));
		const dripping = setInterval(() => socket.writable && socket.write(drip), 20);
		onTestFinished(() => clearInterval(dripping));
		expect(statusOf(await text)).toBe(408);
		expect(receiver.turned).toEqual([["too-slow"]]);
		expect(receiver.taken).toEqual([]);
	});
});

describe("too much at once", () => {
	test("bodies that together are too large answer 503", async () => {
		const receiver = await opened({ limits: { held: 1_500 } });
		const { socket } = connection(receiver.port);
		socket.write(`POST /hook HTTP/1.1\r\nHost: 127.0.0.1:${receiver.port}\r\nContent-Length: 2000\r\n\r\n${"x".repeat(1_000)}`);
		await pause(50);
		const answer = await send(receiver.port, ["POST /hook HTTP/1.1", "Content-Length: 1000"], "y".repeat(1_000));
		expect(statusOf(answer)).toBe(503);
		socket.destroy();
		const again = async (): Promise<number> =>
			statusOf(await send(receiver.port, ["POST /hook HTTP/1.1", "Content-Length: 1000"], "z".repeat(1_000)));
		// What was held is given back once the sender is gone.
		let status = await again();
		for (let tries = 0; status !== 200 && tries < 200; tries += 1) {
			await pause(20);
			status = await again();
		}
		expect(status).toBe(200);
	});

	test("connections beyond the most are closed, and one that ends makes room", async () => {
		const receiver = await opened({ limits: { connections: 20 } });
		const many = Array.from({ length: 300 }, () => connection(receiver.port));
		while (receiver.turned.length < 280) await pause(5);
		expect(receiver.turned.every(([why]) => why === "connections")).toBe(true);
		for (const { socket } of many) socket.destroy();
		let status = 0;
		for (let tries = 0; status !== 200 && tries < 200; tries += 1) {
			await pause(20);
			status = statusOf(await send(receiver.port, ["POST /hook HTTP/1.1", "Content-Length: 2"], "{}"));
		}
		expect(status).toBe(200);
	});
});

describe("the end of a receiver", () => {
	test("answers what is on its way, and nothing new", async () => {
		let release = (): void => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const receiver = await opened({
			answer: async () => {
				await held;
				return "stored";
			},
		});
		const onItsWay = send(receiver.port, ["POST /hook HTTP/1.1", "Content-Length: 2"], "{}");
		const idle = connection(receiver.port);
		while (receiver.taken.length === 0) await pause(5);
		const closing = receiver.close();
		await expect(send(receiver.port, ["POST /hook HTTP/1.1"])).resolves.toBe("");
		release();
		expect(statusOf(await onItsWay)).toBe(200);
		await closing;
		expect(await idle.text).toBe("");
	});
});
