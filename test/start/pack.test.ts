/**
 * What is installed: a small archive, nothing that runs while it is installed, and nothing twice. `npm test` has built dist/.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("the archive has the program alone, in a few megabytes", () => {
	const argv = ["pack", "--dry-run", "--json", "--ignore-scripts"];
	const [packed] = JSON.parse(execFileSync("npm", argv, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
	const places = new Set((packed.files as { path: string }[]).map(({ path }) => path.split("/")[0]));
	expect([...places].sort()).toEqual(["LICENSE", "README.md", "bin", "completions", "dist", "package.json"]);
	expect(packed.files.map(({ path }: { path: string }) => path)).toContain("dist/main.cjs");
	expect(packed.files.map(({ path }: { path: string }) => path)).toContain("dist/case.schema.json");
	expect(packed.size).toBeLessThan(4_000_000);
});

test("the JSON Schema of a case is installed as `onboard schema` writes it, and the template's first line leads to it", () => {
	const purser = (...argv: string[]) => spawnSync(process.execPath, ["bin/purser.js", ...argv], { cwd: root, encoding: "utf8" });
	const [first = ""] = purser("onboard", "plan", "--print-template").stdout.split("\n");
	const [, address = ""] = /^# yaml-language-server: \$schema=(file:.*)$/.exec(first) ?? [];
	const installed = JSON.parse(readFileSync(new URL(address), "utf8"));
	expect(fileURLToPath(address)).toBe(join(root, "dist", "case.schema.json"));
	expect(installed).toEqual(JSON.parse(purser("onboard", "schema").stdout));
	expect(installed.properties.corporate.required).toContain("externalId");
});

test("nothing runs at an installation, and what is bundled is not installed again", () => {
	const about = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
	for (const script of ["preinstall", "install", "postinstall"]) expect(about.scripts).not.toHaveProperty(script);
	expect(Object.keys(about.dependencies)).toEqual(["libsql"]);
	expect(Object.keys(about.optionalDependencies)).toEqual(["@napi-rs/keyring"]);
});

const nodes = (process.env.PURSER_TEST_NODES ?? "").split(delimiter).filter(Boolean);

test.each([process.execPath, ...nodes])("the program starts on %s", (node) => {
	const { status, stdout } = spawnSync(node, ["bin/purser.js", "help", "exit-codes"], { cwd: root, encoding: "utf8" });
	expect({ status, first: stdout.split(/\s/)[0] }).toEqual({ status: 0, first: "code" });
});

test.runIf(nodes.length === 0)("not run on other Nodes: PURSER_TEST_NODES names none (paths, as in PATH)", () => {});
