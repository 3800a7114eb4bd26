/**
 * The README's way from a document to a mapping in use, line by line as it stands there.
 */
import { spawnSync } from "node:child_process";
import { chmod, copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { script } from "../support/built.js";
import { newDesk } from "../support/driver.js";

const root = join(import.meta.dirname, "../..");

test.skipIf(process.platform === "win32")(
	"the lines of the README lead from a document to a mapping in use",
	async () => {
		const own = await newDesk("https://api.harbour.example/v1");
		const { folder } = own;
		const shim = join(folder, "purser");
		await writeFile(shim, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
		await chmod(shim, 0o700);
		await copyFile(join(import.meta.dirname, "documents/harbour.yaml"), join(folder, "openapi.yaml"));
		const run = (line: string): [code: number | null, said: string] => {
			const { status, stdout, stderr } = spawnSync("sh", ["-c", line], {
				cwd: folder,
				env: { ...own.env, CI: "1", PATH: `${folder}:${own.env.PATH}` },
				encoding: "utf8",
			});
			return [status, stdout + stderr];
		};
		const readme = await readFile(join(root, "README.md"), "utf8");
		const lines = readme.split("\n").filter((line) => line.startsWith("purser api "));
		expect(lines.map((line) => line.split(/\s+/)[2])).toEqual(["draft", "find", "check", "use", "confirm"]);
		const [draft = "", find = "", check = "", use = "", confirm = ""] = lines;

		expect(run(draft)).toEqual([0, ""]);
		expect(await readFile(join(folder, "bank.yaml"), "utf8")).toContain("send: GET /agreements/current");
		expect(run(find)[1].split("\n")[0]).toContain("POST /people/{person_id}/email_challenges");
		// What is open has to be filled in by a person.
		const [code, said] = run(check);
		expect([code, said]).toEqual([3, expect.stringContaining("is open (?)")]);
		await copyFile(join(import.meta.dirname, "documents/harbour.mapping.yaml"), join(folder, "bank.yaml"));
		expect(run(check)[0]).toBe(0);
		expect(run(use)).toEqual([0, expect.stringContaining("Stored")]);
		// A person is asked; a script gives the digest of what somebody looked at.
		expect(run(confirm)).toEqual([2, expect.stringContaining("A person must look at the request")]);
		const { digest } = JSON.parse(run(`${confirm.replace(/ +#.*/, "")} --dry-run --json`)[1]) as { digest: string };
		expect(run(`${confirm.replace(/ +#.*/, "")} --digest ${digest}`)).toEqual([0, expect.stringContaining("Confirmed")]);
	},
	60_000,
);
