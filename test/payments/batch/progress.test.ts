/**
 * The line about a batch under way: what it says, what it leaves out where there is no room, and how calm it is.
 */
import { describe, expect, test } from "vitest";
import { makeStyle, noPaint } from "../../../src/cli/output/style.js";
import { isOver, leftText, Pace, Progress, rateText, Tally, watched, watchedLine } from "../../../src/payments/batch/send/progress.js";
import type { BatchPlan } from "../../../src/ports/batch-plan.js";
import type { BatchRecord } from "../../../src/ports/batches.js";
import type { IntentState, JournalOutcome } from "../../../src/ports/intent.js";

const none = { planned: 0, sending: 0, accepted: 0, waiting: 0, refused: 0, "not-sent": 0, "in-doubt": 0, "not-created": 0, abandoned: 0 };
const now = new Date("2026-03-01T12:00:00.000Z");
const wide = (columns: number, plain = true) => makeStyle({ paint: noPaint, columns, now, plain });
const plan = (count: number) => ({ count }) as BatchPlan;

const outcomes = {
	accepted: { state: "accepted", id: "a", status: 201 },
	waiting: { state: "accepted", id: "a", status: 201, waiting: true },
	refused: { state: "refused", status: 422 },
	inDoubt: { state: "in-doubt", reason: "no answer" },
	notSent: { state: "not-sent", reason: "stopped" },
} as unknown as Record<string, JournalOutcome>;

/** A run over a batch that has not been sent, unless said otherwise. */
function run(count: number, given: { counts?: Partial<BatchRecord["counts"]>; takes?: IntentState[]; stopAfter?: number } = {}) {
	const stop = new AbortController();
	const record = { plan: plan(count), counts: { ...none, ...(given.counts ?? { planned: count }) } };
	const tally = new Tally(record, given.takes ?? ["planned"], 0);
	const progress = new Progress(tally, stop.signal, given.stopAfter);
	const add = (outcome: string, times = 1): void => {
		for (let one = 0; one < times; one++) tally.add(outcomes[outcome] as JournalOutcome);
	};
	return { add, progress, stop, line: (seconds: number, columns = 200) => progress.line(seconds * 1_000, wide(columns)) };
}

/** Two looks, of which the second has seen so much: 12 400 of 50 000 rows. */
function half() {
	const made = run(50_000);
	made.line(0);
	for (const [outcome, times] of [
		["accepted", 12_387],
		["waiting", 3],
		["refused", 8],
		["inDoubt", 2],
	] as const)
		made.add(outcome, times);
	return made;
}

describe("the line of a run", () => {
	test("before there is anything to say; with blocks, or in ASCII for a screen reader", () => {
		expect(run(3_000).line(0)).toBe("[--------------------] 0 of 3 000 rows");
		expect(run(1).line(0)).toBe("[--------------------] 0 of 1 row");
		const { progress, add } = run(10);
		add("accepted", 4);
		add("notSent", 4);
		expect(progress.line(0, wide(80, false))).toBe("[████░░░░░░] 4 of 10 rows");
		expect(progress.line(0, wide(80, true))).toBe("[####------] 4 of 10 rows");
	});

	test.each([
		[120, "[####----------------] 12 400 of 50 000 rows · 620 a second · 1 min left · 2 in doubt · 8 refused · 3 waiting"],
		[108, "12 400 of 50 000 rows · 620 a second · 1 min left · 2 in doubt · 8 refused · 3 waiting"],
		[80, "12 400 of 50 000 rows · 1 min left · 2 in doubt · 8 refused · 3 waiting"],
		[66, "12 400 of 50 000 rows · 2 in doubt · 8 refused · 3 waiting"],
		[34, "12 400 of 50 000 rows · 2 in doubt"],
		[10, "12 400 of "],
	])("in %i columns it leaves out bar, rate and time", (columns, line) => {
		expect(half().line(20, columns)).toBe(line);
	});

	test("resumed: what was sent before is counted, and the time is that of what is left", () => {
		const made = run(1_000, { counts: { accepted: 500, refused: 100, planned: 300, "not-sent": 100 }, takes: ["planned", "not-sent"] });
		expect(made.line(0)).toBe("[############--------] 600 of 1 000 rows");
		made.add("accepted", 100);
		expect(made.line(10)).toBe("[##############------] 700 of 1 000 rows · 10 a second · 30 s left");
		const again = run(100, { counts: { accepted: 90, refused: 10 }, takes: ["refused"] });
		expect(again.line(0)).toBe("[##################--] 90 of 100 rows");
		const some = run(50_000, { stopAfter: 200 });
		some.line(0);
		some.add("accepted", 100);
		expect(some.line(10)).toContain(" · 10 a second · 10 s left");
	});

	test("a busy service: the pause is told, if it is no short one, and neither rate nor time until there is new evidence", () => {
		const made = run(1_000);
		made.progress.pause(0, 1_999);
		made.line(0);
		made.add("accepted", 100);
		expect(made.line(10)).toContain("10 a second");
		made.progress.pause(10_000, 52_000);
		expect(made.line(10.5)).toBe("[##------------------] 100 of 1 000 rows · service busy: paused 42 s");
		expect(made.line(52)).toBe("[##------------------] 100 of 1 000 rows");
		made.add("accepted", 50);
		expect(made.line(57)).toContain(" · 10 a second");
	});

	test("Ctrl-C: it says what it waits for", () => {
		const made = half();
		made.stop.abort();
		expect(made.line(20, 77)).toBe("12 400 of 50 000 rows · stopping once all answers are here · 2 in doubt · 8 refused".slice(0, 77));
	});
});

describe("the pace", () => {
	test("no rate before three seconds, and none from two rows; then that of the last minute", () => {
		const pace = new Pace();
		pace.look(0, 0, 100);
		expect(pace.look(2_900, 50, 50)).toEqual({});
		expect(pace.look(3_000, 60, 40)).toEqual({ perSecond: 20, secondsLeft: 2 });
		const slow = new Pace();
		slow.look(0, 0, 100);
		expect(slow.look(5_000, 2, 98)).toEqual({});
		for (let second = 6; second <= 70; second++) slow.look(second * 1_000, second * 100, 1e6);
		for (let second = 71; second <= 140; second++) slow.look(second * 1_000, 7_000 + (second - 70) * 10, 1e6);
		expect(slow.look(141_000, 7_710, 1e6).perSecond).toBe(10);
	});

	test.each([
		[1_234, "1 200 a second"],
		[314.2, "310 a second"],
		[62.4, "62 a second"],
		[4.4, "4 a second"],
		[0.96, "1 a second"],
		[0.5, "30 a minute"],
		[0.016, "1 a minute"],
		[0.01, "36 an hour"],
		[0.0001, "1 an hour"],
	])("%d rows a second: %s", (perSecond, text) => {
		expect(rateText(perSecond)).toBe(text);
	});

	test.each([
		[0, "5 s left"],
		[5, "5 s left"],
		[5.1, "10 s left"],
		[31, "35 s left"],
		[60, "60 s left"],
		[61, "1 min left"],
		[5_399, "90 min left"],
		[5_400, "2 h left"],
		[90_000, "25 h left"],
	])("%d seconds: %s", (seconds, text) => {
		expect(leftText(seconds)).toBe(text);
	});
});

describe("a batch that is watched", () => {
	const record = (counts: Partial<BatchRecord["counts"]>, over: Partial<BatchRecord> = {}): BatchRecord => ({
		batch: "7",
		state: "begun",
		plan: plan(3_000),
		sending: true,
		counts: { ...none, ...counts },
		...over,
	});
	const lineAt = (pace: Pace, seconds: number, one: BatchRecord): string =>
		watchedLine({ ...one, progress: watched(pace, one, seconds * 1_000) }, wide(80));

	test("the rate comes from two looks; once its sender is gone, it says so and tells no rate", () => {
		const pace = new Pace();
		expect(lineAt(pace, 0, record({ accepted: 990, refused: 10, sending: 16, planned: 1_984 }))).toBe("[###-------] 1 000 of 3 000 rows");
		const later = { accepted: 1_290, refused: 10, sending: 16, planned: 1_684 };
		expect(lineAt(pace, 5, record(later))).toBe("[####------] 1 300 of 3 000 rows · 60 a second · 30 s left");
		const dead = { ...later, sending: 0, "in-doubt": 16 };
		expect(lineAt(pace, 10, record(dead, { sending: false }))).toBe("[####------] 1 316 of 3 000 rows · no process is sending it now");
		// Resumed: the pause is no part of the new rate.
		expect(lineAt(pace, 300, record(dead))).toBe("[####------] 1 316 of 3 000 rows");
	});

	test.each<[string, BatchRecord, boolean]>([
		["planned", record({ planned: 3_000 }, { state: "planned", sending: false }), false],
		["being sent", record({ accepted: 3_000 }), false],
		["all sent", record({ accepted: 2_990, refused: 10 }, { sending: false }), true],
		["all sent, some in doubt", record({ accepted: 2_990, "in-doubt": 10 }, { sending: false }), true],
		["its sender died", record({ accepted: 2_000, planned: 1_000 }, { sending: false }), false],
		["rows that never left", record({ accepted: 2_999, "not-sent": 1 }, { sending: false }), false],
		["cancelled", record({ accepted: 1, abandoned: 2_999 }, { state: "abandoned", sending: false }), true],
	])("%s", (_, one, over) => {
		expect(isOver(one)).toBe(over);
	});

	test("not begun", () => {
		expect(lineAt(new Pace(), 0, record({ planned: 3_000 }, { state: "planned", sending: false }))).toBe(
			"[----------] 0 of 3 000 rows · not started yet",
		);
	});
});
