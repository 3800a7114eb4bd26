/**
 * The inbox on disk: what is told once, what is kept, and who may read it.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { saidIn } from "../../src/events/normal.js";
import { openInbox } from "../../src/inbox/open.js";
import type { Heard, Inbox } from "../../src/ports/events.js";
import { makeChance, makeClock } from "../support/world-time.js";

const open: Inbox[] = [];
const folders: string[] = [];

afterEach(() => {
	for (const inbox of open.splice(0)) inbox.close();
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const clock = makeClock();

function folder(): string {
	const made = mkdtempSync(join(tmpdir(), "purser-inbox-"));
	folders.push(made);
	return made;
}

async function inboxIn(directory: string, settings: Record<string, string> = {}): Promise<Inbox> {
	const profile = { name: "sandbox", environment: "sandbox" as const, settings };
	const inbox = await openInbox({ directory, profile, clock, random: makeChance() });
	open.push(inbox);
	return inbox;
}

/** A webhook about a payment. */
function heard(id: string, status: string, change: { body?: string } = {}): Heard {
	const body = Buffer.from(change.body ?? JSON.stringify({ type: "transaction.updated", data: { id: "t-1", status } }));
	return { source: "webhook", said: saidIn(body), delivery: { scheme: "standard", id, headers: { "webhook-id": id }, body } };
}

const polled = (to: string): Heard => ({
	source: "poll",
	said: { type: "transaction.updated", subject: { kind: "transaction", id: "t-1" }, from: null, to },
});

describe("what is told once", () => {
	test("a delivery that comes again is a repeat, also through the polling endpoint", async () => {
		const inbox = await inboxIn(folder());
		const first = await inbox.receive(heard("msg_1", "PENDING"));
		expect(first.isNew).toBe(true);
		const svix = heard("msg_1", "PENDING");
		expect(await inbox.receive(heard("msg_1", "PENDING"))).toEqual({ ...first, isNew: false });
		const again = { ...svix, source: "svix" as const, delivery: { ...(svix.delivery as NonNullable<Heard["delivery"]>), scheme: "svix" } };
		expect(await inbox.receive(again)).toEqual({ ...first, isNew: false });
	});

	test("A, B and A again are three events, and a poll that sees them too tells none", async () => {
		const inbox = await inboxIn(folder());
		const told = [];
		for (const [id, status] of [
			["msg_1", "PENDING"],
			["msg_2", "APPROVED"],
			["msg_3", "PENDING"],
		] as const)
			told.push(await inbox.receive(heard(id, status)));
		expect(told.map(({ isNew }) => isNew)).toEqual([true, true, true]);
		expect(new Set(told.map(({ event }) => event.id)).size).toBe(3);
		for (const [at, status] of ["PENDING", "APPROVED", "PENDING"].entries()) {
			const seen = await inbox.receive(polled(status));
			expect(seen).toMatchObject({ isNew: false, event: { id: told[at]?.event.id } });
		}
	});
});

describe("what is kept", () => {
	test("the file is its owner's alone", async () => {
		const inbox = await inboxIn(folder());
		expect(statSync(inbox.file).mode & 0o777).toBe(0o600);
		expect(statSync(dirname(inbox.file)).mode & 0o777).toBe(0o700);
	});

	test("off keeps no body", async () => {
		const inbox = await inboxIn(folder(), { "events-keep": "off" });
		const { event } = await inbox.receive(heard("msg_1", "PENDING"));
		expect(event).not.toHaveProperty("raw");
		expect((await inbox.show(event.id))?.deliveries).toMatchObject([{ id: "msg_1", digest: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
	});
});
