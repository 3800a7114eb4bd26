/**
 * The pages: short where they are read first, with links that lead somewhere and commands that exist.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { guides, topicNames } from "../../src/cli/help/topics.js";
import { makeWorld } from "../support/purser.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (page: string): string => readFileSync(join(root, page), "utf8").replaceAll("\r\n", "\n");
const filesIn = (folder: string): string[] =>
	readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name.replaceAll("\\", "/")}`);
const pages = ["README.md", ...filesIn("src").filter((name) => name.endsWith(".md"))];

test.each([
	// With the section about a team, for which 25 lines are meant.
	["README.md", 220],
	["src/README.md", 120],
] as const)("%s has at most %i lines", (page, most) => {
	expect(read(page).trimEnd().split("\n").length).toBeLessThanOrEqual(most);
});

test("the README goes from trying to using to connecting", () => {
	const headings = [...read("README.md").matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
	expect(headings.join(", ")).toBe(
		"Install, Two minutes in the sandbox, Words you will meet, Onboard a company, Pay, A team, Hear what happens, Use in scripts, Connect your own service, Safety, Troubleshooting, Where to read more",
	);
});

/** Headings as the fragments of links. */
function anchorsOf(page: string): string[] {
	const text = read(page).replace(/^```.*?^```$/gms, "");
	return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
		heading
			.toLowerCase()
			.replace(/[^\p{L}\p{N} -]/gu, "")
			.replaceAll(" ", "-"),
	);
}

test.each(pages)("every link of %s leads somewhere", (page) => {
	const links = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target).filter((target) => !target.includes(":"));
	const broken = links.filter((link) => {
		const [path = "", anchor] = link.split("#");
		const target = path === "" ? page : posix.join(dirname(page), path);
		return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
	});
	expect(broken).toEqual([]);
});

test.each(Object.entries(guides))("the sections of the topic %s stand in their pages", (_, { sections }) => {
	for (const [page = "", heading] of sections.map((section) => section.split("#"))) {
		// Made by the build; test/start/package.test.ts reads it.
		if (page.startsWith("dist/")) continue;
		expect(pages).toContain(page);
		if (heading !== undefined) expect(read(page).match(new RegExp(`^#+ ${heading}$`, "gm"))).toHaveLength(1);
	}
});

test.each(pages)("every file that %s names is there", (page) => {
	const files = ["src", "test", "bin", ".config"].flatMap(filesIn);
	const named = [...read(page).matchAll(/`([\w./-]+\.[jt]s)`/g)].map(([, name = ""]) => name);
	expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});

/** Commands as they are typed: in code of their own, after a prompt or not, and within a line. */
function commandsOf(page: string): string[] {
	const text = read(page).replaceAll("\\\n", " ");
	const blocks = [...text.matchAll(/^```\n(.*?)^```$/gms)].flatMap(([, block = ""]) => block.split("\n"));
	const typed = blocks.map((line) => line.replace(/^\$ /, "")).filter((line) => /^(?:npx )?purser /.test(line));
	const named = [...text.replace(/^```.*?^```$/gms, "").matchAll(/`(purser [^`]+)`/g)].map(([, command = ""]) => command);
	return [...typed, ...named].map((line) => line.replace(/ +(?:#|\||>|;).*$/, ""));
}

describe("commands that a page shows", () => {
	let paths: string[];
	let flagsOf: Map<string, string[]>;
	let globals: string[];

	beforeAll(async () => {
		const world = await makeWorld({ loggedIn: false });
		const contract = (await world.purser(["--help", "--json"])).json();
		const names = (flags: { name: string; alias?: string }[]) => flags.flatMap(({ name, alias }) => (alias ? [name, alias] : [name]));
		flagsOf = new Map(contract.commands.map(({ path, flags }: { path: string; flags: { name: string }[] }) => [path, names(flags)]));
		// What each shell's completion asks is in no list.
		paths = [...flagsOf.keys(), "complete"];
		globals = [...names(contract.globalFlags), "--version"];
	});

	/** What is wrong with a command; undefined where nothing is. */
	function faultOf(command: string): string | undefined {
		const [, ...words] = command.replace(/'[^']*'|"[^"]*"/g, "TEXT").split(/\s+/);
		const path: string[] = [];
		while (paths.some((known) => `${known} `.startsWith(`${[...path, words[path.length]].join(" ")} `)))
			path.push(words[path.length] as string);
		const rest = words.slice(path.length);
		if (path.length === 0 && /^[a-z]/.test(rest[0] ?? "")) return `${command}: no such command`;
		if (path.join(" ") === "help" && /^[a-z]/.test(rest[0] ?? ""))
			return topicNames.some((topic) => topic === rest[0]) ? undefined : `${command}: no such topic`;
		const own = paths.filter((known) => known === path.join(" ") || known.startsWith(`${path.join(" ")} `));
		const known = [...globals, ...own.flatMap((name) => flagsOf.get(name) ?? [])];
		const flags = rest.map((word) => /^--[a-z][a-z.-]*/.exec(word)?.[0]).filter((flag) => flag !== undefined);
		const unknown = flags.filter((flag) => !known.includes(flag));
		return unknown.length > 0 ? `${command}: ${unknown.join(", ")}` : undefined;
	}

	test.each(pages)("exist, with their flags, in %s", (page) => {
		expect(commandsOf(page).map(faultOf).filter(Boolean)).toEqual([]);
	});

	test("the check sees what it looks for", () => {
		expect(faultOf("purser pya list")).toBe("purser pya list: no such command");
		expect(faultOf("purser pay list --leger-id ID")).toBe("purser pay list --leger-id ID: --leger-id");
		expect(faultOf("purser help nothing")).toBe("purser help nothing: no such topic");
		const right = ["purser COMMAND --help", "purser help TOPIC", "purser pay batch resume 1", "purser"];
		expect(right.map(faultOf)).toEqual(Array(4).fill(undefined));
	});

	test("no topic has the name of a command or of a group of commands", () => {
		const groups = paths.map((path) => path.split(" ")[0]);
		expect(topicNames.filter((topic) => groups.includes(topic))).toEqual([]);
	});
});
