/** `pay settle --by events`, at a service without a list of transactions: what an event named is read, and only that settles. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Notice } from "../../src/ports/events.js";
import { answered, delivered, lostAnswer, sandboxAnswer } from "../support/world-wire.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { payIn, tellOtherwise } from "./payment-world.js";

let world: BatchWorld;
/** The ids that the service gave in answers that were lost. */
let made: string[];
/** Transactions that were read, without the list. */
let read: string[];

beforeEach(async () => {
	world = await batchWorld();
	[made, read] = [[], []];
	// A service without a list, whose answers to payments are lost; what is for the reference "never" does not arrive at all.
	world.wire = async (request) => {
		const { pathname } = new URL(request.url);
		const isPayment = request.method === "POST" && pathname.includes("/transactions/");
		if (request.method === "GET" && /\/transactions$/.test(pathname)) return answered(404, "no such path");
		if (request.method === "GET" && pathname.includes("/transactions/")) read.push(pathname.split("/").at(-1) as string);
		if (isPayment && String(Buffer.from(request.body ?? [])).includes("never")) return lostAnswer;
		const answer = await sandboxAnswer(world, request);
		if (!isPayment) return delivered(answer);
		made.push(JSON.parse(String(Buffer.from(answer.body as Uint8Array))).id);
		return lostAnswer;
	};
});
afterEach(() => world.end());

const pay = (reference: string) => payIn(world, reference);
const settle = (more = "") => world.purser(`pay settle --by events --json ${more}`);

/** An event comes that names a transaction. */
async function hear(id: string): Promise<void> {
	const change = { type: "transaction.created", subject: { kind: "transaction", id }, from: null, to: "PENDING" } as Notice["change"];
	const delivery = { id: `msg_${id}`, headers: {}, body: Buffer.from("{}") };
	await (await world.inbox()).receive({ source: "webhook", change, delivery });
}

const rest = "only transactions that events named were read, which proves nothing of the others";

test("what an event named is read and settled; what none named stays in doubt, without a list", async () => {
	await pay("Invoice 1");
	await pay("never");
	const before = await settle("1");
	expect([before.exit, before.json()[0].state, read]).toEqual([7, "in-doubt", []]);
	for (const command of ["purser events listen", "purser events follow"]) expect(before.stderr).toContain(command);
	await hear(made[0] as string);
	const settled = await settle();
	expect([settled.exit, settled.json()]).toMatchObject([
		7,
		[
			{ intent: "2", state: "in-doubt", why: `it is not listed, but ${rest}` },
			{ intent: "1", state: "accepted", id: made[0], evidence: { source: "service" } },
		],
	]);
	expect(read).toEqual([made[0]]);
	expect([(await pay("Invoice 1")).error().code, (await pay("never")).error().code]).toEqual(["DUPLICATE", "OPEN_DOUBT"]);
});

const other = "eeeeeeee-0000-4000-8000-000000000001";
const unread = `it is not listed, but 1 of the transactions that events named could not be read, and ${rest}`;
test.each([
	["not there", () => undefined, unread],
	["answered as another one", (text: string) => text.replace(made[0] as string, other), unread],
	["of another amount", (text: string) => text.replace("10.1", "10.11"), `it is not listed, but ${rest}`],
])("what an event named and is %s settles nothing", async (_, change, why) => {
	await pay("Invoice 1");
	await hear(change("") === undefined ? other : (made[0] as string));
	tellOtherwise(world, change);
	expect((await settle()).json()).toMatchObject([{ state: "in-doubt", why }]);
});
