import { expect, test } from "vitest";
import { isWanted } from "../../src/events/stream.js";

const about = (type: string, id = "3F1c9a52-8e6b-4b0e-9d58-0f4f6f3c2a11") => ({ type, subject: { kind: "transaction", id } as const });

test.each([
	["transaction.*", "transaction.approved", true],
	["transaction.*", "transactions.approved", false],
	["transaction.approved", "transaction.approved", true],
	["transaction.approved", "transaction.approved.twice", false],
	["*", "anything", true],
])("%s of %s: %s", (pattern, type, wanted) => {
	expect(isWanted(about(type), { types: [pattern] })).toBe(wanted);
});

test("any of several types, of one record whatever the case of its id, and all where nothing is asked for", () => {
	expect(isWanted(about("b"), { types: ["a", "b"] })).toBe(true);
	expect(isWanted(about("b"), {})).toBe(true);
	expect(isWanted(about("b"), { subject: "3f1c9a52-8E6B-4b0e-9d58-0f4f6f3c2a11" })).toBe(true);
	expect(isWanted(about("b"), { subject: "another" })).toBe(false);
	expect(isWanted({ type: "b", subject: null }, { subject: "another" })).toBe(false);
});
