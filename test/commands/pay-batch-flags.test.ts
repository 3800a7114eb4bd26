/**
 * Flags that the errors of batches name: the command that is run has them, or the one that the words tell to type.
 */
import { afterEach, expect, test } from "vitest";
import { flagsOf } from "../../src/cli/input/flags.js";
import { commands } from "../../src/commands/index.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
afterEach(() => world.end());

const everywhere = ["yes", "live", "profile", "json"];
type Path = keyof typeof commands;
const namesOf = async (path: Path): Promise<string[]> =>
	flagsOf((await commands[path]?.())?.default.input as never).flatMap(({ name, field }) => [name, field.meta.alias ?? name]);

/** The flags in a text that its commands do not have: after `purser COMMAND` those of that command, before it those of the one that ran. */
async function strange(text: string, ran: Path): Promise<string[]> {
	const found: string[] = [];
	let path: Path = ran;
	for (const [, line = ""] of text.matchAll(/([^\n;]+)/g))
		for (const [, command, flag] of line.matchAll(/purser ((?:[a-z-]+ ?)+)|--([a-z][a-z-]+)/g)) {
			const words = command?.trim().split(" ") ?? [];
			const named = [3, 2].map((count) => words.slice(0, count).join(" ")).find((one) => Object.hasOwn(commands, one));
			if (named !== undefined) path = named as Path;
			if (flag !== undefined && ![...everywhere, ...(await namesOf(path))].includes(flag)) found.push(`--${flag} of ${path}`);
		}
	return found;
}

const amounts = (...all: string[]): [string, string][] => all.map((amount, at) => [amount, `Row ${at}`]);
const plan = async (...more: string[]): Promise<void> => {
	const planned = await world.purser(["pay", "batch", "plan", "pay.csv", ...more, "--json"]);
	expect(planned.exit, planned.stderr).toBe(0);
};
const send = ["pay", "batch", "send", "pay.csv.plan.json", "--yes", "--json"];

test.each<[string, Path, () => Promise<string[]>]>([
	[
		"CAP_CURRENCY",
		"pay batch send",
		async () => {
			world = await batchWorld({ "cap-per-day": "100 EUR" });
			const payee = "dddddddd-0000-4000-8000-000000000009";
			world.files.set("pay.csv", new TextEncoder().encode(`ledgerFromId,beneficiaryId,amount\n${world.from},${payee},5\n`));
			await plan();
			return send;
		},
	],
	[
		"NOT_AS_EXPECTED",
		"pay batch send",
		async () => {
			world = await batchWorld();
			world.file(amounts("5"));
			await plan();
			return [...send, "--expect-total", "USD=5"];
		},
	],
	[
		"APPROVAL_MISSING",
		"pay batch send",
		async () => {
			world = await batchWorld({ approval: "always" });
			const { key } = (await world.purser(["pay", "batch", "key", "--json"])).json();
			await world.purser(["profile", "set", "sandbox", "--set", `planners=ci=${key}`, "--yes"]);
			world.file(amounts("5"));
			await plan();
			return send;
		},
	],
	[
		"LIVE_GUARD",
		"pay batch approve",
		async () => {
			world = await batchWorld({}, { baseUrl: "https://api.example.com", environment: "live" });
			world.file(amounts("5"));
			await plan();
			return ["pay", "batch", "approve", "pay.csv.plan.json", "--yes", "--json"];
		},
	],
])("%s of %s", async (code, path, prepare) => {
	const argv = await prepare();
	const ran = await world.purser(argv);
	const { error } = JSON.parse(ran.stderr.trim().split("\n").at(-1) as string);
	expect(error.code).toBe(code);
	expect(await strange(`${error.message}\n${error.why ?? ""}\n${error.fix}`, path)).toEqual([]);
});
