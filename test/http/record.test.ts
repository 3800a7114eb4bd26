/**
 * What is written of a payment before it leaves.
 */
import { expect, test } from "vitest";
import { createBeneficiaryTransaction, createInterLedger } from "../../src/api/operations/transaction.js";
import { intentOf } from "../../src/http/record.js";
import { draftRequest } from "../../src/http/request/request.js";
import type { Profile } from "../../src/ports/profiles.js";

const profile = {
	name: "sandbox",
	environment: "sandbox",
	baseUrl: "http://127.0.0.1:4010",
	auth: { kind: "none" },
	settings: {},
} as unknown as Profile;
const [from, to, who] = ["1", "2", "3"].map((digit) => `aaaaaaaa-0001-4000-8000-00000000000${digit}`);

test("whom it pays is told by the operation, whatever else stands in the body", () => {
	const body = { ledgerFromId: from, ledgerToId: to, beneficiaryId: who, amount: "10.10" };
	const transferOf = (operation: typeof createInterLedger | typeof createBeneficiaryTransaction) =>
		intentOf(profile, operation, { body }, draftRequest(profile, operation, { body }, "1.0.0")).transfer;
	expect(transferOf(createInterLedger)).toMatchObject({ kind: "ledger", counterpartyId: to });
	expect(transferOf(createBeneficiaryTransaction)).toMatchObject({ kind: "beneficiary", counterpartyId: who });
});
