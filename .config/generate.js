// Writes what is generated and committed: in the pages the exit codes, the reference of the commands and the variables. `test/cli/generated.test.ts` says when they are stale.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { commandReference } from "./reference.js";

const purser = (...argv) => execFileSync(process.execPath, ["bin/purser.js", ...argv], { encoding: "utf8" });

const exits = JSON.parse(purser("help", "exit-codes", "--json")).content;
// The signals are one kind with several codes.
const codesOf = (kind) => exits.filter((one) => one.kind === kind).map(({ exit }) => exit);
const kinds = exits.filter(({ kind }, at) => exits.findIndex((one) => one.kind === kind) === at);
const exitRows = kinds.map(({ kind, when, again }) => `| ${codesOf(kind).join(", ")} | ${kind} | ${when} | ${again} |`);

/** Writes a part of a page anew, between its two marks. */
function renew(page, mark, part) {
	const file = new URL(`../${page}`, import.meta.url);
	const between = new RegExp(`(<!-- ${mark}:[^>]*-->\\n)[^]*?(<!-- end of the ${mark} -->)`);
	writeFileSync(
		file,
		readFileSync(file, "utf8").replace(between, (_, first, last) => `${first}\n${part}\n\n${last}`),
	);
}

renew("src/commands/README.md", "exit codes", `| Code | Kind | When | Safe to run again? |\n|---|---|---|---|\n${exitRows.join("\n")}`);
renew("src/commands/README.md", "reference", commandReference(JSON.parse(purser("--help", "--json"))));
const variables = JSON.parse(purser("help", "environment", "--json")).content;
const variableRows = variables.map(({ name, meaning }) => `| \`${name}\` | ${meaning} |`);
renew("src/config/README.md", "environment", `| Variable | Meaning |\n|---|---|\n${variableRows.join("\n")}`);
