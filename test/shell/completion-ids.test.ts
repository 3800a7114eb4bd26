/**
 * Ids at Tab: what earlier answers showed, for the profile in use, without asking anybody.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { createCompletionCache } from "../../src/machine/completion-cache.js";
import { files } from "../../src/machine/files.js";
import type { Profile } from "../../src/ports/profiles.js";
import { makeWorld } from "../support/purser.js";

const main = "aaaaaaaa-0001-4000-8000-000000000001";
const other = "aaaaaaaa-0002-4000-8000-000000000002";

const clock = { now: () => new Date() };
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => void rmSync(folder, { recursive: true })));
const folder = (): string => {
	const path = mkdtempSync(join(tmpdir(), "purser-seen-"));
	folders.push(path);
	return path;
};

describe("purser complete", () => {
	test("offers what a list showed, by the start of an id or a part of a name, and asks nobody", async () => {
		const world = await makeWorld();
		expect((await world.purser(["complete", "ledger", ""])).stdout).toBe("");
		await world.purser(["ledger", "list"]);
		world.requests.length = 0;
		expect((await world.purser(["complete", "ledger", ""])).stdout).toContain(`${main}\tMain account\n`);
		expect((await world.purser(["complete", "ledger", "aaaaaaaa-0002"])).stdout.split("\t")[0]).toBe(other);
		expect((await world.purser(["complete", "ledger", "main acc"])).stdout).toBe(`${main}\tMain account\n`);
		expect((await world.purser(["complete", "beneficiary", ""])).stdout).toBe("");
		expect(world.requests).toEqual([]);
	});

	test("offers no id that a shell, or purser, would take for something else", async () => {
		const hostile = [
			"$(touch x)",
			"`touch x`",
			"a;touch x",
			"*",
			"--yes",
			"a b",
			"~",
			"a\nb",
			"\u001b[2J",
			"a'b",
			"!!",
			"",
			"x".repeat(129),
		];
		const content = [...hostile, other].map((id) => ({ id, friendlyName: "Main\u001b[2J\naccount" }));
		const body = new TextEncoder().encode(JSON.stringify({ content, totalElements: content.length, page: 0, pageSize: 100 }));
		const world = await makeWorld();
		world.wire = async () => ({ kind: "answer", status: 200, headers: { "content-type": "application/json" }, body });
		expect((await world.purser(["ledger", "list", "--json"])).stdout).toContain("touch x");
		expect((await world.purser(["complete", "ledger", ""])).stdout).toBe(`${other}\tMain␛[2J␊account\n`);
	});

	test("offers profiles", async () => {
		const world = await makeWorld();
		expect((await world.purser(["complete", "profile", "s"])).stdout).toBe("sandbox\thttp://127.0.0.1:4010\n");
	});

	test.each([[["complete"]], [["complete", "nonsense", ""]], [["complete", "ledger", "", "--profile", "none"]]])(
		"%j says nothing and is no error",
		async (argv) => {
			const world = await makeWorld();
			expect(await world.purser(argv)).toMatchObject({ exit: 0, stdout: "", stderr: "" });
		},
	);
});

describe("old lists", () => {
	const tab = ["complete", "ledger", "", "pay", "ledger"];

	test("are read again by a process of its own, on the profile of the line", async () => {
		const world = await makeWorld();
		world.due = true;
		await world.purser([...tab, "--profile=sandbox"]);
		expect(world.started).toEqual([["config", "refresh", "--quiet", "--no-input", "--timeout", "5", "--profile", "sandbox"]]);
		expect(world.requests).toEqual([]);
	});

	test("are left alone where they are new, in CI, by the setting, beside a credential helper, and for batches", async () => {
		const world = await makeWorld();
		await world.purser(tab);
		world.due = true;
		await world.purser(tab, { env: { CI: "1" } });
		await world.purser(["complete", "batch", ""]);
		await world.purser(["profile", "set", "sandbox", "--set", "completion-refresh=off"]);
		await world.purser(tab);
		await world.purser(["profile", "set", "sandbox", "--set", "completion-refresh=on", "--set", "credential-helper=helper"]);
		await world.purser(tab);
		expect(world.started).toEqual([]);
		await world.purser(["profile", "set", "sandbox", "--unset", "credential-helper"]);
		await world.purser(tab);
		expect(world.started).toHaveLength(1);
	});

	test("config refresh reads every list within its bounds, and shows how many", async () => {
		const world = await makeWorld();
		const { exit, stdout } = await world.purser(["config", "refresh", "--json"]);
		expect(exit).toBe(0);
		expect(JSON.parse(stdout).found).toMatchObject({ ledger: expect.any(Number), corporate: expect.any(Number) });
		expect((await world.purser(["complete", "ledger", "main acc"])).stdout).toBe(`${main}\tMain account\n`);
	});

	test("batches complete by number", async () => {
		const world = await makeWorld();
		world.seen.push({ kind: "batch", id: "7", name: "2026-03-01, 120 transfers" });
		expect((await world.purser(["complete", "batch", "7"])).stdout).toBe("7\t2026-03-01, 120 transfers\n");
	});
});

describe("the file of what was seen", () => {
	const profile = (name: string, baseUrl = "https://api.example.com"): Profile => ({
		name,
		baseUrl,
		environment: "sandbox",
		auth: { kind: "none" },
		overrides: {},
		settings: {},
	});

	test("is private, one for each profile and origin, and keeps the newest 500 of a kind", async () => {
		const state = folder();
		const seen = createCompletionCache(files, clock, async () => state);
		const many = Array.from({ length: 510 }, (_, at) => ({ kind: "ledger" as const, id: `id-${at}`, name: `Ledger ${at}` }));
		seen.note(profile("one"), many);
		seen.note(profile("one", "https://other.example.com"), [{ kind: "ledger", id: "elsewhere" }]);
		await seen.keep();
		const again = createCompletionCache(files, clock, async () => state);
		const kept = await again.read(profile("one"), "ledger");
		expect(kept).toHaveLength(500);
		expect(kept[0]).toEqual({ kind: "ledger", id: "id-509", name: "Ledger 509" });
		expect(await again.read(profile("one", "https://other.example.com"), "ledger")).toHaveLength(1);
		expect(await again.read(profile("two"), "ledger")).toEqual([]);
		for (const name of readdirSync(join(state, "seen"))) expect(statSync(join(state, "seen", name)).mode & 0o777).toBe(0o600);
	});

	test("tells one asker that it is old, until the lists were read or that one had its time", async () => {
		const state = folder();
		const at = { now: () => new Date(Date.now() + later) };
		let later = 0;
		const make = () => createCompletionCache(files, at, async () => state);
		const told = async () => (await Promise.all([make(), make(), make()].map((seen) => seen.due(profile("one"))))).sort();
		expect(await told()).toEqual([false, false, true]);
		expect(await make().due(profile("two"))).toBe(true);
		later = 3 * 60_000;
		expect(await told()).toEqual([false, false, true]);
		const reader = make();
		reader.note(profile("one"), [{ kind: "ledger", id: "id" }]);
		reader.replace(profile("one"), ["ledger"]);
		await reader.keep();
		later = 12 * 60_000;
		expect(await make().due(profile("one"))).toBe(false);
		later = 14 * 60_000;
		expect(await make().due(profile("one"))).toBe(true);
	});

	test("forgets what a whole list no longer has, of that kind alone", async () => {
		const state = folder();
		const [first, second] = [
			createCompletionCache(files, clock, async () => state),
			createCompletionCache(files, clock, async () => state),
		];
		first.note(profile("one"), [
			{ kind: "ledger", id: "gone" },
			{ kind: "related", id: "stays" },
		]);
		await first.keep();
		second.note(profile("one"), [{ kind: "ledger", id: "new" }]);
		second.replace(profile("one"), ["ledger"]);
		await second.keep();
		expect((await second.read(profile("one"), "ledger")).map(({ id }) => id)).toEqual(["new"]);
		expect((await second.read(profile("one"), "related")).map(({ id }) => id)).toEqual(["stays"]);
	});

	test("that is damaged, or cannot be written, harms nobody", async () => {
		const state = folder();
		const seen = createCompletionCache(files, clock, async () => state);
		seen.note(profile("one"), [{ kind: "ledger", id: "id" }]);
		await seen.keep();
		const [name = ""] = readdirSync(join(state, "seen"));
		writeFileSync(join(state, "seen", name), "{");
		expect(await createCompletionCache(files, clock, async () => state).read(profile("one"), "ledger")).toEqual([]);
		const nowhere = createCompletionCache(files, clock, async () => join(state, "seen", name));
		nowhere.note(profile("one"), [{ kind: "ledger", id: "id" }]);
		await nowhere.keep();
	});
});

const file = (name: string): string => fileURLToPath(new URL(`../../completions/${name}`, import.meta.url));
const present = (shell: string): boolean => {
	const found = spawnSync(shell, ["--version"]).status === 0;
	if (!found) process.stdout.write(`not run: ${shell} is not installed here\n`);
	return found;
};
const rows = `printf '%s\\t%s\\n' ${main} 'Main account' ${other} Reserve`;

test.runIf(present("bash"))("bash asks for the ids of a flag and of an argument, with the whole line", () => {
	const script = `
		purser() { printf '%s|' "$@" >&2; ${rows}; }
		source "$1"; shift; exec 3>&2
		COMP_WORDS=(purser "$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _purser; printf '%s\\n' "\${COMPREPLY[@]}"`;
	const out = (...words: string[]) => execFileSync("bash", ["-c", script, "bash", file("purser.bash"), ...words], { encoding: "utf8" });
	expect(out("pay", "ledger", "--ledger-from-id", "").split("\n").filter(Boolean)).toEqual([main, other]);
	expect(out("ledger", "show", "aa").split("\n").filter(Boolean)).toEqual([main, other]);
	expect(out("ledger", "list", "").split("\n").filter(Boolean)).toEqual([]);
});

test.runIf(present("fish"))("fish shows the names beside the ids", () => {
	const script = `function purser; ${rows}; end; source ${file("purser.fish")}; complete -C "purser ledger show "`;
	const out = execFileSync("fish", ["--no-config", "-c", script], { encoding: "utf8", env: { ...process.env, HOME: "/nonexistent" } });
	expect(out.split("\n").filter(Boolean).sort()).toEqual([`${main}\tMain account`, `${other}\tReserve`]);
});
