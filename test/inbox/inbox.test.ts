/**
 * The inbox on disk: what is told once, what is kept, and who may read it.
 */
import { describe, expect, test } from "vitest";
import type { Notice } from "../../src/ports/events.js";
import { heard, inboxIn, newFolder } from "./inboxes.js";

const withStatus = (status: string): string => JSON.stringify({ type: "transaction.updated", data: { id: "t-1", status } });

const polled = (to: string): Notice => ({
	source: "poll",
	change: { type: "transaction.updated", subject: { kind: "transaction", id: "t-1" }, from: null, to },
});

describe("what is told once", () => {
	test("a poll that finds a company's KYB and its terms again, as after a kill, has seen no change of either", async () => {
		const inbox = await inboxIn(newFolder());
		const found = async (type: string, to: string): Promise<boolean> => {
			const change = { type, subject: { kind: "corporate" as const, id: "c-1" }, from: null, to };
			return (await inbox.receive({ source: "poll", change })).isNew;
		};
		const both = async () => [
			await found("corporate.kyb.validated", "VALIDATED"),
			await found("corporate.terms.outdated", "termsAccepted: false"),
		];
		expect(await both()).toEqual([true, true]);
		expect(await both()).toEqual([false, false]);
		expect(await found("corporate.terms.accepted", "termsAccepted: true")).toBe(true);
		expect(await both()).toEqual([false, true]);
	});

	test("a delivery that comes again is a repeat, whatever is in it", async () => {
		const inbox = await inboxIn(newFolder());
		const first = await inbox.receive(heard("msg_1"));
		expect(first.isNew).toBe(true);
		expect(await inbox.receive(heard("msg_1"))).toEqual({ ...first, isNew: false });
		expect(await inbox.receive(heard("msg_1", withStatus("APPROVED")))).toEqual({ ...first, isNew: false });
	});

	test("A, B and A again are three events, for deliveries and for polls", async () => {
		const inbox = await inboxIn(newFolder());
		const told = [];
		for (const [id, status] of [
			["msg_1", "PENDING"],
			["msg_2", "APPROVED"],
			["msg_3", "PENDING"],
		] as const)
			told.push(await inbox.receive(heard(id, withStatus(status))), await inbox.receive(polled(status)));
		expect(told.map(({ isNew }) => isNew)).toEqual([true, true, true, true, true, true]);
		expect(new Set(told.map(({ event }) => event.id)).size).toBe(6);
		expect((await inbox.receive(polled("PENDING"))).isNew).toBe(false);
	});
});

describe("lists", () => {
	test("by type, subject, time and number, the newest first", async () => {
		const inbox = await inboxIn(newFolder());
		const of = (id: string, type: string, subject: string) => heard(id, JSON.stringify({ type, data: { id: subject } }));
		await inbox.receive(of("1", "transaction.approved", "3F1C9A52-8E6B-4B0E-9D58-0F4F6F3C2A11"));
		await inbox.receive(of("2", "transaction.declined", "t-2"));
		await inbox.receive(of("3", "corporate.kyb.validated", "c-3"));
		const types = async (filter: Parameters<typeof inbox.list>[0]) => (await inbox.list(filter)).map(({ type }) => type);
		expect(await types({})).toEqual(["corporate.kyb.validated", "transaction.declined", "transaction.approved"]);
		expect(await types({ types: ["transaction.*"] })).toEqual(["transaction.declined", "transaction.approved"]);
		expect(await types({ types: ["corporate.*", "transaction.approved"] })).toEqual(["corporate.kyb.validated", "transaction.approved"]);
		expect(await types({ subject: "3f1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11" })).toEqual(["transaction.approved"]);
		expect(await types({ limit: 1 })).toEqual(["corporate.kyb.validated"]);
		expect(await types({ since: "2999-01-01T00:00:00.000Z" })).toEqual([]);
	});

	test("an event is found by the beginning of its id, and never by a pattern", async () => {
		const inbox = await inboxIn(newFolder());
		const { event } = await inbox.receive(heard("msg_1"));
		for (const id of [event.id, event.id.slice(0, 8), event.id.slice(4, 12), event.id.toUpperCase()])
			expect((await inbox.show(id))?.event.id).toBe(event.id);
		for (const id of ["", "evt_", "evt_abc", "*", "evt_%%%%", "evt_____", "' OR 1=1 --"]) expect(await inbox.show(id)).toBeUndefined();
	});

	test("what the service said is on the event, the newest word last", async () => {
		const inbox = await inboxIn(newFolder());
		const { event } = await inbox.receive(heard("msg_1"));
		expect(event.confirmed).toBeNull();
		await inbox.confirm(event.id, { status: "PENDING", at: "2026-03-01T10:00:01.000Z" });
		await inbox.confirm(event.id, { status: "APPROVED", at: "2026-03-01T10:00:02.000Z" });
		await inbox.confirm("evt_of_nobody", { status: "APPROVED", at: "2026-03-01T10:00:02.000Z" });
		expect((await inbox.list({}))[0]?.confirmed).toEqual({ status: "APPROVED", at: "2026-03-01T10:00:02.000Z" });
		expect((await inbox.list({ subject: "t-1" })).map(({ id }) => id)).toEqual([event.id]);
		expect(await inbox.list({ subject: "t-2" })).toEqual([]);
	});
});

test("the place that polls have come to is the one that was set last", async () => {
	const inbox = await inboxIn(newFolder());
	expect(await inbox.place()).toBeUndefined();
	for (const place of ["one", "two"]) await inbox.setPlace(place);
	expect(await inbox.place()).toBe("two");
});
