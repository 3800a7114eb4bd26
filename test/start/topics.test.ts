/**
 * The topics of `purser help` open where the program is built and where it is installed from its archive. `npm test` has built dist/.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { guideNames, guides, topicNames } from "../../src/cli/help/topics.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "purser-topics-"));
const places = { built: join(root, "bin/purser.js"), packed: join(folder, "package/bin/purser.js") };

beforeAll(() => {
	const argv = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
	const [{ filename }] = JSON.parse(execFileSync("npm", argv, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
	execFileSync("tar", ["-xzf", filename], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function help(place: keyof typeof places, ...argv: string[]) {
	const env = { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: join(folder, "cache") };
	const { status, stdout, stderr } = spawnSync(process.execPath, [places[place], "help", ...argv], { cwd: folder, encoding: "utf8", env });
	return { status, stdout, stderr };
}

test.each(guideNames)("the topic %s opens as plain text", (topic) => {
	const { status, stdout, stderr } = help("packed", topic);
	expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
	const [, heading] = guides[topic].sections[0].split("#");
	if (heading !== undefined) expect(stdout.split("\n")[0]).toBe(heading);
	expect(stdout.length).toBeGreaterThan(300);
	// Licences are shown as they were written, indented.
	const ours = topic === "licences" ? stdout.replace(/^ {2}.*$/gm, "") : stdout;
	expect(ours).not.toMatch(/^```|\*\*|\]\(|^#+ |<!--/m);
	// Only code, which is indented, and cells that have no blank in them are wider.
	const wide = stdout.split("\n").filter((line) => line.length > 80 && !line.startsWith("  ") && !/\S{30}/.test(line));
	expect(wide).toEqual([]);
});

test("help alone lists ten topics of a working day, and all others stand under advanced", () => {
	const first = help("built").stdout.split("Topics (purser help TOPIC)\n")[1] as string;
	const namesIn = (text: string) => [...text.matchAll(/^ *([a-z-]+) {2,}\S/gm)].map(([, name]) => name);
	expect(namesIn(first).join(" ")).toBe("start tasks words names onboarding payments batches wrong-payment doubts troubleshooting");
	expect(first.trimEnd().split("\n").at(-1)).toBe("More topics: purser help advanced");
	expect([...namesIn(first), ...namesIn(help("built", "advanced").stdout), "advanced"].sort()).toEqual([...topicNames].sort());
});
