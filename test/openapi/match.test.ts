import { describe, expect, it } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { boundOperation } from "../../src/binding/binding.js";
import { readOpenApi } from "../../src/openapi/document.js";
import { type Matched, matchDocument } from "../../src/openapi/match.js";
import { Random } from "../payments/simulation/random.js";
import { documentOf, rpc, rpcAnswers, shop, snake, snakeAnswers } from "./documents.js";

const matched = (document: unknown): Matched =>
	matchDocument(readOpenApi(document, "0".repeat(64)), catalog, { baseUrl: "https://api.example.com" });

function firsts(found: Matched): Record<string, string> {
	return Object.fromEntries(
		found.operations.flatMap(({ operation, candidates: [best] }) =>
			best === undefined ? [] : [[operation.id, `${best.fit.theirs.method} ${best.fit.theirs.path}`]],
		),
	);
}

const states = (found: Matched, state: string): string[] =>
	found.operations.filter((one) => one.state === state).map(({ operation }) => operation.id);

describe("our operations in a foreign document", () => {
	it.each([
		["snake_case, with traps", snake, snakeAnswers],
		["calls of procedures, one for both payments", rpc, rpcAnswers],
	])("%s: the first candidates are right, and nothing sure is wrong", (_name, document, right) => {
		const found = matched(document);
		expect(firsts(found)).toMatchObject(right);
		expect(states(found, "sure").length).toBeGreaterThanOrEqual(8);
		expect(states(found, "sure").filter((id) => id.startsWith("transaction.") && !/get|list/.test(id))).toEqual([]);
	});

	it("the idempotency key that a payment takes is told, and kept with where its binding comes from", () => {
		const document = structuredClone(snake) as { paths: Record<string, Record<string, { parameters?: object[] }>> };
		const internal = document.paths["/v3/transfers/internal"]?.post as { parameters?: object[] };
		internal.parameters = [...(internal.parameters ?? []), { name: "Idempotency-Key", in: "header", schema: { type: "string" } }];
		const found = matched(document);
		const sourceOf = (id: string) => found.operations.find(({ operation }) => operation.id === id)?.candidates[0]?.proposal.binding.source;
		expect(sourceOf("transaction.interLedger")?.idempotency).toBe("Idempotency-Key");
		expect(sourceOf("transaction.beneficiary")).toBeDefined();
		expect(sourceOf("transaction.beneficiary")).not.toHaveProperty("idempotency");
		expect(found.idempotency).toEqual(["transaction.interLedger: Idempotency-Key"]);
	});

	it("one operation for both payments is told apart by a value; minor units are asked", () => {
		const found = matched(rpc);
		const bindingOf = (id: string) => found.operations.find(({ operation }) => operation.id === id)?.candidates[0]?.proposal;
		expect(bindingOf("transaction.interLedger")?.binding.constants).toEqual([{ place: "body", at: "/category", value: "INTERNAL" }]);
		expect(bindingOf("transaction.beneficiary")?.binding.constants).toEqual([{ place: "body", at: "/category", value: "BENEFICIARY" }]);
		expect(bindingOf("transaction.interLedger")?.binding.request?.fields).toMatchObject({
			ledgerFromId: { place: "body", at: "/debtorAccountId" },
			ledgerToId: { place: "body", at: "/creditorAccountId" },
			amount: { place: "body", at: "/amountInCents", codec: "minor-units" },
			reference: { place: "body", at: "/remittanceInformation" },
		});
		expect(bindingOf("transaction.beneficiary")?.binding.request?.fields?.beneficiaryId).toEqual({ place: "body", at: "/payeeId" });
		expect(bindingOf("transaction.beneficiary")?.open.map(({ text }) => text)).toEqual(["amount: is it in minor units (cents)?"]);
		expect(found.service.ids).toMatchObject({ transaction: "[a-z]{3}_[0-9a-z]{16}" });
	});

	it("a book transfer is a payment inside the service", () => {
		const body = { "debitAccount!": "string", "creditAccount!": "string", "amount!": "string" };
		const found = matched(
			documentOf("Books", [{ at: "POST /bookTransfers", id: "createBookTransfer", body, answer: { transferId: "string" } }]),
		);
		expect(firsts(found)["transaction.interLedger"]).toBe("POST /bookTransfers");
	});

	it("the proposal for a KYC link sends a person alone: what the description fills in has no place, and needs none", () => {
		const kyc = matched(snake).operations.find(({ operation }) => operation.id === "kyc.link");
		if (kyc === undefined) throw new Error("no KYC link");
		const person = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
		const body = { relatedPhysicalPersonId: person, kycConfiguration: { accessType: "LINK" } };
		const bound = boundOperation(kyc.operation, kyc.candidates[0]?.proposal.binding, undefined);
		expect(bound.toRequest({ params: {}, query: {}, body }).body).toEqual({ related_party_id: person });
		const other = { ...body, kycConfiguration: { accessType: "LINK", urlOnFailure: "https://example.com" } };
		expect(() => bound.toRequest({ params: {}, query: {}, body: other })).toThrow(
			"kycConfiguration.urlOnFailure has no place at this deployment",
		);
	});

	it("a shop has none of our operations: nothing is sure", () => {
		expect(states(matched(shop), "sure")).toEqual([]);
	});

	it("a haulier's records look like companies, and its terms, moves and mails are others: nothing is sure", () => {
		const carrier = { name: "string", registrationNumber: "string", country: "string" };
		const move = { "fromWarehouseId!": "string", "toWarehouseId!": "string", reference: "string" };
		const found = matched(
			documentOf("Freight", [
				{ at: "GET /terms-of-carriage", id: "getTermsOfCarriage", answer: { version: "string", url: "string" } },
				{ at: "POST /carriers", id: "createCarrier", body: carrier, answer: { id: "string" } },
				{ at: "GET /carriers/{carrierId}", id: "getCarrier", answer: { carrierId: "string", ...carrier } },
				{ at: "PATCH /carriers/{carrierId}", id: "updateCarrier", body: carrier },
				{ at: "POST /carriers/{carrierId}/vetting", id: "vet", summary: "Ask for a verification of the carrier's insurance" },
				{ at: "GET /stock-transfers/{transferId}", id: "getStockTransfer", answer: { transferId: "string", ...move } },
				{ at: "POST /newsletter/email-verification", id: "sendNewsletterLink", summary: "Send an email verification link" },
			]),
		);
		expect(firsts(found)["corporate.get"]).toBe("GET /carriers/{carrierId}");
		expect(states(found, "sure")).toEqual([]);
	});

	it("a PUT is never sure", () => {
		const put = JSON.parse(JSON.stringify(snake).replaceAll('"patch":', '"put":'));
		expect(states(matched(put), "sure")).not.toContain("corporate.update");
		expect(firsts(matched(put))["corporate.update"]).toBe("PUT /v3/businesses/{business_id}");
	});

	it("a review packet that can be shown in a browser is the diligence review", () => {
		const found = matched(
			documentOf("Ledgers", [
				{ at: "GET /businesses/{businessId}:renderReviewPacket", id: "Businesses_RenderReviewPacket", html: true },
				{ at: "GET /businesses/{businessId}", id: "Businesses_Get", answer: { businessId: "string", legalName: "string" } },
			]),
		);
		expect(firsts(found)["corporate.diligenceReview"]).toBe("GET /businesses/{businessId}:renderReviewPacket");
	});

	it("alternatives of one body tell two payments apart by a value, and need what each of their parts needs", () => {
		const alternative = (kind: string, to: string): object => ({
			type: "object",
			required: ["kind", "fromWalletId", to, "amount"],
			properties: {
				kind: { type: "string", enum: [kind] },
				fromWalletId: { type: "string" },
				[to]: { type: "string" },
				amount: {
					type: "object",
					required: ["currency", "value"],
					properties: { currency: { type: "string" }, value: { type: "string" } },
				},
			},
		});
		const document = documentOf("Wallets", [
			{ at: "POST /transfers", id: "createTransfer", body: {}, answer: { transferId: "string" } },
			{ at: "GET /transfers/{transferId}", id: "getTransfer", answer: { transferId: "string", amount: "string", status: "string" } },
		]) as { paths: Record<string, { post: { requestBody: object } }> };
		const post = document.paths["/transfers"]?.post as { requestBody: object };
		const oneOf = [alternative("book", "toWalletId"), alternative("payout", "payeeId")];
		post.requestBody = { content: { "application/json": { schema: { oneOf } } } };
		const { operations } = matched(document);
		const bound = (id: string) => operations.find(({ operation }) => operation.id === id)?.candidates[0]?.proposal.binding;
		const [between, out] = [bound("transaction.interLedger"), bound("transaction.beneficiary")];
		expect(between).toMatchObject({ path: "/transfers", constants: [{ place: "body", at: "/kind", value: "book" }] });
		expect(out).toMatchObject({ path: "/transfers", constants: [{ place: "body", at: "/kind", value: "payout" }] });
		expect(between?.request?.fields?.ledgerToId?.at).toBe("/toWalletId");
		expect(out?.request?.fields?.beneficiaryId?.at).toBe("/payeeId");
		expect([between, out].map((one) => one?.request?.fields?.currency?.at)).toEqual(["/amount/currency", "/amount/currency"]);
	});

	it("a standing order alone is no sure payment, and says why", () => {
		const found = matched(
			documentOf("Orders", [
				{
					at: "POST /transfers",
					id: "createTransfer",
					body: { "sourceAccountId!": "string", "payeeId!": "string", "amount!": "string", "frequency!": "string" },
					answer: { id: "string" },
				},
			]),
		);
		const best = found.operations.find(({ operation }) => operation.id === "transaction.beneficiary")?.candidates[0];
		expect(best === undefined || best.fit.doubts.includes('has "frequency": it may be a standing order')).toBe(true);
	});
});

describe("who pays whom", () => {
	const seed = Number(process.env.PURSER_TEST_SEED ?? 20_261_122);
	const count = Number(process.env.PURSER_TEST_DOCUMENTS ?? 400);
	it(`${count} documents with renamed and shuffled schemas never swap debit and credit (seed ${seed})`, () => {
		const random = new Random(seed);
		let told = 0;
		for (let at = 0; at < count; at++) {
			const { document, names, debit, credit } = transferDocument(random);
			const found = matched(document);
			const best = found.operations.find(({ operation }) => operation.id === "transaction.interLedger")?.candidates[0];
			const fields = best?.proposal.binding.request?.fields;
			const leaf = (place: string | undefined): string | undefined => place?.split("/").at(-1);
			const [from, to] = [leaf(fields?.ledgerFromId?.at), leaf(fields?.ledgerToId?.at)];
			const where = `document ${at} of seed ${seed}: ${names.join(", ")}`;
			expect([undefined, debit], where).toContain(from);
			expect([undefined, credit], where).toContain(to);
			if (from !== undefined && to !== undefined) told += 1;
			expect(states(found, "sure")).toEqual([]);
		}
		expect(told).toBeGreaterThan(count / 2);
	});
});

describe("who pays from an address", () => {
	const body = { "recipientAccountId!": "string", "amount!": "string" };
	const sides = (given: { at: string; id: string; summary?: string; body: Record<string, unknown> }) => {
		const found = matched(documentOf("Accounts", [{ ...given, answer: { id: "string" } }]));
		const best = found.operations.find(({ operation }) => operation.id === "transaction.interLedger")?.candidates[0];
		const { ledgerFromId: from, ledgerToId: to } = best?.proposal.binding.request?.fields ?? {};
		return { from: from && `${from.place} ${from.at}`, to: to && `${to.place} ${to.at}`, doubts: best?.fit.doubts };
	};

	it("the account at whose address a payment is made is debited, where the body says who is credited", () => {
		const paid = sides({ at: "POST /accounts/{account_id}/internal-transfers", id: "createInternalTransfer", body });
		expect(paid).toEqual({ from: "path account_id", to: "body /recipientAccountId", doubts: [] });
		expect(sides({ at: "POST /wallets/{wallet_id}:transfer", id: "InternalTransfer", body })).toMatchObject({ from: "path wallet_id" });
		const funds = { at: "POST /wallets/{wallet_id}/transfers", id: "createInternalTransfer", summary: "Transfer funds internally", body };
		expect(sides(funds)).toMatchObject({ from: "path wallet_id" });
	});

	it.each([
		["a body that says who is debited", "createInternalTransfer", undefined, { ...body, "sourceAccountId!": "string" }],
		[
			"two that may be debited",
			"createInternalTransfer",
			undefined,
			{ ...body, "sourceAccountId!": "string", "payerAccountId!": "string" },
		],
		["money that comes in", "createInternalTransfer", "Collect money from another account", body],
		["a direct debit", "createInternalTransfer", "Internal transfer by direct debit", body],
		["a body that says nobody", "createInternalTransfer", undefined, { "otherAccountId!": "string", "amount!": "string" }],
	])("%s: the address is not taken for the debited account", (_what, id, summary, given) => {
		const { from } = sides({ at: "POST /accounts/{account_id}/internal-transfers", id, summary, body: given });
		expect(from).not.toBe("path account_id");
	});

	it("an IBAN is no id of ours, and a bank account's id is one", () => {
		const at = "POST /internal-transfers";
		const named = { "sender_bank_account_id!": "string", "receiver_bank_account_id!": "string", "amount!": "string" };
		expect(sides({ at, id: "createInternalTransfer", body: named })).toMatchObject({
			from: "body /sender_bank_account_id",
			to: "body /receiver_bank_account_id",
		});
		const iban = { "sender_bank_account_id!": "string", "receiver_iban!": "string", "amount!": "string" };
		expect(sides({ at, id: "createInternalTransfer", body: iban }).to).toBeUndefined();
	});
});

const debits = ["from", "source", "debit", "debtor", "payer", "sender", "originator", "debited"];
const credits = ["to", "target", "destination", "credit", "creditor", "payee", "recipient", "receiver", "beneficiary"];
const things = ["Account", "Ledger", "Wallet", "AccountId", "WalletId", "LedgerId", "Id"];
const silent = ["fieldA", "first", "partyOne", "x1", "accountOne", "left", "ledgerA", "zeta"];

/** A transfer under random names. The sides are undefined where the names say none. */
function transferDocument(random: Random) {
	const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T;
	const thing = pick(things);
	const isSilent = random.below(5) === 0;
	const styled = (side: string): string => {
		const name = `${side}${thing}`;
		return pick([name, name.replace(/([A-Z])/g, "_$1").toLowerCase(), name.replace(/([A-Z])/g, "-$1").toLowerCase()]);
	};
	const debit = isSilent ? pick(silent.slice(0, 4)) : styled(pick(debits));
	const credit = isSilent ? pick(silent.slice(4)) : styled(pick(credits));
	const others = ["currency", "debtorName", "creditorName", "creditor_reference", "note", "destinationCountry", "sourceOfFunds"];
	// One side may stand in the address: the debited one is found there, and the credited one is not.
	const inAddress = isSilent ? undefined : pick([undefined, undefined, "debit", "credit"] as const);
	const sides = inAddress === undefined ? [debit, credit] : [inAddress === "debit" ? credit : debit];
	const names = shuffled([...sides, ...others.slice(0, random.below(others.length + 1))], random);
	const wrap = random.below(3) === 0 ? pick(["data", "creditTransfer", "payload"]) : undefined;
	const inside = Object.fromEntries([...names.map((name) => [`${name}!`, "string"]), ["amount!", "string"]]);
	const document = documentOf(pick(["A", "B"]), [
		{
			at:
				inAddress === undefined ? pick(["POST /transfers/internal", "POST /book-transfers"]) : "POST /accounts/{accountId}/book-transfers",
			id: "createInternalTransfer",
			body: wrap === undefined ? inside : { [`${wrap}!`]: inside },
			answer: { id: "string" },
		},
	]);
	const told = { debit: inAddress === "debit" ? "accountId" : debit, credit: inAddress === "credit" ? undefined : credit };
	return { document, names, ...(isSilent ? { debit: undefined, credit: undefined } : told) };
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
	const left = [...list];
	const all: T[] = [];
	while (left.length > 0) all.push(...left.splice(random.below(left.length), 1));
	return all;
}
