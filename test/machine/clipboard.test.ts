import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyToClipboard } from "../../src/machine/clipboard.js";

let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program that notes its arguments and what it was fed, and ends with a code. */
async function program(name: string, exit: number): Promise<void> {
	const path = join(folder, name);
	await writeFile(path, `#!/bin/sh\n{ echo "$*"; /bin/cat; } > "${join(folder, `${name}.told`)}"\nexit ${exit}\n`);
	await chmod(path, 0o755);
}

function hands(platform: string, more: Record<string, string> = {}, isTerminal = false) {
	const written: string[] = [];
	const terminal = { write: async (text: string) => void written.push(text), isTerminal, columns: 80, colours: 0 } as const;
	return { written, hands: { env: { PATH: folder, ...more }, platform, terminal } };
}

const told = (name: string) => readFile(join(folder, `${name}.told`), "utf8");

test.each<[string, string, Record<string, string>, string]>([
	["pbcopy", "darwin", {}, "\nÄ link"],
	["wl-copy", "linux", { WAYLAND_DISPLAY: "wayland-0" }, "\nÄ link"],
	["xclip", "linux", { DISPLAY: ":0" }, "-selection clipboard\nÄ link"],
	["xsel", "linux", { DISPLAY: ":0" }, "--clipboard --input\nÄ link"],
])("%s on %s", async (name, platform, env, expected) => {
	await program(name, 0);
	expect(await copyToClipboard("Ä link", hands(platform, env).hands)).toBe(name);
	expect(await told(name)).toBe(expected);
});

test("clip reads UTF-16", async () => {
	await program("clip", 0);
	expect(await copyToClipboard("Ä", hands("win32").hands)).toBe("clip");
	expect((await readFile(join(folder, "clip.told"))).toString("hex")).toBe("0ac400");
});

test("one that fails is passed over for the next, and the terminal is the last", async () => {
	await program("wl-copy", 1);
	await program("xsel", 0);
	const first = hands("linux", { WAYLAND_DISPLAY: "w", DISPLAY: ":0" }, true);
	expect(await copyToClipboard("x", first.hands)).toBe("xsel");
	expect(first.written).toEqual([]);
	const { written, hands: none } = hands("linux", {}, true);
	expect(await copyToClipboard("Ä link", none)).toBe("OSC 52");
	expect(written).toEqual(["\u001b]52;c;w4QgbGluaw==\u0007"]);
});

test("nothing is written where there is no terminal, a dumb one, or more than one takes", async () => {
	for (const [env, isTerminal, text] of [
		[{}, false, "x"],
		[{ TERM: "dumb" }, true, "x"],
		[{}, true, "x".repeat(60_000)],
	] as const) {
		const { written, hands: of } = hands("linux", env, isTerminal);
		expect(await copyToClipboard(text, of)).toBeUndefined();
		expect(written).toEqual([]);
	}
});
