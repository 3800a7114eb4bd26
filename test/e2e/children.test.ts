/**
 * What programs that purser starts get of its environment: nothing of a token.
 */
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, seeded, startService } from "./service.js";

let service: Service;
let folder: string;
let token: string;
beforeAll(async () => {
	service = await startService();
	folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	const stored = await readFile(join(service.folder, "config/secrets/credentials-sandbox.json"), "utf8");
	token = (JSON.parse((JSON.parse(stored) as { secret: string }).secret) as { token: string }).token;
});
afterAll(async () => {
	await service?.stop();
	await rm(folder, { recursive: true, force: true });
});

/** A program that notes its environment and its arguments. */
async function program(name: string, more = ""): Promise<void> {
	await writeFile(join(folder, name), `#!/bin/sh\n{ env; echo "ARGUMENTS=$*"; } > "${folder}/${name}.told"\n${more}\n`);
	await chmod(join(folder, name), 0o755);
}

/** What a browser does with the page that it is given; it notes something of the answer, and the document. */
const reading = (what: string): string => {
	const follow = `fetch(/url=([^"]+)/.exec(readFileSync(process.argv[1], "utf8"))[1])`;
	const note = `async (answer) => writeFileSync("${folder}/page", ${what} + "\\n" + (await answer.text()))`;
	return `exec "${process.execPath}" -e 'const { readFileSync, writeFileSync } = require("node:fs"); ${follow}.then(${note})' "$1"`;
};
const page = () => readFile(join(folder, "page"), "utf8").catch(() => "");

async function told(name: string): Promise<string> {
	const text = await readFile(join(folder, `${name}.told`), "utf8");
	await rm(join(folder, `${name}.told`));
	return text;
}

const variables = () => ({
	PATH: `${folder}:${process.env.PATH}`,
	DISPLAY: ":0",
	PURSER_TOKEN: token,
	PURSER_TOKEN_FILE: "/nowhere/token",
	PURSER_TOKEN_ORIGIN: service.url,
	OWN: "comes through",
});

function expectNoToken(environment: string): void {
	expect(environment).toContain("OWN=comes through");
	expect(environment).not.toContain("PURSER_TOKEN");
	expect(environment).not.toContain(token);
}

describe.runIf(process.platform === "linux")("a page in the browser", () => {
	test("is read from this machine, no copy is left, and the browser is told nothing of a token", async () => {
		await program("xdg-open", reading('answer.headers.get("content-security-policy")'));
		const temporary = await mkdtemp(join(folder, "tmp-"));
		const ran = await service.purser(["related", "tree", seeded.corporate, "--open", "--json"], {
			env: { ...variables(), TMPDIR: temporary },
		});
		expect([ran.exit, ran.json().opened]).toEqual([0, true]);
		const environment = await told("xdg-open");
		expectNoToken(environment);
		expect(environment).toMatch(/^ARGUMENTS=\S+\/purser-opens-\w+\/page\.html$/m);
		// The reader notes it after purser has ended.
		await expect.poll(page, { timeout: 60_000 }).toMatch(/^sandbox; default-src 'none'; .*\n<!doctype html>/i);
		expect(await readdir(temporary)).toEqual([]);
	});
});
