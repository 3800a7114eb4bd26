import type { Output } from "../context.js";

/** An output over a real stream. A reader that went away (EPIPE) ends the writing quietly. */
export function writable(stream: NodeJS.WriteStream, env: Readonly<Record<string, string | undefined>>): Output {
	let closed = false;
	stream.on("error", () => {
		closed = true;
	});
	return {
		isClosed: () => closed,
		write: (text) => new Promise((resolve) => stream.write(text, () => resolve())),
		isTerminal: stream.isTTY === true,
		stream,
		columns: stream.columns || Number(env.COLUMNS) || 80,
		colours: stream.isTTY === true ? depth(stream.getColorDepth({ ...env, NO_COLOR: undefined, FORCE_COLOR: undefined })) : 0,
	};
}

function depth(bits: number): 0 | 1 | 2 | 3 {
	if (bits >= 24) return 3;
	if (bits >= 8) return 2;
	return bits >= 4 ? 1 : 0;
}

/**
 * Everything of a stream.
 * @throws RangeError beyond `limit` bytes
 */
export async function readAll(stream: NodeJS.ReadStream, limit: number): Promise<Uint8Array> {
	const parts: Buffer[] = [];
	let length = 0;
	for await (const part of stream) {
		const bytes = typeof part === "string" ? Buffer.from(part) : (part as Buffer);
		length += bytes.length;
		if (length > limit) throw new RangeError(`more than ${limit} bytes`);
		parts.push(bytes);
	}
	return Buffer.concat(parts);
}
