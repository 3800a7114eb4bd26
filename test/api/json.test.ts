import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/api/json.js";

describe("canonical JSON (RFC 8785)", () => {
	test.each<[string, string, string]>([
		[
			"the sample of its section 3.2.2",
			String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`,
			String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
		],
		[
			"names in the order of their UTF-16 code units, of its section 3.2.3",
			String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`,
			'{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis","€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
		],
		[
			"numbers, of its appendix B",
			"[-0,5e-324,-9007199254740992,295147905179352830000]",
			"[0,5e-324,-9007199254740992,295147905179352830000]",
		],
		["nothing in it", '{ "b": [ ], "a": { } }', '{"a":{},"b":[]}'],
	])("%s", (_, given, expected) => {
		expect(canonicalJson(JSON.parse(given))).toBe(expected);
	});

	test("members that are undefined are left out", () => {
		expect(canonicalJson({ b: [1, { d: "é\n", c: undefined }], a: { z: null, y: "" } })).toBe(
			'{"a":{"y":"","z":null},"b":[1,{"d":"é\\n"}]}',
		);
	});
});
