/**
 * On a live profile every change is asked once at a terminal. In a script it needs `--yes --live`, however the input is given; less sends nothing.
 * The commands are those of the contract: a new one that changes something fails here until it has its words. Each has an option of the
 * tool here that the service knows nothing about, and which never leaves.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { fromFile } from "../../src/api/fields.js";
import { catalog } from "../../src/api/operations/catalog.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { sendEmailLink } from "../../src/api/operations/verification.js";
import { describe as described } from "../../src/api/schema.js";
import { createChanges } from "../../src/cli/ask/ask.js";
import type { AnyCommand } from "../../src/cli/command.js";
import { makeStyle } from "../../src/cli/output/style.js";
import { commands } from "../../src/commands/index.js";
import type { Context } from "../../src/context.js";
import { call } from "../../src/http/call.js";
import { caseWorld, textOf } from "../onboarding/case-world.js";
import { harbourLights } from "../support/companies.js";
import { answered, changed, smallContext } from "../support/context.js";
import { gatesLine } from "../support/gates.js";
import type { World } from "../support/purser.js";
import { type BatchWorld, batchWorld, rowsOf } from "./batch-world.js";

const asksItself = ({ path }: AnyCommand): boolean => ["onboard resume", "onboard start"].includes(path);
const isSandboxOnly = ({ path }: AnyCommand): boolean => path.startsWith("sandbox ");

interface Ids {
	corporate: string;
	owner: string;
	grace: string;
}

const live = { baseUrl: "https://api.example.com" };
const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default as AnyCommand));
const inputs = loaded.filter(({ effect }) => effect !== "read").map((command) => ({ command, input: command.input }));
beforeAll(() => {
	for (const { command, input } of inputs) {
		const { shape, checks = [] } = input.def;
		const more = z.strictObject({ ...shape, foreignOption: z.optional(z.string()) }).check(...checks);
		command.input = described(input).meta.document ? fromFile(more) : more;
	}
});
afterAll(() => {
	for (const { command, input } of inputs) command.input = input;
});
const foreign = "--foreign-option stays-here";
const pathsOf = (which: (command: AnyCommand) => unknown): string[] => loaded.filter(which).map(({ path }) => path);
const sorted = (paths: Iterable<string>): string[] => [...new Set(paths)].sort();
const setEnvironment = (world: World, environment: "live" | "sandbox"): void =>
	void Object.assign(world.profiles.get("sandbox") ?? {}, { environment });

/** Writes by a way of giving the input: `flags`, `set`, `file`. */
const writes: Readonly<Record<string, Readonly<Record<string, (ids: Ids) => string>>>> = {
	"corporate create": { file: () => "-f new.json" },
	"corporate update": {
		flags: ({ corporate }) => `${corporate} --website https://www.example.com`,
		file: ({ corporate }) => `${corporate} -f website.json`,
	},
	"related add": {
		flags: ({ corporate }) => `${corporate} --first-name Linus --last-name Example`,
		file: ({ corporate }) => `${corporate} -f person.json`,
	},
	"related update": {
		flags: ({ grace }) => `${grace} --email-address grace@example.com`,
		file: ({ grace }) => `${grace} -f external.json`,
	},
	"related remove": { flags: ({ grace }) => grace },
	"terms accept": { flags: ({ corporate }) => `${corporate} --confirmed-by account-owner` },
	"email send-link": { flags: ({ owner }) => owner },
	"phone send-code": { flags: ({ owner }) => owner },
	"phone verify": {
		flags: ({ owner }) => `${owner} --code 123456`,
		set: ({ owner }) => `${owner} --code 123456 --set challenge=1`,
		file: ({ owner }) => `${owner} -f code.json`,
	},
	"kyc link": { flags: ({ owner }) => owner, all: ({ corporate }) => `--all --corporate-id ${corporate}` },
	"kyb request": { flags: ({ corporate }) => `${corporate} ${gatesLine}` },
	"onboard apply": { flags: () => "case.yaml --send-email-link --confirmed-by operator" },
};

const changing = (world: World): string[] => {
	expect(JSON.stringify(world.requests)).not.toMatch(/foreign|stays-here/i);
	return world.changes().map(({ line }) => line);
};

async function liveWorld(): Promise<{ world: World; ids: Ids }> {
	const world = await caseWorld({ profile: live });
	const files = {
		"old.json": harbourLights,
		"new.json": { ...harbourLights, externalId: "crm-2042", corporateName: "Example Second SAS", incorporationCode: "111 222 333" },
		"website.json": { website: "https://www.example.com" },
		"person.json": { firstName: "Linus", lastName: "Placeholder", isUbo: true },
		"external.json": { externalId: "crm-77" },
		"code.json": { code: "123456" },
	};
	for (const [path, value] of Object.entries(files)) world.put(path, JSON.stringify(value));
	world.put("case.yaml", textOf("sole-owner"));
	const made = await world.json("corporate create -f old.json");
	const { id } = await world.json(`related add ${made.corporateId} --first-name Grace --last-name Sample --is-director`);
	setEnvironment(world, "live");
	world.requests.length = 0;
	return { world, ids: { corporate: made.corporateId, owner: made.accountOwnerId, grace: id } };
}

/** The line of a command in one of its ways, with what has to be there before. */
async function ready(path: string, way = Object.keys(writes[path] ?? {})[0] as string): Promise<{ world: World; line: string }> {
	const { world, ids } = await liveWorld();
	if (path === "phone verify") await world.purser(`phone send-code ${ids.owner} --yes --live`);
	world.requests.length = 0;
	return { world, line: `${path} ${writes[path]?.[way]?.(ids)}` };
}

const singles = ["pay ledger", "pay beneficiary"];

test("every command that changes something has its words here, and every one with a document its file", () => {
	const guarded = pathsOf((command) => command.effect === "write" && !asksItself(command) && !isSandboxOnly(command));
	expect(guarded.length).toBeGreaterThanOrEqual(12);
	expect(sorted(Object.keys(writes))).toEqual(sorted(guarded));
	expect(sorted([...Object.keys(money), ...singles])).toEqual(sorted(pathsOf(({ effect }) => effect === "money")));
	const documents = pathsOf(({ input, effect }) => described(input).meta.document && effect !== "read");
	const given = Object.entries(writes).filter(([, ways]) => ways.file !== undefined);
	expect(sorted(documents)).toEqual(sorted([...given.map(([path]) => path), ...singles]));
});

test("a command that calls a changing operation says so in its effect, or guards the inputs by which it does", () => {
	const effects = new Map<string, string>(catalog.map(({ id, effect }) => [id, effect]));
	const quiet = loaded.filter(
		({ path, effect, operations: called }) =>
			effect === "read" && path !== "pay settle" && called.some((id) => (effects.get(id) ?? "read") !== "read"),
	);
	expect(quiet.map(({ path }) => path)).toEqual([]);
});

const ways = Object.entries(writes).flatMap(([path, of]) => Object.keys(of).map((way) => [path, way] as const));
test.each(ways)("%s (%s): a script without --yes --live sends nothing, with both it sends and asks nobody", async (path, way) => {
	const { world, line } = await ready(path, way);
	for (const flags of ["", "--yes", "--live"]) {
		const ran = await world.purser(`${line} ${foreign} ${flags} --json`);
		expect([flags, ran.exit, ran.error()]).toMatchObject([flags, 10, { code: "LIVE_GUARD", fix: expect.stringContaining("--live") }]);
	}
	expect(changing(world)).toEqual([]);
	const sent = await world.purser(`${line} ${foreign} --yes --live`);
	expect([sent.exit, sent.stderr]).toEqual([0, expect.stringContaining("Profile sandbox  LIVE  api.example.com\n")]);
	expect(changing(world)).not.toEqual([]);
});

/** What is asked, and one of the lines about it, by command. */
const questions: Readonly<Record<string, readonly [string, string]>> = {
	"email send-link": ["Send the email verification link to Ada Example?", "  Email  ada@example.com\n"],
	"kyb request": ["Request the KYB of Harbour Lights Catering SAS?", "  To  the compliance team\n"],
	"onboard apply": [
		"Has Ada Solo, the account owner, seen and accepted version 1.0? If so, create and update Example Solo SARL?",
		"  Example Solo SARL (case-sole)  3 to create, 1 to update, 0 unchanged",
	],
	"corporate create": ["Create Example Second SAS?", "Email address"],
};
test.each(Object.keys(writes))("%s at a terminal asks once: No sends nothing, nor does a dry run; Yes sends", async (path) => {
	const { world, line } = await ready(path);
	const declined = await world.purser(line, { answers: [false] });
	expect([declined.exit, world.asked.map(({ kind }) => kind)]).toEqual([10, ["confirm"]]);
	expect(declined.stderr).toMatch(/^Profile sandbox {2}LIVE {2}api\.example\.com\n\n\S.*\n( {2}\S.*\n)+/m);
	expect(declined.stderr).toContain("Cancelled. Nothing was sent");
	const [question = world.asked[0]?.message, row = ""] = questions[path] ?? [];
	expect([world.asked[0]?.message, declined.stderr]).toEqual([question, expect.stringContaining(row)]);
	expect([(await world.purser(`${line} --dry-run`)).exit, changing(world)]).toEqual([0, []]);
	const sent = await world.purser(line, { answers: [true] });
	expect(sent.exit, sent.stderr).toBe(0);
	expect(changing(world)).not.toEqual([]);
});

test.each(Object.keys(writes))("%s on a sandbox profile refuses --live", async (path) => {
	const { world, line } = await ready(path);
	setEnvironment(world, "sandbox");
	const ran = await world.purser(`${line} --yes --live --json`);
	expect([ran.exit, ran.error().code, changing(world)]).toEqual([10, "NOT_A_LIVE_PROFILE", []]);
});

test("what was answered at prompts is asked about once, below the banner", async () => {
	const { world, ids } = await liveWorld();
	const answers = ["PHYSICAL", "Sample", "", "", true, false, ""];
	const add = (yes: boolean) => world.purser(`related add ${ids.corporate} --first-name Hedy`, { answers: [...answers, yes] });
	const declined = await add(false);
	expect([declined.exit, changing(world)]).toEqual([10, []]);
	expect(declined.stderr).toContain("Profile sandbox  LIVE  api.example.com\n\nDeclare Hedy Sample for Harbour Lights Catering SAS\n");
	expect([(await add(true)).exit, world.asked.length, world.asked.at(-1)?.kind]).toEqual([0, answers.length + 1, "confirm"]);
	expect(changing(world)).toHaveLength(1);
});

test("everybody's links are one question that names each person", async () => {
	const { world, ids } = await liveWorld();
	const ran = await world.purser(`kyc link --all --corporate-id ${ids.corporate}`, { answers: [true] });
	expect([ran.exit, world.asked.map(({ message }) => message)]).toEqual([0, ["Create 2 KYC links for Harbour Lights Catering SAS?"]]);
	expect(ran.stderr).toContain(`  1  Ada Example · ada@example.com\n  2  Grace Sample · ${ids.grace}\n`);
	expect(changing(world)).toHaveLength(2);
});

const first = ["--yes", "--live", "--new-journal"];
const plan = async (world: BatchWorld): Promise<void> => {
	world.file(rowsOf("10.10 Row 1", "20.20 Row 2"));
	await world.plan();
};

/** Commands of a batch: what was there before, the words, and the settings for one that signs and sends nothing. */
const money: Readonly<Record<string, { before(world: BatchWorld): Promise<unknown>; words: string; signs?: Record<string, string> }>> = {
	"pay batch send": { before: plan, words: "pay.csv.plan.json" },
	"pay batch resume": {
		before: async (world) => {
			await plan(world);
			await world.send(...first, "--stop-after", "1");
		},
		words: "1",
	},
	"pay batch approve": {
		before: async (world) => {
			const { be } = await world.twoPeople();
			await plan(world);
			// Somebody else's key: nobody approves a plan of their own.
			be("approver");
		},
		words: "pay.csv.plan.json",
		signs: { approval: "above 1 EUR" },
	},
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

async function heldAndSent(before: (world: BatchWorld) => Promise<string>, settings?: Record<string, string>): Promise<void> {
	const world = await batchWorld(settings, { ...live, environment: "live" });
	ends.push(() => world.end());
	const line = await before(world);
	world.requests.length = 0;
	const held = await world.purser(`${line} ${foreign} --yes --json`);
	expect([held.exit, held.error().code, changing(world)]).toEqual([10, "LIVE_GUARD", []]);
	const sends = settings === undefined;
	const isNew = sends && (await (await world.history()).guard(false).catch(() => "new")) === "new";
	const sent = await world.purser(`${line} ${foreign} --yes --live ${isNew ? "--new-journal" : ""} --json`);
	expect([0, 8], sent.stdout + sent.stderr).toContain(sent.exit);
	expect(changing(world).length > 0).toBe(sends);
}

test.each(Object.entries(money))("%s: --yes alone sends nothing, --yes --live sends", async (path, { before, words, signs }) => {
	await heldAndSent(async (world) => {
		await before(world);
		return `${path} ${words}`;
	}, signs);
});

test.each(singles.flatMap((path) => ["flags", "file"].map((way) => [path, way] as const)))(
	"%s (%s): --yes alone sends nothing, --yes --live sends",
	async (path, way) => {
		await heldAndSent(async (world) => {
			const payees = (await world.json("beneficiary list")) as { id: string; status: string }[];
			const payee = payees.find(({ status }) => status === "VALID")?.id as string;
			const to = path === "pay ledger" ? world.to : payee;
			const field = path === "pay ledger" ? "ledgerToId" : "beneficiaryId";
			world.put("payment.json", JSON.stringify({ ledgerFromId: world.from, [field]: to, amount: "10.10" }));
			return way === "file" ? `${path} -f payment.json` : `${path} --from ${world.from} --to ${to} --amount 10.10`;
		});
	},
);

test("a command that asks a person itself sends nothing in a script, with a draft waiting", async () => {
	const asking = pathsOf((command) => command.effect === "write" && asksItself(command));
	expect(sorted(asking)).toEqual(["onboard resume", "onboard start"]);
	const { world } = await liveWorld();
	await world.purser("onboard start", { answers: ["yes", "Ada Example", "crm-wizard", "^C"] });
	expect([...world.files.keys()].filter((path) => path.startsWith("/state/onboarding-draft"))).toHaveLength(1);
	world.requests.length = 0;
	for (const path of asking) {
		const held = await world.purser(`${path} --yes --json`);
		expect([path, held.exit, held.error().code]).toEqual([path, 10, "LIVE_GUARD"]);
		const script = await world.purser(`${path} --yes --live --json`);
		expect([path, script.exit, script.error().code]).toEqual([path, 2, "NEEDS_A_TERMINAL"]);
	}
	expect(changing(world)).toEqual([]);
});

test("every part of `sandbox simulate` is refused, with and without --live, and sends its own fields to a sandbox", async () => {
	const { world, ids } = await liveWorld();
	const ledger = "aaaaaaaa-0001-4000-8000-000000000001";
	const words: Readonly<Record<string, string>> = {
		...{ beneficiary: "bbbbbbbb-0001-4000-8000-000000000001 --outcome DECLINED", clock: "--seconds 60", email: ids.owner },
		...{ fault: "terms.get=500:x1", fund: `${ledger} --amount 5`, kyb: ids.corporate, kyc: ids.grace },
		transaction: `${ledger} --outcome REVERSED`,
	};
	const paths = pathsOf((command) => command.effect === "write" && isSandboxOnly(command));
	expect(paths.length).toBeGreaterThanOrEqual(8);
	const lineOf = (path: string) => `${path} ${words[path.split(" ")[2] as string] ?? ""}`;
	for (const path of paths)
		for (const flags of ["--yes", "--yes --live"]) {
			const ran = await world.purser(`${lineOf(path)} ${flags} --json`);
			expect([path, ran.exit, ran.error().code]).toEqual([path, 10, "SANDBOX_ONLY"]);
		}
	expect(world.requests).toEqual([]);
	setEnvironment(world, "sandbox");
	for (const path of paths.filter((one) => one.startsWith("sandbox simulate"))) {
		world.requests.length = 0;
		await world.purser(`${lineOf(path)} ${foreign} --yes --json`);
		expect([path, changing(world).length]).toEqual([path, 1]);
	}
});

describe("a command that forgets to ask", () => {
	const body = { relatedPhysicalPersonId: "8a2d6c1e-0b94-4f7d-9c35-2e6f1a7b4d80" };
	const [ledgerFromId, ledgerToId] = ["aaaaaaaa-0001-4000-8000-000000000001", "aaaaaaaa-0001-4000-8000-000000000002"];
	const small = (environment: "live" | "sandbox") => {
		const made = smallContext({ profile: { environment }, answers: [answered(200, { ttl: "PT1H" })] });
		const style = makeStyle({ paint: {} as never, columns: 80, now: new Date(), shown: String });
		const context: Context = changed(made.context, { ask: createChanges(() => ({ context, style, prompted: false, line: () => {} })) });
		return { ...made, context };
	};

	test("is held back by the client, on a sandbox profile too; once it asked it sends (control)", async () => {
		const there = small("live");
		await expect(call(there.context, sendEmailLink, { body })).rejects.toMatchObject({ failure: { code: "LIVE_GUARD" } });
		const { context, requests } = small("sandbox");
		await expect(call(context, sendEmailLink, { body })).rejects.toThrow("did not ask about");
		const pay = call(context, createInterLedger, { body: { ledgerFromId, ledgerToId, amount: "10.10" } });
		await expect(pay).rejects.toThrow("did not ask about");
		expect([there.requests, requests]).toEqual([[], []]);
		await context.ask.change({ title: "Send the link" });
		await call(context, sendEmailLink, { body });
		expect(requests).toHaveLength(1);
	});
});
