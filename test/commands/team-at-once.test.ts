/**
 * Two machines of a team that do the same at once, by whole commands: one invoice is paid once, one case makes one company. The journal's own part
 * of it is in test/journal/team-race.test.ts.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { textOf } from "../onboarding/case-world.js";
import { logInWords } from "../support/log-in.js";
import { noPostgres, postgres } from "../support/postgres.js";
import type { Ran } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const isTorture = process.env.PURSER_TORTURE === "1";
const [invoices, cases] = isTorture ? [200, 50] : [15, 4];

describe.skipIf(noPostgres !== undefined)("two machines of a team at once", () => {
	let laptop: BatchWorld;
	let desk: BatchWorld;
	beforeEach(async () => {
		const address = await (await postgres()).journal();
		laptop = await batchWorld({}, {}, address);
		desk = await batchWorld({}, {}, address);
		// One service for both.
		desk.sandbox = laptop.sandbox;
		await desk.purser(logInWords, { input: "sandbox-password" });
	});
	afterEach(async () => {
		await laptop.end();
		await desk.end();
	});
	const sorted = (rans: readonly Ran[]): string =>
		rans
			.map((ran) => (ran.exit === 0 ? "done" : ran.error().code))
			.sort()
			.join(" ");

	test(`pay ${invoices} invoices, each of them once`, async () => {
		const unpaid = laptop.sandbox.state.transactions.length;
		const outcomes = new Set<string>();
		for (let at = 0; at < invoices; at++)
			outcomes.add(sorted(await Promise.all([laptop, desk].map((machine) => machine.pay("12.50", `Invoice ${at}`)))));
		expect([...outcomes].filter((outcome) => !["ALREADY_SENDING done", "DUPLICATE done"].includes(outcome))).toEqual([]);
		expect(laptop.sandbox.state.transactions.length - unpaid).toBe(invoices);
	});

	test(`onboard ${cases} companies, each of them once`, async () => {
		const text = textOf("sole-owner");
		const known = laptop.sandbox.state.corporates.length;
		const outcomes = new Set<string>();
		for (let at = 0; at < cases; at++) {
			for (const machine of [laptop, desk])
				machine.put("case.yaml", text.replace("case-sole", `case-${at}`).replace("111 111 111", `111 111 ${100 + at}`));
			const apply = (machine: BatchWorld) => machine.purser("onboard apply case.yaml --yes --confirmed-by operator --json");
			outcomes.add(sorted(await Promise.all([apply(laptop), apply(desk)])));
			// Whoever came second goes on from what the first one made.
			expect([(await apply(laptop)).exit, (await apply(desk)).exit]).toEqual([0, 0]);
		}
		expect([...outcomes].filter((outcome) => !/^(ALREADY_SENDING|CREATED_JUST_NOW|done) done$/.test(outcome))).toEqual([]);
		expect(laptop.sandbox.state.corporates.length - known).toBe(cases);
	});
});
