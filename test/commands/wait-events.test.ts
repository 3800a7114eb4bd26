/** A wait that an event ends: `pay show --wait` asks again as soon as one names the transaction, and rarely while somebody listens. */
import { beforeEach, expect, test } from "vitest";
import type { Notice } from "../../src/ports/events.js";
import { answered, makeWorld, type World } from "../support/purser.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
let world: World;
let asked: number;

beforeEach(async () => {
	world = await makeWorld();
	asked = 0;
});

/** A transaction that ends once it was asked for as often; `heard`: after the first answer an event says so. */
function service(until: number, heard: boolean): void {
	world.wire = async () => {
		asked += 1;
		if (asked === 1 && heard) {
			const change: Notice["change"] = {
				type: "transaction.approved",
				subject: { kind: "transaction", id },
				from: "PENDING",
				to: "APPROVED",
			};
			await (await world.inbox()).receive({ source: "poll", change });
		}
		return answered(200, JSON.stringify({ id, status: asked >= until ? "APPROVED" : "PENDING", amount: 10.1 }));
	};
}

async function waited(): Promise<{ exit: number; seconds: number }> {
	const started = world.clock.now().getTime();
	const { exit } = await world.purser(["pay", "show", id, "--wait", "--wait-timeout", "120", "--json"]);
	return { exit, seconds: Math.round((world.clock.now().getTime() - started) / 1_000) };
}

test("an event of it ends the pause at once; the answer of the service decides", async () => {
	await (await world.inbox()).beat();
	service(2, true);
	expect([await waited(), asked]).toEqual([{ exit: 0, seconds: 0 }, 2]);
});

test("an event that came too early ends nothing: it is asked for again until it is final", async () => {
	await (await world.inbox()).beat();
	service(4, true);
	const { exit, seconds } = await waited();
	expect([exit, asked, seconds < 10]).toEqual([0, 4, true]);
});

test("control: without an event, and while somebody listens, it is asked for every thirty seconds", async () => {
	await (await world.inbox()).beat();
	service(2, false);
	expect([await waited(), asked]).toEqual([{ exit: 0, seconds: 30 }, 2]);
});

test("where nobody listens, it is asked for as ever", async () => {
	await world.inbox();
	service(3, false);
	const { exit, seconds } = await waited();
	expect([exit, asked, seconds < 5]).toEqual([0, 3, true]);
});
