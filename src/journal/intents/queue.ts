/**
 * Group commit: concurrent jobs share one transaction and so one disk sync.
 */
import { rollBack } from "../sqlite/setup.js";
import type { Storage } from "../sqlite/storage.js";
import { WriteTransaction } from "../sqlite/transaction.js";

/** Most jobs of one commit. */
const largestGroup = 32;

/** Writes within a transaction. It may refuse only before its first write; any other error fails the whole group. */
type Job<T> = (transaction: WriteTransaction) => T;

interface Waiting {
	job: Job<unknown>;
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
export class CommitQueue {
	#waiting: Waiting[] = [];
	#scheduled = false;
	#closed = false;

	constructor(
		private readonly storage: Storage,
		private readonly now: () => Date,
		/** Throws if the file that was committed to is no longer the journal; see `same-file.ts`. */
		private readonly kept: () => void = () => {},
	) {}

	/** Runs a job; resolves once what it wrote is durable. Rejects with the driver's error when the commit failed. */
	run<T>(job: Job<T>): Promise<T> {
		return new Promise<T>((resolve, reject) => {
			if (this.#closed) return reject(new Error("the journal is closed"));
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
			const transaction = new WriteTransaction(this.storage, this.now());
			for (const { job, done, failed } of group) {
				try {
					const result = job(transaction);
					finished.push(() => done(result));
				} catch (error) {
					if (!(error instanceof RefusedJob)) throw error;
					finished.push(() => failed(error.reason));
				}
			}
			transaction.finish();
			this.storage.exec("COMMIT");
			this.kept();
		} catch (error) {
			rollBack(this.storage);
			for (const { failed } of group) failed(error);
			return;
		}
		for (const finish of finished) finish();
	}
}
