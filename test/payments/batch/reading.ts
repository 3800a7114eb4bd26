/**
 * Files for the reader of batches, as bytes in pieces, and what became of them.
 */
import { type Heading, type ReadOptions, type ReadRow, readRows } from "../../../src/payments/batch/plan/rows.js";

export const [from, to, payee] = [
	"aaaaaaaa-0000-4000-8000-000000000001",
	"aaaaaaaa-0000-4000-8000-000000000002",
	"bbbbbbbb-0000-4000-8000-000000000001",
] as const;

export async function* pieces(bytes: Uint8Array, size = bytes.length || 1): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Reads a file; the debited ledger is in EUR where nothing else is said. */
export async function readFile(
	source: string | Uint8Array | AsyncIterable<Uint8Array>,
	options: Partial<Pick<ReadOptions, "map" | "given" | "currencyOf" | "everyPayee">> & { size?: number } = {},
): Promise<{ rows: ReadRow[]; heading: Heading }> {
	const bytes = typeof source === "string" ? Buffer.from(source) : source;
	const rows: ReadRow[] = [];
	let heading: Heading | undefined;
	const read = readRows(bytes instanceof Uint8Array ? pieces(bytes, options.size) : bytes, {
		name: "pay.csv",
		map: options.map ?? [],
		given: options.given ?? {},
		everyPayee: options.everyPayee,
		currencyOf: options.currencyOf ?? (async (ids) => new Map(ids.map((id) => [id, "EUR"]))),
		heading: (found) => {
			heading = found;
		},
	});
	for await (const some of read) rows.push(...some);
	return { rows, heading: heading as Heading };
}
