/**
 * What lifts a guard, or is somebody's word, is said on the command line by whoever runs the command: a file that says it is refused by name.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { describe as fieldsOf } from "../../src/api/schema.js";
import type { AnyCommand } from "../../src/cli/command.js";
import { parseYaml } from "../../src/cli/input/yaml.js";
import { commands } from "../../src/commands/index.js";
import { corporate, id, runRefused, to } from "../faults/corporate.js";
import { makeWorld } from "../support/purser.js";

const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default as AnyCommand));

const lifting: Readonly<Record<string, unknown>> = {
	despite: "17",
	despiteDuplicates: "17",
	reason: "it is fine",
	newJournal: true,
	confirmedBy: "operator",
	reviewed: "a".repeat(64),
	acceptedBy: "Ada Example",
	accept: true,
	allowDuplicate: true,
	yes: true,
	live: true,
	force: true,
};

const payment = { ledgerFromId: id, amount: "10.10" };
const aCase = parseYaml(readFileSync(new URL("../cases/sole-owner.yaml", import.meta.url), "utf8")) as object;

/** The words of each command that takes an input by --file, or a case file as an argument, and such an input. */
const takers: Readonly<Record<string, { words: string[]; file: object }>> = {
	"pay ledger": { words: [], file: { ...payment, ledgerToId: to } },
	"pay beneficiary": { words: [], file: { ...payment, beneficiaryId: to } },
	"corporate create": { words: [], file: JSON.parse(corporate({})) },
	"corporate update": { words: [id], file: { website: "https://www.example.com" } },
	"related add": { words: [id], file: { firstName: "Grace", lastName: "Sample" } },
	"related update": { words: [id], file: { externalId: "crm-1" } },
	"phone verify": { words: [id], file: { code: "123456" } },
	"onboard apply": { words: ["-"], file: aCase },
	"onboard plan": { words: ["-"], file: aCase },
};
/** Options of the tool that say nothing about whether something may be sent. */
const harmless = ["anonymous", "currency", "token", "wait", "waitTimeout", "codeStdin"];

test("every command that takes an input by --file is here, and its own options are flags only or harmless", () => {
	const taking = loaded.filter(
		({ path, input }) => fieldsOf(input).meta.document || "sendEmailLink" in input.shape || path === "onboard plan",
	);
	expect(taking.map(({ path }) => path).sort()).toEqual([...Object.keys(takers)].sort());
	for (const { path, input, operations } of taking.filter((one) => fieldsOf(one.input).meta.document)) {
		const bodies = operations.flatMap((id) => catalog.find((one) => one.id === id)?.body?.shape ?? {});
		const own = Object.assign({}, ...bodies);
		const options = (fieldsOf(input).fields ?? []).filter(({ name, meta }) => !(name in own) && !meta.positional && !meta.flagOnly);
		expect([path, options.map(({ name }) => name).filter((name) => !harmless.includes(name))]).toEqual([path, []]);
	}
});

const byFile = (words: readonly string[]): string[] => (words.includes("-") ? [] : ["--file", "-"]);

const cases = Object.keys(takers).flatMap((path) => Object.keys(lifting).map((name) => [path, name] as const));
test.each(cases)("%s refuses a file with %s", async (path, name) => {
	const { words, file } = takers[path] as (typeof takers)[string];
	const argv = [...path.split(" "), ...words, ...byFile(words), "--yes", "--json"];
	const ran = await runRefused(argv, JSON.stringify({ ...file, [name]: lifting[name] }));
	const { code, details } = ran.error();
	expect([ran.exit, code, details.map(({ field }: { field: string }) => field)]).toEqual([3, expect.stringMatching(/^INVALID_/), [name]]);
});

test.each(Object.keys(takers))("%s takes the same file without it", async (path) => {
	const { words, file } = takers[path] as (typeof takers)[string];
	const world = await makeWorld();
	const ran = await world.purser([...path.split(" "), ...words, ...byFile(words), "--yes", "--dry-run", "--json"], {
		input: JSON.stringify(file),
	});
	expect([ran.exit, ran.stderr.includes("INVALID_")]).not.toEqual([3, true]);
});
