/**
 * Ids at Tab: what earlier answers showed, for the profile in use, without asking anybody.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import type { Profile } from "../../src/context.js";
import { files } from "../../src/machine/files.js";
import { createSeen } from "../../src/machine/seen.js";
import { makeWorld } from "../support/purser.js";

const main = "aaaaaaaa-0001-4000-8000-000000000001";
const other = "aaaaaaaa-0002-4000-8000-000000000002";

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
		const seen = createSeen(files, async () => state);
		const many = Array.from({ length: 510 }, (_, at) => ({ kind: "ledger" as const, id: `id-${at}`, name: `Ledger ${at}` }));
		seen.note(profile("one"), many);
		seen.note(profile("one", "https://other.example.com"), [{ kind: "ledger", id: "elsewhere" }]);
		await seen.keep();
		const again = createSeen(files, async () => state);
		const kept = await again.of(profile("one"), "ledger");
		expect(kept).toHaveLength(500);
		expect(kept[0]).toEqual({ kind: "ledger", id: "id-509", name: "Ledger 509" });
		expect(await again.of(profile("one", "https://other.example.com"), "ledger")).toHaveLength(1);
		expect(await again.of(profile("two"), "ledger")).toEqual([]);
		for (const name of readdirSync(join(state, "seen"))) expect(statSync(join(state, "seen", name)).mode & 0o777).toBe(0o600);
	});

	test("that is damaged, or cannot be written, harms nobody", async () => {
		const state = folder();
		const seen = createSeen(files, async () => state);
		seen.note(profile("one"), [{ kind: "ledger", id: "id" }]);
		await seen.keep();
		const [name = ""] = readdirSync(join(state, "seen"));
		writeFileSync(join(state, "seen", name), "{");
		expect(await createSeen(files, async () => state).of(profile("one"), "ledger")).toEqual([]);
		const nowhere = createSeen(files, async () => join(state, "seen", name));
		nowhere.note(profile("one"), [{ kind: "ledger", id: "id" }]);
		await nowhere.keep();
	});
});

const file = (name: string): string => fileURLToPath(new URL(`../../completions/${name}`, import.meta.url));
const present = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;
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
