/**
 * Files made by chance: how a file is written does not change what it is recognised by, and what it says does.
 */

import { expect, it } from "vitest";
import { RowsDigest } from "../../../src/api/operations/rows-digest.js";
import type { Transfer } from "../../../src/api/operations/transfer.js";
import { seedOfRun, uuidOf } from "../../support/seed.js";
import { Random } from "../simulation/random.js";
import { readFile } from "./reading.js";

const columns = ["ledgerFromId", "beneficiaryId", "ledgerToId", "amount", "reference", "allowFastPayment"] as const;
type Row = Record<(typeof columns)[number], string>;

const digestOf = (transfers: readonly Transfer[]) => {
	const digest = new RowsDigest();
	for (const transfer of transfers) digest.add(transfer);
	return digest.finish();
};

async function read(text: string) {
	const { rows } = await readFile(text, { size: 97 });
	expect(rows.flatMap(({ faults }) => faults)).toEqual([]);
	return digestOf(rows.map(({ transfer }) => transfer as Transfer));
}

const rowOf = (random: Random): Row => {
	const inside = random.below(2) === 0;
	return {
		ledgerFromId: uuidOf(random),
		beneficiaryId: inside ? "" : uuidOf(random),
		ledgerToId: inside ? uuidOf(random) : "",
		amount: `${1 + random.below(9_999)}.${10 + random.below(90)}`,
		reference: ["", "Rent, May", "it's one", "Café?", "No 7"][random.below(5)] as string,
		allowFastPayment: inside ? "" : (["", "true", "false"][random.below(3)] as string),
	};
};

const shuffled = <T>(items: readonly T[], random: Random): T[] => {
	const all = [...items];
	for (let at = all.length - 1; at > 0; at--) {
		const other = random.below(at + 1);
		[all[at], all[other]] = [all[other] as T, all[at] as T];
	}
	return all;
};

/** One file, in a way of writing that chance chooses. */
function written(rows: readonly Row[], random: Random): string {
	const separator = [",", ";", "\t"][random.below(3)] as string;
	const end = ["\n", "\r\n", "\r"][random.below(3)] as string;
	const cell = (text: string) => (text.includes(separator) || random.below(4) === 0 ? `"${text}"` : text);
	const order = shuffled(columns, random);
	const isCapital = random.below(2) === 0;
	const title = (column: string) => (isCapital ? column.toUpperCase() : column);
	const lines = [order.map(title), ...shuffled(rows, random).map((row) => order.map((column) => row[column]))];
	const last = random.below(2) === 0 ? end : "";
	return lines.map((line) => line.map(cell).join(separator)).join(end) + last;
}

/** The rows with one thing changed. */
function altered(rows: readonly Row[], random: Random): Row[] {
	const at = random.below(rows.length);
	const row = rows[at] as Row;
	const changes: Row[][] = [
		rows.with(at, { ...row, amount: `${row.amount.slice(0, -1)}${(Number(row.amount.at(-1)) + 1) % 10}` }),
		rows.with(at, { ...row, amount: `1${row.amount}` }),
		rows.with(at, { ...row, ledgerFromId: uuidOf(random) }),
		rows.with(at, { ...row, reference: `${row.reference}1` }),
		[...rows, row],
		rows.length > 1 ? rows.filter((_, place) => place !== at) : [...rows, rowOf(random)],
	];
	return changes[random.below(changes.length)] as Row[];
}

it("1,000 files: the way of writing does not change the digest of the rows, any change of data does", async () => {
	const random = new Random(seedOfRun("files of batches"));
	for (let file = 0; file < 500; file++) {
		const rows = Array.from({ length: 1 + random.below(4) }, () => rowOf(random));
		const plain = [columns.join(","), ...rows.map((row) => columns.map((column) => `"${row[column]}"`).join(","))].join("\n");
		const { rows: known } = await read(plain);
		const again = written(rows, random);
		const other = written(altered(rows, random), random);
		expect((await read(again)).rows, again).toBe(known);
		expect((await read(other)).rows, other).not.toBe(known);
	}
});

const one: Transfer = { kind: "ledger", ledgerFromId: "a", counterpartyId: "b", amount: "1.0", currency: "EUR", reference: "x" };

it("the order changes the sequence and not the rows; twice is not once; no row is not one row", () => {
	const other = { ...one, amount: "2.0" };
	expect(digestOf([one, other]).rows).toBe(digestOf([other, one]).rows);
	expect(digestOf([one, other]).sequence).not.toBe(digestOf([other, one]).sequence);
	const all = [[], [one], [one, one], [one, one, one]].map((transfers) => digestOf(transfers));
	expect(new Set(all.flatMap(({ rows, sequence }) => [rows, sequence])).size).toBe(8);
});

it.each<[string, Partial<Transfer>]>([
	["kind", { kind: "beneficiary" }],
	["digits of the amount", { amount: "1" }],
	["currency", { currency: undefined }],
	["reference", { reference: undefined }],
	["a text that imitates the next field", { currency: "EUR|1:x", reference: undefined }],
	["a switch", { allowFastPayment: true }],
	["the other switch", { allowInterLedger: true }],
	["sides", { ledgerFromId: "b", counterpartyId: "a" }],
])("tells rows apart by %s", (_, change) => {
	expect(digestOf([{ ...one, ...change }]).rows).not.toBe(digestOf([one]).rows);
});

it("is what it is in every release: plans written before are recognised", () => {
	expect(digestOf([one, one])).toEqual({
		rows: "493ad6d96a4ea268ca1247630e962a6a4534264be2a137831700ee78bf4a4845",
		sequence: "7df2b06d4c35cc88117bfe89473071bcd2884e0dfd022bd21bcb97c3dfb92d90",
	});
});

it("a UUID in capitals is the same ledger; of an id in a deployment's own form each letter counts", () => {
	const [capitals, small] = ["AAAAAAAA-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000001"];
	const digestFrom = (ledgerFromId: string) => digestOf([{ ...one, ledgerFromId }]).rows;
	expect(digestFrom(capitals)).toBe(digestFrom(small));
	expect(digestFrom("acc_9fK2")).not.toBe(digestFrom("acc_9fk2"));
});
