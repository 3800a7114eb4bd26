/**
 * A service that moves money. It counts every POST that it has received completely, which is all that can be known about what a service did,
 * and then answers or not.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Random } from "../payments/simulation/random.js";
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

export interface CountingPeer {
	/** Its addresses: one service that knows by the address who is calling. */
	urls: readonly string[];
	/** The key of every POST that arrived completely, in order. */
	arrived: string[];
	/** The ids made, by key. */
	created: Map<string, string[]>;
	/** Calls once when the next exchange at this address reaches the stage. */
	when(url: string, stage: Stage, act: () => void): void;
	stop(): Promise<void>;
}

export interface PeerOptions {
	/** Decides nothing that a test looks at, unless it is given. */
	random?: Random;
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
	const { random = new Random(1), personal, slowest = 20, together = 1, keep = false, tls } = options;
	const arrived: string[] = [];
	const created = new Map<string, string[]>();
	const waiting = new Map<string, () => void>();
	const held: (() => void)[] = [];
	const made = new Map<string, Received>();
	const orphans: string[] = [];
	const doors: { url: string; server: Server }[] = [];
	const reach = (url: string, stage: Stage): void => {
		const act = waiting.get(`${url} ${stage}`);
		waiting.delete(`${url} ${stage}`);
		act?.();
	};
	const pay = (url: string, body: string, response: ServerResponse): void => {
		const transfer = transferIn(body);
		const key = keyOf(transfer);
		const reply = options.reply?.(key, random) ?? { kind: "created" };
		const id = reply.kind === "refused" ? undefined : uuidOf(random);
		arrived.push(key);
		if (id !== undefined) {
			created.set(key, [...(created.get(key) ?? []), id]);
			if (options.lists) made.set(id, recordOf(id, body, transfer));
			if (reply.kind === "reset") orphans.push(id);
		}
		reach(url, "body");
		const answerIt = (): void => {
			const shown = (reply.kind === "another's id" ? orphans.shift() : undefined) ?? id;
			const other = reply.kind === "redirect" && reply.elsewhere ? doors.find((one) => one.url !== url) : undefined;
			act(response, reply, { id: shown, personal, url: other?.url ?? url });
			reach(url, "answered");
		};
		held.push(() => void setTimeout(answerIt, random.fraction() * slowest));
		if (arrived.length >= together) for (const go of held.splice(0)) go();
	};
	const answer = async (url: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
		if (!keep) response.setHeader("connection", "close");
		if (request.method !== "POST")
			return send(response, 200, madeAnswer(request.url ?? "", made) ?? readAnswer(request.url ?? "", personal));
		reach(url, "head");
		const body = await text(request).catch(() => undefined);
		if (body !== undefined) pay(url, body, response);
	};
	for (let door = 0; door < (options.doors ?? 1); door++) {
		const server = tls ? createTlsServer(tls) : createServer();
		// An idle connection that this side ends would be a fault that nobody asked for.
		server.keepAliveTimeout = 0;
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		const { port } = server.address() as AddressInfo;
		const url = tls ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
		server.on(tls ? "secureConnection" : "connection", () => reach(url, "connection"));
		server.on("request", (request, response) => void answer(url, request, response));
		doors.push({ url, server });
	}
	return {
		urls: doors.map(({ url }) => url),
		arrived,
		created,
		when: (url, stage, act) => void waiting.set(`${url} ${stage}`, act),
		stop: async () => {
			for (const { server } of doors) {
				server.closeAllConnections();
				await new Promise((resolve) => server.close(resolve));
			}
		},
	};
}

type Transfer = Parameters<typeof keyOf>[0];

/** From the text of the body itself, so that the literal of the amount is what was on the wire. */
function transferIn(body: string): Transfer {
	const part = (name: string): string | undefined => {
		const [, text, literal] = new RegExp(`"${name}":(?:"([^"]*)"|([^,}]*))`).exec(body) ?? [];
		return text ?? literal;
	};
	return {
		ledgerFromId: part("ledgerFromId") ?? "?",
		counterpartyId: part("ledgerToId") ?? part("beneficiaryId") ?? "?",
		amount: part("amount") ?? "?",
		reference: part("reference"),
	};
}

function send(response: ServerResponse, status: number, content: string, more: Record<string, string> = {}): void {
	response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(content), ...more }).end(content);
}

interface Making {
	id: string | undefined;
	personal: string | undefined;
	/** Where a redirect leads to. */
	url: string;
}

function act(response: ServerResponse, reply: Reply, { id, personal, url }: Making): void {
	const content = JSON.stringify({ id: reply.kind === "no id" ? undefined : id, holder: personal });
	if (reply.kind === "created" || reply.kind === "another's id" || reply.kind === "no id") send(response, 201, content);
	else if (reply.kind === "waiting") send(response, 202, content);
	else if (reply.kind === "reset") response.socket?.resetAndDestroy();
	else if (reply.kind === "cut")
		response.writeHead(201, { "content-length": content.length + 1 }).write(content, () => response.socket?.end());
	else if (reply.kind === "redirect") send(response, reply.status, "{}", { location: `${url}/api/partner/transactions/inter-ledger` });
	else if (reply.kind !== "hang") send(response, reply.status, JSON.stringify({ status: reply.status, message: personal }));
}

type Received = Record<string, unknown>;

/** A created transfer in the service's form. */
function recordOf(id: string, body: string, { ledgerFromId, amount, reference }: Transfer): Received {
	const { ledgerToId, beneficiaryId } = JSON.parse(body);
	return {
		...{ id, amount, status: "APPROVED", creationDate: new Date().toISOString(), currency: "EUR" },
		information: { reference },
		sender: { ledgerId: ledgerFromId },
		receiver: { ledgerId: ledgerToId, beneficiaryId },
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
