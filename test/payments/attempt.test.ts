import { describe, expect, test } from "vitest";
import { counts, next } from "../../src/payments/rules/attempt.js";
import type { IntentState, JournalStep } from "../../src/ports/intent.js";

const evidence = { source: "person", reason: "seen" } as const;
const check = { at: "2026-03-01T10:00:00.000Z", source: "service", complete: true, fitting: 0 } as const;

const steps: Record<string, JournalStep> = {
	begun: { kind: "begun" },
	accepted: { kind: "ended", outcome: { state: "accepted", id: "x", status: 201 } },
	waiting: { kind: "ended", outcome: { state: "accepted", status: 202, waiting: true } },
	refused: { kind: "ended", outcome: { state: "refused", status: 422 } },
	"not-sent": { kind: "ended", outcome: { state: "not-sent", reason: "refused connection" } },
	doubt: { kind: "ended", outcome: { state: "in-doubt", reason: "timeout" } },
	died: { kind: "died" },
	looked: { kind: "checked", check },
	"settled created": { kind: "settled", settlement: { state: "accepted", id: "x", evidence } },
	reopened: { kind: "reopened", reason: "another's", id: "x" },
	resent: { kind: "resent" },
	"settled by its transaction": {
		kind: "settled",
		settlement: { state: "accepted", id: "x", evidence: { source: "transaction", reason: "named" } },
	},
	"settled not created": { kind: "settled", settlement: { state: "not-created", evidence } },
};

/** Every step that is allowed, with where it leads. Whatever is not here is refused. */
const table: Record<string, Record<string, IntentState>> = {
	none: { begun: "sending" },
	planned: { begun: "sending" },
	sending: {
		accepted: "accepted",
		waiting: "waiting",
		refused: "refused",
		"not-sent": "not-sent",
		doubt: "in-doubt",
		died: "in-doubt",
		looked: "sending",
	},
	"in-doubt": {
		looked: "in-doubt",
		resent: "in-doubt",
		"settled by its transaction": "accepted",
		"settled created": "accepted",
		"settled not created": "not-created",
	},
	"not-created": { begun: "sending", "settled by its transaction": "accepted", reopened: "in-doubt" },
	"not-sent": { begun: "sending" },
	refused: { begun: "sending", reopened: "in-doubt" },
	accepted: { reopened: "in-doubt" },
	waiting: { reopened: "in-doubt" },
};

describe("the state machine of an attempt", () => {
	const cells = Object.entries(table).flatMap(([state, row]) =>
		Object.keys(steps).map((step) => [state, step, row[step] ?? "refused as a fault of ours"] as const),
	);

	test.each(cells)("%s, %s: %s", (state, name, expected) => {
		const take = () => next(state === "none" ? undefined : (state as IntentState), steps[name] as JournalStep);
		if (expected === "refused as a fault of ours") expect(take).toThrow(/cannot take the step/);
		else expect(take()).toBe(expected);
	});

	test("whatever may have gone out counts against the caps", () => {
		const all = ["planned", "sending", "accepted", "waiting", "refused", "not-sent", "in-doubt", "not-created"] as const;
		expect(all.filter(counts)).toEqual(["sending", "accepted", "waiting", "in-doubt"]);
	});
});
