/**
 * What the inbox has and how its secrets are kept, as commands show it.
 */
import { describe, expect, test } from "vitest";
import { changeIn } from "../../src/events/normal.js";
import { standardSender } from "../events/senders.js";
import { makeWorld, type World } from "../support/purser.js";

const { secret } = standardSender("webhook");
const transaction = "3f1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11";
const body = JSON.stringify({ type: "transaction.approved", data: { id: transaction, status: "APPROVED" } });

function headersOf(world: World, key?: number): string[] {
	const time = String(Math.floor(world.clock.now().getTime() / 1_000));
	const headers = standardSender("webhook", key).headers({ id: "msg_1", time, body: Buffer.from(body) });
	return Object.entries(headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`]);
}

async function withSecret(): Promise<World> {
	const world = await makeWorld();
	world.files.set("body.json", new TextEncoder().encode(body));
	expect(await world.purser("events secret add live", { input: `${secret}\n` })).toMatchObject({ exit: 0 });
	return world;
}

describe("secrets of events", () => {
	test("are stored and listed without what they are, and removed", async () => {
		const world = await withSecret();
		const listed = await world.purser("events secret list --json");
		expect(listed.json()).toEqual([{ name: "live", addedAt: expect.any(String), fingerprint: "02e4e1d2" }]);
		expect(listed.stdout).not.toContain(secret.slice(6));
		expect(await world.purser("events secret add live", { input: secret })).toMatchObject({ exit: 2 });
		expect(await world.json("events secret remove live --yes")).toMatchObject({
			removed: true,
			left: 0,
		});
		expect(await world.json("events secret list")).toEqual([]);
	});

	test("what is none is refused, and never shown", async () => {
		const world = await makeWorld();
		const refused = await world.purser("events secret add live", { input: "whsec_not-base64!" });
		expect(refused).toMatchObject({ exit: 3, stdout: "" });
		expect(refused.stderr).not.toContain("not-base64");
	});
});

describe("events verify", () => {
	test("accepts what the sender signed, and tells what it says", async () => {
		const world = await withSecret();
		const ran = await world.purser(["events", "verify", "body.json", ...headersOf(world), "--json"]);
		expect(ran.exit).toBe(0);
		expect(ran.json()).toMatchObject({
			genuine: true,
			id: "msg_1",
			says: { type: "transaction.approved", subject: { kind: "transaction", id: transaction }, to: "APPROVED" },
		});
	});

	test("refuses another secret's signature, and a late one, with exit 3", async () => {
		const world = await withSecret();
		expect(await world.purser(["events", "verify", "body.json", ...headersOf(world, 8)])).toMatchObject({ exit: 3, stdout: "" });
		const headers = headersOf(world);
		const came = world.clock.now().toISOString();
		world.clock.advance(3_600_000);
		expect((await world.purser(["events", "verify", "body.json", ...headers])).exit).toBe(3);
		expect((await world.purser(["events", "verify", "body.json", ...headers, "--at", came])).exit).toBe(0);
	});
});

describe("events list and show", () => {
	test("nothing heard is an empty list, and makes no inbox", async () => {
		const world = await makeWorld();
		expect(await world.json("events list")).toEqual([]);
		expect((await world.purser("events show evt_00000000")).exit).toBe(2);
	});

	test("an event is on two lines where one is too short, and its body is written byte for byte", async () => {
		const world = await makeWorld();
		const delivery = { id: "msg_1", headers: { "webhook-id": "msg_1", host: "127.0.0.1" }, body: Buffer.from(body) };
		const inbox = await world.inbox();
		const { event } = await inbox.receive({ source: "webhook", change: changeIn(delivery.body), delivery });
		await inbox.confirm(event.id, { status: "APPROVED", at: "2026-03-01T10:00:01.000Z" });
		const listed = await world.purser("events list --utc", { columns: 80 });
		const lines = listed.stdout.split("\n").slice(0, 2);
		expect(lines).toEqual([
			"2026-03-01 10:00 UTC  transaction.approved  APPROVED  confirmed",
			`  transaction ${transaction}  ${event.id.slice(0, 12)}`,
		]);
		expect(await world.json("events list")).toMatchObject([{ id: event.id, raw: JSON.parse(body) }]);
		expect((await world.purser(`events show ${event.id.slice(0, 12)} --body`)).stdout).toBe(body);
		const shown = (await world.purser(`events show ${event.id}`)).stdout;
		expect(shown).toContain("webhook, its signature is valid");
	});
});
