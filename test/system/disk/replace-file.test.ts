import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addFile, openReplacement, replaceFile } from "../../../src/system/disk/replace-file.js";
import { programOf } from "../../support/program.js";

let folder: string;
let file: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "purser-replace-"));
	file = join(folder, "file");
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

const ways = [
	["at once", async (...given: Parameters<typeof replaceFile>) => replaceFile(...given)],
	["in parts", streamed],
] as const;

test.each(ways)("a file that is replaced %s is private, and nothing lies beside it", async (_, replace) => {
	await replace(file, "one", 0o600);
	writeFileSync(join(folder, "beside"), "");
	await replace(file, "two", 0o600);
	expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["two", ["beside", "file"]]);
	if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each(ways)("what cannot be replaced %s stays as it was, and nothing lies beside it", async (_, replace) => {
	mkdirSync(join(file, "in the way"), { recursive: true });
	await expect(replace(file, "two", 0o600)).rejects.toThrow();
	expect([readdirSync(folder), readdirSync(file)]).toEqual([["file"], ["in the way"]]);
});

/** Whether this machine can record what a program asks of the system. */
const canRecord = (await execa("strace", ["-o", "/dev/null", "-e", "trace=none", "true"], { reject: false })).exitCode === 0;

test.skipIf(!canRecord)("what is written is synced before it gets its name, and the name is synced too", async () => {
	const replacer = await programOf(new URL("./replacer.ts", import.meta.url));
	const calls = join(folder, "calls");
	const traced = ["-f", "-qq", "-o", calls, "-e", "trace=fsync,rename,renameat,renameat2"];
	await execa("strace", [...traced, process.execPath, "--no-warnings", replacer.script, file]);
	await replacer.remove();
	const names = [...readFileSync(calls, "utf8").matchAll(/^\d+ +(fsync|rename)/gm)].map(([, name]) => name);
	expect([names, readFileSync(file, "utf8")]).toEqual([["fsync", "rename", "fsync", "fsync", "rename", "fsync"], "two"]);
});

test("a file is added where there is none, and left where there is one", () => {
	addFile(file, "one", 0o600);
	addFile(file, "two", 0o600);
	expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["one", ["file"]]);
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

test.skipIf(process.platform === "win32")(
	"a file keeps the group that may read it, and what that may do, where it is asked to",
	async () => {
		const replaced = async (mode: number, keepsGroup: boolean) => {
			writeFileSync(file, "one");
			chmodSync(file, mode);
			// Only who is root can give a file to a group that is not their own.
			if (process.getuid?.() === 0) chownSync(file, 0, 1);
			const replacement = await openReplacement(file, 0o600, keepsGroup);
			await replacement.write("two");
			await replacement.finish();
			const { mode: after, gid } = statSync(file);
			return [readFileSync(file, "utf8"), (after & 0o777).toString(8), process.getuid?.() === 0 ? gid : 1];
		};
		expect(await replaced(0o640, true)).toEqual(["two", "640", 1]);
		expect(await replaced(0o664, true)).toEqual(["two", "660", 1]);
		expect((await replaced(0o600, true))[1]).toBe("600");
		expect((await replaced(0o640, false))[1]).toBe("600");
	},
);
