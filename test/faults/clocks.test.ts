import { execa } from "execa";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type Service, seeded, startService } from "../e2e/service.js";
import { clockShift } from "../support/clock-shift.js";
import { faultyProgram } from "../support/driver.js";

const shift = clockShift();
if (typeof shift === "string") process.stdout.write(`${shift}; the tests of a wrong clock in real processes are skipped\n`);
afterAll(() => typeof shift !== "string" && shift.remove());

const [hour, day] = [3_600, 86_400];
let service: Service;

const pay = (reference: string, amount = "10.10") => [
	...["pay", "ledger", "--ledger-from-id", seeded.main, "--ledger-to-id", seeded.savings],
	...["--amount", amount, "--reference", reference, "--yes", "--json"],
];
const timePasses = (seconds: number) => service.purser(["sandbox", "simulate", "clock", "--seconds", String(seconds)]);

describe("a service whose clock is two hours ahead", () => {
	beforeEach(async () => {
		service = await startService();
		return service.stop;
	});

	test("calls no payment missing or new in the control of the day", async () => {
		expect((await service.purser(pay("before"))).exit).toBe(0);
		await timePasses(2 * hour);
		expect((await service.purser(pay("after"))).exit).toBe(0);
		const control = await service.purser(["pay", "reconcile", "--json"]);
		expect(control.exit, control.stderr).toBe(0);
		expect(control.json().counts).toEqual({
			...{ matched: 2, different: 0, notListed: 0, notYetListed: 0, notOurs: 0, inDoubt: 0, notMadeButListed: 0 },
		});
	});
});

// What a journal holds back on a clock that was wrong is in test/journal/service-time.test.ts.
describe.skipIf(typeof shift === "string")("a machine whose clock is wrong", () => {
	/** Variables of a machine whose clock is so many seconds ahead. */
	const ahead = (seconds: number): Record<string, string> => (typeof shift === "string" ? {} : shift.env(seconds));
	/** A run there. */
	const at = (seconds: number, argv: readonly string[], env: Record<string, string> = {}) =>
		service.purser(argv, { env: { ...env, ...ahead(seconds) } });
	/** Transactions that the service made. */
	const made = async (): Promise<number> =>
		((await (await fetch(`${service.url}/_sandbox/summary`)).json()) as { transactions: number }).transactions;
	/** What the journal keeps of the first intent. */
	const recorded = async () => {
		const shown = (await service.purser(["history", "show", "1", "--json"])).json();
		return shown.record ?? shown;
	};

	describe("and whose service answers everything", () => {
		beforeEach(async () => {
			service = await startService();
			return service.stop;
		});

		test("is seen to be so: the journal has its time and how wrong it was, and right or wrong again it pays no second time", async () => {
			const before = await made();
			const paid = await at(-8 * day, pay("rent"));
			expect([paid.exit, paid.stderr]).toEqual([0, expect.stringContaining("This machine's clock is 192 hours behind the service.")]);
			expect(Math.abs((await recorded()).skew - 8 * day * 1_000)).toBeLessThan(60_000);
			for (const seconds of [0, 8 * day]) {
				const again = await at(seconds, pay("rent"));
				expect([again.exit, again.stderr]).toEqual([10, expect.stringContaining('"DUPLICATE"')]);
			}
			expect((await made()) - before).toBe(1);
		});

		test("control: a program that does not hear the time pays it twice", async () => {
			const faulty = await faultyProgram("src/system/clock.ts", "if (took > longest) return;", "if (took > -1) return;");
			const before = await made();
			for (const seconds of [0, 8 * day])
				await execa(process.execPath, [faulty, ...pay("rent")], { env: { ...service.env, ...ahead(seconds) }, extendEnv: false });
			expect((await made()) - before).toBe(2);
		});
	});

	describe("and whose service loses the answer", () => {
		beforeEach(async () => {
			service = await startService([], "transaction.interLedger=drop-after");
			return service.stop;
		});

		test("a year ahead where nobody knew the service's time, and corrected since: what is listed is never taken for not created", async () => {
			const wrong = 365 * day;
			const before = await made();
			// A token that nobody renews: a whole amount needs no look at the ledger, so the payment is the first request of its run.
			const body = JSON.stringify({ username: "operator", partnerName: "example-partner", password: "sandbox-password" });
			const headers = { "content-type": "application/json" };
			const answer = await fetch(`${service.url}/api/partner/login`, { method: "POST", headers, body });
			const { token } = (await answer.json()) as { token: string };
			const lost = await at(wrong, pay("lost", "10"), { PURSER_TOKEN: token });
			expect(lost.exit, lost.stderr).toBe(7);
			expect((await recorded()).skew).toBeUndefined();
			// Past the settling time by either clock, as the attempt has it.
			const late = wrong + 30 * hour;
			await timePasses(late);
			await at(late, ["pay", "settle", "--json"]);
			await timePasses(hour);
			await at(late + hour, ["pay", "settle", "--json"]);
			expect(["accepted", "in-doubt"]).toContain((await recorded()).state);
			expect((await made()) - before).toBe(1);
		});
	});
});
