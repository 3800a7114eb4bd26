import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeWorld } from "../support/purser.js";

test.each([
	["bash", "purser.bash"],
	["zsh", "_purser"],
	["fish", "purser.fish"],
	["powershell", "purser.ps1"],
])("the committed completion for %s is fresh (else: npm run generate)", async (shell, file) => {
	const world = await makeWorld({ loggedIn: false });
	const { stdout, exit } = await world.purser(["completion", shell]);
	expect(exit).toBe(0);
	expect(readFileSync(new URL(`../../completions/${file}`, import.meta.url), "utf8").replaceAll("\r\n", "\n")).toBe(stdout);
});
