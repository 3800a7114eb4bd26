/** A ledger of 100,000 transactions is walked in little memory: only what may matter to the doubts is kept. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { type LineFilter, relevantLines } from "../../src/payments/settlement/lists/concerning.js";
import { listLedger } from "../../src/payments/settlement/lists/source.js";
import type { Reading } from "../../src/ports/service.js";
import { idOf } from "../support/list-server.js";

const ledgerId = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const payee = "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21";
const other = "9e2f0a71-35c4-4d69-9a4a-1e7c6f5b4d32";
const start = Date.parse("2026-03-01T00:00:00Z");
const rows = 100_000;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Each tenth goes to the payee; each thousandth of those has the amount of the doubts, each other hundredth their reference. */
function record(number: number): Record<string, unknown> {
	const ours = number % 10 === 0;
	return {
		id: idOf(number),
		creationDate: new Date(start + number * 10_000).toISOString(),
		amount: number % 10_000 === 0 ? "10.10" : "3.00",
		currency: "EUR",
		information: { reference: number % 10_000 === 500 ? "Invoice 2041" : `Other ${number}` },
		sender: { ledgerId, name: `A name that is long enough to be somebody's, number ${number}` },
		receiver: { ledgerId: ours ? payee : other, name: `Another name that is long enough, number ${number}` },
	};
}

/** A service of so many transactions that are made when they are asked for, and the most memory that was held meanwhile. */
function service(): { service: Reading; most: () => number } {
	let [most, requests] = [0, 0];
	const page: Reading["page"] = async (_, { startDate, endDate }, number) => {
		requests += 1;
		if (requests % 200 === 0) {
			collect();
			most = Math.max(most, process.memoryUsage().heapUsed);
		}
		const first = Math.max(0, Math.ceil((Date.parse(String(startDate)) - start) / 10_000));
		const last = endDate === undefined ? rows : Math.min(rows, Math.floor((Date.parse(String(endDate)) - start) / 10_000) + 1);
		const count = Math.max(0, Math.min(100, last - first - number * 100));
		const found = Array.from({ length: count }, (_, at) => record(first + number * 100 + at));
		return { found, whole: true, total: last - first };
	};
	const never = async () => {
		throw new Error("only pages are read");
	};
	const service = { get: never, list: never, page, through: async () => undefined };
	return { service, most: () => most };
}

const doubt: Transfer = { kind: "ledger", ledgerFromId: ledgerId, counterpartyId: payee, amount: "10.1", reference: "INVOICE 2041" };
const asked = new Date(start + 20 * 24 * 3_600_000);

async function walked(sieve?: LineFilter) {
	const { service: of, most } = service();
	collect();
	const before = process.memoryUsage().heapUsed;
	const source = await listLedger(of, { ledgerId, start: new Date(start).toISOString(), asked, sieve });
	if ("unread" in source) throw new Error(source.unread);
	return { listed: source.listed, complete: source.complete, megabytes: (most() - before) / 1024 / 1024 };
}

test("of 100,000 transactions those are kept that may be one of 96 doubts, or that an attempt holds", async () => {
	const held = idOf(7);
	const journal = { holders: async (ids: readonly string[]) => new Map(ids.filter((id) => id === held).map((id) => [id, "1"])) };
	const { listed, complete, megabytes } = await walked(relevantLines(journal, Array(96).fill(doubt)));
	expect(complete).toBe(true);
	expect(listed.map(({ id }) => id)).toEqual(
		[0, 7, 500, ...[1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((of) => [of * 10_000, of * 10_000 + 500])].map(idOf),
	);
	expect(megabytes).toBeLessThan(12);
});

test("control: where everything is kept, it is held in memory", async () => {
	const { listed, megabytes } = await walked();
	expect(listed).toHaveLength(rows);
	expect(megabytes).toBeGreaterThan(24);
});
