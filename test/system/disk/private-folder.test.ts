import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeFolder } from "../../../src/system/disk/private-folder.js";

let top: string;
beforeEach(() => {
	top = mkdtempSync(join(tmpdir(), "purser-folder-"));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

test("the levels that are missing are made, private, and the first of them is told", () => {
	mkdirSync(join(top, "there"), { mode: 0o755 });
	expect(makeFolder(join(top, "there", "one", "two"))).toBe(join(top, "there", "one"));
	if (process.platform !== "win32")
		expect(["there", "there/one", "there/one/two"].map((name) => statSync(join(top, name)).mode & 0o777)).toEqual([0o755, 0o700, 0o700]);
	expect(makeFolder(join(top, "there", "one", "two"))).toBeUndefined();
});

test("where something else stands in the place of a folder, that is an error", () => {
	writeFileSync(join(top, "file"), "");
	expect(() => makeFolder(join(top, "file"))).toThrow("EEXIST");
	expect(() => makeFolder(join(top, "file", "below"))).toThrow(/ENOTDIR|EEXIST/);
});

// By Node's own way this would never end: then the test of a real process in test/e2e/script says so in finite time.
test.runIf(process.platform === "linux")("below a folder that can hold none it ends (on Linux alone, where there is /proc)", () => {
	expect(() => makeFolder("/proc/nothing/below/it")).toThrow("ENOENT");
});
