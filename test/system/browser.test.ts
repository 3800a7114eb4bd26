/**
 * The system's own program that opens addresses, in a small program of the tests' own: bundled, as the built program is, the library brings
 * none with it.
 */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { programOf } from "../support/program.js";

let folder: string;
let bundled: Awaited<ReturnType<typeof programOf>>;
beforeAll(async () => {
	bundled = await programOf(new URL("./browser-program.ts", import.meta.url));
});
afterAll(() => bundled.remove());
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function xdgOpen(script: string): Promise<void> {
	await writeFile(join(folder, "xdg-open"), `#!/bin/sh\n${script}\n`);
	await chmod(join(folder, "xdg-open"), 0o755);
}

const run = (what: string, value: string, env: Record<string, string>): Promise<string> =>
	new Promise((resolve, reject) => {
		execFile(process.execPath, [bundled.script, what, value], { env: { PATH: folder, HOME: folder, ...env } }, (error, stdout) =>
			error ? reject(error) : resolve(stdout),
		);
	});
const browser = (file: string, env: Record<string, string> = { DISPLAY: ":0" }): Promise<string> => run("open", file, env);

const told = () => readFile(join(folder, "told"), "utf8").catch(() => undefined);
const address = "/home/ada/purser-opens-x/page.html";

describe.runIf(process.platform === "linux")("the browser of the system", () => {
	test.each([
		["0", "opened"],
		["1", "none"],
		["3", "none"],
	])("its program ends with %s: %s", async (code, expected) => {
		await xdgOpen(`echo "$*" > "${folder}/told"\nexit ${code}`);
		expect(await browser(address)).toBe(expected);
		expect(await told()).toBe(`${address}\n`);
	});

	test("its program is not there, or cannot be run", async () => {
		expect(await browser(address)).toBe("none");
		await writeFile(join(folder, "xdg-open"), "", { mode: 0o644 });
		expect(await browser(address)).toBe("none");
	});

	test("without a display nothing is started: xdg-open would say that it opened something", async () => {
		await xdgOpen(`: > "${folder}/told"`);
		expect(await browser(address, {})).toBe("none");
		expect(await browser(address, { DISPLAY: "" })).toBe("none");
		expect(await told()).toBeUndefined();
		for (const name of ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"]) expect(await browser(address, { [name]: "x" })).toBe("opened");
	});

	test("what it is given leads nobody but the owner to a document that is shown", async () => {
		const seen = `#!${process.execPath}
const { readFileSync, statSync, writeFileSync } = require("node:fs");
const { dirname } = require("node:path");
const words = process.argv.slice(2);
const modes = [words[0], dirname(words[0])].map((path) => (statSync(path).mode & 0o777).toString(8));
fetch(/url=([^"]+)/.exec(readFileSync(words[0], "utf8"))[1])
	.then((answer) => answer.text())
	.then((text) => writeFileSync(${JSON.stringify(join("FOLDER", "told"))}, JSON.stringify({ words, modes, text })));
`;
		await writeFile(join(folder, "xdg-open"), seen.replace("FOLDER", folder), { mode: 0o755 });
		expect(await run("show", "<p>Ada Example", { DISPLAY: ":0" })).toBe("opened");
		for (let tried = 0; (await told()) === undefined && tried < 500; tried += 1) await pause(20);
		const { words, modes, text } = JSON.parse((await told()) ?? "");
		expect(words).toEqual([expect.stringMatching(new RegExp(`^${folder}/purser-opens-\\w{6}/page\\.html$`))]);
		expect([modes, text]).toEqual([["600", "700"], "<p>Ada Example"]);
		expect((await readdir(folder)).sort()).toEqual(["told", "xdg-open"]);
	});
});
