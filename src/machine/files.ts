import { createReadStream } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, open, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Files } from "../context.js";

/** The machine's files. A file is replaced whole: what was there stays until the new one is complete. */
export const files: Files = {
	read: async (path, limit) => {
		const file = await open(path, "r");
		try {
			const parts: Buffer[] = [];
			let length = 0;
			for await (const part of file.createReadStream()) {
				length += (part as Buffer).length;
				if (length > limit) throw new RangeError(`${path} has more than ${limit} bytes`);
				parts.push(part as Buffer);
			}
			return Buffer.concat(parts);
		} finally {
			await file.close().catch(() => {});
		}
	},
	stream: (path) => createReadStream(path),
	writer: async (path, mode) => {
		const beside = `${path}.${crypto.randomUUID()}.tmp`;
		const file = await open(beside, "wx", mode ?? 0o644);
		return {
			// Unlike `write`, it goes on until everything is written.
			write: (text) => file.appendFile(text),
			finish: async () => {
				await file.sync();
				await file.close();
				await rename(beside, path);
			},
			discard: async () => {
				await file.close().catch(() => {});
				await rm(beside, { force: true });
			},
		};
	},
	write: async (path, content, mode) => {
		const beside = `${path}.${crypto.randomUUID()}.tmp`;
		try {
			await writeFile(beside, content, { mode: mode ?? 0o644, flag: "wx" });
			if (mode !== undefined) await chmod(beside, mode);
			await rename(beside, path);
		} catch (cause) {
			await rm(beside, { force: true });
			throw cause;
		}
	},
	folder: async (path) => {
		await mkdir(path, { recursive: true, mode: 0o700 });
	},
	remove: (path) => rm(path, { force: true }),
	isLink: async (path) => {
		try {
			return (await lstat(path)).isSymbolicLink();
		} catch {
			// Whoever reads or writes it next says what is wrong.
			return false;
		}
	},
	temporary: async () => {
		const path = await mkdtemp(join(tmpdir(), "purser-"));
		return { path, remove: () => rm(path, { recursive: true, force: true }) };
	},
};
