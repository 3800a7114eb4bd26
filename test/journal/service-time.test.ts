/**
 * The journal on a machine whose clock is wrong: what is held back, which day counts, what has expired, and what it keeps of the time.
 */
import { afterEach, describe, expect, test } from "vitest";
import type { Batches } from "../../src/ports/batches.js";
import type { Journal } from "../../src/ports/journal.js";
import { endWorlds, none, planned as plannedRows, worldWith } from "./batch.js";
import { codeOf, payment, stores } from "./journals.js";

// Each journal adds up at the end.
afterEach(endWorlds);

const day = 86_400_000;
const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
describe.each(stores)("a journal on a machine whose clock is wrong, with %s", (driver) => {
	/** At the service it is 1 March 2026, 10:00, unless more time has passed. */
	async function desk(settings: Record<string, string> = {}) {
		const world = await worldWith(settings, driver);
		let now = world.clock.now().getTime();
		return {
			...world,
			/** The machine's clock is set so far ahead of the service's (behind: negative). */
			wrongBy: (ahead: number) => world.clock.set(new Date(now + ahead).toISOString()),
			pass: (milliseconds: number) => {
				now += milliseconds;
				world.clock.advance(milliseconds);
			},
			/** The service's clock minus this machine's. */
			skew: () => now - world.clock.now().getTime(),
		};
	}

	async function pay(journal: Journal, reference: string, skews: { before?: number; after?: number }, number: number): Promise<void> {
		const intent = await journal.begin(payment({ reference }, skews.before === undefined ? {} : { skew: skews.before }));
		await journal.end(intent, { state: "accepted", id: id(number), status: 201, skew: skews.after });
	}

	describe("a payment alike", () => {
		test.each([
			["8 days behind", -8 * day, "done"],
			// Which of both clocks was set is not known.
			["8 days ahead", 8 * day, "DUPLICATE"],
			["a year ahead", 365 * day, "done"],
		])("paid %s is held back once the clock is right, by what its own answer told", async (_, ahead, later) => {
			const { wrongBy, skew, journal, pass } = await desk();
			wrongBy(ahead);
			await pay(journal, "rent", { after: skew() }, 1);
			wrongBy(0);
			pass(6 * day);
			expect(await codeOf(journal.begin(payment({ reference: "rent" }, { skew: skew() })))).toBe("DUPLICATE");
			pass(2 * day);
			expect(await codeOf(journal.begin(payment({ reference: "rent" }, { skew: skew() })))).toBe(later);
		});

		test("is held back where an answer is dated 8 days ahead", async () => {
			const { skew, journal } = await desk();
			await pay(journal, "rent", { before: skew() }, 1);
			expect(await codeOf(journal.begin(payment({ reference: "rent" }, { skew: 8 * day })))).toBe("DUPLICATE");
		});

		test("is held back on a clock that is 8 days ahead now, whether that is known or not", async () => {
			const { wrongBy, skew, journal } = await desk();
			await pay(journal, "rent", { after: skew() }, 1);
			wrongBy(8 * day);
			expect(await codeOf(journal.begin(payment({ reference: "rent" }, { skew: skew() })))).toBe("DUPLICATE");
			expect(await codeOf(journal.begin(payment({ reference: "rent" })))).toBe("CLOCK_UNCHECKED");
			const said = { despite: { intents: ["1"], reason: "owed twice" } };
			expect(await codeOf(journal.begin(payment({ reference: "rent" }, said)))).toBe("done");
		});
	});

	test("the cap of a day is that of the service's day; where this machine's clock says another one, nothing is sent", async () => {
		const { wrongBy, skew, journal, batches } = await desk({ "cap-per-day": "15" });
		// Within the same day, and around midnight for a few minutes.
		wrongBy(10 * 3_600_000);
		await pay(journal, "one", { before: skew() }, 1);
		for (const ahead of [-day, 3 * day, 14 * 3_600_000]) {
			wrongBy(ahead);
			expect(await codeOf(journal.begin(payment({ reference: "two", amount: "1" }, { skew: skew() })))).toBe("CLOCKS_DIFFER");
		}
		const batch = await plannedRows(batches, [1], { expires: "2026-03-03T10:00:00.000Z" });
		expect(await codeOf(batches.begin(batch, ["planned"], none, skew()))).toBe("CLOCKS_DIFFER");
		wrongBy(0);
		expect(await codeOf(journal.begin(payment({ reference: "two" }, { skew: skew() })))).toBe("CAP_PER_DAY");
		const small = await journal.begin(payment({ reference: "three", amount: "4" }, { skew: skew() }));
		expect(await codeOf(journal.begin(payment({ reference: "four", amount: "1" }, { skew: skew() })))).toBe("CAP_PER_DAY");
		await journal.end(small, { state: "refused", status: 422 });
		expect(await codeOf(journal.begin(payment({ reference: "five", amount: "4" }, { skew: skew() })))).toBe("done");
		// Of a sandbox a person moves the time.
		const moved = { skew: 5 * day, sandbox: "box" };
		expect(await codeOf(journal.begin(payment({ reference: "six", amount: "1" }, moved)))).toBe("done");
	});

	test("the highest time that an answer with a wrong date set is dropped by the next right one, on record", async () => {
		const { skew, journal } = await desk();
		const events = async () => {
			const found: unknown[] = [];
			for await (const { kind, content } of journal.events(0)) if (kind === "clock") found.push(content);
			return found;
		};
		await pay(journal, "one", { before: skew() + 3_650 * day }, 1);
		expect(await events()).toEqual([]);
		await pay(journal, "two", { before: skew() }, 2);
		expect(await events()).toEqual([{ dropped: "2036-02-27T10:00:00.000Z", service: "2026-03-01T10:00:00.000Z" }]);
	});

	describe("a batch", () => {
		const planned = (batches: Batches, references: readonly number[], expires = "2026-03-02T10:00:00.000Z") =>
			plannedRows(batches, references, { expires });

		test("whose plan has expired by the service stays so on a clock that went back", async () => {
			const { wrongBy, skew, pass, batches } = await desk();
			const batch = await planned(batches, [1]);
			pass(25 * 3_600_000);
			wrongBy(-25 * 3_600_000);
			// Control: nobody but this machine says what time it is.
			const other = await planned(batches, [2]);
			expect(await codeOf(batches.begin(other, ["planned"], none))).toBe("done");
			expect(await codeOf(batches.begin(batch, ["planned"], none, skew()))).toBe("PLAN_EXPIRED");
		});

		test("is not stopped for ever by one answer with a date far ahead", async () => {
			const { skew, journal, batches } = await desk();
			const batch = await planned(batches, [1]);
			await pay(journal, "one", { before: skew() + 365 * day }, 1);
			expect(await codeOf(batches.begin(batch, ["planned"], none))).toBe("PLAN_EXPIRED");
			expect(await codeOf(batches.begin(batch, ["planned"], none, skew()))).toBe("done");
		});

		test("has on record of each row how wrong the clock was when it began, whatever becomes of it", async () => {
			const { another, wrongBy, skew, pass, journal, batches } = await desk();
			const batch = await planned(batches, [1, 2, 3], "2026-03-30T10:00:00.000Z");
			wrongBy(2 * day);
			await batches.begin(batch, ["planned"], none);
			const [first] = await batches.advance(batch, [], 1);
			const [second, third] = await batches.advance(batch, [], 2, skew());
			await batches.advance(batch, [{ number: Number(second?.number), outcome: { state: "accepted", id: id(1), status: 201 } }], 0, skew());
			const skews = async () => (await journal.list({ batch })).map(({ row, state, skew: of }) => `${row} ${state} ${of}`).reverse();
			expect(await skews()).toEqual(["1 sending undefined", "2 accepted -172800000", "3 sending -172800000"]);
			// The sender dies, and another goes on: what it left is in doubt.
			await batches.close();
			const again = await another();
			await again.begin(batch, ["planned"], none);
			expect(await skews()).toEqual(["1 in-doubt undefined", "2 accepted -172800000", "3 in-doubt -172800000"]);
			pass(3_600_000);
			await journal.settle(String(third?.number), { state: "not-created", evidence: { source: "person", reason: "checked" } }, 1);
			await journal.settle(String(first?.number), { state: "accepted", evidence: { source: "person", reason: "checked" } }, 1);
			expect(await skews()).toEqual(["1 accepted undefined", "2 accepted -172800000", "3 not-created -172800000"]);
			expect((await journal.show(String(third?.number)))?.events[0]?.content).toMatchObject({ attempt: 1, skew: -2 * day });
			expect((await journal.verify()).faults).toEqual([]);
		});
	});
});
