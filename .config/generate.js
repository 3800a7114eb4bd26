// Writes what is generated and committed: the completion scripts. `test/shell/generated.test.ts` says when they are stale.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const files = { bash: "purser.bash", zsh: "_purser", fish: "purser.fish", powershell: "purser.ps1" };
for (const [shell, file] of Object.entries(files))
	writeFileSync(new URL(`../completions/${file}`, import.meta.url), execFileSync(process.execPath, ["bin/purser.js", "completion", shell]));
