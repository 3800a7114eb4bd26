import { describe, expect, test } from "vitest";
import type { Context } from "../../src/context.js";
import { openAddress, openDocument, saveDocument } from "../../src/onboarding/evidence/documents.js";

const content = new TextEncoder().encode("review");

/** Files and a browser that only remember; `fault` is what reading or writing throws. */
function outside({ fault, browser = true }: { fault?: string; browser?: boolean } = {}) {
	const written: [string, number | undefined][] = [];
	const opened: string[] = [];
	const warned: string[] = [];
	const context = {
		files: {
			read: async () => {
				throw Object.assign(new Error(fault ?? "ENOENT"), { code: fault ?? "ENOENT" });
			},
			write: async (path: string, _: unknown, mode?: number) => {
				if (fault === "EROFS") throw new Error("EROFS: read-only file system");
				written.push([path, mode]);
			},
			temporary: async () => ({ path: "/tmp/private", remove: async () => {} }),
		},
		openBrowser: async (address: string) => {
			opened.push(address);
			return browser;
		},
		reporter: { warn: (message: string) => void warned.push(message) },
		settings: async () => ({ profile: { baseUrl: "https://api.example.com/v1" } }),
	} as unknown as Context;
	return { context, written, opened, warned };
}

describe("a document that leaves the terminal", () => {
	test("is written for its owner only", async () => {
		const { context, written } = outside();
		await saveDocument(context, "review.html", content, false);
		await openDocument(context, "review.pdf", content);
		expect(written).toEqual([
			["review.html", 0o600],
			["/tmp/private/review.pdf", 0o600],
		]);
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
			failure: { code: "FILE_NOT_WRITTEN", why: "EROFS: read-only file system" },
		});
	});

	test("stays where it is when there is no browser, and that is told", async () => {
		const { context, opened, warned } = outside({ browser: false });
		expect(await openDocument(context, "review.html", content)).toEqual({ path: "/tmp/private/review.html", opened: false });
		expect(await openAddress(context, "https://api.example.com/r", async () => false)).toBe(false);
		expect(opened).toEqual(["file:///tmp/private/review.html", "https://api.example.com/r"]);
		expect(warned).toEqual(["No browser could be opened here; open the address yourself"]);
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
