/**
 * A deployment whose ids are JSON numbers: the digits of payer and payee arrive as they were typed.
 */
import { describe, expect, test } from "vitest";
import { formatJson } from "../../src/api/json.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { boundOperation } from "../../src/binding/binding.js";
import { bindingFaults } from "../../src/binding/faults.js";
import { documentMatch } from "../../src/openapi/import.js";
import type { Codec, OperationBinding } from "../../src/ports/binding.js";

const binding = (codec?: Codec): OperationBinding => ({
	path: "/transfers",
	request: {
		others: "refused",
		fields: {
			ledgerFromId: { place: "body", at: "/source", ...(codec ? { codec } : {}) },
			ledgerToId: { place: "body", at: "/target", ...(codec ? { codec } : {}) },
			amount: { place: "body", at: "/amount" },
			reference: { place: "body", at: "/text" },
		},
	},
});
const transfer = (from: string) => ({ params: {}, query: {}, body: { ledgerFromId: from, ledgerToId: "10023842", reference: "Example" } });

describe("ids that are numbers", () => {
	test("the digits are written as a number and read back as the same text", () => {
		const bound = boundOperation(createInterLedger, binding("number"), undefined);
		const theirs = bound.toRequest(transfer("900719925474099312"));
		expect(formatJson(theirs.body)).toBe('{"source":900719925474099312,"target":10023842,"text":"Example"}');
		expect(bound.fromRequest(theirs).body).toEqual(transfer("900719925474099312").body);
	});

	test("an id that a number would change is not sent", () => {
		const bound = boundOperation(createInterLedger, binding("number"), undefined);
		for (const id of ["0010023841", "acc_1", "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f"])
			expect(() => bound.toRequest(transfer(id)), id).toThrow("ledgerFromId cannot be sent");
	});

	test("payer and payee take no other form", () => {
		const faultsOf = (codec?: Codec) =>
			bindingFaults(createInterLedger, binding(codec), "https://api.example.com").map(({ field }) => field);
		expect([faultsOf(), faultsOf("number")]).toEqual([[], []]);
		for (const codec of ["minor-units", "decimal-text", "epoch-seconds"] as const)
			expect(faultsOf(codec), codec).toEqual(["ledgerFromId", "ledgerToId"]);
	});

	test("an import writes them so where the document says integer", () => {
		const integer = { type: "integer", format: "int64" };
		const document = {
			openapi: "3.0.3",
			info: { title: "Example Bank", version: "1" },
			paths: {
				"/internal-transfers": {
					post: {
						summary: "Transfer between own accounts",
						requestBody: {
							content: {
								"application/json": {
									schema: {
										type: "object",
										required: ["sourceAccountId", "targetAccountId", "amount"],
										properties: {
											sourceAccountId: integer,
											targetAccountId: integer,
											amount: { type: "string" },
											reference: { type: "string" },
										},
									},
								},
							},
						},
						responses: { 201: { description: "made" } },
					},
				},
			},
		};
		const { matched } = documentMatch(document, "0".repeat(64), { only: createInterLedger.id });
		expect(matched.operations[0]?.candidates[0]?.proposal.binding.request?.fields).toMatchObject({
			ledgerFromId: { place: "body", at: "/sourceAccountId", codec: "number" },
			ledgerToId: { place: "body", at: "/targetAccountId", codec: "number" },
		});
		expect(matched.service.ids).toEqual({ ledger: "[1-9][0-9]{3,17}" });
	});
});
