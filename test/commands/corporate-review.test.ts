import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";
import { answering, type Canned } from "./answers.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
const line = `GET /api/partner/corporates/${id}/diligence-review`;
const page =
	"<html><head><title>Due diligence</title></head><body><h1>Example Trading SAS</h1><table><tr><th>KYB</th><td>NOT_STARTED</td></tr></table></body></html>";

/** Of the page. */
const digest = "12924988953935658faad46a02366a0510b6976a275b087c60332ccef3ed7f9c";

let world: World;
const review = (answer: Canned, ...more: string[]) => {
	world.wire = answering({ [line]: answer });
	return world.purser(["corporate", "review", id, ...more]);
};
const html = { body: page, type: "text/html; charset=utf-8" };
const text = (path: string) => new TextDecoder().decode(world.files.get(path));

beforeEach(async () => {
	world = await makeWorld();
});

describe("corporate review", () => {
	test("a page is read here", async () => {
		const ran = await review(html);
		expect(ran.exit).toBe(0);
		expect(ran.stdout).toBe(`Due diligence\nExample Trading SAS\nKYB  NOT_STARTED\n\nDocument  text/html, 151 bytes\n`);
		expect(ran.stderr).toBe(`Next: purser kyb request ${id} --reviewed ${digest}\n`);
	});

	test("--json tells what it is, its size and its digest", async () => {
		const ran = await review(html, "--json");
		expect(ran.json()).toEqual({
			corporateId: id,
			contentType: "text/html",
			bytes: 151,
			sha256: digest,
			lines: ["Due diligence", "Example Trading SAS", "KYB  NOT_STARTED"],
			cut: false,
		});
	});

	test("--save keeps it as received; a file that exists is left alone, unless --force", async () => {
		const ran = await review(html, "--save", "review.html");
		expect([ran.exit, text("review.html")]).toEqual([0, page]);
		expect(ran.stdout).toBe("Document  text/html, 151 bytes\nSaved to  review.html\n");
		world.files.set("review.html", new TextEncoder().encode("mine"));
		const refused = await review(html, "--save", "review.html");
		expect([refused.exit, refused.stdout, text("review.html")]).toEqual([10, "", "mine"]);
		expect(refused.stderr).toContain("review.html exists already and was left as it is");
		expect([(await review(html, "--save", "review.html", "--force")).exit, text("review.html")]).toEqual([0, page]);
	});

	test("a PDF is not put on the terminal", async () => {
		const pdf = { body: "%PDF-1.7 \u0000\u001b[2J", type: "application/pdf" };
		const ran = await review(pdf);
		expect(ran.stdout).toBe(
			"This document cannot be shown in the terminal. Keep it with --save FILE.\n\nDocument  application/pdf, 14 bytes\n",
		);
	});

	test("the document behind an address on the service's own host is read and kept; elsewhere it is not fetched", async () => {
		world.wire = answering({ [line]: { body: { url: "http://127.0.0.1:4010/r/1", ttl: "PT1H" } }, "GET /r/1": html });
		const saved = await world.purser(`corporate review ${id} --save review.html --json`);
		expect(saved.json()).toMatchObject({ contentType: "text/html", bytes: 151, sha256: digest, savedTo: "review.html" });
		expect(text("review.html")).toBe(page);
		world.requests.length = 0;
		const refused = await review({ body: { url: "https://files.example.com/r/1" } }, "--save", "other.html");
		expect([refused.exit, world.files.has("other.html")]).toEqual([10, false]);
		expect(refused.stderr).toContain("it is on files.example.com, not where the service is");
		expect(refused.stderr).toContain("Open it yourself if you trust the address: https://files.example.com/r/1");
		expect(new Set(world.requests.map(({ url }) => new URL(url).host))).toEqual(new Set(["127.0.0.1:4010"]));
	});

	test("a page that attacks the terminal is harmless text", async () => {
		const ran = await review({ body: "<p>a\u001b]0;owned\u0007b&#27;[2Jc\u202e</p><script>alert(1)</script>", type: "text/html" });
		expect(ran.exit).toBe(0);
		expect(ran.stdout.startsWith("a␛]0;owned␇b␛[2Jc<U+202E>\n")).toBe(true);
	});

	test("an empty answer is no review: exit 1", async () => {
		const ran = await review({ status: 200, body: "" });
		expect(ran.exit).toBe(1);
	});
});
