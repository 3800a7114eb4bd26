/**
 * Group commit: concurrent jobs share one transaction and so one disk sync.
 */
import { rollBack } from "./durable.js";
import type { Storage } from "./storage.js";

/** Most jobs of one commit. */
const largestGroup = 32;

/** Writes within a transaction. It may refuse only before its first write; any other error fails the whole group. */
type Job<X, T> = (transaction: X) => T | Promise<T>;

/** What a job writes with, and what a commit of them needs. */
export interface Commits<X> {
	/** Called after a transaction began. */
	begin(): X | Promise<X>;
	/** Called before it is committed. */
	finish(transaction: X): void | Promise<void>;
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

/** One connection's queue. */
export class GroupCommit<X> {
	#waiting: Waiting<X>[] = [];
	#last: Promise<unknown> = Promise.resolve();
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

	/** Runs work that uses the connection while no commit and no other such work does. */
	alone<T>(work: () => T | Promise<T>): Promise<T> {
		const result = this.#last.then(work);
		this.#last = result.catch(() => {});
		return result;
	}

	/** Commits the waiting jobs and accepts no more. */
	async close(): Promise<void> {
		this.#closed = true;
		do await this.alone(() => this.#commit());
		while (this.#waiting.length > 0);
	}

	#schedule(): void {
		if (this.#scheduled) return;
		this.#scheduled = true;
		setImmediate(async () => {
			this.#scheduled = false;
			await this.alone(() => this.#commit());
			if (this.#waiting.length > 0) this.#schedule();
		});
	}

	async #commit(): Promise<void> {
		const group = this.#waiting.splice(0, largestGroup);
		if (group.length === 0) return;
		const finished: (() => void)[] = [];
		try {
			this.storage.exec("BEGIN IMMEDIATE");
			const transaction = await this.commits.begin();
			for (const { job, done, failed } of group) {
				try {
					const result = await job(transaction);
					finished.push(() => done(result));
				} catch (error) {
					if (!(error instanceof RefusedJob)) throw error;
					finished.push(() => failed(error.reason));
				}
			}
			await this.commits.finish(transaction);
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
