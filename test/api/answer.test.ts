import { describe, expect, it } from "vitest";
import { otherRecord } from "../../src/api/answer.js";

describe("whether an answer is about the record that was asked for", () => {
	const asked = "aaaaaaaa-0001-4000-8000-00000000000a";
	const other = "bbbbbbbb-0002-4000-8000-00000000000b";

	it.each([
		["no id", [undefined], undefined],
		["the id asked for", [asked], undefined],
		["the same id in capitals", ["AAAAAAAA-0001-4000-8000-00000000000A"], undefined],
		["another one", [other], other],
		["another one beside the id asked for", [other, asked], undefined],
		["no id, then another one", [null, other], other],
		["what is no UUID", ["7", 7, "corporate"], undefined],
	])("%s", (_, ids, named) => {
		expect(otherRecord(asked, ...ids)).toBe(named);
	});
});
