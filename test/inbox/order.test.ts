/**
 * Deliveries come in any order, more than once, and our own polls see some of the same: each change is told once, none is lost.
 */
import { expect, test } from "vitest";
import { changeIn } from "../../src/events/normal.js";
import type { Inbox, Notice } from "../../src/ports/events.js";
import { Random } from "../payments/simulation/random.js";
import { seedOfRun } from "../support/seed.js";
import { inboxIn, newFolder } from "./inboxes.js";

const seed = seedOfRun("events in any order");
const states = ["PENDING", "APPROVED", "REVERSED"] as const;

interface History {
	subject: string;
	/** Never the same twice in a row. */
	entered: string[];
}

function historyOf(random: Random, subject: string): History {
	const entered: string[] = [];
	for (let left = 1 + random.below(6); left > 0; left--) entered.push(random.pick(states.filter((state) => state !== entered.at(-1))));
	return { subject, entered };
}

function delivered(subject: string, state: string, at: number): Notice {
	const body = Buffer.from(JSON.stringify({ type: "transaction.updated", data: { id: subject, status: state } }));
	return { source: "webhook", change: changeIn(body), delivery: { id: `msg_${subject}_${at}`, headers: {}, body } };
}

const polled = (subject: string, state: string): Notice => ({
	source: "poll",
	change: { type: "transaction.updated", subject: { kind: "transaction", id: subject }, from: null, to: state },
});

function shuffled<T>(items: readonly T[], random: Random): T[] {
	const left = [...items];
	return items.map(() => left.splice(random.below(left.length), 1)[0] as T);
}

/** Deliveries in any order, among them the polls in their own order. */
function heardIn(history: History, random: Random): Notice[] {
	const { subject, entered } = history;
	const deliveries = entered.flatMap((state, at) => Array.from({ length: 1 + random.below(3) }, () => delivered(subject, state, at)));
	// A poll sees what is so when it looks: any part of the history, in its order.
	const polls = entered.filter(() => random.often(0.6)).map((state) => polled(subject, state));
	const order = shuffled([...deliveries.map(() => true), ...polls.map(() => false)], random);
	const pushed = shuffled(deliveries, random);
	return order.map((isDelivery) => (isDelivery ? pushed.shift() : polls.shift()) as Notice);
}

async function told(inbox: Inbox, heard: readonly Notice[]): Promise<string[]> {
	const ids: string[] = [];
	for (const one of heard) {
		const { event, isNew } = await inbox.receive(one);
		if (isNew) ids.push(event.id);
	}
	return ids;
}

test("each change that the sender delivered is told once, whatever the order and whoever else saw it", async () => {
	const random = new Random(seed);
	const inbox = await inboxIn(newFolder());
	for (let done = 0; done < 150; done++) {
		const history = historyOf(random, `t-${done}`);
		const heard = heardIn(history, random);
		const pushed = heard.filter(({ source }) => source !== "poll");
		const ids = await told(inbox, heard);
		expect(ids.length, JSON.stringify(history)).toBe(history.entered.length);
		expect(new Set(ids).size).toBe(ids.length);
		// Another machine, on which it came in another order, gives the same ids.
		if (done % 10 === 0) {
			const other = await inboxIn(newFolder());
			expect((await told(other, shuffled(pushed, random))).sort()).toEqual([...ids].sort());
		}
		expect(await told(inbox, shuffled(pushed, random))).toEqual([]);
	}
});

test("a store that goes by the meaning alone would be caught", async () => {
	const random = new Random(seed + 1);
	let lost = 0;
	for (let done = 0; done < 150; done++) {
		const { entered } = historyOf(random, `t-${done}`);
		lost += entered.length - new Set(entered).size;
	}
	expect(lost).toBeGreaterThan(50);
});

test("two deliveries of one meaning under two ids are one where the sender's own time says so, and else two", async () => {
	const inbox = await inboxIn(newFolder());
	const timed = (id: string, time: string): Notice => {
		const body = Buffer.from(JSON.stringify({ type: "transaction.updated", timestamp: time, data: { id: "t-1", status: "PENDING" } }));
		return { source: "webhook", change: changeIn(body), delivery: { id, headers: {}, body } };
	};
	const at = "2026-03-01T10:00:00Z";
	const news = [];
	for (const one of [timed("msg_1", at), timed("msg_2", at), timed("msg_2", at), timed("msg_3", "2026-03-01T10:00:01Z")])
		news.push((await inbox.receive(one)).isNew);
	expect(news).toEqual([true, false, false, true]);
	const untimed = ["msg_4", "msg_5"].map((id) => delivered("t-2", "PENDING", Number(id.slice(4))));
	expect((await told(inbox, untimed)).length).toBe(2);
});

test("what says nothing is told once for each delivery", async () => {
	const inbox = await inboxIn(newFolder());
	const of = (id: string): Notice => {
		const body = Buffer.from("not JSON");
		return { source: "webhook", change: changeIn(body), delivery: { id, headers: {}, body } };
	};
	expect((await told(inbox, [of("msg_1"), of("msg_2"), of("msg_1")])).length).toBe(2);
});
