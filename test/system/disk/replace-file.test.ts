import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { addFile, openReplacement, replaceFile } from "../../../src/system/disk/replace-file.js";

/** The calls that decide what a power cut leaves, in their order; `failing` is the one that fails. */
const calls: string[] = [];
let failing = "";

function called(name: string): void {
	calls.push(name);
	if (name === failing) throw Object.assign(new Error(`${name} failed`), { code: "EIO" });
}

vi.mock("node:fs", async (original) => {
	const real = await original<typeof import("node:fs")>();
	type Act = (...given: unknown[]) => unknown;
	const watched = (name: string, act: unknown) => [
		name,
		(...given: unknown[]) => {
			called(name.replace("Sync", ""));
			return (act as Act)(...given);
		},
	];
	const sync = ["fsyncSync", "renameSync", "linkSync", "copyFileSync"] as const;
	const promises = {
		...real.promises,
		rename: watched("rename", real.promises.rename)[1],
		open: async (...given: Parameters<typeof real.promises.open>) => {
			const handle = await real.promises.open(...given);
			const own = handle.sync.bind(handle);
			handle.sync = watched("fsync", own)[1] as typeof own;
			return handle;
		},
	};
	return { ...real, promises, ...Object.fromEntries(sync.map((name) => watched(name, real[name]))) };
});

let folder: string;
let file: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "purser-replace-"));
	file = join(folder, "file");
	calls.length = 0;
	failing = "";
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const streamed = async (path: string, content: string, mode: number): Promise<void> => {
	const replacement = await openReplacement(path, mode);
	try {
		await replacement.write(content.slice(0, 1));
		await replacement.write(content.slice(1));
		await replacement.finish();
	} catch (cause) {
		await replacement.discard();
		throw cause;
	}
};

test.each([
	["at once", async (...given: Parameters<typeof replaceFile>) => replaceFile(...given)],
	["bit by bit", streamed],
])("a file that is replaced %s is synced before it gets its name, and the name is synced too", async (_, replace) => {
	await replace(file, "one", 0o600);
	writeFileSync(join(folder, "beside"), "");
	await replace(file, "two", 0o600);
	expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["two", ["beside", "file"]]);
	if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(calls).toEqual(["fsync", "rename", "fsync", "fsync", "rename", "fsync"]);
});

test.each([
	["at once", "fsync", async (...given: Parameters<typeof replaceFile>) => replaceFile(...given)],
	["at once", "rename", async (...given: Parameters<typeof replaceFile>) => replaceFile(...given)],
	["bit by bit", "fsync", streamed],
	["bit by bit", "rename", streamed],
])("what cannot be replaced %s (%s) stays as it was, and nothing lies beside it", async (_, call, replace) => {
	await replace(file, "one", 0o600);
	failing = call;
	await expect(replace(file, "two", 0o600)).rejects.toThrow(`${call} failed`);
	expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["one", ["file"]]);
});

test("a draft of a fixed name that a killed process left is written over", () => {
	writeFileSync(`${file}.tmp`, "half");
	replaceFile(file, "whole", 0o600, `${file}.tmp`);
	expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["whole", ["file"]]);
	mkdirSync(join(`${file}.tmp`, "in the way"), { recursive: true });
	expect(() => replaceFile(file, "two", 0o600, `${file}.tmp`)).toThrow();
	expect(readFileSync(file, "utf8")).toBe("whole");
});

test.each([["with links"], ["without links"]])("a file is added where there is none, and left where there is one, %s", (links) => {
	if (links === "without links") failing = "link";
	addFile(file, "one", 0o600);
	addFile(file, "two", 0o600);
	expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["one", ["file"]]);
	expect(calls.slice(0, 2)).toEqual(["fsync", "link"]);
});

test.each([0o000, 0o022, 0o277, 0o777])("a private file has its owner's rights and no others, whatever the umask (%i)", async (umask) => {
	const before = process.umask(umask);
	try {
		await streamed(file, "ours", 0o600);
		expect(statSync(file).mode & 0o777).toBe(0o600);
	} finally {
		process.umask(before);
	}
});
