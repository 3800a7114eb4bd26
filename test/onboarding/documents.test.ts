import { expect, test } from "vitest";
import type { Context } from "../../src/context.js";
import { saveDocument, showPage } from "../../src/onboarding/evidence/documents.js";
import type { Opened } from "../../src/ports/machine.js";

test.each(["EACCES", "EISDIR", "ELOOP"])("a document replaces nothing that cannot be looked at (%s)", async (code) => {
	const written: string[] = [];
	const files = {
		read: () => Promise.reject(Object.assign(new Error(code), { code })),
		isSpecial: async () => false,
		write: async (path: string) => void written.push(path),
	};
	await expect(saveDocument({ files } as unknown as Context, "review.html", new Uint8Array(), false)).rejects.toMatchObject({
		kind: "guard",
		failure: { code: "FILE_EXISTS" },
	});
	expect(written).toEqual([]);
});

test("a document replaces neither a pipe nor a device, even with --force", async () => {
	const files = { isSpecial: async () => true };
	const saved = saveDocument({ files } as unknown as Context, "/dev/null", new Uint8Array(), true);
	await expect(saved).rejects.toMatchObject({ failure: { code: "FILE_EXISTS", fix: "Choose another file." } });
});

test.each<[Opened, RegExp]>([
	["unknown", /no browser read it in time; keep it with --svg FILE$/],
	["none", /^No browser could be opened here; keep the page with --svg FILE$/],
])("a page that no browser has read is told with the flag that keeps it: %s", async (opened, told) => {
	const warned: string[] = [];
	const report = { warn: (message: string) => void warned.push(message), during: (_: string, act: () => unknown) => act() };
	const context = { system: { showDocument: async () => opened }, report } as unknown as Context;
	expect(await showPage(context, new Uint8Array(), "--svg FILE")).toBe(false);
	expect(warned).toEqual([expect.stringMatching(told)]);
});
