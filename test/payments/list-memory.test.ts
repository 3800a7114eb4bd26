/** A ledger of 100,000 transactions is read in little memory: only what may matter to the doubts is stored. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { bothSides, periodStart, type SentRecord, type Tools } from "../../src/payments/matching/sides.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Reading } from "../../src/ports/service.js";
import { idOf } from "./list-server.js";

const ledgerId = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const payee = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";
const other = "9e2f0a71-35c4-4d69-9a4a-1e7c6f5b4d32";
const start = Date.parse("2026-03-01T00:00:00Z");
const rows = 100_000;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Each tenth goes to the payee; each thousandth of those has the amount of the doubts. */
function record(number: number): Record<string, unknown> {
	const ours = number % 10 === 0;
	return {
		id: idOf(number),
		creationDate: new Date(start + number * 10_000).toISOString(),
		amount: number % 10_000 === 0 ? "10.10" : number === 7 ? "7.77" : "3.00",
		currency: "EUR",
		information: { reference: `Other ${number}` },
		sender: { ledgerId, name: `A name that is long enough to be somebody's, number ${number}` },
		receiver: { ledgerId: ours ? payee : other, name: `Another name that is long enough, number ${number}` },
	};
}

/** A service of so many transactions that are made when they are asked for, and the most memory that was held meanwhile. */
function service(): { service: Reading; most: () => number } {
	let [most, requests] = [0, 0];
	const page: Reading["page"] = async (_, __, number) => {
		requests += 1;
		if (requests % 200 === 0) {
			collect();
			most = Math.max(most, process.memoryUsage().heapUsed);
		}
		const count = Math.max(0, Math.min(100, rows - number * 100));
		return { found: Array.from({ length: count }, (_, at) => record(number * 100 + at)), whole: true, total: rows };
	};
	const never = async () => {
		throw new Error("only pages are read");
	};
	const service = { get: never, list: never, page, mappingOf: () => undefined };
	return { service, most: () => most };
}

const begun = new Date(start + 5 * 24 * 3_600_000).toISOString();
const doubt = (intent: number): SentRecord =>
	({
		intent: String(intent),
		state: "in-doubt",
		attempt: 1,
		begun,
		changed: begun,
		skew: 0,
		origin: "https://api.example.com",
		service: "https://api.example.com",
		transfer: { kind: "ledger", ledgerFromId: ledgerId, counterpartyId: payee, amount: "10.1", reference: "INVOICE 2041" },
	}) as unknown as SentRecord;
const doubts = Array.from({ length: 96 }, (_, at) => doubt(at + 1));
/** An accepted payment of the doubts' amount, which the list shows with another. */
const held = { ...doubt(97), state: "accepted", id: idOf(7) } as SentRecord;

async function read(keepAll: boolean) {
	const { service: of, most } = service();
	const journal = {
		list: async () => [],
		holders: async (ids: readonly string[]) => new Map(ids.filter((id) => id === held.id).map((id) => [id, held])),
	} as unknown as Journal;
	const place = { baseUrl: "https://api.example.com" };
	const tools: Tools = {
		journal,
		service: of,
		place,
		now: () => new Date(start + 20 * 24 * 3_600_000),
		settleAfter: 24 * 3_600_000,
		dry: false,
	};
	collect();
	const before = process.memoryUsage().heapUsed;
	const picture = await bothSides(tools, { ledgerId, from: periodStart(doubts, tools.settleAfter), sought: keepAll ? undefined : doubts });
	if ("unread" in picture) throw new Error(picture.unread);
	return { lines: picture.lines, lacks: picture.lacks, megabytes: (most() - before) / 1024 / 1024 };
}

test("of 100,000 transactions those are stored that may be one of 96 doubts, or that a payment of their amount holds", async () => {
	const { lines, lacks, megabytes } = await read(false);
	expect(lacks).toBeUndefined();
	expect(lines.map(({ id }) => id)).toEqual([0, 7, ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((of) => of * 10_000)].map(idOf));
	expect(megabytes).toBeLessThan(12);
});

test("control: where everything is stored, it is held in memory", async () => {
	const { lines, megabytes } = await read(true);
	expect(lines).toHaveLength(rows);
	expect(megabytes).toBeGreaterThan(24);
});
