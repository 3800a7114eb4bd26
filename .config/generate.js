// Writes what is generated and committed: the completion scripts and the README's exit codes and reference of the commands. `test/shell/generated.test.ts` says when they are stale.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const purser = (...argv) => execFileSync(process.execPath, ["bin/purser.js", ...argv], { encoding: "utf8" });

const files = { bash: "purser.bash", zsh: "_purser", fish: "purser.fish", powershell: "purser.ps1" };
for (const [shell, file] of Object.entries(files))
	writeFileSync(new URL(`../completions/${file}`, import.meta.url), purser("completion", shell));

const exits = JSON.parse(purser("help", "exit-codes", "--json")).content;
// The signals are one kind: they differ in the code alone, which is told with each.
const codesOf = (kind) => exits.filter((one) => one.kind === kind).map(({ exit }) => exit);
const kinds = exits.filter(({ kind }, at) => exits.findIndex((one) => one.kind === kind) === at);
const exitRows = kinds.map(({ kind, when, again }) => `| ${codesOf(kind).join(", ")} | ${kind} | ${when} | ${again} |`);

const readme = new URL("../README.md", import.meta.url);
/** The README with a part of it written anew, between its two marks. */
const renewed = (text, start, end, part) =>
	text.replace(new RegExp(`(<!-- ${start}:[^>]*-->\\n)[^]*?(<!-- ${end} -->)`), (_, first, last) => `${first}\n${part}\n\n${last}`);
const table = `| Code | Kind | When | Safe to run again? |\n|---|---|---|---|\n${exitRows.join("\n")}`;
writeFileSync(
	readme,
	[
		["exit codes", "end of the exit codes", table],
		["reference", "end of the reference", purser("help", "reference").trimEnd()],
	].reduce((text, [start, end, part]) => renewed(text, start, end, part), readFileSync(readme, "utf8")),
);
