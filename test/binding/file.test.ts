import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/api/json.js";
import { catalog } from "../../src/api/operations/catalog.js";
import type { Bindings } from "../../src/binding/file.js";
import { bindingFile, readBindingFile } from "../../src/binding/file.js";
import { payment } from "./payment.js";

const base = "https://api.example.com";
const bindings: Bindings = {
	service: {
		paging: { style: "cursor", at: "cursor", next: "/next", records: "/items", size: { at: "limit", most: 50 } },
		errors: { code: "/error/code", message: "/error/text" },
		ids: { ledger: "acc_[0-9]{10}" },
	},
	operations: { "transaction.interLedger": payment },
};
const read = (document: unknown) => readBindingFile(parseJson(JSON.stringify(document)), catalog, base);
const changed = (change: (document: Record<string, object>) => void) => {
	const document = structuredClone(bindingFile(bindings)) as never as Record<string, object>;
	change(document);
	return read(document).faults.map(({ field, message }) => `${field}: ${message}`);
};

describe("a binding as a document", () => {
	it("is read back as it was written", () => {
		expect(read(bindingFile(bindings))).toEqual({ bindings, faults: [] });
	});

	it("is written as the same bytes again, whatever the order in which it was made", () => {
		const written = JSON.stringify(bindingFile(bindings));
		expect(written.startsWith('{"purser":"binding","version":1,"service":{"paging":{"style":"cursor","at":"cursor","size":')).toBe(true);
		expect(JSON.stringify(bindingFile(read(JSON.parse(written)).bindings))).toBe(written);
	});

	it.each<[string, (document: Record<string, object>) => void, string]>([
		["another document", (one) => Object.assign(one, { purser: "case" }), "purser: is none of the values that it may have"],
		["a later version", (one) => Object.assign(one, { version: 2 }), "version: is none of the values that it may have"],
		["a member that none has", (one) => Object.assign(one, { script: "x" }), ": has script, which no binding has"],
		[
			"an operation that is none",
			(one) => Object.assign(one.operations as object, { "ledger.close": {} }),
			"operations.ledger.close: is not an operation",
		],
		[
			"a form that is none",
			(one) => Object.assign(one.service as object, { ids: { ledger: "(a+)+" } }),
			"service.ids.ledger: must be a row of letters",
		],
		["a kind of id that is none", (one) => Object.assign(one.service as object, { ids: { iban: "[0-9]{10}" } }), "service.ids"],
		[
			"two fields at one place",
			(one) =>
				Object.assign(one.operations as object, {
					"transaction.interLedger": {
						request: { fields: { ledgerFromId: { place: "body", at: "/x" }, ledgerToId: { place: "body", at: "/x" } } },
					},
				}),
			"would stand at one place",
		],
		[
			"a codec that is none",
			(one) =>
				Object.assign(one.operations as object, {
					"kyb.request": { request: { fields: { corporateId: { place: "path", at: "id", codec: "eval" } } } },
				}),
			"codec: is none of the values",
		],
	])("%s is told", (_name, change, message) => {
		expect(changed(change).join("\n")).toContain(message);
	});

	it.each([null, [], "text", 7, {}])("%j is no binding", (document) => {
		expect(read(document).faults.length).toBeGreaterThan(0);
	});
});
