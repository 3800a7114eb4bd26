import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { withDeadline } from "../../src/api/deadline.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const endOf = (signal: AbortSignal): Promise<string> =>
	new Promise((resolve) => signal.addEventListener("abort", () => resolve((signal.reason as Error).name), { once: true }));

test("the time ends although nothing but the listener is left, and garbage was collected meanwhile", async () => {
	const ended = endOf(withDeadline(30, new AbortController().signal));
	let turns = 0;
	// Keeps the process alive: the deadline alone does not.
	const collecting = setInterval(() => {
		turns += 1;
		collect();
	}, 1);
	const end = await Promise.race([ended, new Promise<string>((resolve) => setTimeout(resolve, 10_000, "never"))]);
	clearInterval(collecting);
	expect([end, turns > 0]).toEqual(["TimeoutError", true]);
});

test("it ends with the other signal, at once where that has ended", async () => {
	const stopping = new AbortController();
	const signal = withDeadline(60_000, stopping.signal);
	expect(signal.aborted).toBe(false);
	stopping.abort(new Error("stopped"));
	expect([signal.aborted, signal.reason]).toEqual([true, new Error("stopped")]);
	expect(withDeadline(60_000, stopping.signal).aborted).toBe(true);
});
