/**
 * The completion scripts in their own shells, each asking the built program. PowerShell is not driven: it cannot be installed here.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { programLine } from "../support/built.js";
import { installed } from "../support/installed.js";
import { terminal } from "../support/terminal.js";

const file = (name: string): string => fileURLToPath(new URL(`../../completions/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "purser-shells-"));
const bin = join(folder, "bin");
mkdirSync(bin);
writeFileSync(join(bin, "purser"), `#!/bin/sh\nexec ${programLine} "$@"\n`, { mode: 0o755 });
symlinkSync(process.execPath, join(bin, "node"));
const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, TERM: "xterm", PS1: "$ ", CI: "1" };
// A shell that was ended may still write its history.
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 }));

const hasShell = (name: string): boolean => installed([name], "completion") !== undefined;

const cases: [string[], string[]][] = [
	[["corp"], ["corporate"]],
	[["corporate", "cr"], ["create"]],
	[
		["corporate", "create", "--incorporation-country", "FR"],
		["FRA", "FRO"],
	],
	[
		["corporate", "create", "--account-owner-info.phone.country-code", "44"],
		["44", "441481", "441534", "441624"],
	],
	[["--profile", "corporate", "pay", "ledger", "--ledger-f"], ["--ledger-from-id"]],
	[["--base-url", "http://127.0.0.1:9", "pay", "ledger", "--ledger-f"], ["--ledger-from-id"]],
	[
		["pay", "beneficiary", "--no-allow"],
		["--no-allow-fast-payment", "--no-allow-inter-ledger"],
	],
	[["pay", "ledger", "--output", "nd"], ["ndjson"]],
	[
		["sandbox", "simulate", "ky"],
		["kyb", "kyc"],
	],
	[["completion", "pow"], ["powershell"]],
	[["pay", "ledger", "--amount", ""], []],
	[["pay", "batch", "plan", "tsconfig.j"], ["tsconfig.json"]],
	[["pay", "batch", "send", "tsconfig.j"], ["tsconfig.json"]],
	[["onboard", "apply", "tsconfig.j"], ["tsconfig.json"]],
	[["corporate", "create", "--file", "tsconfig.j"], ["tsconfig.json"]],
];
/** A value in one word with its flag: what bash inserts, which cuts words at "=", and what the others do. */
const joined: [string[], string, string[]][] = [
	[["pay", "ledger", "--output=nd"], "--output=", ["ndjson"]],
	[["corporate", "create", "--incorporation-country=FR"], "--incorporation-country=", ["FRA", "FRO"]],
	[["corporate", "create", "--file=tsconfig.j"], "--file=", ["tsconfig.json"]],
	[["pay", "ledger", "--json=t"], "", []],
];

describe.runIf(hasShell("bash"))("bash", () => {
	test.each([...cases, ...joined.map(([words, , found]): [string[], string[]] => [words, found])])("%j", (words, found) => {
		const script = `COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'; source "$1"; COMP_LINE="$2"; COMP_POINT=\${#2}; _purser; printf '%s\\n' "\${COMPREPLY[@]}"`;
		const out = execFileSync("bash", ["-c", script, "bash", file("purser.bash"), `purser ${words.join(" ")}`], { encoding: "utf8", env });
		expect(out.split("\n").filter(Boolean).sort()).toEqual(found);
	});
});

describe.runIf(hasShell("fish"))("fish", () => {
	test.each([...cases, ...joined.map(([words, flag, found]): [string[], string[]] => [words, found.map((value) => flag + value)])])(
		"%j",
		(words, found) => {
			const ask = `source ${file("purser.fish")}; complete -C ${JSON.stringify(`purser ${words.join(" ")}`)}`;
			const rows = execFileSync("fish", ["--no-config", "-c", ask], { encoding: "utf8", env }).split("\n").filter(Boolean);
			expect(rows.map((row) => row.split("\t")[0]).sort()).toEqual(found);
			// With what a word means.
			if (words.join() === "corporate,cr") expect(rows[0]).toMatch(/^create\tCreate a /);
		},
	);
});

/** What is typed before Tab, and what the screen shows after it. */
const typed: [string, string | RegExp][] = [
	["purser corp", "purser corporate "],
	["purser --profile corporate pay ledger --ledger-f", "--ledger-from-id "],
	["purser pay ledger --output nd", "ndjson "],
	["purser pay ledger --output=nd", "--output=ndjson "],
	["purser completion pow", "powershell "],
	["purser onboard apply tsconfig.j", "tsconfig.json "],
	["purser corporate create --file=tsconfig.j", "--file=tsconfig.json "],
	["purser corporate create --incorporation-country FR\t", /FRA\s+FRO/],
];

/** What a shell is started with, and what makes it ready. */
const shells = {
	zsh: [["-f", "-i"], `autoload -Uz compinit; compinit -D -u; source ${file("_purser")}; print -r -- "$_comps[purser]" re""ady`],
	bash: [["--norc", "--noprofile", "-i"], `source ${file("purser.bash")}; echo _purser re""ady`],
} as const;

for (const shell of ["zsh", "bash"] as const)
	test.runIf(hasShell(shell))(`${shell} in a terminal completes words, flags, values and files`, async () => {
		const [argv, ready] = shells[shell];
		const session = terminal(shell, argv, env);
		session.answer(ready);
		await session.sees("_purser ready");
		const meaning = shell === "zsh" ? [["purser corporate \t", /create\s+-- Create a /] as const] : [];
		for (const [line, sees] of [...typed, ...meaning]) {
			session.type(`${line}\t`);
			await session.sees(sees);
			session.type("\u0015");
		}
		session.kill();
	});
