import { expect, test } from "vitest";
import { type Observation, violations } from "../support/invariants.js";

const made = (ids: Record<string, string[]>) => new Map(Object.entries(ids));

const well: Observation = {
	rows: [
		{ key: "a", amount: "10.10", state: "accepted", id: "1" },
		{ key: "b", amount: "5", state: "refused" },
		{ key: "c", amount: "0.90", state: "in-doubt" },
	],
	asked: ["a", "b", "c"],
	total: "16.00",
	created: made({ a: ["1"], c: ["2"] }),
	deaths: 1,
	inFlight: 1,
	faults: [],
	exits: [{ code: 7, states: ["accepted", "in-doubt"] }],
	disk: { bytes: [new TextEncoder().encode("only ids")], secrets: ["the-token"] },
};

const changed = (index: number, row: Partial<Observation["rows"][number]>): Observation["rows"] =>
	well.rows.map((one, at) => (at === index ? { ...one, ...row } : one));

test("what is well violates nothing", () => {
	expect(violations(well)).toEqual([]);
});

test.each<[string, Partial<Observation>, string]>([
	["made twice", { created: made({ a: ["1", "9"], c: ["2"] }) }, "1"],
	["made and on no record", { created: made({ a: ["1"], x: ["9"] }) }, "1"],
	["accepted and never made", { created: made({ c: ["2"] }) }, "2"],
	["accepted under another id", { rows: changed(0, { id: "7" }) }, "2"],
	["made and refused", { rows: changed(2, { state: "refused" }) }, "4"],
	["made and not created", { rows: changed(2, { state: "not-created" }) }, "4"],
	["made and planned", { rows: changed(2, { state: "planned" }) }, "4"],
	["a row lost", { rows: well.rows.slice(0, 2), created: made({ a: ["1"] }), total: "15.10" }, "5"],
	["a row twice", { asked: ["a", "b", "c", "b"] }, "5"],
	["another total", { total: "16.01" }, "6"],
	["a doubt that nothing explains", { deaths: 0 }, "7"],
	["a damaged file", { faults: ["page 3 is never used"] }, "8"],
	["an exit that hides a doubt", { exits: [{ code: 0, states: ["accepted", "in-doubt"] }] }, "9"],
	["an exit that hides a refusal", { exits: [{ code: 0, states: ["accepted", "refused"] }] }, "9"],
	["a secret on the disk", { disk: { bytes: [new TextEncoder().encode("x the-token y")], secrets: ["the-token"] } }, "10"],
])("%s is seen", (_, given, number) => {
	const found = violations({ ...well, ...given });
	expect(found.map((violation) => violation.split(":")[0])).toContain(number);
});
