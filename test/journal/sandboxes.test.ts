/**
 * A sandbox that was started anew is another service at the same address: what was sent to the earlier one is no duplicate here. What is not
 * known to have gone to another sandbox counts.
 */
import { afterEach, describe, expect, test } from "vitest";
import type { JournalIntent, JournalOutcome } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import { digestOf, endWorlds, none, planOf, shared, transfer, worldWith } from "./batch.js";
import { change, payment, stores } from "./journals.js";

// Each journal adds up at the end.
afterEach(endWorlds);

const [first, second] = ["aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"];
const accepted = (id: string): JournalOutcome => ({ state: "accepted", id, status: 200 });
const doubtful: JournalOutcome = { state: "in-doubt", reason: "no answer" };

type Kind = (rest: Partial<JournalIntent>) => JournalIntent;

/** The intent's number, or the code of the refusal. */
const begun = (journal: Journal, sandbox: string | undefined, kind: Kind = (rest) => payment({}, rest)): Promise<string> =>
	journal.begin(kind({ sandbox } as Partial<JournalIntent>)).catch((error) => error.failure.code as string);

describe.each(stores)("with %s", (driver) => {
	test.each([
		["accepted", "another sandbox", first, second, "2"],
		["accepted", "the same sandbox", first, first, "DUPLICATE"],
		["accepted", "none known now", first, undefined, "DUPLICATE"],
		["accepted", "none known then", undefined, second, "DUPLICATE"],
		["accepted", "none at all, as on live", undefined, undefined, "DUPLICATE"],
		["in doubt", "another sandbox", first, second, "2"],
		["in doubt", "the same sandbox", first, first, "OPEN_DOUBT"],
		["in doubt", "none known now", first, undefined, "OPEN_DOUBT"],
		["in doubt", "none known then", undefined, second, "OPEN_DOUBT"],
		["created", "another sandbox", first, second, "2"],
		["created", "the same sandbox", first, first, "CREATED_JUST_NOW"],
		["created", "none known now", first, undefined, "CREATED_JUST_NOW"],
	])("what was %s before, %s", async (state, _, then, now, expected) => {
		const { journal } = await worldWith({}, driver);
		const kind: Kind = (rest) => (state === "created" ? change({ creates: true, externalId: "crm-1", ...rest }) : payment({}, rest));
		await journal.end(await begun(journal, then, kind), state === "in doubt" ? doubtful : accepted("t-1"));
		expect(await begun(journal, now, kind)).toBe(expected);
	});

	test("a payment not created at another sandbox is not what this one repeats, and lists tell them apart", async () => {
		const { journal } = await worldWith({}, driver);
		const evidence = { source: "person", reason: "the sandbox is gone" } as const;
		await journal.end(await begun(journal, first), doubtful);
		await journal.settle("1", { state: "not-created", evidence }, 1);
		expect(await begun(journal, second)).toBe("2");
		expect((await journal.show("2"))?.record).toMatchObject({ attempt: 1, sandbox: second });
		// The control: where it is not known which sandbox it is, it is the next attempt of the newest.
		await journal.end("2", doubtful);
		await journal.settle("2", { state: "not-created", evidence }, 1);
		expect(await begun(journal, undefined)).toBe("2");
		const numbers = async (sandbox?: string) => (await journal.list({ sandbox })).map(({ intent }) => intent);
		expect([await numbers(), await numbers(first), await numbers(second)]).toEqual([["2", "1"], ["2", "1"], ["2"]]);
	});

	test.each([
		["another sandbox", first, second, 0],
		["the same sandbox", first, first, 1],
		["none known now", first, undefined, 1],
		["none known then", undefined, second, 1],
	])("a row of a batch paid before, %s", async (_, then, now, earlier) => {
		const { journal, batches } = await worldWith({}, driver);
		await journal.end(await begun(journal, then, (rest) => payment(transfer(1), rest)), accepted("t-1"));
		const { batch } = await batches.open({ ...shared, ...(now === undefined ? {} : { sandbox: now }) });
		const rows = [{ row: 1, transfer: transfer(1) }];
		await batches.load(batch, rows);
		const plan = planOf(batch, 1, "1.10", digestOf(rows));
		await batches.seal(batch, plan);
		expect(await batches.duplicates(batch, plan.digest, ["planned"])).toMatchObject({ earlier, batches: [] });
		const sent = await batches.begin(batch, ["planned"], none).then(
			(record) => record.sandbox ?? "begun",
			(error) => error.failure.code,
		);
		expect(sent).toBe(earlier === 0 ? second : "DUPLICATE");
		// And the other way round: a row of a batch holds back a payment of its own sandbox only.
		if (earlier === 0) {
			const single: Kind = (rest) => payment(transfer(1), rest);
			expect(await begun(journal, second, single)).toBe("PLANNED_IN_BATCH");
			expect(await begun(journal, "cccccccc-0000-4000-8000-000000000003", single)).toBe("3");
		}
	});
});
