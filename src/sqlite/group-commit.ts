/**
 * Group commit: concurrent jobs share one transaction and so one disk sync.
 */

/** Most jobs of one commit. */
const largestGroup = 32;

/** Writes within a transaction. It may refuse only before its first write; any other error fails the whole group. */
type Job<X, T> = (transaction: X) => T | Promise<T>;

/** How a database begins and ends the transaction that jobs write with. */
export interface Commits<X> {
	begin(): X | Promise<X>;
	/** Durable when it resolves; rejects too if what was committed to is no longer the right file. */
	commit(transaction: X): void | Promise<void>;
	/** Never rejects; there may be no transaction. */
	rollBack(): void | Promise<void>;
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

	constructor(private readonly commits: Commits<X>) {}

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
			await this.commits.commit(transaction);
		} catch (error) {
			await this.commits.rollBack();
			for (const { failed } of group) failed(error);
			return;
		}
		for (const finish of finished) finish();
	}
}
