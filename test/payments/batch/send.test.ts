import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Concurrency, type Rows, type SendLimits, Steps, StopRules } from "../../../src/payments/batch/send/pace.js";
import { type SendTools, sendBatch } from "../../../src/payments/batch/send/send.js";
import type { MarkedRow, RowOutcome } from "../../../src/ports/batches.js";
import type { JournalOutcome } from "../../../src/ports/intent.js";
import { seedOfRun } from "../../support/seed.js";
import { Random } from "../simulation/random.js";

const seed = seedOfRun("batch-send");

const row = (number: number): MarkedRow => ({
	number,
	row: number,
	attempt: 1,
	transfer: { kind: "ledger", ledgerFromId: "a", counterpartyId: "b", amount: "1" },
});

interface World {
	tools: SendTools;
	/** Each row that left, in order. */
	left: number[];
	ended: Map<number, JournalOutcome>;
	/** The most rows that were marked and had no recorded end. */
	mostOpen: number;
	stop: AbortController;
	steps: number[];
}

/** A journal in memory and a service that answers as it is told, after some turns. */
function world(
	rows: number,
	answer: (number: number) => JournalOutcome,
	{ random = new Random(seed), failAt = Number.POSITIVE_INFINITY } = {},
): World {
	const stop = new AbortController();
	const left: number[] = [];
	const ended = new Map<number, JournalOutcome>();
	const marked = new Set<number>();
	const seen: World = { tools: undefined as never, left, ended, mostOpen: 0, stop, steps: [] };
	const pause = async (most: number): Promise<void> => {
		for (let turns = random.below(most); turns > 0; turns--) await setImmediate();
	};
	let next = 1;
	let now = 0;
	const record = (ends: readonly RowOutcome[]): void => {
		for (const { number, outcome } of ends) {
			if (!marked.delete(number)) throw new Error(`row ${number} ended and was not marked`);
			ended.set(number, outcome);
		}
	};
	seen.tools = {
		advance: async (_batch, ends, want) => {
			await pause(4);
			seen.steps.push(want);
			if (seen.steps.length >= failAt) throw new Error("the disk is full");
			record(ends);
			const begun: MarkedRow[] = [];
			while (begun.length < want && next <= rows) begun.push(row(next++));
			for (const { number } of begun) marked.add(number);
			seen.mostOpen = Math.max(seen.mostOpen, marked.size);
			return begun;
		},
		send: async ({ number }) => {
			if (!marked.has(number)) throw new Error(`row ${number} left and was not marked`);
			left.push(number);
			await pause(6);
			const outcome = answer(number);
			return { outcome, status: "status" in outcome ? outcome.status : undefined, took: 1 };
		},
		clock: {
			now: () => new Date(now),
			monotonic: () => {
				now += 0.01;
				return now;
			},
			sleep: async (milliseconds) => {
				await setImmediate();
				now += milliseconds;
			},
		},
		signal: stop.signal,
	};
	return seen;
}

const limits: SendLimits = { jobs: 16, open: 96 };
const accepted = (number: number): JournalOutcome => ({ state: "accepted", id: `id-${number}`, status: 201 });
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe("sending a batch", () => {
	test("every row leaves once, in order, and each end is recorded; never more are open than allowed", async () => {
		for (let run = 0; run < 20; run++) {
			const random = new Random(seed + run);
			const made = world(500, accepted, { random });
			const open = 1 + random.below(96);
			const { stop, unrecorded } = await sendBatch("1", made.tools, { jobs: 1 + random.below(32), open });
			expect([stop, unrecorded]).toEqual([undefined, 0]);
			expect(made.left).toEqual(upTo(500));
			expect([...made.ended.keys()].sort((one, other) => one - other)).toEqual(upTo(500));
			expect(made.mostOpen).toBeLessThanOrEqual(open);
		}
	});

	test.each([
		[96, 48],
		[400, 200],
	])("with %i rows open a step marks at most %i: as many as there are on their way meanwhile", async (open, most) => {
		const made = world(3_000, accepted);
		await sendBatch("1", made.tools, { jobs: 64, open });
		expect(made.left).toEqual(upTo(3_000));
		expect(Math.max(...made.steps)).toBe(most);
		expect(made.mostOpen).toBeLessThanOrEqual(open);
	});

	test.each<[string, (number: number) => JournalOutcome, string]>([
		["five doubts in a row", (number) => (number > 40 ? { state: "in-doubt", reason: "timeout" } : accepted(number)), "DOUBTS"],
		["the first 401", (number) => (number > 40 ? { state: "refused", status: 401 } : accepted(number)), "NOT_ALLOWED"],
		["the first 404", (number) => (number > 40 ? { state: "refused", status: 404 } : accepted(number)), "NOT_FOUND"],
		["refusals alone at the start", () => ({ state: "refused", status: 422 }), "ALL_REFUSED"],
		["a service that cannot be reached", () => ({ state: "not-sent", reason: "refused connection" }), "UNREACHABLE"],
		["429 without an end", (number) => (number > 40 ? { state: "refused", status: 429 } : accepted(number)), "SERVICE_BUSY"],
	])("%s: what is on its way is awaited, nothing new leaves, and what was marked goes back", async (_, answer, code) => {
		const made = world(5_000, answer);
		const { stop, unrecorded } = await sendBatch("1", made.tools, limits);
		expect([stop?.code, unrecorded]).toEqual([code, 0]);
		expect(made.left.length).toBeLessThan(200);
		// Marked and not sent is told as not sent; every row that left has its own end.
		for (const number of made.left) expect(made.ended.has(number)).toBe(true);
		for (const [number, outcome] of made.ended) if (!made.left.includes(number)) expect(outcome.state).toBe("not-sent");
	});

	test.each([
		["INTERRUPTED", (made: World) => made.tools, true],
		["OUTPUT_CLOSED", (made: World): SendTools => ({ ...made.tools, arrived: async ({ number }) => number < 100 }), false],
	])("%s: nothing new leaves", async (code, toolsOf, isInterrupted) => {
		const made = world(5_000, (number) => {
			if (isInterrupted && number === 100) made.stop.abort("SIGINT");
			return accepted(number);
		});
		expect((await sendBatch("1", toolsOf(made), limits)).stop?.code).toBe(code);
		expect(made.left.length).toBeLessThan(250);
		expect([...made.ended].filter(([, { state }]) => state === "accepted").length).toBe(made.left.length);
	});

	test("so many and no more", async () => {
		const made = world(5_000, accepted);
		expect((await sendBatch("1", made.tools, { ...limits, stopAfter: 37 })).stop?.code).toBe("STOP_AFTER");
		expect(made.left).toEqual(upTo(37));
	});

	test("a journal that cannot be written stops everything, and is given a last time what ended since", async () => {
		const made = world(5_000, accepted, { failAt: 20 });
		const given = new Set<number>();
		const { advance } = made.tools;
		const tools: SendTools = {
			...made.tools,
			advance: (batch, ended, want) => {
				if (made.steps.length >= 19) for (const { number } of ended) given.add(number);
				return advance(batch, ended, want);
			},
		};
		const { stop, unrecorded } = await sendBatch("1", tools, limits);
		expect(stop?.code).toBe("JOURNAL");
		// Those that left, and those that were marked: nobody can write down that they did not leave.
		expect(unrecorded).toBeGreaterThanOrEqual(made.left.length - made.ended.size);
		expect([unrecorded > 0, unrecorded <= 96]).toEqual([true, true]);
		expect(made.left.filter((number) => !made.ended.has(number) && !given.has(number))).toEqual([]);
	});

	test("rows that were recorded too long before they would leave are recorded anew, and leave once", async () => {
		const made = world(200, accepted);
		const old = new Set([1, 2, 3, 4, 5, 6, 7, 50]);
		const again: number[] = [];
		const tools: SendTools = {
			...made.tools,
			advance: async (batch, ended, want) => {
				again.push(...ended.filter((one) => one.again).map(({ number }) => number));
				const [anew, others] = [ended.filter((one) => one.again), ended.filter((one) => !one.again)];
				return [...(await made.tools.advance(batch, others, want)), ...anew.map(({ number }) => row(number))];
			},
			send: async (one) => {
				if (old.delete(one.number)) return { outcome: { state: "not-sent", reason: "too old" }, tooOld: true, took: 1 };
				made.left.push(one.number);
				return { outcome: accepted(one.number), status: 201, took: 1 };
			},
		};
		expect((await sendBatch("1", tools, limits)).stop).toBeUndefined();
		expect(again.sort((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7, 50]);
		expect(made.left.sort((one, other) => one - other)).toEqual(upTo(200));
	});
});

describe("the pace", () => {
	const fine = { status: 201, took: 5 };

	test("starts low and takes one more after each good answer; once it was halved, after each good round; never more than allowed", () => {
		const pace = new Concurrency({ jobs: 6 });
		const widths = (answers: number): number[] =>
			Array.from({ length: answers }, () => {
				pace.answered(0, fine);
				return pace.width;
			});
		expect(widths(3)).toEqual([5, 6, 6]);
		pace.answered(0, { status: 503, took: 5 });
		// Six were in flight together.
		expect(widths(13)).toEqual([3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 5, 6, 6]);
	});

	test("halves on 429 and 503, once for what was on its way together, and rests as asked", () => {
		const pace = new Concurrency({ jobs: 16 });
		for (let answers = 0; answers < 300; answers++) pace.answered(0, fine);
		expect(pace.width).toBe(16);
		for (let answers = 0; answers < 8; answers++) pace.answered(1_000, { status: 429, took: 5, wait: 7_000 });
		expect([pace.width, pace.delay(1_000), pace.delay(8_000)]).toEqual([8, 7_000, 0]);
		const slow = new Concurrency({ jobs: 16 });
		slow.answered(0, { status: 503, took: 5 });
		expect([slow.width, slow.delay(0)]).toEqual([2, 500]);
		slow.answered(500, { status: 503, took: 5 });
		expect(slow.delay(500)).toBe(1_000);
	});

	test("what was on its way together pauses once; pauses in a row may last five minutes together", () => {
		const pace = new Concurrency({ jobs: 16 });
		const together = Array.from({ length: 8 }, () => pace.answered(1_000, { status: 429, took: 5 }));
		expect([together.map((pause) => pause?.isNew), pace.delay(1_000)]).toEqual([[true, ...Array(7).fill(false)], 500]);
		expect(pace.answered(2_000, { status: 429, took: 5, wait: 299_000 })?.isTooLong).toBe(false);
		expect(pace.answered(302_000, { status: 429, took: 5, wait: 1_000 })?.isTooLong).toBe(true);
		pace.answered(303_000, fine);
		expect(pace.answered(304_000, { status: 429, took: 5, wait: 300_000 })).toEqual({ until: 604_000, isNew: true, isTooLong: false });
	});

	test("503 for all that was on its way together is one doubt of the five in a row that stop a batch", () => {
		const rules = new StopRules();
		const doubt = { outcome: { state: "in-doubt", reason: "503" }, status: 503, took: 5 } as const;
		const stops = Array.from({ length: 40 }, (_, at) => rules.after(doubt, { until: 0, isNew: at % 8 === 0, isTooLong: false })?.code);
		expect(stops.indexOf("DOUBTS")).toBe(32);
	});
});

const rows = (some: Partial<Rows> = {}): Rows => ({ waiting: 0, flying: 0, ended: 0, width: 4, resting: false, ...some });

/** Steps of 10 ms between which 200 rows come back: a fast service. */
function fast(limits: { open: number }): Steps {
	const steps = new Steps(limits);
	for (let at = 0; at <= 100; at += 10) {
		steps.begin(at);
		steps.end(10);
		for (let row = 0; row < 200; row += 1) steps.answered();
	}
	return steps;
}

describe("how many rows a step marks", () => {
	test("at the start one beyond the free places, within what may be open and what is left", () => {
		expect(new Steps({ open: 96 }).marks(rows(), Infinity)).toBe(5);
		expect(new Steps({ open: 96 }).marks(rows({ waiting: 1, flying: 2 }), Infinity)).toBe(2);
		expect(new Steps({ open: 3 }).marks(rows({ flying: 2 }), Infinity)).toBe(1);
		expect(new Steps({ open: 96 }).marks(rows(), 2)).toBe(2);
		expect(new Steps({ open: 4 }).marks(rows({ waiting: 4, flying: 4 }), Infinity)).toBe(0);
	});

	test("where none may leave, a free place marks none", () => {
		expect(new Steps({ open: 96 }).marks(rows({ resting: true }), Infinity)).toBe(1);
		expect(new Steps({ open: 96 }).marks(rows({ resting: true, waiting: 1 }), Infinity)).toBe(0);
	});

	test("of a fast service half of what may be open, and 48 at least", () => {
		expect(fast({ open: 384 }).marks(rows(), Infinity)).toBe(192);
		expect(fast({ open: 64 }).marks(rows(), Infinity)).toBe(48);
		expect(fast({ open: 64 }).marks(rows({ waiting: 20, flying: 30 }), Infinity)).toBe(14);
	});
});

describe("when a step is made", () => {
	test("of a slow service once half of what is marked ahead has left; ends wait for others, none for nothing", () => {
		const steps = new Steps({ open: 96 });
		expect(steps.next(rows(), 5)).toBe("now");
		expect(steps.next(rows({ waiting: 1, flying: 4 }), 1)).toBe("none");
		expect(steps.next(rows({ waiting: 1, flying: 4, ended: 1 }), 0)).toBe("soon");
		expect(steps.next(rows({ waiting: 1, flying: 4, ended: 32 }), 0)).toBe("now");
		expect(steps.next(rows({ ended: 1 }), 0)).toBe("now");
		expect(steps.next(rows(), 0)).toBe("none");
	});

	test("of a fast service where it marks 24, or those that wait are no more than those on their way", () => {
		const steps = fast({ open: 96 });
		expect(steps.next(rows({ waiting: 40, flying: 30 }), 23)).toBe("none");
		expect(steps.next(rows({ waiting: 40, flying: 30 }), 24)).toBe("now");
		expect(steps.next(rows({ waiting: 30, flying: 30 }), 1)).toBe("now");
	});
});
