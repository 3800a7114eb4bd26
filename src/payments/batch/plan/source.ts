/**
 * The bytes of a file of payments: hashed, compared with those that a plan was made from, and decoded from what spreadsheet programs write:
 * UTF-8 with or without a byte-order mark, UTF-16 with one.
 */

import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { advice, purser } from "../../../api/advice.js";
import { PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Files } from "../../../ports/machine.js";

/** Passes the pieces of a source through and hashes them. */
export function hashed(source: AsyncIterable<Uint8Array>): { pieces: AsyncIterable<Uint8Array>; digest(): string } {
	const hash = createHash("sha256");
	async function* pieces(): AsyncGenerator<Uint8Array> {
		for await (const piece of source) {
			hash.update(piece);
			yield piece;
		}
	}
	return { pieces: pieces(), digest: () => hash.digest("hex") };
}

/**
 * Checks that the file beside the plan is unchanged. A missing file is no fault, because the rows are in the journal.
 * @throws PurserError guard
 */
export async function checkSource(files: Pick<Files, "stream">, planPath: string, plan: BatchPlan): Promise<void> {
	if (plan.source === "-") return;
	const path = join(dirname(planPath), plan.source);
	const { pieces, digest } = hashed(files.stream(path));
	try {
		for await (const _ of pieces);
	} catch (error) {
		const { code } = (error ?? {}) as { code?: unknown };
		if (code === "ENOENT") return;
		if (typeof code !== "string" || !/^E[A-Z]+$/.test(code)) throw error;
		throw new PurserError("guard", {
			code: "FILE_UNREADABLE",
			message: `${path} cannot be read (${code}), so nobody can tell whether it changed after it was planned; nothing was sent`,
			fix: advice`Make it readable, or move it away (the journal has the rows), and send again: ${purser`pay batch send ${{ path: planPath }}`}`,
			cause: error,
		});
	}
	if (digest() === plan.sourceDigest) return;
	throw new PurserError("guard", {
		code: "FILE_CHANGED",
		message: `${path} changed after it was planned; nothing was sent`,
		fix: advice`Plan it again: ${purser`pay batch plan ${{ path }}`}`,
	});
}

type Decoder = InstanceType<typeof TextDecoder>;

/** @throws PurserError validation, if the bytes are invalid in the detected encoding */
export async function* textOf(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
	let decoder: Decoder | undefined;
	let first: Uint8Array = new Uint8Array();
	let line = 1;
	const decode = (bytes: Uint8Array | undefined): string => {
		let text: string;
		try {
			text = (decoder as Decoder).decode(bytes, { stream: bytes !== undefined });
		} catch (cause) {
			const { encoding } = decoder as Decoder;
			const good = new TextDecoder(encoding).decode(bytes).split("\ufffd", 1)[0] as string;
			// A binary file usually has both faults; report the NUL, which says more.
			const zero = encoding === "utf-8" ? (bytes?.indexOf(0) ?? -1) : -1;
			if (bytes !== undefined && zero >= 0) throw withNul(name, line + linesIn(new TextDecoder().decode(bytes.subarray(0, zero))));
			throw unreadable(name, line + linesIn(good), encoding, cause);
		}
		const nul = text.indexOf("\0");
		if (nul >= 0) throw withNul(name, line + linesIn(text.slice(0, nul)));
		line += linesIn(text);
		return text;
	};
	for await (const piece of source) {
		if (decoder !== undefined) {
			yield decode(piece);
			continue;
		}
		first = Buffer.concat([first, piece]);
		if (first.length < 3) continue;
		decoder = decoderFor(first);
		yield decode(first);
	}
	if (decoder === undefined) {
		decoder = decoderFor(first);
		yield decode(first);
	}
	yield decode(undefined);
}

/** Chooses the encoding by the byte-order mark, which the decoder removes. */
function decoderFor([one, other]: Uint8Array): Decoder {
	const encoding = one === 0xff && other === 0xfe ? "utf-16le" : one === 0xfe && other === 0xff ? "utf-16be" : "utf-8";
	return new TextDecoder(encoding, { fatal: true });
}

/** Counts line feeds, or carriage returns if there are no line feeds. */
function linesIn(text: string): number {
	const end = text.includes("\n") ? "\n" : "\r";
	let count = 0;
	for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + 1)) count += 1;
	return count;
}

/** The error for a NUL character, which UTF-16 without a mark and binary files contain. */
function withNul(name: string, line: number): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name}, line ${line}: contains a NUL character`,
		why: "It is not a text file, or it is UTF-16 without a byte-order mark",
		fix: "Export it again as CSV UTF-8, and run this again.",
	});
}

function unreadable(name: string, line: number, encoding: string, cause: unknown): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name}, line ${line}: is not valid ${encoding.toUpperCase()}`,
		why: "A non-ASCII letter is in another encoding",
		fix: "Export it again as CSV UTF-8, and run this again.",
		cause,
	});
}
