// Writes what is generated and committed: the completion scripts and the README's reference of the commands. `test/shell/generated.test.ts` says when they are stale.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const purser = (...argv) => execFileSync(process.execPath, ["bin/purser.js", ...argv], { encoding: "utf8" });

const files = { bash: "purser.bash", zsh: "_purser", fish: "purser.fish", powershell: "purser.ps1" };
for (const [shell, file] of Object.entries(files))
	writeFileSync(new URL(`../completions/${file}`, import.meta.url), purser("completion", shell));

const readme = new URL("../README.md", import.meta.url);
const between = /(<!-- reference:[^>]*-->\n)[\s\S]*?(<!-- end of the reference -->)/;
writeFileSync(
	readme,
	readFileSync(readme, "utf8").replace(between, (_, start, end) => `${start}\n${purser("help", "reference")}\n${end}`),
);
