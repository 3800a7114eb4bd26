/**
 * What programs that purser starts get of its environment: nothing of a token. What a browser is led to is in test/system.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ownFolder } from "../support/built.js";
import { seeded, startService } from "./service.js";

test.runIf(process.platform === "linux")("the browser is told nothing of a token", async () => {
	const service = await startService();
	try {
		const folder = await ownFolder();
		const stored = await readFile(join(service.folder, "config/secrets/credentials-sandbox.json"), "utf8");
		const { token } = JSON.parse((JSON.parse(stored) as { secret: string }).secret) as { token: string };
		const reads = `require("fs").writeFileSync("${folder}/told", JSON.stringify(process.env)); fetch(/url=([^"]+)/.exec(require("fs").readFileSync(process.argv[2], "utf8"))[1])`;
		await writeFile(join(folder, "xdg-open"), `#!${process.execPath}\n${reads}\n`, { mode: 0o755 });
		const env = { PATH: `${folder}:${process.env.PATH}`, DISPLAY: ":0", OWN: "comes through" };
		const tokens = { PURSER_TOKEN: token, PURSER_TOKEN_FILE: "/nowhere/token", PURSER_TOKEN_ORIGIN: service.url };
		const ran = await service.purser(["related", "tree", seeded.corporate, "--open", "--json"], { env: { ...env, ...tokens } });
		expect([ran.exit, ran.json().opened]).toEqual([0, true]);
		const told = await readFile(join(folder, "told"), "utf8");
		expect(told).toContain('"OWN":"comes through"');
		expect(told).not.toContain("PURSER_TOKEN");
		expect(told).not.toContain(token);
	} finally {
		await service.stop();
	}
});
