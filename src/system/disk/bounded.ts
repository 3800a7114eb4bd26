/**
 * Reading files within a bound: by the size that the system tells, and by what really comes, since a pipe or a device tells none.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

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
 * Reads a whole file at once.
 * @throws the system's error (ENOENT, EACCES …), or RangeError beyond `limit` bytes: {@link tooLarge}
 */
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
	const parts: Buffer[] = [];
	let length = 0;
	// One byte more than the file has, so that its end is seen without another buffer.
	for (let size = stats.isFile() ? stats.size + 1 : piece; ; size = piece) {
		const part = Buffer.allocUnsafe(size);
		const read = readSync(descriptor, part);
		if (read === 0) return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
		length += read;
		if (length > limit) throw tooLarge(limit);
		parts.push(part.subarray(0, read));
	}
}
