/**
 * What lifts a guard, or is somebody's word, is said on the command line by whoever runs the command: a file that says it is refused by name.
 */
import { expect, test } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { describe as fieldsOf } from "../../src/api/schema.js";
import type { AnyCommand } from "../../src/cli/command.js";
import { parseYaml } from "../../src/cli/input/yaml.js";
import { commands } from "../../src/commands/index.js";
import { corporate, id, runRefused, to } from "../faults/corporate.js";
import { textOf } from "../onboarding/case-world.js";
import { makeWorld } from "../support/purser.js";

const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default as AnyCommand));

const lifting: Readonly<Record<string, unknown>> = {
	...{ despite: "17", despiteDuplicates: "17", reason: "it is fine", newJournal: true, confirmedBy: "operator" },
	...{ reviewed: "a".repeat(64), acceptedBy: "Ada Example", accept: true, allowDuplicate: true, yes: true, live: true, force: true },
};

const payment = { ledgerFromId: id, amount: "10.10" };
const aCase = parseYaml(textOf("sole-owner")) as object;

/** The words of each command that takes an input by --file, or a case file as an argument, and such an input. */
const takers: Readonly<Record<string, [words: string[], file: object]>> = {
	"pay ledger": [["--file", "-"], { ...payment, ledgerToId: to }],
	"pay beneficiary": [["--file", "-"], { ...payment, beneficiaryId: to }],
	"corporate create": [["--file", "-"], JSON.parse(corporate({}))],
	"corporate update": [[id, "--file", "-"], { website: "https://www.example.com" }],
	"related add": [[id, "--file", "-"], { firstName: "Grace", lastName: "Sample" }],
	"related update": [[id, "--file", "-"], { externalId: "crm-1" }],
	"phone verify": [[id, "--file", "-"], { code: "123456" }],
	"onboard apply": [["-"], aCase],
	"onboard plan": [["-"], aCase],
};
/** Options of the tool that say nothing about whether something may be sent. */
const harmless = ["anonymous", "currency", "token", "wait", "waitTimeout", "codeStdin"];

test("every command that takes an input by --file is here, and its own options are flags only or harmless", () => {
	const taking = loaded.filter(
		({ path, input }) => fieldsOf(input).meta.document || "sendEmailLink" in input.shape || path === "onboard plan",
	);
	expect(taking.map(({ path }) => path).sort()).toEqual(Object.keys(takers).sort());
	for (const { path, input, operations } of taking.filter((one) => fieldsOf(one.input).meta.document)) {
		const own = Object.assign({}, ...operations.flatMap((id) => catalog.find((one) => one.id === id)?.body?.shape ?? {}));
		const options = (fieldsOf(input).fields ?? []).filter(({ name, meta }) => !(name in own) && !meta.positional && !meta.flagOnly);
		expect([path, options.map(({ name }) => name).filter((name) => !harmless.includes(name))]).toEqual([path, []]);
	}
});

test.each(Object.entries(takers))(
	"%s refuses a file with what lifts a guard, and takes the same file without it",
	async (path, [words, file]) => {
		const argv = [...path.split(" "), ...words, "--yes", "--json"];
		for (const [name, value] of Object.entries(lifting)) {
			const ran = await runRefused(argv, JSON.stringify({ ...file, [name]: value }));
			const { code, details } = JSON.parse(ran.stderr).error;
			const fields = details.map(({ field }: { field: string }) => field);
			expect([name, ran.exit, code, fields]).toEqual([name, 3, expect.stringMatching(/^INVALID_/), [name]]);
		}
		const ran = await (await makeWorld()).purser([...argv, "--dry-run"], { input: JSON.stringify(file) });
		expect([ran.exit, ran.stderr.includes("INVALID_")]).not.toEqual([3, true]);
	},
);
