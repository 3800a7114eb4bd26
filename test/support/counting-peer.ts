/**
 * A service on plain TCP that moves money. It counts every POST that it has received completely, which is all that can be known about what
 * a service did, and then answers or not.
 */
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Random } from "../payments/simulation/random.js";
import { uuidOf } from "./seed.js";

/** The reply to a POST that has arrived completely. All except the refusals created a transaction. */
export type Reply =
	| { kind: "created" }
	/** Waiting for strong authentication. */
	| { kind: "waiting" }
	| { kind: "status"; status: number }
	| { kind: "refused"; status: number }
	| { kind: "no id" }
	/** The id of an earlier transaction whose reply was lost, where there is one that no answer has had; no answer has this one's own id then. */
	| { kind: "another's id" }
	/** To another path of this address, or to another address, where it would be counted too. */
	| { kind: "redirect"; status: 301 | 302 | 303 | 307 | 308; elsewhere: boolean }
	| { kind: "reset" }
	| { kind: "cut" }
	/** Nothing, until the client goes away. */
	| { kind: "hang" };

/** What a peer sees of one exchange, in this order. */
export type Stage = "connection" | "head" | "body" | "answered";
export const stages: readonly Stage[] = ["connection", "head", "body", "answered"];

export interface Arrived {
	key: string;
	/** Of the transaction that it made; undefined where it was refused. */
	id?: string;
}

export interface CountingPeer {
	/** Its addresses: one service that knows by the address who is calling. */
	urls: readonly string[];
	/** Every POST that arrived completely, in order. */
	arrived: Arrived[];
	/** The ids made, by key. */
	created: Map<string, string[]>;
	/** Calls once when the next exchange at this address reaches the stage. */
	when(url: string, stage: Stage, act: () => void): void;
	stop(): Promise<void>;
}

export interface PeerOptions {
	random: Random;
	/** Chosen for each POST. */
	reply?: (key: string, random: Random) => Reply;
	/** How many addresses; 1 unless given. */
	doors?: number;
	/** Maximum time before an answer, in milliseconds. */
	slowest?: number;
	/** Nothing is answered before this many POSTs have arrived completely; 1 by default. */
	together?: number;
	/** Connections stay open after an answer, as at a service with many requests. */
	keep?: boolean;
	/** Created transactions can be read: in the list of their ledger, and by their id. */
	lists?: boolean;
	/** Its addresses are https, with this certificate for `localhost`. */
	tls?: { key: string; cert: string };
	/** Put into each answer, as a service might; it must not be anywhere on the client's disk. */
	personal?: string;
}

/** Payments that cannot be told apart at the service have the same key. */
export function keyOf(transfer: { ledgerFromId: string; counterpartyId: string; amount: string; reference?: string }): string {
	return [transfer.ledgerFromId, transfer.counterpartyId, transfer.amount, transfer.reference ?? ""].join("|");
}

/** Starts on free ports of this machine. */
export async function startCountingPeer(options: PeerOptions): Promise<CountingPeer> {
	const { random, personal, slowest = 20, together = 1, keep = false, tls } = options;
	const arrived: Arrived[] = [];
	const created = new Map<string, string[]>();
	const waiting = new Map<string, () => void>();
	const held: (() => void)[] = [];
	const made = new Map<string, Received>();
	const orphans: string[] = [];
	const reach = (url: string, stage: Stage): void => {
		const act = waiting.get(`${url} ${stage}`);
		waiting.delete(`${url} ${stage}`);
		act?.();
	};
	const pay = (socket: Socket, url: string, body: string): void => {
		const key = keyOfBody(body);
		const reply = options.reply?.(key, random) ?? { kind: "created" };
		const id = reply.kind === "refused" ? undefined : uuidOf(random);
		arrived.push({ key, id });
		if (id !== undefined) created.set(key, [...(created.get(key) ?? []), id]);
		if (id !== undefined && options.lists) made.set(id, recordOf(id, body));
		if (id !== undefined && reply.kind === "reset") orphans.push(id);
		reach(url, "body");
		const answerIt = (): void => {
			const other = reply.kind === "another's id" ? orphans.shift() : undefined;
			act(socket, reply, { id: other ?? id, personal, keep, doors: doors.map((one) => one.url), url });
			reach(url, "answered");
		};
		held.push(() => void setTimeout(answerIt, random.fraction() * slowest));
		if (arrived.length >= together) for (const go of held.splice(0)) go();
	};
	const open = new Set<Socket>();
	const door = async (): Promise<{ url: string; server: Server }> => {
		const accept = (socket: Socket): void => {
			open.add(socket);
			socket.on("close", () => open.delete(socket));
			socket.on("error", () => {});
			reach(url, "connection");
			listen(socket, keep, {
				head: () => reach(url, "head"),
				whole: ({ method, path, body }) => {
					if (method === "POST") pay(socket, url, body);
					else answer(socket, 200, madeAnswer(path, made) ?? readAnswer(path, personal), keep);
				},
			});
		};
		const server = tls ? createTlsServer(tls, accept) : createServer(accept);
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const { port } = server.address() as AddressInfo;
		const url = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
		return { url, server };
	};
	const doors: { url: string; server: Server }[] = [];
	for (let made = 0; made < (options.doors ?? 1); made++) doors.push(await door());
	return {
		urls: doors.map(({ url }) => url),
		arrived,
		created,
		when: (url, stage, act) => void waiting.set(`${url} ${stage}`, act),
		stop: async () => {
			for (const socket of open) socket.destroy();
			await Promise.all(doors.map(({ server }) => new Promise((resolve) => server.close(resolve))));
		},
	};
}

interface Whole {
	method: string;
	path: string;
	body: string;
}

/** Reads one request: a head, then as many bytes as it says. Anything after that is ignored: a second request would be a fault. */
function listen(socket: Socket, keep: boolean, on: { head(): void; whole(request: Whole): void }): void {
	let buffer = Buffer.alloc(0);
	let hasHead = false;
	let done = false;
	socket.on("data", (part) => {
		buffer = Buffer.concat([buffer, part]);
		const end = buffer.indexOf("\r\n\r\n");
		if (end < 0 || done) return;
		const [line = "", ...fields] = buffer.subarray(0, end).toString("latin1").split("\r\n");
		const [method = "", path = ""] = line.split(" ");
		if (method === "POST" && !hasHead) on.head();
		hasHead = true;
		const length = Number(fields.find((one) => /^content-length:/i.test(one))?.split(":")[1] ?? 0);
		if (buffer.length < end + 4 + length) return;
		done = true;
		const body = buffer.subarray(end + 4, end + 4 + length).toString();
		if (keep) {
			// The next one on this connection may only come after the answer.
			buffer = buffer.subarray(end + 4 + length);
			[hasHead, done] = [false, false];
		}
		on.whole({ method, path, body });
	});
}

/** From the text of the body itself, so that the literal of the amount is what was on the wire. */
function keyOfBody(body: string): string {
	const text = (name: string): string | undefined => new RegExp(`"${name}":"([^"]*)"`).exec(body)?.[1];
	return keyOf({
		ledgerFromId: text("ledgerFromId") ?? "?",
		counterpartyId: text("ledgerToId") ?? text("beneficiaryId") ?? "?",
		amount: /"amount":([^,}]*)/.exec(body)?.[1] ?? "?",
		reference: text("reference"),
	});
}

interface Making {
	id: string | undefined;
	personal: string | undefined;
	keep: boolean;
	/** Every address, and the one that was asked. */
	doors: readonly string[];
	url: string;
}

function act(socket: Socket, reply: Reply, { id, personal, keep, doors, url }: Making): void {
	const send = (status: number, content: string, more = ""): void => answer(socket, status, content, keep, more);
	const content = JSON.stringify({ id, holder: personal });
	if (reply.kind === "created" || reply.kind === "another's id") send(201, content);
	else if (reply.kind === "waiting") send(202, content);
	else if (reply.kind === "no id") send(201, JSON.stringify({ holder: personal }));
	else if (reply.kind === "reset") socket.resetAndDestroy();
	else if (reply.kind === "cut")
		socket.end(`HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: ${content.length + 1}\r\n\r\n${content}`);
	else if (reply.kind === "redirect") {
		const to = reply.elsewhere ? (doors.find((one) => one !== url) ?? url) : url;
		send(reply.status, "{}", `location: ${to}/api/partner/transactions/inter-ledger\r\n`);
	} else if (reply.kind !== "hang") send(reply.status, JSON.stringify({ status: reply.status, message: personal }));
}

function answer(socket: Socket, status: number, content: string, keep: boolean, more = ""): void {
	const fields = ["content-type: application/json", `content-length: ${Buffer.byteLength(content)}`, `date: ${new Date().toUTCString()}`];
	const head = `HTTP/1.1 ${status} X\r\n${fields.join("\r\n")}\r\n${more}`.trimEnd();
	if (keep) socket.write(`${head}\r\n\r\n${content}`);
	else socket.end(`${head}\r\nconnection: close\r\n\r\n${content}`);
}

type Received = Record<string, unknown>;

/** A created transfer in the service's form. */
function recordOf(id: string, body: string): Received {
	const text = (name: string): string | undefined => new RegExp(`"${name}":"([^"]*)"`).exec(body)?.[1];
	return {
		id,
		status: "APPROVED",
		creationDate: new Date().toISOString(),
		amount: /"amount":([^,}]*)/.exec(body)?.[1],
		currency: "EUR",
		information: { reference: text("reference") },
		sender: { ledgerId: text("ledgerFromId") },
		receiver: { ledgerId: text("ledgerToId"), beneficiaryId: text("beneficiaryId") },
	};
}

/** One transaction, or a page of them, the oldest first; undefined for any other look-up. */
function madeAnswer(path: string, made: ReadonlyMap<string, Received>): string | undefined {
	const { pathname, searchParams } = new URL(path, "http://peer");
	const [, one] = /\/transactions\/([\w-]{36})$/.exec(pathname) ?? [];
	if (one !== undefined && made.has(one)) return JSON.stringify(made.get(one));
	if (!pathname.endsWith("/transactions") || made.size === 0) return undefined;
	const [page, pageSize] = [Number(searchParams.get("page") ?? 0), Number(searchParams.get("pageSize") ?? 100)];
	const content = [...made.values()].slice(page * pageSize, (page + 1) * pageSize);
	return JSON.stringify({ content, totalElements: made.size, page, pageSize });
}

/** Enough of a ledger and of a beneficiary for a preview; any other look-up finds an empty list. */
function readAnswer(path: string, personal: string | undefined): string {
	const id = /\/ledgers\/([\w-]{36})/.exec(path)?.[1];
	const payee = /\/beneficiaries\/([\w-]{36})/.exec(path)?.[1];
	if (payee !== undefined) return JSON.stringify({ id: payee, name: personal, status: "VALID", active: true, currency: "EUR" });
	if (id === undefined) return JSON.stringify({ content: [], totalElements: 0, page: 0, pageSize: 100 });
	return JSON.stringify({ id, friendlyName: personal, status: "ACTIVE", currency: "EUR", totalAmount: 900000, availableAmount: 900000 });
}
