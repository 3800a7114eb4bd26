import { expect, test } from "vitest";
import { isWanted } from "../../src/events/stream.js";

test.each([
	[["transaction.*"], "transaction.approved", true],
	[["transaction.*"], "transactions.approved", false],
	[["transaction.approved"], "transaction.approved", true],
	[["transaction.approved"], "transaction.approved.twice", false],
	[["*"], "anything", true],
	[["a", "b"], "b", true],
	[undefined, "b", true],
])("%j of %s: %s", (types, type, wanted) => {
	expect(isWanted(type, types)).toBe(wanted);
});
