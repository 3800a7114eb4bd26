/**
 * Which processes are sending, and whether they are alive. Each sender holds an exclusive lock on a file of its own, which the system
 * releases when the process ends for whatever reason. Timeouts and process ids are not used: a process id may have been reused, and means
 * nothing in another container.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type OpenStorage, type Storage, storageTrouble } from "../../sqlite/storage.js";
import type { Senders } from "../tables/connection.js";

const lockSuffix = ".lock";

/** The senders of one journal. */
export class SenderLocks implements Senders {
	#own?: { name: string; lock: Storage };

	constructor(
		private readonly open: OpenStorage,
		private readonly folder: string,
	) {}

	/**
	 * This process's name as a sender; its lock is held until {@link end}. Call it inside a write transaction: it removes the files of dead
	 * senders, and no other process may be between creating its file and locking it.
	 */
	async own(): Promise<string> {
		if (this.#own === undefined) {
			this.#clear();
			const own = crypto.randomUUID();
			const lock = this.open(this.#file(own), { wait: 0 });
			try {
				// Nothing is ever written to it, so no journal file is needed.
				lock.exec("PRAGMA journal_mode = MEMORY");
				lock.exec("BEGIN EXCLUSIVE");
			} catch (error) {
				lock.close();
				throw error;
			}
			this.#own = { name: own, lock };
		}
		return this.#own.name;
	}

	async living(names: Iterable<string>): Promise<ReadonlySet<string>> {
		return new Set([...names].filter((name) => this.#lives(name)));
	}

	/** Whether a sender is alive, that is, its lock is held. A missing file means that it ended properly or was cleared after its death. */
	#lives(name: string): boolean {
		if (name === this.#own?.name) return true;
		const file = this.#file(name);
		if (!existsSync(file)) return false;
		const probe = this.open(file, { wait: 0 });
		try {
			probe.prepare("SELECT count(*) AS tables FROM sqlite_master").get();
			return false;
		} catch (error) {
			if (storageTrouble(error) === "busy") return true;
			throw error;
		} finally {
			probe.close();
		}
	}

	/** Releases the lock. */
	async end(): Promise<void> {
		if (this.#own === undefined) return;
		const { name, lock } = this.#own;
		this.#own = undefined;
		lock.exec("ROLLBACK");
		lock.close();
		this.#remove(name);
	}

	#clear(): void {
		for (const entry of readdirSync(this.folder)) {
			const name = entry.slice(0, -lockSuffix.length);
			if (entry.endsWith(lockSuffix) && !this.#lives(name)) this.#remove(name);
		}
	}

	#remove(name: string): void {
		try {
			rmSync(this.#file(name), { force: true });
		} catch {
			// The next sender will try again.
		}
	}

	#file(name: string): string {
		return join(this.folder, `${name}${lockSuffix}`);
	}
}
