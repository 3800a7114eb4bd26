/**
 * The system's own program that opens addresses, in a small program of the tests' own: bundled, as the built program is, the library brings
 * none with it.
 */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

const browser = (address: string, env: Record<string, string> = { DISPLAY: ":0" }): Promise<string> =>
	new Promise((resolve, reject) => {
		execFile(process.execPath, [bundled.script, address], { env: { PATH: folder, ...env } }, (error, stdout) =>
			error ? reject(error) : resolve(stdout),
		);
	});

const told = () => readFile(join(folder, "told"), "utf8").catch(() => undefined);
const address = "https://files.example.com/r?a=1&b=2";

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

	test("its program goes on: nobody knows", async () => {
		await xdgOpen("exec /bin/sleep 20");
		expect(await browser(address)).toBe("unknown");
	});

	test("without a display nothing is started: xdg-open would say that it opened something", async () => {
		await xdgOpen(`: > "${folder}/told"`);
		expect(await browser(address, {})).toBe("none");
		expect(await browser(address, { DISPLAY: "" })).toBe("none");
		expect(await told()).toBeUndefined();
		for (const name of ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"]) expect(await browser(address, { [name]: "x" })).toBe("opened");
	});

	test.each(["file:///etc/hostname", "javascript:alert(1)", "--help", "data:text/html,x"])("%s is not opened", async (other) => {
		await xdgOpen(`: > "${folder}/told"`);
		expect(await browser(other)).toBe("none");
		expect(await told()).toBeUndefined();
	});
});
