/**
 * The line about a batch under way.
 */
import { expect, test } from "vitest";
import { makeStyle, noPaint } from "../../../src/cli/output/style.js";
import { progressLine, Tally } from "../../../src/payments/batch/send/run.js";
import type { BatchPlan } from "../../../src/ports/batch-plan.js";
import type { BatchRecord } from "../../../src/ports/batches.js";
import type { JournalOutcome } from "../../../src/ports/intent.js";
import { none } from "./plans.js";

const outcomes: Readonly<Record<string, JournalOutcome>> = {
	accepted: { state: "accepted", id: "a", status: 201 },
	waiting: { state: "accepted", id: "a", status: 201, waiting: true },
	refused: { state: "refused", status: 422 } as JournalOutcome,
	inDoubt: { state: "in-doubt", reason: "no answer" },
	notSent: { state: "not-sent", reason: "stopped" },
};

/** The line after these outcomes of a run over a batch that was not sent before, unless said otherwise. */
function lineAfter(
	count: number,
	ended: Record<string, number>,
	given: { counts?: Partial<BatchRecord["counts"]>; columns?: number; note?: string } = {},
) {
	const { counts = { planned: count }, columns = 120, note } = given;
	const tally = new Tally({ plan: { count } as BatchPlan, counts: { ...none, ...counts } }, ["planned", "not-sent"], 0);
	for (const [outcome, times] of Object.entries(ended))
		for (let one = 0; one < times; one++) tally.add(outcomes[outcome] as JournalOutcome);
	return progressLine(tally, note, makeStyle({ paint: noPaint, columns, now: new Date(0) }));
}

test.each<[string, ReturnType<typeof lineAfter>]>([
	["0 of 3 000 rows", lineAfter(3_000, {})],
	["0 of 1 row", lineAfter(1, {})],
	["4 of 10 rows", lineAfter(10, { accepted: 4, notSent: 4 })],
	["40 of 100 rows · 2 in doubt · 8 refused · 3 waiting", lineAfter(100, { accepted: 27, waiting: 3, refused: 8, inDoubt: 2 })],
	["4 of 10 rows · 1 in d", lineAfter(10, { accepted: 3, inDoubt: 1 }, { columns: 21 })],
	// Resumed: what was sent before is counted.
	["700 of 1 000 rows", lineAfter(1_000, { accepted: 100 }, { counts: { accepted: 500, refused: 100, planned: 300, "not-sent": 100 } })],
	["2 of 10 rows · service busy: paused 42 s", lineAfter(10, { accepted: 2 }, { note: "service busy: paused 42 s" })],
])("%s", (expected, line) => {
	expect(line).toBe(expected);
});

test("a row that was refused for the moment is counted once, whatever becomes of it when it is sent again", () => {
	const tally = new Tally({ plan: { count: 2 } as BatchPlan, counts: { ...none, planned: 2 } }, ["planned"], 0);
	tally.add(outcomes.refused as JournalOutcome, 1, true);
	expect([tally.refused, [...tally.again]]).toEqual([1, [1]]);
	tally.add(outcomes.accepted as JournalOutcome, 1);
	expect([tally.refused, tally.accepted, tally.sent, [...tally.again]]).toEqual([0, 1, 1, []]);
});
