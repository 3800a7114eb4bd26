import { describe, expect, test } from "vitest";
import { type Rows, Steps } from "../../../src/payments/batch/send/pace.js";

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
