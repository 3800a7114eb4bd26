import { createReadStream, promises } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../disk/private-folder.js";
import type { Files } from "../ports/machine.js";

/** The machine's files. A file is replaced whole: what was there stays until the new one is complete. */
export const files: Files = {
	read: async (path, limit) => {
		const file = await promises.open(path, "r");
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
		const file = await promises.open(beside, "wx", mode ?? 0o644);
		return {
			// Unlike `write`, it goes on until everything is written.
			write: (text) => file.appendFile(text),
			finish: async () => {
				await file.sync();
				await file.close();
				await promises.rename(beside, path);
			},
			discard: async () => {
				await file.close().catch(() => {});
				await promises.rm(beside, { force: true });
			},
		};
	},
	write: async (path, content, mode) => {
		const beside = `${path}.${crypto.randomUUID()}.tmp`;
		try {
			await promises.writeFile(beside, content, { mode: mode ?? 0o644, flag: "wx" });
			if (mode !== undefined) await promises.chmod(beside, mode);
			await promises.rename(beside, path);
		} catch (cause) {
			await promises.rm(beside, { force: true });
			throw cause;
		}
	},
	folder: async (path) => {
		makeFolder(path);
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
	temporary: async () => {
		const { tmpdir } = await import("node:os");
		const path = await promises.mkdtemp(join(tmpdir(), "purser-"));
		return { path, remove: () => promises.rm(path, { recursive: true, force: true }) };
	},
};
