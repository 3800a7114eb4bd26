/**
 * How rows of a batch are like others, against the same asked of plain lists; and that many equal rows do not make it slow.
 */

import { afterAll, expect, test } from "vitest";
import type { Batches, RowOutcome } from "../../src/ports/batches.js";
import type { JournalOutcome } from "../../src/ports/intent.js";
import { Random } from "../payments/simulation/random.js";
import { seedOfRun } from "../support/seed.js";
import { processorSeconds } from "../support/time.js";
import { planned as plannedRows } from "./batch.js";
import { newFolder, newUuid, openRows, removeFolders } from "./journals.js";

afterAll(removeFolders);

const all = { duplicates: 1_000_000, batches: Array.from({ length: 20 }, (_, at) => String(at + 1)) };

const planned = (batches: Batches, keys: readonly number[], rows: string) =>
	plannedRows(batches, keys, { digest: { rows, sequence: rows } });

const ends = ["accepted", "refused", "in-doubt", "sending"] as const;

function outcomeOf(state: (typeof ends)[number]): JournalOutcome | undefined {
	if (state === "accepted") return { state, id: newUuid(), status: 201 };
	if (state === "refused") return { state, status: 422 };
	return state === "in-doubt" ? { state, reason: "timeout" } : undefined;
}

test("what is alike is what plain lists say", async () => {
	const random = new Random(seedOfRun("rows alike"));
	const keys = (most: number): number[] => Array.from({ length: random.below(most) + 1 }, () => random.below(4));
	for (let round = 0; round < 15; round++) {
		const batches = await openRows(newFolder());
		const others: { batch: string; keys: number[]; states: string[]; numbers: string[]; digest: string }[] = [];
		for (let at = 0; at < 3; at++) {
			const own = keys(6);
			const digest = ["c", "a", "b"][at] as string;
			others.push({ batch: await planned(batches, own, digest), keys: own, states: own.map(() => "planned"), numbers: [], digest });
		}
		// One of them stays a plan; the others are begun, and some of their rows sent.
		const begun = others.slice(1);
		for (const { batch } of begun) await batches.begin(batch, ["planned"], all);
		for (const other of begun) {
			const rows = await batches.advance(other.batch, [], random.below(7));
			const states = rows.map(() => ends[random.below(ends.length)] ?? "sending");
			other.states.splice(0, rows.length, ...states);
			other.numbers = rows.map(({ number }) => String(number));
			const ended = rows.flatMap(({ number }, at): RowOutcome[] => {
				const outcome = outcomeOf(states[at] as (typeof ends)[number]);
				return outcome === undefined ? [] : [{ number, outcome }];
			});
			await batches.advance(other.batch, ended, 0);
		}
		const own = keys(12);
		const counted = begun.map(({ batch, keys: theirs, states, numbers, digest }) => {
			const of = (wanted: readonly string[]) => theirs.filter((_, at) => wanted.includes(states[at] as string));
			const named = (of: readonly string[]) =>
				numbers.filter((_, at) => of.includes(states[at] as string) && own.includes(theirs[at] as number));
			const open = ["in-doubt", "sending"];
			return { batch, out: of(["accepted", "planned"]), doubtful: of(open), doubts: named(open), same: digest === "a" };
		});
		const rows = (keysOf: (other: (typeof counted)[number]) => number[]) =>
			own.filter((key) => counted.some((other) => keysOf(other).includes(key))).length;
		const batch = await planned(batches, own, "a");
		expect(await batches.duplicates(batch, { rows: "a", sequence: "a" }, ["planned"])).toEqual({
			inside: own.length - new Set(own).size,
			earlier: rows(({ out }) => out),
			doubts: { rows: rows(({ doubtful }) => doubtful), intents: counted.flatMap((other) => other.doubts) },
			batches: counted
				.map((other) => ({
					batch: other.batch,
					rows: own.filter((key) => [other.out, other.doubtful].some((those) => those.includes(key))).length,
					same: other.same,
				}))
				.filter(({ rows: found }) => found > 0),
		});
		const asked = { takes: ["planned"], most: 1_000, alike: true, to: [] } as const;
		const listed = await batches.toCheck(batch, asked);
		const first = (key: number): number => own.indexOf(key) + 1;
		expect(listed.inside.map(({ row, same, transfer: of }) => [row, same, of.reference])).toEqual(
			own.flatMap((key, at) => (first(key) === at + 1 ? [] : [[at + 1, first(key), `Row ${key}`]])),
		);
		const met = new Set(counted.flatMap((other) => [...other.out, ...other.doubtful]));
		expect(listed.earlier.map(({ row, rows, transfer: of }) => [row, rows, of.reference])).toEqual(
			own.flatMap((key, at) =>
				first(key) === at + 1 && met.has(key) ? [[at + 1, own.filter((one) => one === key).length, `Row ${key}`]] : [],
			),
		);
		for (const { transfer: of, batch: other, batchRow, state } of listed.earlier) {
			const named = begun.find((one) => one.batch === other);
			expect([`Row ${named?.keys[(batchRow as number) - 1]}`, named?.states[(batchRow as number) - 1]]).toEqual([of.reference, state]);
		}
		expect(await batches.toCheck(batch, { ...asked, most: 1 })).toMatchObject({
			inside: listed.inside.slice(0, 1),
			earlier: listed.earlier.slice(0, 1),
		});
		await batches.close();
	}
});

test("many equal rows, and the same file again, take the time of their number and not of its square", async () => {
	const batches = await openRows(newFolder());
	const keys = Array.from({ length: 12_000 }, () => 1);
	const first = await planned(batches, keys, "a");
	await batches.begin(first, ["planned"], all);
	const again = await planned(batches, keys, "a");
	const took = await processorSeconds(async () =>
		expect(await batches.duplicates(again, { rows: "a", sequence: "a" }, ["planned"])).toEqual({
			inside: 11_999,
			earlier: 12_000,
			doubts: { rows: 0, intents: [] },
			batches: [{ batch: first, rows: 12_000, same: true }],
		}),
	);
	// Each with each would be 144 million looks, some minutes.
	expect(took).toBeLessThan(5);
});
