import { createReadStream, promises } from "node:fs";
import { join } from "node:path";
import type { Files } from "../ports/machine.js";
import { readBounded } from "../system/disk/bounded.js";
import { makeFolder } from "../system/disk/private-folder.js";
import { openReplacement } from "../system/disk/replace-file.js";
import { readAll } from "./streams.js";

/** The machine's files. @param stop ends a wait for what a pipe gives */
export const createFiles = (stop: AbortSignal): Files => ({
	read: async (path, limit) => ((await isPipe(path)) ? readAll(await pieces(path, stop), limit) : readBounded(path, limit)),
	stream: async function* (path) {
		yield* (await isPipe(path)) ? await pieces(path, stop) : createReadStream(path);
	},
	writer: openReplacement,
	write: async (path, content, mode, keepsGroup) => {
		const replacement = await openReplacement(path, mode, keepsGroup);
		try {
			await replacement.write(content);
			await replacement.finish();
		} catch (cause) {
			await replacement.discard();
			throw cause;
		}
	},
	folder: async (path) => {
		makeFolder(path);
	},
	list: async (path) => {
		try {
			const found = await promises.readdir(path, { withFileTypes: true });
			return found.filter((entry) => entry.isFile()).map(({ name }) => name);
		} catch (cause) {
			if ((cause as NodeJS.ErrnoException).code === "ENOENT") return [];
			throw cause;
		}
	},
	remove: (path) => promises.rm(path, { force: true }),
	isLink: async (path) => {
		try {
			return (await promises.lstat(path)).isSymbolicLink();
		} catch {
			// Whoever reads or writes it next says what is wrong.
			return false;
		}
	},
	isSpecial: async (path) => {
		try {
			const found = await promises.stat(path);
			return !found.isFile() && !found.isDirectory();
		} catch {
			return false;
		}
	},
	temporary: async () => {
		const { tmpdir } = await import("node:os");
		const path = await promises.mkdtemp(join(tmpdir(), "purser-"));
		return { path, remove: () => promises.rm(path, { recursive: true, force: true }) };
	},
});

/** Whether a path leads to a pipe. Windows shows none among its files. */
async function isPipe(path: string): Promise<boolean> {
	try {
		return (await promises.stat(path)).isFIFO();
	} catch {
		// Whoever opens it says what is wrong.
		return false;
	}
}

/** Loads what reads pipes only here: it takes longer than all else of this file. */
const pieces = async (path: string, stop: AbortSignal): Promise<AsyncIterable<Uint8Array>> =>
	(await import("./pipe.js")).readPipe(path, stop);
