import { expect, test } from "vitest";
import { outcomeOfBatch } from "../../../src/payments/batch/send/text.js";

test.each([
	[{ accepted: 5 }, undefined],
	[{ accepted: 5, waiting: 1 }, "pending"],
	[{ accepted: 4, refused: 1 }, "partial"],
	[{ refused: 5 }, "partial"],
	[{ accepted: 4, planned: 1 }, "partial"],
	[{ accepted: 4, "not-sent": 1, waiting: 3 }, "partial"],
	[{ accepted: 4, "not-created": 1 }, "partial"],
	[{ planned: 5 }, "guard"],
	[{ planned: 4, "not-sent": 1 }, "guard"],
	[{ "not-created": 2 }, "guard"],
	[{ planned: 4, sending: 1 }, "pending"],
	[{ accepted: 4, refused: 3, "in-doubt": 1 }, "unknown"],
	[{ planned: 4, sending: 2, "in-doubt": 1 }, "unknown"],
] as const)("a batch with %o ends as %s", (counts, kind) => {
	expect(outcomeOfBatch({ counts })).toBe(kind);
});
