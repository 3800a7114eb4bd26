/**
 * Whether an amount may be counted in parts of its unit is asked wherever the document leaves it open: guessed wrongly, a payment is a hundred
 * times too large or too small.
 */
import { expect, test } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { readOpenApi } from "../../src/openapi/document.js";
import { matchDocument } from "../../src/openapi/match.js";

/** What is asked about a payment whose amount is described like this. */
function askedOf(amount: object): string[] | undefined {
	const text = { type: "string" };
	const schema = { type: "object", required: ["debtor", "creditor", "amount"], properties: { debtor: text, creditor: text, amount } };
	const post = {
		operationId: "createLedgerTransfer",
		summary: "Transfer money between two ledgers",
		requestBody: { content: { "application/json": { schema } } },
		responses: { 201: { description: "", content: { "application/json": { schema: { type: "object", properties: { id: text } } } } } },
	};
	const document = { openapi: "3.0.3", info: { title: "Ledgers", version: "1" }, paths: { "/ledger-transfers": { post } } };
	const found = matchDocument(readOpenApi(document, "0".repeat(64)), catalog, { baseUrl: "https://api.example.com" });
	const [best] = found.operations.find(({ operation }) => operation.id === "transaction.interLedger")?.candidates ?? [];
	return best?.proposal.open.filter(({ ours }) => ours === "amount").map(({ text: words }) => words);
}

const number = { type: "number" };
const asked = ["amount: is it in minor units (cents)?"];

test.each<[string, object]>([
	["whole numbers", { type: "integer" }],
	["a number of 64 bits", { ...number, format: "int64" }],
	["text of digits alone", { type: "string", pattern: "^[0-9]{1,18}$" }],
	["a whole example", { ...number, example: "1050" }],
	["centimes", { ...number, description: "Montant en centimes" }],
	["hundredths", { ...number, description: "Amount in hundredths of the unit" }],
	["no decimal point", { ...number, description: "Without decimal point: 10.50 is 1050" }],
	["implied decimals", { type: "string", description: "Two implied decimals" }],
	["thousands", { ...number, description: "In thousands of EUR" }],
	["cents, told of the record around it", { type: "object", description: "In cents", required: ["value"], properties: { value: number } }],
])("%s are asked about", (_name, amount) => {
	expect(askedOf(amount)).toEqual(asked);
});

test.each<[string, object]>([
	["a number", number],
	["a number with an example of decimals", { ...number, example: "10.50", description: "The amount that is accented, percentage aside" }],
	["text with decimals", { type: "string", pattern: "^[0-9]+(\\.[0-9]{2})?$", example: "10.50" }],
	["a number of small steps", { ...number, multipleOf: 0.01 }],
])("%s are not (control)", (_name, amount) => {
	expect(askedOf(amount)).toEqual([]);
});
