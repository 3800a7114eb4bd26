/**
 * Batches whose sending is recorded by a worker thread (`journal-worker.ts`). Reading and planning stay in this thread.
 */
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { type Failure, type Kind, PurserError } from "../errors.js";
import type { Batches } from "../ports/batches.js";
import type { Profile } from "../ports/profiles.js";

/** A message to the worker. */
export interface JournalCall {
	call: number;
	method: "begin" | "advance" | "release" | "close";
	given: unknown[];
}

/** Its reply. */
export interface JournalReply {
	call: number;
	result?: unknown;
	failed?: { kind: Kind; failure: Failure };
	broken?: { message: string; code?: string };
}

/** Where the worker finds the journal and its anchor. */
export interface JournalLocation {
	directory: string;
	config: string;
	profile: Profile;
}

interface Waiting {
	done(result: unknown): void;
	failed(error: Error): void;
}

/**
 * @param file the built worker
 * @param here the batches of this thread
 */
export function batchesInThread(file: URL, here: Batches, location: JournalLocation): Batches {
	avoidPretenuring();
	let thread: { ask(method: JournalCall["method"], given: unknown[]): Promise<unknown> } | undefined;
	const ask = (method: JournalCall["method"], ...given: unknown[]): Promise<unknown> => {
		thread ??= start(file, location);
		return thread.ask(method, given);
	};
	return {
		...here,
		// JSON has no undefined in a list, so unknown values are left out.
		begin: (batch, states, allowed, ...skew) => ask("begin", batch, states, allowed, ...known(skew)) as ReturnType<Batches["begin"]>,
		advance: (batch, ended, want, ...skew) => ask("advance", batch, ended, want, ...known(skew)) as ReturnType<Batches["advance"]>,
		release: (batch) => ask("release", batch) as Promise<void>,
		close: async () => {
			if (thread !== undefined) await ask("close");
			await here.close();
		},
	};
}

const known = (skew: readonly (number | undefined)[]): number[] => skew.filter((one) => one !== undefined);

/** The newest Node that is known to have the flag below; without it, one would fail. */
const newest = 26;

/**
 * While a file is read, many objects live long, and V8 concludes that everything allocated at the same places will. It then keeps every
 * finished transfer until a full collection. Measured with 200,000 rows: without this, a sixth more processor time and a tenth more memory.
 */
function avoidPretenuring(): void {
	if (Number.parseInt(process.versions.node, 10) <= newest) setFlagsFromString("--no-allocation-site-pretenuring");
}

function start(file: URL, workerData: JournalLocation) {
	const waiting = new Map<number, Waiting>();
	let calls = 0;
	const worker = new Worker(file, { workerData, resourceLimits: { maxYoungGenerationSizeMb: 8 } });
	// An idle worker must not keep the process alive.
	worker.unref();
	let over: Error | undefined;
	const end = (error: Error): void => {
		over = error;
		for (const { failed } of waiting.values()) failed(error);
	};
	worker.on("message", (message: string) => {
		const { call, result, failed, broken } = JSON.parse(message) as JournalReply;
		const one = waiting.get(call);
		waiting.delete(call);
		if (waiting.size === 0) worker.unref();
		if (failed) one?.failed(new PurserError(failed.kind, failed.failure));
		else if (broken) one?.failed(Object.assign(new Error(broken.message), { code: broken.code }));
		else one?.done(result);
	});
	worker.on("error", end);
	worker.on("exit", () => end(new Error("the journal's thread ended")));
	return {
		ask: (method: JournalCall["method"], given: unknown[]): Promise<unknown> =>
			new Promise((done, failed) => {
				if (over !== undefined) return failed(over);
				calls += 1;
				const call = calls;
				waiting.set(call, { done, failed });
				worker.ref();
				worker.postMessage(JSON.stringify({ call, method, given } satisfies JournalCall));
			}),
	};
}
