// npm run demo: the whole job on a sandbox. With `-- --team`: two people with one journal, on the PostgreSQL of the tests.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const words = process.argv.slice(2);
const program =
	words[0] === "--team" ? [`${root}/.config/script.js`, `${root}/test/support/demo-team.ts`] : [`${root}/bin/purser.js`, "demo", ...words];
const { status } = spawnSync(process.execPath, program, { stdio: "inherit" });
process.exitCode = status ?? 1;
