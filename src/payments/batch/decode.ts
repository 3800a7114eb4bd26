/**
 * Bytes to text, as spreadsheet programs write them: UTF-8 with or without a byte-order mark, UTF-16 with one.
 */
import { PurserError } from "../../errors.js";

type Decoder = InstanceType<typeof TextDecoder>;

/** @throws PurserError validation, for bytes that are no text of that encoding */
export async function* textOf(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
	let decoder: Decoder | undefined;
	let first: Uint8Array = new Uint8Array();
	const decode = (bytes: Uint8Array | undefined): string => {
		try {
			return (decoder as Decoder).decode(bytes, { stream: bytes !== undefined });
		} catch (cause) {
			throw unreadable(name, (decoder as Decoder).encoding, cause);
		}
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

/** The mark itself is left out by the decoder. */
function decoderFor([one, other]: Uint8Array): Decoder {
	const encoding = one === 0xff && other === 0xfe ? "utf-16le" : one === 0xfe && other === 0xff ? "utf-16be" : "utf-8";
	return new TextDecoder(encoding, { fatal: true });
}

function unreadable(name: string, encoding: string, cause: unknown): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name} is not text in ${encoding.toUpperCase()}`,
		why: "A letter outside ASCII was written in another encoding",
		fix: "Export it again as CSV UTF-8, and run this again.",
		cause,
	});
}
