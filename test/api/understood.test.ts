/** Which answers are a record of the kind that was asked for, and which only look like one. */
import { describe, expect, test } from "vitest";
import { type RecordNames, recordFault } from "../../src/api/answer.js";
import { parseJson } from "../../src/api/json.js";
import { getBeneficiary } from "../../src/api/operations/beneficiary.js";
import { getCorporate, listCorporates } from "../../src/api/operations/corporate.js";
import { getLedger } from "../../src/api/operations/ledger.js";
import { getRelated } from "../../src/api/operations/related.js";
import { getTerms } from "../../src/api/operations/terms.js";
import { getTransaction } from "../../src/api/operations/transaction.js";

const asked = "44444444-4444-4444-8444-444444444444";
const of = { transaction: getTransaction, corporate: getCorporate, related: getRelated, ledger: getLedger, beneficiary: getBeneficiary };
const read = (kind: keyof typeof of, text: string) =>
	recordFault(parseJson(text) as Record<string, unknown>, of[kind].record as RecordNames, asked);

describe("a record, however little of it is known", () => {
	test.each([
		["transaction", `{"id":"${asked}"}`],
		["transaction", '{"status":"PENDING"}'],
		["transaction", '{"reference":"Rent","zone":7}'],
		["transaction", `{"transactionId":"${asked.toUpperCase()}","data":{"id":"${asked}","status":"APPROVED","amount":1}}`],
		// Parts that nobody described may have ids and statuses of their own.
		["transaction", '{"status":"PENDING","amount":1,"currency":"EUR","card":{"id":"c-1","type":"VISA","status":"ACTIVE"}}'],
		["transaction", `{"id":"${asked}","history":[{"status":"PENDING","type":"x","amount":1}]}`],
		["corporate", '{"status":{"kyb":{"value":"VALIDATED"}}}'],
		["corporate", '{"status":{"kyb":"VALIDATED"}}'],
		["corporate", '{"termsAccepted":false}'],
		["related", '{"kycInfo":{"status":"VALIDATED"}}'],
		["beneficiary", '{"iban":"DE89370400440532013000"}'],
	] as const)("%s %s", (kind, text) => {
		expect(read(kind, text)).toBeUndefined();
	});
});

describe("none", () => {
	test.each([
		["transaction", "{}", "none of its fields is known"],
		["transaction", '{"id":null,"status":null}', "none of its fields is known"],
		["corporate", '{"status":"success"}', "none of its fields is known"],
		["transaction", `{"data":{"id":"${asked}","status":"APPROVED"}}`, "the record stands inside data"],
		["transaction", `{"status":"success","data":{"id":"${asked}","status":"APPROVED"}}`, "the record stands inside data"],
		["transaction", '{"status":"success","data":{"id":"t-1","status":"APPROVED"}}', "the record stands inside data"],
		["transaction", '{"status":"success","data":{"status":"APPROVED","amount":1}}', "the record stands inside data"],
		["transaction", `{"id":"request-7","status":"ok","result":{"transactionId":"${asked}"}}`, "the record stands inside result"],
		["transaction", `{"type":"list","items":[{"id":"${asked}","status":"APPROVED"}]}`, "the record stands inside items"],
		["corporate", `{"corporate":{"id":"${asked}","kybStatus":"VALIDATED"}}`, "the record stands inside corporate"],
		["related", `{"type":"x","data":{"id":"${asked}"}}`, "the record stands inside data"],
		["ledger", `{"status":"success","ledger":{"id":"${asked}","availableAmount":5}}`, "the record stands inside ledger"],
		["beneficiary", `{"type":"x","status":"y","payload":{"id":"${asked}","name":"A"}}`, "the record stands inside payload"],
	] as const)("%s %s", (kind, text, why) => {
		expect(read(kind, text)).toBe(why);
	});

	test("of the terms, which have no id", () => {
		const terms = (value: Record<string, unknown>) => recordFault(value, getTerms.record as RecordNames);
		expect(terms({ version: "3" })).toBeUndefined();
		expect(terms({ type: "CORPORATE" })).toBe("none of its fields is known");
		expect(terms({ type: "CORPORATE", data: { version: "3", downloadUrl: "https://x.example" } })).toBe("the record stands inside data");
	});
});

test("a list knows its records by the same names", () => {
	expect(listCorporates.record).toBe(getCorporate.record);
});
