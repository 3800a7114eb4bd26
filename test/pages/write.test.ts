/**
 * A page's file on a real disk: who can read it, and what it replaces.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import { pageBytes } from "../../src/pages/page.js";
import { writePage } from "../../src/pages/write.js";
import { checkPage } from "../../src/payments/batch/plan/check.js";
import { createFiles } from "../../src/system/files.js";

const files = createFiles(new AbortController().signal);

let folder = "";
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-page-"));
});
afterEach(() => rm(folder, { recursive: true }));

const bytes = pageBytes({ title: "A page", madeBy: "purser 1.2.3", sections: [] });

async function codeOf(written: Promise<unknown>): Promise<string | undefined> {
	const error = await written.then(() => undefined).catch((caught: unknown) => caught);
	return error instanceof PurserError ? error.failure.code : undefined;
}

test.skipIf(process.platform === "win32")("only its owner can read it, also where it replaces a file that others could read", async () => {
	const path = join(folder, "page.html");
	await writePage(files, path, bytes, false);
	expect((await stat(path)).mode & 0o777).toBe(0o600);
	const open = join(folder, "open.html");
	await writeFile(open, bytes, { mode: 0o644 });
	await writePage(files, open, bytes, false);
	expect((await stat(open)).mode & 0o777).toBe(0o600);
});

test.skipIf(process.platform === "win32")("a pipe is refused, not waited for", async () => {
	const pipe = join(folder, "pipe");
	await promisify(execFile)("mkfifo", [pipe]);
	expect(await codeOf(writePage(files, pipe, bytes, false))).toBe("FILE_EXISTS");
	expect(await codeOf(writePage(files, pipe, bytes, true))).toBe("FILE_EXISTS");
	await promisify(execFile)("mkfifo", [`${pipe}.html`]);
	expect(await checkPage(files, { batch: "1", sheet: { sha256: "0".repeat(64) } }, pipe)).toBeUndefined();
});

test.skipIf(process.platform === "win32")("another's file stays without force, and a link's target always", async () => {
	const [other, link, none] = [join(folder, "other.html"), join(folder, "link.html"), join(folder, "missing", "page.html")];
	await writeFile(other, "mine");
	await symlink(other, link);
	expect(await codeOf(writePage(files, other, bytes, false))).toBe("FILE_EXISTS");
	expect(await codeOf(writePage(files, link, bytes, true))).toBe("FILE_EXISTS");
	expect(await readFile(other, "utf8")).toBe("mine");
	expect(await codeOf(writePage(files, none, bytes, false))).toBe("FILE_NOT_WRITTEN");
	const written = await writePage(files, other, bytes, true);
	expect([written.bytes, new Uint8Array(await readFile(other))]).toEqual([bytes.length, new Uint8Array(bytes)]);
});

test("a full disk is no wrong usage", async () => {
	const full = { ...files, write: () => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" })) };
	await expect(writePage(full, join(folder, "page.html"), new TextEncoder().encode("<!doctype html>"), false)).rejects.toMatchObject({
		kind: "unavailable",
		failure: { code: "DISK_FULL", message: `The page ${join(folder, "page.html")} cannot be written: the disk is full` },
	});
});
