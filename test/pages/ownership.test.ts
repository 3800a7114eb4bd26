/**
 * The picture of an ownership in Chromium: texts stay where they belong in the letters that a browser really draws.
 */
import { describe, expect, test } from "vitest";
import { type Holding, type Ownership, ownershipOf, type Party } from "../../src/onboarding/ownership/ownership.js";
import { ownershipDiagram } from "../../src/onboarding/ownership/page.js";
import { pictureFile } from "../../src/pages/picture.js";
import { browserFor, openWindow } from "../support/browser.js";
import { browserSuite } from "./browser-suite.js";

const program = browserFor("the page of an ownership");

const names = [
	"Example Holding International Participations B.V.",
	"Maschinenbaugesellschaft".repeat(4),
	"WWW MMM @@@ ".repeat(9),
	"見本持株会社".repeat(9),
	"<script>alert(1)</script><img src=x onerror=alert(2)>",
	`"><style>*{display:none}</style>&amp;`,
	"\u202eturned\u0000\u001b[31m",
	"Ünïcødé Ŵords Žluťoučký kůň".repeat(2),
	"Иван Примеров Εταιρεία Παράδειγμα",
	"{{x}} javascript:alert(3) `x`",
];

/** Forty people and companies in several layers, with a circle, a company of nobody, and people without shares. */
function wide(): Ownership {
	const parties = Array.from({ length: 40 }, (_, at): Party => {
		const more = { isDirector: at % 7 === 0, isAccountOwner: at === 1, isUbo: at % 5 === 0 };
		return { id: `p${at}`, name: `${names[at % names.length]} ${at}`, isCompany: at % 3 === 0, ...more };
	});
	const holdings = parties.slice(0, 36).map(({ id }, at): Holding => {
		const owned = at < 4 ? "C" : `p${3 * Math.floor((at - 1) / 9)}`;
		return { owner: id, owned, percentage: `${(at * 13) % 90}.${at}5` };
	});
	const circle = [
		{ owner: "p0", owned: "p9", percentage: "5" },
		{ owner: "p3", owned: "p3", percentage: "1.23456789" },
		{ owner: "p5", owned: "nobody declared this company", percentage: "100" },
	];
	return ownershipOf({ id: "C", name: names[1] as string }, parties, [...holdings, ...circle]);
}

/** Texts that leave their box or their plate by more than half a pixel, as an expression of the browser. */
const textsOutside = `[...document.querySelectorAll(".box, .line")].flatMap((group) => {
	const frame = group.querySelector("rect").getBoundingClientRect();
	return [...group.querySelectorAll("text")].filter((text) => {
		const box = text.getBoundingClientRect();
		return box.width === 0 || box.left < frame.left - .5 || box.right > frame.right + .5;
	}).map((text) => text.textContent);
})`;

describe.skipIf(program === undefined)("an ownership in the browser", () => {
	const suite = browserSuite(program);
	const evaluated = async <T>(url: string, expression: string): Promise<T> => {
		const page = await (await openWindow(suite.browser, { viewport: { width: 680, height: 900 } })).newPage();
		try {
			await page.goto(url);
			return await page.evaluate<T>(expression);
		} finally {
			await page.context().close();
		}
	};

	test("the file alone: it is XML that the browser reads, and no text leaves its box or its plate", async () => {
		const url = await suite.file("owners.svg", pictureFile(ownershipDiagram(wide())));
		expect(await evaluated(url, "document.documentElement.localName")).toBe("svg");
		expect(await evaluated(url, `document.querySelectorAll("parsererror, script, foreignObject, image, a").length`)).toBe(0);
		expect(await evaluated(url, `document.querySelectorAll(".box").length`)).toBe(38);
		expect(await evaluated(url, textsOutside)).toEqual([]);
		// The control: letters of twice the size leave their places.
		const large = `document.querySelectorAll("text").forEach((text) => (text.style.fontSize = "26px")); (${textsOutside}).length`;
		expect(await evaluated(url, large)).toBeGreaterThan(20);
	});
});
