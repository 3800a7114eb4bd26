import { createReadStream, promises } from "node:fs";
import { join } from "node:path";
import type { Files } from "../ports/machine.js";
import { readBoundedSync } from "../system/disk/bounded.js";
import { makeFolder } from "../system/disk/private-folder.js";
import { openReplacement } from "../system/disk/replace-file.js";
import { readAll } from "./streams.js";

/** The machine's files. @param stop ends a wait for what a pipe gives */
export const createFiles = (stop: AbortSignal): Files => ({
	read: async (path, limit) => ((await found(path))?.isFile() ? readBoundedSync(path, limit) : readAll(pieces(path, stop), limit)),
	stream: async function* (path) {
		yield* (await found(path))?.isFile() ? filePieces(path) : pieces(path, stop);
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
	isLink: async (path) => (await promises.lstat(path).catch(() => undefined))?.isSymbolicLink() === true,
	isSpecial: async (path) => {
		const there = await found(path);
		return there !== undefined && !there.isFile() && !there.isDirectory();
	},
	temporary: async () => {
		const { tmpdir } = process.getBuiltinModule("node:os");
		const path = await promises.mkdtemp(join(tmpdir(), "purser-"));
		return { path, remove: () => promises.rm(path, { recursive: true, force: true }) };
	},
});

/** Undefined where it cannot be looked at: whoever opens it says what is wrong. */
const found = (path: string) => promises.stat(path).catch(() => undefined);

async function* pieces(path: string, stop: AbortSignal): AsyncGenerator<Uint8Array> {
	// Loads what reads pipes only here: it takes longer than all else of this file.
	yield* (await found(path))?.isFIFO() ? (await import("./pipe.js")).readPipe(path, stop) : createReadStream(path);
}

const pieceSize = 64 * 1024;

/** One buffer for all pieces: a new one for each would wait for the next full collection, as much as the file in the end. */
async function* filePieces(path: string): AsyncGenerator<Uint8Array> {
	const file = await promises.open(path);
	const piece = Buffer.allocUnsafe(pieceSize);
	try {
		for (;;) {
			const { bytesRead } = await file.read(piece, 0, pieceSize);
			if (bytesRead === 0) return;
			yield piece.subarray(0, bytesRead);
		}
	} finally {
		await file.close();
	}
}
