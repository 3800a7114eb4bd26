/**
 * The completion scripts in their own shells, as Tab would call them.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const file = (name: string): string => fileURLToPath(new URL(`../../completions/${name}`, import.meta.url));
const present = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

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
	[["corporate", "create", "--from", "tsconfig.j"], ["tsconfig.json"]],
];

describe.runIf(present("bash"))("bash", () => {
	test.each(cases)("%j", (words, found) => {
		const script = `source "$1"; shift; COMP_WORDS=(purser "$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _purser; printf '%s\\n' "\${COMPREPLY[@]}"`;
		const out = execFileSync("bash", ["-c", script, "bash", file("purser.bash"), ...words], { encoding: "utf8" });
		expect(out.split("\n").filter(Boolean).sort()).toEqual(found);
	});
});

describe.runIf(present("fish"))("fish", () => {
	test.each(cases)("%j", (words, found) => {
		const line = `purser ${words.map((word) => (word === "" ? "" : word)).join(" ")}`;
		const out = execFileSync("fish", ["--no-config", "-c", `source ${file("purser.fish")}; complete -C ${JSON.stringify(line)}`], {
			encoding: "utf8",
			env: { ...process.env, HOME: "/nonexistent" },
		});
		const offered = out
			.split("\n")
			.filter(Boolean)
			.map((row) => row.split("\t")[0] as string);
		expect(offered.sort()).toEqual(found);
	});
});

test.runIf(present("zsh"))("zsh reads its script", () => {
	expect(
		spawnSync("zsh", ["-f", "-c", `autoload -Uz compinit; compinit -D -u; source ${file("_purser")}; print -r -- $_comps[purser]`], {
			encoding: "utf8",
		}),
	).toMatchObject({ stdout: "_purser\n", stderr: "" });
});

const missing = ["bash", "fish", "zsh"].filter((shell) => !present(shell));
test.runIf(missing.length > 0)(`not run, because not installed here: ${missing.join(", ")}`, () => {});
