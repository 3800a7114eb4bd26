import { expect, test } from "vitest";
import { Slots } from "../../src/http/transport/exchange.js";

test("what is put in comes out once, under its own number", () => {
	const slots = new Slots<string>();
	const [one, two] = [slots.add("one"), slots.add("two")];
	expect(slots.all()).toEqual(["one", "two"]);
	expect([slots.remove(one), slots.remove(one), slots.remove(7)]).toEqual(["one", undefined, undefined]);
	expect(slots.size).toBe(1);
	expect(slots.remove(two)).toBe("two");
	expect(slots.size).toBe(0);
});

test("a number that is free is used again, and no other is given twice", () => {
	const slots = new Slots<number>();
	const given = [10, 11, 12, 13].map((one) => slots.add(one));
	expect(given).toEqual([0, 1, 2, 3]);
	slots.remove(2);
	slots.remove(0);
	expect([slots.add(14), slots.add(15), slots.add(16)].sort()).toEqual([0, 2, 4]);
	expect(slots.all().sort()).toEqual([11, 13, 14, 15, 16]);
});

test("as many come and go as may, it holds no more than were in at once", () => {
	const slots = new Slots<object>();
	const numbers = new Set<number>();
	for (let round = 0; round < 10_000; round++) {
		const [one, other] = [slots.add({}), slots.add({})];
		numbers.add(one).add(other);
		slots.remove(one);
		slots.remove(other);
	}
	expect([...numbers].sort()).toEqual([0, 1]);
	expect(slots.size).toBe(0);
});
