/**
 * A decided payment, opened again: it is in doubt, the id that it held is free and stays named with it, and the record says why.
 */
import { afterEach, describe, expect, test } from "vitest";
import type { Settlement } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { endWorlds, type World, worldWith } from "./batch.js";
import { codeOf, doubtful, payment, stores } from "./journals.js";

// Each journal adds up at the end.
afterEach(endWorlds);

const ids = ["0000000A-0000-4000-8000-000000000001", "0000000a-0000-4000-8000-000000000002"] as const;
const accepted = (id: string): Settlement => ({ state: "accepted", id, evidence: { source: "service", reason: "listed" } });

describe.each(stores)("with %s", (driver) => {
	/** The first payment is in doubt, the second holds its id. */
	async function mixed(settings: Record<string, string> = {}): Promise<World> {
		const world = await worldWith(settings, driver);
		const { journal } = world;
		await doubtful(journal, { reference: "owner" });
		const holder = await journal.begin(payment({ reference: "holder" }));
		await journal.end(holder, { state: "accepted", id: ids[0], status: 201 });
		return world;
	}

	test("an id that is another's is free for its owner, stays named, and is told", async () => {
		const { journal, clock } = await mixed();
		await journal.reopen("2", "amount and reference differ", 1);
		expect(await journal.holders([ids[0]])).toEqual(new Map());
		const { record, events } = (await journal.show("2")) as NonNullable<Awaited<ReturnType<Journal["show"]>>>;
		expect(record).toMatchObject({
			state: "in-doubt",
			why: "it was opened again: amount and reference differ",
			id: undefined,
			formerIds: [ids[0].toLowerCase()],
			changed: clock.now().toISOString(),
		});
		expect(events.at(-1)).toMatchObject({
			kind: "reopened",
			content: { attempt: 1, reason: "amount and reference differ", id: ids[0].toLowerCase() },
		});
		await journal.settle("1", accepted(ids[0]), 1);
		expect([...(await journal.holders([ids[0]])).values()]).toMatchObject([{ intent: "1", state: "accepted" }]);
		// Nobody else's id can be given to it; its own can.
		expect(await codeOf(journal.settle("2", accepted(ids[0]), 1))).toBe("TRANSACTION_HELD");
		await journal.settle("2", accepted(ids[1]), 1);
		expect((await journal.show("2"))?.record).toMatchObject({ state: "accepted", id: ids[1], formerIds: [ids[0].toLowerCase()] });
	});

	test("it is a doubt: it holds back a payment alike and counts for the day", async () => {
		const { journal } = await mixed({ "cap-per-day": "30 EUR" });
		await journal.reopen("2", "another's", 1);
		expect(await codeOf(journal.begin(payment({ reference: "holder" })))).toBe("OPEN_DOUBT");
		expect(await codeOf(journal.begin(payment({ reference: "third" })))).toBe("CAP_PER_DAY");
	});

	test("what was settled as not created, or refused, is opened again and counts from then on", async () => {
		const { journal } = await worldWith({ "cap-per-day": "11 EUR" }, driver);
		const refused = await journal.begin(payment({ reference: "refused" }));
		await journal.end(refused, { state: "refused", status: 422 });
		const other = await doubtful(journal, { reference: "other" });
		await journal.settle(other, { state: "not-created", evidence: { source: "person", reason: "asked" } }, 1);
		await journal.reopen(refused, "the bank shows it", 1);
		expect(await codeOf(journal.begin(payment({ reference: "third" })))).toBe("CAP_PER_DAY");
		await journal.reopen(other, "the bank shows it", 1);
		expect((await journal.list({ states: ["in-doubt"] })).map(({ evidence }) => evidence)).toEqual([undefined, undefined]);
	});

	test("only what is decided, and as it was shown, is opened again", async () => {
		const { journal } = await mixed();
		expect(await codeOf(journal.reopen("1", "x", 1))).toBe("NOT_DECIDED");
		expect(await codeOf(journal.reopen("2", "x", 2))).toBe("NOT_DECIDED");
		expect(await codeOf(journal.reopen("9", "x", 1))).toBe("INTENT_UNKNOWN");
		await journal.reopen("2", "x", 1);
		// Two who saw the same: the second one changes nothing.
		expect(await codeOf(journal.reopen("2", "x", 1))).toBe("NOT_DECIDED");
		expect((await journal.show("2"))?.events.map(({ kind }) => kind)).toEqual(["begun", "ended", "reopened"]);
	});
});
