/**
 * Who pays whom: 30 namings of a transfer, none of which is ever swapped, and descriptions that say the contrary of a name.
 */
import { describe, expect, it, test } from "vitest";
import { parse } from "yaml";
import { readOpenApi } from "../../src/mapping/document.js";
import { draftMapping } from "../../src/mapping/draft.js";
import { described, documentOf, type Line } from "./documents.js";

const account = { id: "string", iban: "string", currency: "string", balance: "number" };
/** What makes it a service that has accounts, beside the payment that is asked about. */
const around: Line[] = [
	{ at: "GET /accounts/{account_id}", id: "getAccount", summary: "Get an account", answer: account },
	{
		at: "GET /payments/{payment_id}",
		id: "getPayment",
		summary: "Get a payment",
		answer: { id: "string", amount: "number", currency: "string", status: "string" },
	},
];

/** The places of both sides: of a transfer between own accounts, or of a payment to somebody. */
function sidesOf(
	body: Line["body"],
	more: Partial<Line> = {},
	to: "account" | "payee" = "account",
	others: Line[] = [],
): [unknown, unknown] {
	const [name, other] = to === "account" ? ["Internal", "ledgerToId"] : ["External", "beneficiaryId"];
	const line = { at: `POST /${name.toLowerCase()}-payments`, id: `create${name}Payment`, summary: `${name} payment`, ...more };
	const drafted = parse(
		draftMapping(
			readOpenApi(documentOf([...around, ...others, { ...line, body: { ...body, "amount!": "number" }, answer: { id: "string" } }])),
		),
	);
	const { fields = {} } = drafted.operations[to === "account" ? "transaction.interLedger" : "transaction.beneficiary"];
	return [fields.ledgerFromId, fields[other]];
}

const at = (name: string): string => `body /${name}`;

describe("thirty namings: each side is right or open", () => {
	test.each([
		["fromAccountId", "toAccountId"],
		["from_account", "to_account"],
		["sourceAccountId", "targetAccountId"],
		["source_wallet_id", "destination_wallet_id"],
		["debitAccount", "creditAccount"],
		["debtor-account-id", "creditor-account-id"],
		["debited_wallet_id", "credited_wallet_id"],
		["DebitedWalletId", "CreditedWalletId"],
		["payerAccountId", "payeeAccountId"],
		["sender_account_id", "receiver_account_id"],
		["SenderLedgerId", "RecipientLedgerId"],
		["originatorAccountId", "beneficiaryAccountId"],
		["orderingAccount", "receivingAccount"],
		["account_to_debit", "account_to_credit"],
		["remitterLedger", "beneficiaryLedger"],
		["from", "to"],
	])("%s and %s are told by their names, in whatever order they stand", (debit, credit) => {
		const straight = sidesOf({ [`${debit}!`]: "string", [`${credit}!`]: "string" });
		const turned = sidesOf({ [`${credit}!`]: "string", note: "string", [`${debit}!`]: "string" });
		expect([straight, turned]).toEqual([
			[at(debit), at(credit)],
			[at(debit), at(credit)],
		]);
	});

	test.each([
		["account_id", "counterparty_account_id", "?", at("counterparty_account_id")],
		["account_id", "destination_account_id", "?", at("destination_account_id")],
		["accountA", "accountB", "?", "?"],
		["account_one", "account_two", "?", "?"],
		["leftAccount", "rightAccount", "?", "?"],
		["sourceOfFunds", "toAccountId", "?", at("toAccountId")],
		["fromAccountName", "toAccountName", "?", "?"],
		["debtorIban", "creditorIban", "?", "?"],
		["from_currency", "to_currency", "?", "?"],
		["fromDate", "toDate", "?", "?"],
		["debitCreditAccount", "toAccount", "?", at("toAccount")],
		["directDebitAccountId", "creditAccountId", "?", at("creditAccountId")],
		["creditTransferAccountId", "debitAccountId", at("debitAccountId"), "?"],
		["sender_bank_account_id", "receiver_bank_account_id", "?", "?"],
		["sourceAccountNumber", "targetCountry", at("sourceAccountNumber"), "?"],
	])("%s and %s say less", (one, other, from, to) => {
		expect(sidesOf({ [`${one}!`]: "string", [`${other}!`]: "string" })).toEqual([from, to]);
	});

	test("a payee is no account, and an account is no payee", () => {
		const body = { "source_account_id!": "string", "payee_id!": "string" };
		expect([sidesOf(body), sidesOf(body, {}, "payee")]).toEqual([
			[at("source_account_id"), "?"],
			[at("source_account_id"), at("payee_id")],
		]);
		expect(sidesOf({ "source_account_id!": "string", "creditor_account_id!": "string" }, {}, "payee")).toEqual([
			at("source_account_id"),
			"?",
		]);
	});

	test("a bare side is an account's, but not inside something else", () => {
		const inside = (name: string) => sidesOf({ [`${name}!`]: { "source!": "string", "destination!": "string" } });
		expect([inside("transfer"), inside("clearing")]).toEqual([
			[at("transfer/source"), at("transfer/destination")],
			["?", "?"],
		]);
	});

	test("two leave a side open", () => {
		expect(sidesOf({ "from_account_id!": "string", "source_account_id!": "string", "to_account_id!": "string" })).toEqual([
			"?",
			at("to_account_id"),
		]);
	});
});

describe("a description that says the contrary of a name leaves it open", () => {
	const both = (from: string, to: string) => sidesOf({ "sourceAccountId!": described(from), "destinationAccountId!": described(to) });
	it.each([
		["The account that is credited.", "The account that is debited."],
		["Receives the money", "Account that the money is taken from"],
		["Beneficiary of the transfer", "Who sends the funds"],
		["Account credited when a transfer is returned", "The account to debit"],
		["Where the funds are deposited", "The payer's account"],
	])("%s / %s", (from, to) => {
		expect(both(from, to)).toEqual(["?", "?"]);
	});

	it("one that says the same, or nothing, does not", () => {
		const right = [at("sourceAccountId"), at("destinationAccountId")];
		expect(both("Account to be debited", "Account of the beneficiary")).toEqual(right);
		expect(both("Identifier of the account", "Identifier of the account")).toEqual(right);
		expect(both("The account the money is sent from", "The account that receives the money")).toEqual(right);
	});

	it("also where it stands at the object around it", () => {
		const party = (description: string) => ({
			schema: { type: "object", description, required: ["accountId"], properties: { accountId: { type: "string" } } },
		});
		expect(sidesOf({ "debtor!": party("Who gets the funds"), "creditor!": party("Who is paid") })).toEqual(["?", "?"]);
	});

	it("a name that is contradicted anywhere in the document says nothing in the rest of it either", () => {
		const receiver = "The account that receives the money";
		const other: Line = { at: "POST /orders", id: "order", body: { debitAccountId: described(receiver), creditAccountId: "string" } };
		const body = { "debitAccountId!": "string", "creditAccountId!": "string" };
		expect(sidesOf(body, {}, "account", [other])).toEqual(["?", at("creditAccountId")]);
	});

	it("a direction that is chosen, and money that is fetched leave both open", () => {
		const body = { "fromAccountId!": "string", "toAccountId!": "string" };
		expect(sidesOf({ ...body, "direction!": "DEBIT|CREDIT" })).toEqual(["?", "?"]);
		expect(sidesOf(body, { description: "A chargeback of the account" })).toEqual(["?", "?"]);
	});
});
