/**
 * What a batch is recognised by.
 */

import { expect, it } from "vitest";
import { RowsDigest } from "../../../src/api/operations/rows-digest.js";
import type { Transfer } from "../../../src/api/operations/transfer.js";

const digestOf = (transfers: readonly Transfer[]) => {
	const digest = new RowsDigest();
	for (const transfer of transfers) digest.add(transfer);
	return digest.finish();
};

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
