/** The pauses of a wait: ended by an event of what is waited for, longer while somebody listens, and as ever without an inbox. */
import { expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import { pausesFor, waitFor } from "../../src/http/wait/wait.js";
import type { EventFilter, Inbox } from "../../src/ports/events.js";
import { changed, smallContext } from "../support/context.js";

const [id, other] = ["3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f", "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21"];

/** An inbox in which an event of a subject comes after so many milliseconds of pauses. */
function world({
	events = [],
	listening = false,
	broken = false,
}: {
	events?: [at: number, subject: string][];
	listening?: boolean;
	broken?: boolean;
}) {
	const small = smallContext();
	const passed = (): number => small.slept.reduce((sum, one) => sum + one, 0);
	const come = () => events.filter(([at]) => at <= passed());
	const fail = async (): Promise<never> => {
		throw new PurserError("unavailable", { code: "INBOX_BUSY", message: "busy", fix: "f" });
	};
	const inbox = {
		latest: broken ? fail : async () => come().length,
		list: async ({ after, subject }: EventFilter) =>
			come()
				.slice(after)
				.filter(([, of]) => of === subject),
		listening: broken ? fail : async () => listening,
	} as unknown as Inbox;
	return { ...small, context: changed(small.context, { journal: { hasInbox: async () => true, inbox: async () => inbox } }), passed };
}

const never = async () => ({ done: false, data: 0 });

test("an event of the record ends a pause; one of another record does not", async () => {
	const { context, passed } = world({
		events: [
			[2_000, other],
			[7_000, id],
		],
		listening: true,
	});
	const pauses = await pausesFor(context, [id]);
	expect(await pauses.rest(500, 60_000)).toBe(7_000);
	expect(passed()).toBe(7_000);
});

test("control: without that event it lasts as long as while somebody listens", async () => {
	const { context } = world({ events: [[2_000, other]], listening: true });
	expect(await (await pausesFor(context, [id])).rest(500, 60_000)).toBe(30_000);
	expect(await (await pausesFor(context, [id])).rest(500, 4_000)).toBe(4_000);
});

test("where nobody listens, and once an event has come, pauses are as long as usual", async () => {
	const quiet = world({});
	expect(await (await pausesFor(quiet.context, [id])).rest(750, 60_000)).toBe(750);
	const { context } = world({ events: [[1_000, id]], listening: true });
	const pauses = await pausesFor(context, [id]);
	await pauses.rest(500, 60_000);
	expect(await pauses.rest(750, 60_000)).toBe(750);
});

test("any event ends a pause of many, but not before five seconds", async () => {
	const { context } = world({ events: [[1_000, other]], listening: true });
	expect(await (await pausesFor(context, "any")).rest(500, 60_000)).toBe(5_000);
});

test("an inbox that cannot be read changes nothing", async () => {
	const { context, slept } = world({ broken: true });
	await waitFor(context, { timeout: 2_000, label: "Waiting", awaited: [id] }, never);
	expect(slept).toEqual([500, 750, 750]);
});

test("a wait whose record's event came looks again at once, and its look decides", async () => {
	const { context, passed } = world({ events: [[3_000, id]], listening: true });
	let looks = 0;
	const { done } = await waitFor(context, { timeout: 300_000, label: "Waiting", awaited: [id] }, async () => {
		looks += 1;
		return { done: looks === 3, data: looks };
	});
	// The event was early: the record says so only at the look after it.
	expect([done, looks, passed()]).toEqual([true, 3, 3_750]);
});
