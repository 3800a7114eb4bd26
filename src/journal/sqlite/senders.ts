/**
 * Who is sending, and whether they still live. Each process that sends holds an exclusive lock on a file of its own, which the
 * system takes away when the process ends, however it ends. Time decides nothing, and neither does a process number, which
 * another process may have by now, or which means nothing in another container.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type OpenStorage, type Storage, storageTrouble } from "./storage.js";

const ending = ".lock";

/** A name that no other process takes: 128 bits of SQLite's chance, since Node's own takes longer to load than all else here. */
export function newName(storage: Storage): string {
	return String(storage.prepare("SELECT lower(hex(randomblob(16))) AS name").get()?.name);
}

/** The senders of one journal. */
export class Senders {
	#own?: { name: string; lock: Storage };

	constructor(
		private readonly open: OpenStorage,
		private readonly folder: string,
	) {}

	/**
	 * This process's name as a sender, locked from now until {@link end}. To be called inside a write transaction: the
	 * files of those who died are cleared away here, and nobody may be between making a file and locking it.
	 * @param name one that no other process takes
	 */
	own(name: () => string): string {
		if (this.#own === undefined) {
			this.#clear();
			const own = name();
			const lock = this.open(this.#file(own), { wait: 0 });
			try {
				// Nothing is ever written to it, so no second file need lie beside it.
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

	/** Whether a sender lives: its lock cannot be shared. A file that is gone was left in order, or cleared after a death. */
	lives(name: string): boolean {
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

	/** Gives the lock back. */
	end(): void {
		if (this.#own === undefined) return;
		const { name, lock } = this.#own;
		this.#own = undefined;
		lock.exec("ROLLBACK");
		lock.close();
		this.#remove(name);
	}

	#clear(): void {
		for (const entry of readdirSync(this.folder)) {
			const name = entry.slice(0, -ending.length);
			if (entry.endsWith(ending) && !this.lives(name)) this.#remove(name);
		}
	}

	#remove(name: string): void {
		try {
			rmSync(this.#file(name), { force: true });
		} catch {
			// Whoever cannot remove it leaves it to the next sender.
		}
	}

	#file(name: string): string {
		return join(this.folder, `${name}${ending}`);
	}
}
