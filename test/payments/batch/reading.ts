/**
 * Files for the reader of batches, as bytes in pieces, and what became of them.
 */
import { plainId } from "../../../src/api/text/ids.js";
import { makeResolver } from "../../../src/names/resolver.js";
import { Naming } from "../../../src/payments/batch/plan/naming.js";
import { Amounts, type DecimalSign } from "../../../src/payments/batch/plan/numbers.js";
import { type ReadOptions, type ReadRow, readRows } from "../../../src/payments/batch/plan/rows.js";

export const [from, to, payee] = [
	"aaaaaaaa-0000-4000-8000-000000000001",
	"aaaaaaaa-0000-4000-8000-000000000002",
	"bbbbbbbb-0000-4000-8000-000000000001",
] as const;

export async function* pieces(bytes: Uint8Array, size = bytes.length || 1): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

type Lists = Readonly<Partial<Record<"ledger.list" | "beneficiary.list", readonly Record<string, unknown>[]>>>;

/** What a reader of rows needs besides the file. @param lists what the service lists; all of it, unless it is cut */
export function readingWith(lists: Lists = {}, { decimal, complete = true }: { decimal?: DecimalSign; complete?: boolean } = {}) {
	const list = async ({ id }: { id: string }) => ({ records: lists[id as keyof Lists] ?? [], complete });
	const resolver = makeResolver({
		service: { list, offer: async () => [] } as never,
		batches: async () => [],
		seen: async () => [],
		soon: async () => {},
	});
	return { amounts: new Amounts(decimal), naming: new Naming(async () => resolver) };
}

/** Reads a file; the debited ledger is in EUR where nothing else is said. */
export async function readFile(
	source: string | Uint8Array | AsyncIterable<Uint8Array>,
	options: Partial<Pick<ReadOptions, "given" | "currencyOf" | "amounts" | "naming">> & { size?: number } = {},
): Promise<{ rows: ReadRow[]; ignored: string[] }> {
	const bytes = typeof source === "string" ? Buffer.from(source) : source;
	const rows: ReadRow[] = [];
	let ignored: string[] = [];
	const read = readRows(bytes instanceof Uint8Array ? pieces(bytes, options.size) : bytes, {
		...readingWith(),
		...options,
		name: "pay.csv",
		given: options.given ?? {},
		currencyOf: options.currencyOf ?? (async (ids) => new Map(ids.map((id) => [plainId(id), "EUR"]))),
		ignored: (titles) => {
			ignored = titles;
		},
	});
	for await (const some of read) rows.push(...some);
	return { rows, ignored };
}
