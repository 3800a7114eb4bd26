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

/** What the worker is told where it is to end, in place of a call. */
export const endOfThread = "end";

const workers = new Set<Worker>();

/** Ends the workers as soon as each has done what it was asked before. */
export async function endJournalThreads(): Promise<void> {
	const ended = (worker: Worker) => new Promise((resolve) => worker.once("exit", resolve).postMessage(endOfThread));
	await Promise.all([...workers].map(ended));
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
	// While a file is read, many objects live long, and V8 concludes that everything allocated at the same places will. It then keeps every
	// finished transfer until a full collection: with 200,000 rows a sixth more processor time and a tenth more memory.
	setFlag("--no-allocation-site-pretenuring");
	let thread: { ask(method: JournalCall["method"], given: unknown[]): Promise<unknown> } | undefined;
	const ask = (method: JournalCall["method"], ...given: unknown[]): Promise<unknown> => {
		thread ??= start(file, location);
		return thread.ask(method, given);
	};
	return {
		...here,
		planned: (batch) => inLittleMemory(here.planned(batch)),
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

/** The newest Node that is known to have the flags below; without one of them, it would fail. */
const newest = 26;

function setFlag(flag: string): void {
	if (Number.parseInt(process.versions.node, 10) <= newest) setFlagsFromString(flag);
}

/** Rows of a large batch. */
const many = 200_000;

/**
 * The rows that are compared with the plan before any is sent. If they are many, V8 collects everything from then on when half of what lives
 * has been added to it, and not three times as much: 50 MB less with a million rows, for a fortieth of the time.
 */
async function* inLittleMemory<Row>(all: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
	let count = 0;
	for await (const rows of all) {
		if (count <= many && count + rows.length > many) setFlag("--heap-growing-percent=50");
		count += rows.length;
		yield rows;
	}
}

function start(file: URL, workerData: JournalLocation) {
	const waiting = new Map<number, Waiting>();
	let calls = 0;
	// As in this thread (main.ts), node:sqlite's warning that it is experimental is not shown.
	const execArgv = ["--disable-warning=ExperimentalWarning"];
	const worker = new Worker(file, { workerData, execArgv, resourceLimits: { maxYoungGenerationSizeMb: 8 } });
	workers.add(worker);
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
	worker.on("exit", () => {
		workers.delete(worker);
		end(new Error("the journal's thread ended"));
	});
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
