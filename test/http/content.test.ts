/** Whatever stands in an answer, reading it never throws, and what is told of it is short. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCorporate, getCorporate } from "../../src/api/operations/corporate.js";
import { contentOf } from "../../src/http/content.js";
import { appliedMapping } from "../../src/mapping/request/applied.js";
import type { MappedOperation } from "../../src/ports/mapping.js";

const bytes = (text: string) => new TextEncoder().encode(text);
const problem = (status: number, body: string, type = "application/json") =>
	contentOf(status, { "content-type": type }, bytes(body)).problem;

describe("an error body", () => {
	it.each<[string, string, string?, string?, object?]>([
		["the documented shape", '{"status":400,"error":"x","errorCode":"X","message":"Bad"}', "X", "Bad"],
		["without a message", '{"error":"linkcy.bad.request"}', undefined, "linkcy.bad.request"],
		["problem+json", '{"title":"Nope","detail":"Because"}', undefined, "Because"],
		["a text", '"just text"', undefined, "just text"],
		["a record inside", '{"error":{"code":"X","message":"m"}}', "X", "m"],
		["errors", '{"errors":[{"field":"f","message":"m"}]}', undefined, undefined, [{ field: "f", message: "m" }]],
		["errors alone", '[{"field":"f","message":"m"}]', undefined, undefined, [{ field: "f", message: "m" }]],
		["an array", "[1,2]", undefined, undefined],
		["null", "null", undefined, undefined],
		["details that are no list", '{"details":{"field":"x"}}', undefined, undefined],
		["a message that is an object", '{"message":{"a":1}}', undefined, '{"a":1}'],
		["a code that is a number", '{"errorCode":17}', "17", undefined],
		["lines and escapes", '{"message":"a\\n\\u001b[31mb\\tc"}', undefined, "a [31mb c"],
	])("%s", (_name, body, apiCode, message, details = []) => {
		expect(problem(400, body)).toEqual({ apiCode, message, details });
	});

	it("HTML: its words only", () => {
		const page = "<html><head><style>p{color:red}</style><script>alert(1)</script></head><body><h1>502</h1>\n<p>Bad gateway";
		expect(problem(502, page, "text/html")?.message).toBe("502 Bad gateway");
	});

	it("a picture: nothing", () => {
		expect(contentOf(500, { "content-type": "image/png" }, new Uint8Array([137, 80, 78, 71])).problem?.message).toBeUndefined();
	});

	it("is told in at most 300 characters, in at most 50 details", () => {
		const details = Array.from({ length: 500 }, () => ({ field: "f".repeat(1_000), message: "m".repeat(1_000) }));
		const read = problem(400, JSON.stringify({ errorCode: "C".repeat(1_000), message: "😀".repeat(5_000), details }));
		expect([...(read?.message ?? "")].length).toBe(300);
		expect(read?.apiCode?.length).toBe(80);
		expect(read?.details).toHaveLength(50);
		expect(read?.details[0]?.message.length).toBe(300);
		expect(read?.details[0]?.field.length).toBe(120);
	});

	it.each(["[", '{"a":'])("nested 200,000 deep with %s: read as no JSON", (piece) => {
		expect(contentOf(500, { "content-type": "application/json" }, bytes(piece.repeat(200_000))).kind).toBe("other");
		const closed = "[".repeat(200_000) + "]".repeat(200_000);
		expect(contentOf(500, {}, bytes(closed)).kind).toBe("other");
	});

	it("a message nested as deep as the parser goes does not break the telling", () => {
		for (const depth of [500, 1_000, 2_000, 3_000, 4_000, 6_000]) {
			const body = `{"message":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;
			expect((problem(400, body)?.message ?? "").length).toBeLessThanOrEqual(300);
		}
	});

	it("bytes that are no UTF-8, a truncated one, a byte order mark", () => {
		expect(contentOf(200, {}, new Uint8Array([0xff, 0xfe, 0x00])).kind).toBe("other");
		expect(contentOf(200, {}, bytes('{"a":"é"}').subarray(0, 7)).kind).toBe("other");
		expect(contentOf(200, {}, bytes('\ufeff{"a":1}')).kind).toBe("json");
	});

	it("any bytes at all", () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 200, max: 599 }), (body, status) => {
				contentOf(status, { "content-type": "application/json" }, body);
			}),
			{ numRuns: 300 },
		);
		fc.assert(
			fc.property(fc.json(), fc.integer({ min: 400, max: 599 }), (body, status) => {
				const read = contentOf(status, {}, bytes(body));
				expect([...(read.problem?.message ?? "")].length).toBeLessThanOrEqual(300);
			}),
			{ numRuns: 300 },
		);
	});
});

describe("a mapped answer", () => {
	const errors = { code: "/error/code", message: "/error/text", details: "/error/of" };
	const details = (of: unknown) => {
		const applied = appliedMapping(createCorporate, { operations: {}, errors });
		const hide = (text: string) => text.replaceAll("s3cret", "…");
		return contentOf(422, {}, bytes(JSON.stringify({ error: { code: "E1", text: "No", of } })), { applied, hide }).problem?.details;
	};

	it.each<[string, unknown, [string, string][]]>([
		["a list of records", [{ field: "vat_no", reason: "is too short", at: 3 }], [["", "field: vat_no, reason: is too short, at: 3"]]],
		["an entry for each field", { vat_no: ["is too short", "is no number"] }, [["vat_no", '["is too short","is no number"]']]],
		["a secret of the request, and a line of its own", [{ field: "s3cret\n\u001b[31mx" }], [["", "field: … [31mx"]]],
		["nothing", null, []],
	])("an error's details as the service names them: %s", (_name, of, expected) => {
		expect(details(of)).toEqual(expected.map(([field, message]) => ({ field, message })));
	});

	it("keeps what came beside our names; without a mapping there is one of them", () => {
		const entry: MappedOperation = { method: "GET", path: "/c/{corporateId}", answer: { fields: { id: { at: "/ref" } } } };
		const applied = appliedMapping(getCorporate, { operations: { [getCorporate.id]: entry } });
		expect(contentOf(200, {}, bytes('{"ref":"a"}'), { applied })).toMatchObject({ data: { id: "a" }, received: { ref: "a" } });
		expect(contentOf(200, {}, bytes('{"ref":"a"}'), { applied: appliedMapping(getCorporate, undefined) })).toEqual({
			kind: "json",
			type: undefined,
			data: { ref: "a" },
		});
	});
});
