/**
 * No environment variable stands for `--yes` or lifts a guard: neither one that purser reads, nor one that is called like a flag.
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AnyCommand } from "../../src/cli/command.js";
import { flagsOf } from "../../src/cli/input/flags.js";
import { globalFlags } from "../../src/cli/input/options.js";
import { commands } from "../../src/commands/index.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

/** Every variable of purser's own, with a value that it takes. */
const read: Readonly<Record<string, string>> = {
	PURSER_BASE_URL: "https://api.example.com",
	PURSER_CONFIG_DIR: "/config",
	PURSER_NO_INPUT: "1",
	PURSER_NO_KEYRING: "1",
	PURSER_OPERATOR: "ada",
	PURSER_OUTPUT: "json",
	PURSER_PROFILE: "sandbox",
	PURSER_STATE_DIR: "/state",
	PURSER_TIMEOUT: "30",
	PURSER_TOKEN: "token-1",
	PURSER_TOKEN_FILE: "token.txt",
	PURSER_TOKEN_ORIGIN: "https://api.example.com",
};

test("these are the variables that the sources name", () => {
	const src = new URL("../../src/", import.meta.url);
	const sources = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	const named = sources.flatMap((name) => readFileSync(new URL(name, src), "utf8").match(/\bPURSER_[A-Z_]*[A-Z]\b/g) ?? []);
	expect([...new Set(named)].sort()).toEqual(Object.keys(read));
});

const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default as AnyCommand));
const flags = [...globalFlags.map(({ name }) => name), ...loaded.flatMap(({ input }) => flagsOf(input).map(({ name }) => name))];
const likeFlags = [...new Set(flags)]
	.map((name) => `PURSER_${name.toUpperCase().replace(/[^A-Z]+/g, "_")}`)
	.filter((name) => !(name in read));

let world: BatchWorld;
let payment: string[];
const sent = () => world.requests.filter(({ method }) => method !== "GET").length;
beforeAll(async () => {
	world = await batchWorld({}, { baseUrl: "https://api.example.com", environment: "live" });
	payment = ["pay", "ledger", "--from", world.from, "--to", world.to, "--amount", "10.10", "--reference", "Invoice 7", "--json"];
	const paid = await world.purser([...payment, "--yes", "--live", "--new-journal"]);
	expect([paid.exit, sent()], paid.stderr).toEqual([0, 1]);
});
afterAll(() => world.end());

/** Words of a script that are held, by the code of what holds them. */
const held: Readonly<Record<string, string[]>> = { CONFIRMATION_NEEDED: [], LIVE_GUARD: ["--yes"], DUPLICATE: ["--yes", "--live"] };

const one = Object.entries(read).map(([name, value]) => [name, { [name]: value }] as const);
const others = ["1", "true", "yes", "17"].map(
	(value) => [`every flag's name, ${value}`, Object.fromEntries(likeFlags.map((name) => [name, value]))] as const,
);
test.each([["none", {}] as const, ...one, ...others])("%s", async (_, env: Record<string, string>) => {
	world.requests.length = 0;
	for (const [code, words] of Object.entries(held)) {
		const ran = await world.purser([...payment, ...words], { env });
		expect([words, ran.error().code, sent()]).toEqual([words, code, 0]);
	}
});
