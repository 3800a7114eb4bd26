import { expect, test } from "vitest";
import { asciiText, isAsciiLocale } from "../../src/system/streams.js";

test.each([
	[{ LC_ALL: "C" }, true],
	[{ LANG: "POSIX" }, true],
	[{ LC_ALL: "", LC_CTYPE: "", LANG: "C" }, true],
	[{ LC_ALL: "C.UTF-8", LANG: "C" }, false],
	[{ LC_CTYPE: "en_US.UTF-8", LANG: "C" }, false],
	[{}, false],
])("%j has ASCII only: %s", (env, ascii) => {
	expect(isAsciiLocale(env)).toBe(ascii);
});

test("signs become ASCII, letters lose accents, colours and lines stay, nothing else is left", () => {
	expect(asciiText("\u001b[32m✔\u001b[39m Reading … 9\u00a0989.00 EUR · XX00••••0001\n")).toBe(
		"\u001b[32m+\u001b[39m Reading ... 9 989.00 EUR - XX00****0001\n",
	);
	expect(asciiText("Bäckerei Straße, Łódź, 株式会社, 🏦 ⠋")).toBe("Backerei Strasse, Lodz, ????, ? .");
});
