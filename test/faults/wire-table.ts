/**
 * What the wire can do to a change, as data: what a peer of bare TCP does once it has the whole request, whether the transfer was
 * made by then, and what the tool must have on record. It is what `http/classify.ts` promises.
 */
import type { Socket } from "node:net";
import type { Random } from "../payments/simulation/random.js";
import type { State } from "../support/invariants.js";
import { answer } from "./wire-peer.js";

/** What a script may use. */
export interface Kit {
	socket: Socket;
	random: Random;
	/** Of the record made by this request; new each time. */
	id: string;
	/** Of a record that another transfer was told of. */
	held: string;
	/** An address where nobody may ever come. */
	elsewhere: string;
	/** Stands in every answer with content, and may stand nowhere on the client's disk. */
	personal: string;
}

export interface Fault {
	name: string;
	script: (kit: Kit) => void;
	/** Whether the service made the transfer, whatever it answered. */
	made: boolean;
	/** What may be on record for a transfer, and for a change that moves none where that is something else. */
	money: readonly State[];
	write?: readonly State[];
	/** Milliseconds for one exchange; 60,000 unless given. */
	timeout?: number;
}

/** In two parts, cut anywhere, some milliseconds apart. */
function inParts({ socket, random }: Kit, text: string, then: () => void = () => {}): void {
	const at = random.below(text.length);
	socket.write(text.slice(0, at));
	setTimeout(() => {
		if (!socket.destroyed) socket.write(text.slice(at));
		then();
	}, random.below(4));
}

const created = ({ id, personal }: Kit, body: object = {}): string => JSON.stringify({ id, holder: personal, ...body });
const status =
	(code: number, body: (kit: Kit) => string = created, headers: (kit: Kit) => Record<string, string> = () => ({})) =>
	(kit: Kit): void =>
		inParts(kit, answer(code, body(kit), headers(kit)));

const accepted: readonly State[] = ["accepted"];
const waiting: readonly State[] = ["waiting"];
const refused: readonly State[] = ["refused"];
const doubt: readonly State[] = ["in-doubt"];

const message = ({ personal }: Kit): string => JSON.stringify({ errorCode: "NO", message: `no, ${personal}` });
const empty = (): string => "";

const broken: Fault[] = [
	{ name: "reset once it was read", script: ({ socket }) => void socket.resetAndDestroy(), made: true, money: doubt },
	{ name: "reset once it was read, nothing made", script: ({ socket }) => void socket.resetAndDestroy(), made: false, money: doubt },
	{ name: "closed once it was read", script: ({ socket }) => void socket.end(), made: true, money: doubt },
	{ name: "reset within the status line", script: cutAt((text) => text.indexOf("\r\n") - 3), made: true, money: doubt },
	{ name: "reset within the headers", script: cutAt((text) => text.indexOf("\r\n\r\n") - 1), made: true, money: doubt },
	{ name: "reset after the headers", script: cutAt((text) => text.indexOf("\r\n\r\n") + 4), made: true, money: doubt },
	{ name: "a body cut anywhere", script: cutAt((text, random) => text.length - 1 - random.below(60)), made: true, money: doubt },
	{ name: "a cut body of a refusal", script: cutAt((text) => text.length - 1, 422), made: true, money: doubt },
	{ name: "a cut chunk", script: (kit) => inParts(kit, chunked(created(kit), false), () => kit.socket.end()), made: true, money: doubt },
	{ name: "silence", script: () => {}, made: true, money: doubt, timeout: 500 },
	{ name: "an answer after the time limit", script: late, made: true, money: doubt, timeout: 500 },
	{ name: "not HTTP", script: (kit) => inParts(kit, "220 mail.example.com ESMTP\r\n"), made: false, money: doubt },
	{ name: "headers without end", script: (kit) => inParts(kit, `HTTP/1.1 201 X\r\nx: ${"x".repeat(90_000)}`), made: true, money: doubt },
	{ name: "two lengths that differ", script: (kit) => inParts(kit, twoLengths(created(kit))), made: true, money: doubt },
];

/** What in a success says that it is none, and what does not. */
const contradicting: readonly [string, object][] = [
	["errors in its body", { errors: [{ code: "LIMIT" }] }],
	["a status of 400 in its body", { status: 400 }],
	["a status of 1001 in its body", { status: "1001" }],
	["a statusCode of 503 in its body", { statusCode: 503 }],
];
const consistent: readonly [string, object][] = [
	["no errors in its body", { errors: [], error: null }],
	["a status of 201 in its body", { status: 201, statusCode: "201" }],
	["a status that is a word", { status: "PENDING" }],
];
const with201 = (body: object) => status(201, (kit) => created(kit, body));

const successes: Fault[] = [
	{ name: "201", script: status(201), made: true, money: accepted },
	{ name: "200", script: status(200), made: true, money: accepted },
	{ name: "201 in chunks", script: (kit) => inParts(kit, chunked(created(kit), true)), made: true, money: accepted },
	{ name: "early hints, then 201", script: hinted, made: true, money: accepted },
	{ name: "201, then closed: a stale connection is kept", script: stale, made: true, money: ["accepted", "in-doubt"] },
	{ name: "202", script: status(202), made: true, money: waiting, write: accepted },
	{ name: "202 without an id", script: status(202, () => "{}"), made: true, money: waiting, write: accepted },
	{ name: "201 without an id", script: status(201, () => "{}"), made: true, money: doubt, write: accepted },
	{ name: "201 with an id that is no UUID", script: status(201, () => '{"id":"42"}'), made: true, money: doubt, write: accepted },
	{
		name: "201 with two ids",
		script: status(201, ({ id, held }) => `{"id":"${held}","id":"${id}"}`),
		made: true,
		money: doubt,
		write: ["in-doubt", "accepted"],
	},
	{
		name: "201 with an id that another holds",
		script: status(201, ({ held }) => `{"id":"${held}"}`),
		made: true,
		money: doubt,
		write: accepted,
	},
	{ name: "201 without content", script: status(201, empty), made: true, money: doubt, write: accepted },
	{ name: "204", script: status(204, empty), made: true, money: doubt, write: accepted },
	{ name: "200 with a page", script: status(200, () => "<p>Log in", page), made: false, money: doubt },
	{ name: "202 with a page", script: status(202, () => "<p>Log in", page), made: false, money: doubt },
	...contradicting.map(
		([name, body]): Fault => ({ name: `201 with ${name}`, script: with201(body), made: true, money: doubt, write: accepted }),
	),
	...consistent.map(([name, body]): Fault => ({ name: `201 with ${name} (control)`, script: with201(body), made: true, money: accepted })),
	{ name: "200 with half a record", script: status(200, (kit) => created(kit).slice(0, -3)), made: true, money: doubt, write: accepted },
];

const redirects = [300, 301, 302, 303, 304, 307, 308].flatMap((code): Fault[] => [
	{ name: `${code} to the same host`, script: status(code, empty, () => ({ location: "/again" })), made: false, money: doubt },
	{
		name: `${code} to another host, made before`,
		script: status(code, empty, ({ elsewhere }) => ({ location: elsewhere })),
		made: true,
		money: doubt,
	},
]);

const refusals = [400, 401, 403, 404, 405, 406, 411, 413, 414, 415, 422, 428, 429, 431].map(
	(code): Fault => ({ name: `${code}`, script: status(code, message), made: false, money: refused }),
);

const oddRefusals: Fault[] = [
	{ name: "400 with the new id", script: status(400), made: true, money: doubt, write: refused },
	{ name: "422 with the new id", script: status(422), made: true, money: doubt, write: refused },
	{ name: "422 that the end of the connection cuts", script: endsAfter((text) => text.length - 4), made: true, money: doubt },
	{ name: "422 that the end of the connection ends (control)", script: endsAfter((text) => text.length), made: false, money: refused },
];

const unclear = [402, 407, 409, 410, 418, 423, 425, 451].map(
	(code): Fault => ({ name: `${code}, made all the same`, script: status(code, message), made: true, money: doubt, write: refused }),
);

const failures = [408, 500, 501, 502, 503, 504, 520, 599].flatMap((code): Fault[] => [
	{ name: `${code}`, script: status(code, message), made: false, money: doubt },
	{ name: `${code}, made all the same`, script: status(code, message), made: true, money: doubt },
]);

/** Everything that can follow once the whole request is at the peer: it has then arrived exactly once. */
export const arrivedFaults: readonly Fault[] = [
	...broken,
	...successes,
	...redirects,
	...refusals,
	...oddRefusals,
	...unclear,
	...failures,
];

function page(): Record<string, string> {
	return { "content-type": "text/html; charset=utf-8" };
}

/** Writes a whole answer up to there, and resets. */
function cutAt(end: (text: string, random: Random) => number, code = 201): (kit: Kit) => void {
	return (kit) => {
		const text = answer(code, created(kit));
		kit.socket.write(text.slice(0, end(text, kit.random)), () => kit.socket.resetAndDestroy());
	};
}

/** Writes a refusal without a length up to there. */
function endsAfter(end: (text: string) => number): (kit: Kit) => void {
	return (kit) => {
		const text = `HTTP/1.1 422 X\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${message(kit)}`;
		kit.socket.end(text.slice(0, end(text)));
	};
}

function chunked(body: string, whole: boolean): string {
	const head = "HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
	return `${head}${Buffer.byteLength(body).toString(16)}\r\n${whole ? `${body}\r\n0\r\n\r\n` : body.slice(0, -2)}`;
}

function twoLengths(body: string): string {
	return `HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 2\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

function late(kit: Kit): void {
	setTimeout(() => {
		if (!kit.socket.destroyed) kit.socket.write(answer(201, created(kit)));
	}, 800);
}

function hinted(kit: Kit): void {
	inParts(kit, `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${answer(201, created(kit))}`);
}

/** The next request on this connection may meet its end. */
function stale(kit: Kit): void {
	kit.socket.write(answer(201, created(kit)));
	setTimeout(() => kit.socket.destroy(), kit.random.below(3));
}
