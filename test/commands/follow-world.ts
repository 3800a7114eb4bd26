/**
 * Runs of `events follow` in a world whose clock stands still while it waits for the next round.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { ServiceEvent } from "../../src/ports/events.js";
import { seeds } from "../../src/sandbox/service/seed.js";
import type { Ran, World } from "../support/purser.js";

/** Milliseconds for one round, on a machine that does many other things. */
const patience = 60_000;

/** The events of a run, as it told them. */
export const toldBy = ({ stdout }: Pick<Ran, "stdout">): ServiceEvent[] =>
	stdout
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line));

/** A transition, for comparing: `transaction PENDING APPROVED`. */
export const steps = (events: readonly ServiceEvent[]): string[] => events.map(({ subject, from, to }) => `${subject?.kind} ${from} ${to}`);

interface Following {
	/** Moves the clock to the next round, or by more, and waits until that round is over. */
	next(milliseconds?: number): Promise<void>;
	/** Ctrl-C. */
	stop(): Promise<Ran>;
	/** Waits for a run that ends by itself. */
	end: Promise<Ran>;
}

/** Starts a run, and waits until its first round is over. */
export async function following(world: World, ...flags: string[]): Promise<Following> {
	const stop = new AbortController();
	const waiting: { until: number; go: () => void }[] = [];
	world.clock.sleep = (milliseconds) =>
		new Promise((resolve) => {
			// A pause within a round.
			if (milliseconds < 5_000) {
				world.clock.advance(milliseconds);
				return resolve();
			}
			waiting.push({ until: world.clock.now().getTime() + milliseconds, go: resolve });
		});
	let isOver = false;
	const end = world.purser(["events", "follow", "-o", "ndjson", ...flags], { signal: stop.signal }).finally(() => {
		isOver = true;
	});
	const rest = async (): Promise<void> => {
		const began = performance.now();
		while (waiting.length === 0 && !isOver) {
			if (performance.now() - began > patience) throw new Error("the round does not end");
			await turn();
		}
	};
	await rest();
	return {
		end,
		next: async (milliseconds) => {
			const [first] = waiting.splice(0);
			if (first === undefined) throw new Error("nothing is waited for");
			const now = world.clock.now().getTime();
			world.clock.advance(milliseconds ?? first.until - now);
			first.go();
			await rest();
		},
		stop: async () => {
			stop.abort("SIGINT");
			return end;
		},
	};
}

/** One run with one round. */
export async function followOnce(world: World, ...flags: string[]): Promise<Ran> {
	return (await following(world, ...flags)).stop();
}

/** @returns the id of the transaction */
export async function paid(world: World, amount: string, reference = "Invoice"): Promise<string> {
	const words = ["pay", "beneficiary", "--ledger-from-id", seeds.mainLedger, "--beneficiary-id", seeds.supplier, "--amount", amount];
	const ran = await world.purser([...words, "--reference", reference, "--yes", "--json"]);
	if (ran.exit !== 0 && ran.exit !== 8) throw new Error(ran.stderr);
	const { id } = ran.json();
	// It ends when the test says so.
	for (const one of world.sandbox.state.transactions) if (one.id === id) one.settles = Number.POSITIVE_INFINITY;
	return id;
}

/** Changes a transaction of the sandbox, as the service does by itself. */
export function becomes(world: World, id: string, status: string): void {
	const found = world.sandbox.state.transactions.find((one) => one.id === id);
	if (found === undefined) throw new Error(`no transaction ${id}`);
	found.status = status as typeof found.status;
}
