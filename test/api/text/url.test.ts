import { expect, test } from "vitest";
import { isUrl } from "../../../src/api/text/url.js";

test("an address with an umlaut is one at the ten-thousandth time too", () => {
	const answers = new Set(Array.from({ length: 10_000 }, () => isUrl("https://b\u00fccher.example")));
	expect([...answers]).toEqual([true]);
});

test.each(["", "https://", "example.com", "https://exa mple.com", "http://[::1"])("%j is none", (text) => {
	expect(isUrl(text)).toBe(false);
});

test("a relative address is one with a base", () => {
	expect([isUrl("/a"), isUrl("/a", "https://example.com")]).toEqual([false, true]);
});
