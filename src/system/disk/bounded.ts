/**
 * Reading files within a bound: by the size that the system tells, and by what really comes, since a pipe or a device tells none.
 */
import { closeSync, fstatSync, openSync, promises, readSync } from "node:fs";

/** Bytes read at a time where the size is not known beforehand. */
const piece = 64 * 1024;

const grouped = (bytes: number): string => bytes.toLocaleString("en-US");

/** A bound in words, `1,048,576 bytes (1 MB)`. @param bytes at least 1 KB, in whole KB or MB */
export function boundWords(bytes: number): string {
	const mega = 1024 * 1024;
	return `${grouped(bytes)} bytes (${bytes >= mega ? `${bytes / mega} MB` : `${bytes / 1024} KB`})`;
}

/**
 * The error of input beyond its bound; the message is a sentence for people.
 * @param found bytes, where they are known
 */
export function tooLarge(limit: number, found?: number): RangeError {
	return new RangeError(
		`It ${found === undefined ? "is larger" : `has ${grouped(found)} bytes`}, and at most ${boundWords(limit)} are read`,
	);
}

/**
 * Reads a file without loading `limit` bytes more than once.
 * @throws the system's error (ENOENT, EACCES …), or RangeError beyond `limit` bytes: {@link tooLarge}
 */
export async function readBounded(path: string, limit: number): Promise<Buffer> {
	const file = await promises.open(path, "r");
	try {
		const stats = await file.stat();
		if (stats.isFile() && stats.size > limit) throw tooLarge(limit, stats.size);
		const parts = new Parts(limit, stats.isFile() ? stats.size : 0);
		for (;;) {
			const { bytesRead } = await file.read(parts.space());
			if (bytesRead === 0) return parts.whole();
			parts.took(bytesRead);
		}
	} finally {
		await file.close().catch(() => {});
	}
}

/** The same at once, for files that each command reads while it starts. */
export function readBoundedSync(path: string, limit: number): Buffer {
	const descriptor = openSync(path, "r");
	try {
		return readOpen(descriptor, limit);
	} finally {
		closeSync(descriptor);
	}
}

/** The same of a file that is open already. */
export function readOpen(descriptor: number, limit: number): Buffer {
	const stats = fstatSync(descriptor);
	if (stats.isFile() && stats.size > limit) throw tooLarge(limit, stats.size);
	const parts = new Parts(limit, stats.isFile() ? stats.size : 0);
	for (;;) {
		const read = readSync(descriptor, parts.space());
		if (read === 0) return parts.whole();
		parts.took(read);
	}
}

/** What has come so far, in buffers that never hold more than one byte beyond the limit. */
class Parts {
	readonly #full: Buffer[] = [];
	#open: Buffer;
	#used = 0;
	#length = 0;

	constructor(
		private readonly limit: number,
		expected: number,
	) {
		// One byte more, so that the end of the file is seen without another buffer.
		this.#open = Buffer.allocUnsafe(Math.min(expected, limit) + 1);
	}

	space(): Buffer {
		if (this.#used === this.#open.length) {
			this.#full.push(this.#open);
			this.#open = Buffer.allocUnsafe(Math.min(piece, this.limit - this.#length + 1));
			this.#used = 0;
		}
		return this.#open.subarray(this.#used);
	}

	took(bytes: number): void {
		this.#used += bytes;
		this.#length += bytes;
		if (this.#length > this.limit) throw tooLarge(this.limit);
	}

	whole(): Buffer {
		const last = this.#open.subarray(0, this.#used);
		return this.#full.length === 0 ? last : Buffer.concat([...this.#full, last]);
	}
}
