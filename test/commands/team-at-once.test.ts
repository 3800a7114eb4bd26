/**
 * Two machines of a team that do the same at once, by whole commands: one invoice is paid once. The journal's own part of it is in
 * test/journal/team-race.test.ts, and that one case makes one company in test/onboarding/case-twins.test.ts.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { logInWords } from "../support/log-in.js";
import { noPostgres, postgres } from "../support/postgres.js";
import type { Ran } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const invoices = process.env.PURSER_TORTURE === "1" ? 200 : 15;

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
});
