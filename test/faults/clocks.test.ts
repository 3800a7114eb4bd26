import { execa } from "execa";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Service, seeded, startService } from "../e2e/service.js";
import { type ClockShift, clockShift } from "../support/clock-shift.js";
import { faultyProgram } from "../support/driver.js";

const shift = clockShift();
if (typeof shift === "string") process.stdout.write(`${shift}; the tests of a wrong clock in real processes are skipped\n`);
afterAll(() => typeof shift !== "string" && shift.remove());

const [hour, day] = [3_600, 86_400];

test("beside a service whose clock is two hours ahead the control of the day calls no payment missing or new", async () => {
	const service = await startService();
	try {
		const pay = (reference: string) =>
			service.purser([
				...["pay", "ledger", "--from", "Main account", "--to", "Savings", "--amount", "10.10"],
				...["--reference", reference, "--yes"],
			]);
		expect((await pay("before")).exit).toBe(0);
		expect((await service.purser(["sandbox", "simulate", "clock", "--seconds", "7200"])).exit).toBe(0);
		expect((await pay("after")).exit).toBe(0);
		const control = await service.purser(["pay", "reconcile", "--json"]);
		expect(control.exit, control.stderr).toBe(0);
		expect(control.json().counts).toEqual({
			...{ matched: 2, different: 0, notListed: 0, notYetListed: 0, notOurs: 0, inDoubt: 0, notMadeButListed: 0 },
		});
	} finally {
		await service.stop();
	}
});

describe.skipIf(typeof shift === "string")("a machine whose clock is wrong", () => {
	let service: Service;
	afterEach(() => service.stop());

	/** A run on a machine whose clock is so many seconds ahead. */
	const at = (ahead: number, argv: readonly string[], env: Record<string, string> = {}) =>
		service.purser(argv, { env: { ...env, ...(typeof shift === "string" ? {} : shift.env(ahead)) } });
	const pay = (reference: string, amount = "10.10") => [
		...["pay", "ledger", "--ledger-from-id", seeded.main, "--ledger-to-id", seeded.savings],
		...["--amount", amount, "--reference", reference, "--yes", "--json"],
	];
	const codeOf = ({ stderr }: { stderr: string }): string => JSON.parse(stderr.trim().split("\n").at(-1) as string).error?.code;
	/** Transactions that the service made. */
	const made = async (): Promise<number> =>
		((await (await fetch(`${service.url}/_sandbox/summary`)).json()) as { transactions: number }).transactions;
	const timePasses = (seconds: number) => service.purser(["sandbox", "simulate", "clock", "--seconds", String(seconds)]);
	/** What the journal keeps of an intent. */
	const kept = async (intent: number) => (await service.purser(["history", "show", String(intent), "--json"])).json();

	describe("and whose service answers everything", () => {
		beforeEach(async () => {
			service = await startService();
		});

		test("is seen to be so: the journal has its time, and how wrong it was", async () => {
			const paid = await at(-2 * day, pay("control"));
			expect(paid.exit, paid.stderr).toBe(0);
			expect(paid.stderr).toContain("This machine's clock is 48 hours behind the service.");
			const { intent, skew } = await recordOf(1);
			expect(intent).toBe("1");
			expect(Math.abs(skew - 2 * day * 1_000)).toBeLessThan(60_000);
		});

		test("8 days ahead, what was paid a moment ago is held back", async () => {
			const before = await made();
			expect((await at(0, pay("rent"))).exit).toBe(0);
			const again = await at(8 * day, pay("rent"));
			expect([again.exit, codeOf(again)]).toEqual([10, "DUPLICATE"]);
			expect((await made()) - before).toBe(1);
		});

		test.each([["behind", -8 * day]])("8 days %s when it was paid and corrected since, it is held back", async (_, wrong) => {
			const before = await made();
			expect((await at(wrong, pay("rent"))).exit).toBe(0);
			const again = await at(0, pay("rent"));
			expect([again.exit, codeOf(again)]).toEqual([10, "DUPLICATE"]);
			expect((await made()) - before).toBe(1);
		});

		test("control: a program that does not hear the time pays it twice", async () => {
			const faulty = await faultyProgram("src/system/clock.ts", "if (took > longest) return;", "if (took > -1) return;");
			const run = (ahead: number) =>
				execa(process.execPath, [faulty.script, ...pay("rent")], {
					env: { ...service.env, ...(shift as ClockShift).env(ahead) },
					extendEnv: false,
					reject: false,
				});
			try {
				const before = await made();
				expect((await run(0)).exitCode).toBe(0);
				expect((await run(8 * day)).exitCode).toBe(0);
				expect((await made()) - before).toBe(2);
			} finally {
				await faulty.remove();
			}
		});
	});

	describe("and whose service loses the answer", () => {
		beforeEach(async () => {
			service = await startService([], "transaction.interLedger=drop-after");
		});

		/** A token that nobody renews: a whole amount needs no look at the ledger, so the payment is the first request of its run. */
		const token = async (): Promise<string> => {
			const body = JSON.stringify({ username: "operator", partnerName: "example-partner", password: "sandbox-password" });
			const headers = { "content-type": "application/json" };
			const answer = await fetch(`${service.url}/api/partner/login`, { method: "POST", headers, body });
			return ((await answer.json()) as { token: string }).token;
		};

		test("a year ahead where nobody knew the service's time, and corrected since: what is listed is never taken for not created", async () => {
			const wrong = 365 * day;
			const before = await made();
			const lost = await at(wrong, pay("lost", "10"), { PURSER_TOKEN: await token() });
			expect(lost.exit, lost.stderr).toBe(7);
			expect((await recordOf(1)).skew).toBeUndefined();
			// Past the settling time by either clock, as the attempt has it.
			const late = wrong + 30 * hour;
			await timePasses(late);
			await at(late, ["pay", "settle", "--json"]);
			await timePasses(hour);
			await at(late + hour, ["pay", "settle", "--json"]);
			expect(["accepted", "in-doubt"]).toContain((await recordOf(1)).state);
			expect((await made()) - before).toBe(1);
		});
	});

	const recordOf = async (intent: number) => {
		const shown = await kept(intent);
		return shown.record ?? shown;
	};
});
