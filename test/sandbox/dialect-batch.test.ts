/**
 * A batch with lost replies through bindings of other words and ids: by the sandbox's own ledger no row is ever paid twice, and in the end
 * every row is paid.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { LedgerTransaction } from "../../src/sandbox/state.js";
import { type BatchWorld, batchWorld } from "../commands/batch-world.js";
import { dialectNamed } from "./dialects.js";

const hour = 3_600_000;
let world: BatchWorld;
afterEach(() => world.end());

const fault = async (body: object): Promise<void> => {
	const { status } = await world.sandbox.handle({
		method: "POST",
		target: "/_sandbox/control/fault",
		headers: { "content-type": "application/json" },
		body: new TextEncoder().encode(JSON.stringify(body)),
	});
	expect(status).toBe(200);
};

/** How often each row was created, by its reference. */
const counted = (transactions: readonly LedgerTransaction[]): Map<string, number> => {
	const counts = new Map<string, number>();
	for (const { reference = "" } of transactions) counts.set(reference, (counts.get(reference) ?? 0) + 1);
	return counts;
};

const ofTwo = (transactions: readonly LedgerTransaction[]): string[] =>
	[...counted(transactions)].filter(([, count]) => count > 1).map(([reference]) => reference);

const count = process.env.PURSER_TORTURE === "1" ? 1_000 : 150;

describe.each(["enveloped", "rpc"] as const)("through the binding %s", (name) => {
	it(`${count} rows, some of whose answers are lost`, async () => {
		world = await batchWorld({}, {}, dialectNamed(name));
		const rows = Array.from({ length: count }, (_, index) => [`${1 + (index % 7)}.${10 + (index % 90)}`, `Row ${index + 1}`] as const);
		const cents = rows.reduce((sum, [amount]) => sum + BigInt(amount.replace(".", "")), 0n);
		const [from] = world.sandbox.state.ledgers.filter(({ id }) => id === world.from);
		if (from) from.total = String(cents + 100n);
		await fault({ fault: "transaction.interLedger=drop-after:0.03" });
		await fault({ fault: "transaction.interLedger=drop-before:0.03" });
		const { batch, ran } = await world.sent(rows);
		expect(ran.exit, ran.stderr).toBe(7);
		await fault({ clear: true });
		const { transactions } = world.sandbox.state;
		const doubts = (await world.purser(["pay", "doubts", "--json"])).json() as { row: number }[];
		const created = doubts.filter(({ row }) => counted(transactions).has(`Row ${row}`));
		// The control: sending what is in doubt once more would pay those twice.
		expect([created.length > 0, created.length < doubts.length]).toEqual([true, true]);

		world.clock.advance(25 * hour);
		const settled = (await world.purser(["pay", "settle", "--batch", batch, "--json"])).json() as {
			state: string;
			check?: { number: number };
		}[];
		const check = String(settled.find(({ state }) => state === "in-doubt")?.check?.number);
		const word = ["--not-created", "--check", check, "--reason", "the sandbox lists all"];
		expect((await world.purser(["pay", "settle", "--batch", batch, ...word])).exit).toBe(0);
		expect((await world.purser(["pay", "doubts", "--json"])).json()).toEqual([]);
		const resumed = await world.purser(["pay", "batch", "resume", "pay.csv.plan.json", "--yes", "--json"]);
		expect(resumed.exit, resumed.stderr).toBe(0);

		expect(ofTwo(transactions)).toEqual([]);
		expect(counted(transactions).size).toBe(count);
		expect(transactions.reduce((sum, { amount }) => sum + BigInt(amount), 0n)).toBe(cents);
		expect(resumed.json().counts).toMatchObject({ accepted: count });
	});
});
