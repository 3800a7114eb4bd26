/**
 * A doubt whose request is sent once more with its idempotency key: on record before it leaves, and in doubt until an answer settles it.
 */
import { afterEach, describe, expect, test } from "vitest";
import type { JournalOutcome, Settlement } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { testPlace, unwritable } from "./anchors.js";
import { endWorlds, worldWith } from "./batch.js";
import { change, codeOf, doubtful, newFolder, open, payment, stores } from "./journals.js";

// Each journal adds up at the end.
afterEach(endWorlds);

const id = "0000000a-0000-4000-8000-000000000001";
const lost: JournalOutcome = { state: "in-doubt", reason: "timeout" };
const settled = (state: "accepted" | "not-created"): Settlement => {
	const evidence = { source: "service", reason: "answered", checks: [] } as const;
	return state === "accepted" ? { state, id, evidence } : { state, evidence };
};
const kindsOf = async (journal: Journal, intent: string) => (await journal.show(intent))?.events.map(({ kind }) => kind);

describe.each(stores)("with %s", (driver) => {
	test("it is an event of its attempt, as often as a person asks, and verify holds", async () => {
		const { journal, clock } = await worldWith({}, driver);
		await doubtful(journal);
		const before = (await journal.show("1"))?.record;
		clock.advance(60_000);
		await journal.resend("1", 1);
		await journal.resend("1", 1);
		const { record, events = [] } = (await journal.show("1")) ?? {};
		expect(record).toEqual({ ...before, changed: "2026-03-01T10:01:00.000Z" });
		expect(events.slice(2).map(({ kind, content, at }) => [kind, content, at])).toEqual(
			Array.from({ length: 2 }, () => ["resent", { attempt: 1 }, "2026-03-01T10:01:00.000Z"]),
		);
		await journal.settle("1", settled("accepted"), 1);
		expect((await journal.show("1"))?.record).toMatchObject({ state: "accepted", id, attempt: 1 });
	});

	test("only a payment in doubt, and the attempt that was shown", async () => {
		const { journal } = await worldWith({}, driver);
		for (const [at, outcome] of (
			[
				{ state: "accepted", id, status: 201 },
				{ state: "accepted", status: 202, waiting: true },
				{ state: "refused", status: 422 },
				{ state: "not-sent", reason: "no connection" },
			] as const
		).entries()) {
			const intent = await journal.begin(payment({ reference: `decided ${at}` }));
			expect(await codeOf(journal.resend(intent, 1))).toBe("NOT_IN_DOUBT");
			await journal.end(intent, outcome);
			expect([outcome, await codeOf(journal.resend(intent, 1))]).toEqual([outcome, "NOT_IN_DOUBT"]);
			expect(await kindsOf(journal, intent)).toEqual(["begun", "ended"]);
		}
		const write = await journal.begin(change());
		await journal.end(write, lost);
		expect(await codeOf(journal.resend(write, 1))).toBe("NOT_IN_DOUBT");
		expect(await codeOf(journal.resend("99", 1))).toBe("INTENT_UNKNOWN");
		const doubt = await doubtful(journal);
		await journal.settle(doubt, settled("not-created"), 1);
		expect(await codeOf(journal.resend(doubt, 1))).toBe("NOT_IN_DOUBT");
		await doubtful(journal);
		expect(await codeOf(journal.resend(doubt, 1))).toBe("ANOTHER_ATTEMPT");
		await journal.resend(doubt, 2);
		expect(await kindsOf(journal, doubt)).toEqual(["begun", "ended", "settled", "begun", "ended", "resent"]);
	});

	test("what was read before it proves nothing of what it made: only that it was created may be settled by that", async () => {
		const { journal, clock } = await worldWith({}, driver);
		await doubtful(journal);
		const read = (await journal.show("1"))?.record.changed as string;
		clock.advance(1);
		await journal.resend("1", 1);
		expect(await codeOf(journal.settle("1", settled("not-created"), 1, read))).toBe("ANOTHER_ATTEMPT");
		expect((await journal.show("1"))?.record.state).toBe("in-doubt");
		await journal.settle("1", settled("accepted"), 1, read);
	});

	test("in a journal that money may not leave by, or whose anchor cannot be written, nothing is sent again", async () => {
		const [folder, place] = [newFolder(), testPlace()];
		const profile = { name: "test", environment: "live" } as const;
		const journal = await open(folder, { driver, profile, anchor: async () => place });
		await journal.adopt("first day");
		await doubtful(journal);
		const { length } = place.written;
		await journal.resend("1", 1);
		expect(place.written.length).toBeGreaterThan(length);
		place.writing = unwritable;
		expect(await codeOf(journal.resend("1", 1))).toBe("ANCHOR_UNWRITABLE");
		place.writing = undefined;
		if (typeof place.kept === "object") place.kept = { ...place.kept, installation: "00000000-0000-4000-8000-000000000009" };
		await journal.close();
		const other = await open(folder, { driver, profile, anchor: async () => place });
		expect(await codeOf(other.resend("1", 1))).toBe("JOURNAL_NOT_THE_ONE");
	});
});
