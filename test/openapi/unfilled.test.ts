import { describe, expect, test } from "vitest";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { bindingFaults } from "../../src/binding/faults.js";
import { stillWanted } from "../../src/binding/wanted.js";
import { withoutUnsure } from "../../src/openapi/adopt.js";
import { documentMatch } from "../../src/openapi/import.js";
import { wantedLines, withWanted } from "../../src/openapi/walk/told.js";
import type { OperationBinding } from "../../src/ports/binding.js";

const text = { type: "string" };
/** A document with one transfer between own accounts, inside an envelope that it does not call required. */
const documentOf = (amountRequires: string[], more: Record<string, unknown> = {}) => ({
	openapi: "3.0.3",
	info: { title: "Example Bank", version: "1" },
	paths: {
		"/internal-transfers": {
			post: {
				summary: "Transfer between own accounts",
				parameters: [{ name: "channel", in: "query", required: true, schema: { type: "string", enum: ["WEB", "API"] } }],
				requestBody: {
					content: {
						"application/json": {
							schema: {
								type: "object",
								properties: {
									data: {
										type: "object",
										required: ["debitAccountId", "creditAccountId", "instructed", ...Object.keys(more)],
										properties: {
											debitAccountId: { ...text, format: "uuid" },
											creditAccountId: { ...text, format: "uuid" },
											reference: text,
											instructed: { type: "object", required: amountRequires, properties: { amount: text, currency: text } },
											...more,
										},
									},
								},
							},
						},
					},
				},
				responses: {
					201: { description: "made", content: { "application/json": { schema: { type: "object", properties: { id: text } } } } },
				},
			},
		},
	},
});

function proposalOf(document: unknown) {
	const { matched } = documentMatch(document, "0".repeat(64), { only: createInterLedger.id });
	const [candidate] = matched.operations[0]?.candidates ?? [];
	if (candidate === undefined) throw new Error("nothing was proposed");
	return candidate;
}

describe("what a deployment wants beside our own fields", () => {
	test("a currency is sent where the amount's object must have one, also in an envelope that may be left out", () => {
		const fieldsOf = (requires: string[]) => proposalOf(documentOf(requires)).proposal.binding.request?.fields;
		expect(fieldsOf(["amount", "currency"])?.currency).toEqual({ place: "body", at: "/data/instructed/currency" });
		expect(fieldsOf(["amount"])?.currency).toBeUndefined();
	});

	const importsOf = (document: unknown) => documentMatch(document, "0".repeat(64), { only: createInterLedger.id });
	const told = (document: unknown) => wantedLines(withWanted([proposalOf(document)], importsOf(document)));

	test("what nobody can fill in is told with what can be done, and what has a value of its own is not", () => {
		const more = { chargeBearer: text, urgency: { ...text, default: "NORMAL" } };
		expect(told(documentOf(["amount", "currency"], more))).toEqual([
			"POST /internal-transfers (transaction.interLedger) also wants channel, /data/chargeBearer, for which purser has nothing: the service may refuse it. A value that is always the same: among the constants in the file of purser api export, then purser api use",
		]);
	});

	test("required headers are told as what they are: a tenant, a version, a number of the request, a signature, an idempotency key", () => {
		const document = documentOf(["amount", "currency"]);
		const names = ["Authorization", "Accept", "X-Tenant-Id", "Api-Version", "X-Request-ID", "X-JWS-Signature", "Idempotency-Key"];
		const headers = names.map((name) => ({ name, in: "header", required: true, schema: text }));
		const optional = { name: "X-Trace", in: "header", schema: text };
		document.paths["/internal-transfers"].post.parameters = [...headers, optional] as never;
		const start = "POST /internal-transfers (transaction.interLedger)";
		expect(told(document)).toEqual([
			`${start} requires an idempotency key (Idempotency-Key), which is not sent: the service will refuse every payment. A constant cannot serve: each payment would count as the first one, sent again`,
			`${start} requires X-JWS-Signature, a secret or a signature, and purser sends the profile's credential alone: the service will refuse it`,
			`${start} requires X-Request-ID, another one for each request, which purser does not have: the service may refuse it`,
			`${start} also wants X-Tenant-Id, Api-Version, for which purser has nothing: the service may refuse it. A header that is always the same: purser api set transaction.interLedger --header 'X-Tenant-Id: VALUE'`,
		]);
	});

	test("what is sent meanwhile is not told any more; one idempotency key for all payments is refused", () => {
		const [candidate] = withWanted([proposalOf(documentOf(["amount", "currency"]))], importsOf(documentOf(["amount", "currency"])));
		const binding = candidate?.proposal.binding as OperationBinding;
		expect([stillWanted(binding), binding.source?.wants]).toEqual([
			[{ place: "query", at: "channel" }],
			[{ place: "query", at: "channel" }],
		]);
		expect(stillWanted({ ...binding, constants: [{ place: "query", at: "channel", value: "API" }] })).toEqual([]);
		const faultsWith = (more: OperationBinding) =>
			bindingFaults(createInterLedger, { ...binding, ...more }, "https://api.example.com").map(({ message }) => message);
		const fault = "is an idempotency key: with one for all payments, each would count as the first";
		expect(faultsWith({ headers: { "Idempotency-Key": "1" } })).toEqual([`Idempotency-Key ${fault}`]);
		expect(faultsWith({ constants: [{ place: "body", at: "/data/idempotencyKey", value: "1" }] })).toEqual([`idempotencyKey ${fault}`]);
		expect(faultsWith({ headers: { "X-Tenant-Id": "1" } })).toEqual([]);
	});
});

describe("the number of a list's records", () => {
	const listOf = (names: string[]) => ({
		openapi: "3.0.3",
		info: { title: "Example Bank", version: "1" },
		paths: {
			"/beneficiaries": {
				get: {
					summary: "List beneficiaries",
					parameters: ["offset", "limit"].map((name) => ({ name, in: "query", schema: { type: "integer" } })),
					responses: {
						200: {
							description: "a page",
							content: {
								"application/json": {
									schema: {
										type: "object",
										properties: {
											meta: { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "integer" }])) },
											items: {
												type: "array",
												items: { type: "object", properties: { id: { ...text, format: "uuid" }, name: text, iban: text } },
											},
										},
									},
								},
							},
						},
					},
				},
			},
		},
	});
	const totalOf = (names: string[]) => documentMatch(listOf(names), "0".repeat(64), {}).matched.service.paging?.total;

	test("a bare count may be that of one page, and is not taken for it", () => {
		expect([totalOf(["count", "total_count"]), totalOf(["offset", "count"]), totalOf(["totalItems"])]).toEqual([
			"/meta/total_count",
			undefined,
			"/meta/totalItems",
		]);
	});
});

describe("what is stored without a question", () => {
	test("a field that may be another one is left out, unless it is asked about", () => {
		const candidate = proposalOf(documentOf(["amount", "currency"]));
		const fields = candidate.proposal.fields.map((one) => (one.ours === "reference" ? { ...one, sure: false } : one));
		const left = (open: typeof candidate.proposal.open) =>
			Object.keys(
				withoutUnsure({ ...candidate, proposal: { ...candidate.proposal, fields, open } }).proposal.binding.request?.fields ?? {},
			);
		expect(left([])).not.toContain("reference");
		expect(left([{ about: "form", ours: "reference", text: "?" }])).toContain("reference");
		// What the operation needs stays, and is looked at with it.
		expect(left([])).toEqual(expect.arrayContaining(["amount", "ledgerFromId", "ledgerToId"]));
	});
});
