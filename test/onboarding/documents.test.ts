import { describe, expect, test } from "vitest";
import type { Context } from "../../src/context.js";
import { saveDocument, showPage } from "../../src/onboarding/evidence/documents.js";
import type { Opened, ShownDocument } from "../../src/ports/machine.js";

const content = new TextEncoder().encode("review");

interface Outside {
	fault?: string;
	browser?: Opened;
}

/** Files and a browser that only remember; `fault` is what reading or writing throws. */
function outside({ fault, browser = "opened" }: Outside = {}) {
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
			showDocument: async ({ bytes, contentType }: ShownDocument) => {
				opened.push(`${contentType}: ${new TextDecoder().decode(bytes)}`);
				return browser;
			},
		},
		report: { warn: (message: string) => void warned.push(message), during: (_: string, act: () => unknown) => act() },
	} as unknown as Context;
	return { context, written, opened, warned };
}

describe("a document that leaves the terminal", () => {
	test("is written for its owner only", async () => {
		const { context, written } = outside();
		await saveDocument(context, "review.html", content, false);
		expect(written).toEqual([["review.html", 0o600]]);
	});

	test.each(["EACCES", "EISDIR", "ELOOP"])("replaces nothing that cannot be looked at (%s)", async (fault) => {
		const { context, written } = outside({ fault });
		await expect(saveDocument(context, "review.html", content, false)).rejects.toMatchObject({
			kind: "guard",
			failure: { code: "FILE_EXISTS" },
		});
		expect(written).toEqual([]);
	});

	test.each<[Opened, boolean, string[]]>([
		["opened", true, []],
		["unknown", false, ["The system was asked to open the page, but no browser read it in time; keep it with --svg FILE"]],
		["none", false, ["No browser could be opened here; keep the page with --svg FILE"]],
	])("what became of it is told: %s", async (browser, shown, warnings) => {
		const { context, warned } = outside({ browser });
		expect(await showPage(context, content, "--svg FILE")).toBe(shown);
		expect(warned).toEqual(warnings);
	});
});
