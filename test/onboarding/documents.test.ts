import { describe, expect, test } from "vitest";
import type { Context } from "../../src/context.js";
import { openAddress, saveDocument, showDocument } from "../../src/onboarding/evidence/documents.js";
import type { Opened, ShownDocument } from "../../src/ports/machine.js";

const content = new TextEncoder().encode("review");

interface Outside {
	fault?: string;
	browser?: Opened;
	baseUrl?: string;
}

/** Files and a browser that only remember; `fault` is what reading or writing throws. */
function outside({ fault, browser = "opened", baseUrl = "https://api.example.com/v1" }: Outside = {}) {
	const written: [string, number | undefined][] = [];
	const opened: string[] = [];
	const warned: string[] = [];
	const context = {
		files: {
			read: async () => {
				throw Object.assign(new Error(fault ?? "ENOENT"), { code: fault ?? "ENOENT" });
			},
			write: async (path: string, _: unknown, mode?: number) => {
				if (fault === "EROFS") throw Object.assign(new Error("EROFS: read-only file system"), { code: fault });
				written.push([path, mode]);
			},
		},
		system: {
			openBrowser: async (address: string) => {
				opened.push(address);
				return browser;
			},
			showDocument: async ({ bytes, contentType }: ShownDocument) => {
				opened.push(`${contentType}: ${new TextDecoder().decode(bytes)}`);
				return browser;
			},
		},
		report: { warn: (message: string) => void warned.push(message), during: (_: string, act: () => unknown) => act() },
		settings: { read: async () => ({ profile: { baseUrl } }) },
	} as unknown as Context;
	return { context, written, opened, warned };
}

describe("a document that leaves the terminal", () => {
	test("is written for its owner only", async () => {
		const { context, written } = outside();
		await saveDocument(context, "review.html", content, false);
		expect(written).toEqual([["review.html", 0o600]]);
	});

	test("is shown without a file, a page without what connects by itself", async () => {
		const { context, written, opened } = outside();
		const page = new TextEncoder().encode('<META http-equiv=refresh content="0;https://evil.example"><p>Ä<link rel=preconnect><links>');
		expect(await showDocument(context, page, "page")).toBe(true);
		expect(await showDocument(context, content, "pdf")).toBe(true);
		expect(opened).toEqual([
			'text/html; charset=utf-8: <x-META http-equiv=refresh content="0;https://evil.example"><p>Ä<x-link rel=preconnect><links>',
			"application/pdf: review",
		]);
		expect(written).toEqual([]);
	});

	test.each(["EACCES", "EISDIR", "ELOOP"])("replaces nothing that cannot be looked at (%s)", async (fault) => {
		const { context, written } = outside({ fault });
		await expect(saveDocument(context, "review.html", content, false)).rejects.toMatchObject({
			kind: "guard",
			failure: { code: "FILE_EXISTS" },
		});
		expect(written).toEqual([]);
	});

	test("says why it could not be written", async () => {
		const { context } = outside({ fault: "EROFS" });
		await expect(saveDocument(context, "review.html", content, true)).rejects.toMatchObject({
			kind: "usage",
			failure: { code: "FILE_NOT_WRITTEN", why: "The disk cannot be written" },
		});
	});

	test.each<[Opened, boolean, boolean | null, string[]]>([
		["opened", true, true, []],
		[
			"unknown",
			false,
			null,
			[
				"The system was asked to open the document, but no browser read it in time; keep it with --save FILE",
				"The system was asked to open the address, but no browser did in time",
			],
		],
		[
			"none",
			false,
			false,
			["No browser could be opened here; keep the document with --save FILE", "No browser could be opened here; open the address yourself"],
		],
	])("what became of it is told: %s", async (browser, shown, followed, warnings) => {
		const { context, warned } = outside({ browser });
		expect(await showDocument(context, content, "pdf")).toBe(shown);
		expect(await openAddress(context, "https://api.example.com/r", async () => false)).toBe(followed);
		expect(warned).toEqual(warnings);
	});

	test.each([
		["https://api.example.com/v1", "https://api.example.com/r", true],
		["https://api.example.com/v1", "https://files.example.com/r", true],
		["https://api.example.com/v1", "http://files.example.com/r", false],
		["https://api.example.com/v1", "http://api.example.com/r", false],
		["https://api.example.com/v1", "https://user@api.example.com/r", false],
		["http://127.0.0.1:4010", "http://127.0.0.1:4010/r", true],
		["http://127.0.0.1:4010", "http://user:password@127.0.0.1:4010/r", false],
		["http://127.0.0.1:4010", "http://127.0.0.1:4011/r", false],
		["http://127.0.0.1:4010", "https://files.example.com/r", true],
	])("of %s, where other hosts may be followed: %s is opened: %s", async (baseUrl, address, expected) => {
		const { context, opened } = outside({ baseUrl });
		expect(await openAddress(context, address, async () => true)).toBe(expected);
		expect(opened).toEqual(expected ? [address] : []);
	});

	test.each([
		"https://api.example.com.evil.example/r",
		"http://api.example.com/r",
		"https://api.example.com:8443/r",
		"https://api.example.com@evil.example/r",
		"//api.example.com/r",
		"data:text/html,x",
	])("does not open %s", async (address) => {
		const { context, opened } = outside();
		expect(await openAddress(context, address, async () => false)).toBe(false);
		expect(opened).toEqual([]);
	});
});
