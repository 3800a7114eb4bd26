/**
 * Group commit: concurrent jobs share one transaction and so one disk sync.
 */
import { rollBack } from "./durable.js";
import type { Storage } from "./storage.js";

/** Most jobs of one commit. */
const largestGroup = 32;

/** Writes within a transaction. It may refuse only before its first write; any other error fails the whole group. */
type Job<X, T> = (transaction: X) => T;

/** What a job writes with, and what a commit of them needs. */
export interface Commits<X> {
	/** Called after a transaction began. */
	begin(): X;
	/** Called before it is committed. */
	finish(transaction: X): void;
	/** Called once it is durable; throws if the file that was committed to is no longer the right one. */
	stillInPlace(): void;
}

interface Waiting<X> {
	job: Job<X, unknown>;
	done(result: unknown): void;
	failed(error: unknown): void;
}

/** Thrown by a job that refuses to write: only this job fails; the others of its group are committed. */
export class RefusedJob extends Error {
	constructor(readonly reason: unknown) {
		super("refused");
	}
}

/** One writer's queue. */
export class GroupCommit<X> {
	#waiting: Waiting<X>[] = [];
	#scheduled = false;
	#closed = false;

	constructor(
		private readonly storage: Storage,
		private readonly commits: Commits<X>,
	) {}

	/** Runs a job; resolves once what it wrote is durable. Rejects with the driver's error when the commit failed. */
	run<T>(job: Job<X, T>): Promise<T> {
		return new Promise<T>((resolve, reject) => {
			if (this.#closed) return reject(new Error("the file is closed"));
			this.#waiting.push({ job, done: resolve as (result: unknown) => void, failed: reject });
			this.#schedule();
		});
	}

	/** Commits the waiting jobs and accepts no more. */
	close(): void {
		this.#closed = true;
		while (this.#waiting.length > 0) this.#commit();
	}

	#schedule(): void {
		if (this.#scheduled) return;
		this.#scheduled = true;
		setImmediate(() => {
			this.#scheduled = false;
			if (this.#waiting.length === 0) return;
			this.#commit();
			if (this.#waiting.length > 0) this.#schedule();
		});
	}

	#commit(): void {
		const group = this.#waiting.splice(0, largestGroup);
		const finished: (() => void)[] = [];
		try {
			this.storage.exec("BEGIN IMMEDIATE");
			const transaction = this.commits.begin();
			for (const { job, done, failed } of group) {
				try {
					const result = job(transaction);
					finished.push(() => done(result));
				} catch (error) {
					if (!(error instanceof RefusedJob)) throw error;
					finished.push(() => failed(error.reason));
				}
			}
			this.commits.finish(transaction);
			this.storage.exec("COMMIT");
			this.commits.stillInPlace();
		} catch (error) {
			rollBack(this.storage);
			for (const { failed } of group) failed(error);
			return;
		}
		for (const finish of finished) finish();
	}
}
