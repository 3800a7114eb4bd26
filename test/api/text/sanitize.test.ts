import { describe, expect, test } from "vitest";
import { Decimal } from "../../../src/api/json.js";
import { sanitizeJson, sanitizeLine, sanitizeText } from "../../../src/api/text/sanitize.js";
import { sanitizeData } from "../../../src/cli/output/render.js";

describe("text from outside", () => {
	test.each([
		["\u001b[31mred\u001b[0m", "␛[31mred␛[0m"],
		["\u001b]8;;https://evil.example\u0007click", "␛]8;;https://evil.example␇click"],
		["a\rb", "a␍b"],
		["line\nbreak", "line␊break"],
		["\u009b31m", "<U+009B>31m"],
		["invoice \u202egnp.exe", "invoice <U+202E>gnp.exe"],
		["\u2066isolated\u2069", "<U+2066>isolated<U+2069>"],
		["zero\u200bwidth", "zero<U+200B>width"],
		["\ufefflead", "<U+FEFF>lead"],
		["tag\u{e0041}", "tag<U+E0041>"],
		["soft\u00adhyphen, \u3164 filler, \u206a swap", "soft<U+00AD>hyphen, <U+3164> filler, <U+206A> swap"],
		["\u007f", "␡"],
		["Ünïcode 株式会社 🚢", "Ünïcode 株式会社 🚢"],
		["nonjoiner \u200c and joiner \u200d belong to scripts and emoji", "nonjoiner \u200c and joiner \u200d belong to scripts and emoji"],
	])("%j is shown as %j", (given, shown) => {
		expect(sanitizeLine(given)).toBe(shown);
	});

	test("a text keeps its own line breaks", () => {
		expect(sanitizeText("one\ntwo\tthree\u001b")).toBe("one\ntwo\tthree␛");
	});

	test("an answer is cleaned to its depth, keys too, and numbers keep their literal", () => {
		const clean = sanitizeData({ "na\u001bme": ["\u202e", { amount: new Decimal("10.10") }] });
		expect(clean).toEqual({ "na␛me": ["<U+202E>", { amount: new Decimal("10.10") }] });
	});

	test("JSON stays the same document", () => {
		const text = sanitizeJson(JSON.stringify({ name: "a\u009b\u202e\u007f\u{e0041}" }));
		expect(text).toBe('{"name":"a\\u009b\\u202e\\u007f\\udb40\\udc41"}');
		expect(JSON.parse(text)).toEqual({ name: "a\u009b\u202e\u007f\u{e0041}" });
	});
});
