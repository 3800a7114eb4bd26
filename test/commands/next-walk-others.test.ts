/**
 * Commands that are worked neither in a case nor with a batch: what each suggests is typed where it ended. And every command of the contract
 * that can suggest something is walked, here or in the states of a case or a batch, or stands below with the reason why it is not.
 */

import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { formatJson } from "../../src/api/json.js";
import type { AnyCommand } from "../../src/cli/command.js";
import { demoNext } from "../../src/commands/demo.js";
import { commands } from "../../src/commands/index.js";
import type { SuggestedCommand } from "../../src/errors.js";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, put } from "../onboarding/case-world.js";
import { harbourLights } from "../support/companies.js";
import { logInWords, operatorNames } from "../support/log-in.js";
import { makeWorld, type Ran, type World } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { commandsOf } from "./case-commands.js";
import { payCommands } from "./pay-commands.js";
import { failed, suggestedBy } from "./suggested.js";

/** A spreadsheet of one company. */
const companyCsv = `corporate.externalId,corporate.corporateName,corporate.incorporationCountry,corporate.incorporationCode,corporate.industry,corporate.registeredAddress.city,corporate.expectedMonthlyExpenses.value,corporate.expectedMonthlyExpenses.currency,role,firstName,lastName,emailAddress,position,isDirector,percentage
crm-0001,Example SAS,FRA,001,FOOD_RESTAURANT_CATERING,Paris,LESS_THAN_10_000,EUR,account owner,Ada,Example,ada@example.com,CEO,yes,100
`;

interface Walked {
	world: World;
	ran: Ran;
}

const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default as AnyCommand));

const corporateJson = JSON.stringify(harbourLights);
async function withCase(...argv: string[]): Promise<Walked> {
	const world = await caseWorld();
	put(world, "corporate.json", corporateJson);
	put(world, "case.yaml", readFileSync(new URL("../cases/sole-owner.yaml", import.meta.url), "utf8"));
	put(world, "c.csv", companyCsv);
	const id = (await world.purser(["corporate", "create", "-f", "corporate.json", "--json"])).json().corporateId as string;
	put(world, "corporate.json", corporateJson.replace(harbourLights.corporateName, "Example Second SAS"));
	const words = argv.map((word) => (word === "CORPORATE" ? id : word));
	return { world, ran: await world.purser(words, { columns: 1000 }) };
}

let batches: BatchWorld[] = [];
afterEach(async () => {
	for (const world of batches) await world.end();
	batches = [];
	await removeFolders();
});
async function money(settings: Record<string, string> = {}): Promise<BatchWorld> {
	const world = await batchWorld(settings);
	batches.push(world);
	world.file([["10.10", "Row 1"]]);
	return world;
}
async function withMoney(argv: (world: BatchWorld) => string[] | Promise<string[]>, settings?: Record<string, string>): Promise<Walked> {
	const world = await money(settings);
	return { world, ran: await world.purser(await argv(world), { columns: 1000 }) };
}
const payee = async (world: World): Promise<string> =>
	((await world.purser(["beneficiary", "list", "--json"])).json() as { id: string; status: string }[]).find(
		({ status }) => status === "VALID",
	)?.id as string;
const paid = async (world: BatchWorld): Promise<string> =>
	(await world.purser(["pay", "beneficiary", "--from", world.from, "--to", await payee(world), "--amount", "1", "--yes", "--json"])).json()
		.id as string;
const plan = ["pay", "batch", "plan", "pay.csv"];

const eventSecret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const addSecret = ["events", "secret", "add", "live"];

/** A world that has heard of a payment's end. */
async function withEvent(): Promise<BatchWorld> {
	const world = await money();
	const subject = { kind: "transaction" as const, id: await paid(world) };
	await (await world.inbox()).receive({ source: "poll", change: { type: "transaction.approved", subject, from: null, to: "APPROVED" } });
	return world;
}

/** A world with a mapping, the file that it came from and a newer one. */
async function withMapping(...argv: string[]): Promise<Walked> {
	const mapping = { operations: { "transaction.interLedger": { method: "POST", path: "/v2/transfers" } } } as const;
	const world = await makeWorld({ profile: { mapping } });
	const file = (path: string) =>
		formatJson({ purser: "mapping", version: 1, operations: { "transaction.interLedger": { send: `POST ${path}` } } });
	put(world, "bank.yaml", file("/v2/transfers"));
	put(world, "new.yaml", file("/v3/transfers"));
	return { world, ran: await world.purser(argv, { columns: 1000 }) };
}

/** The last of some command lines, in a world of its own; what is read from standard input. */
async function last(lines: readonly (readonly string[])[], input?: string): Promise<Walked> {
	const world = await makeWorld();
	const rans: Ran[] = [];
	for (const argv of lines) rans.push(await world.purser(argv, { input }));
	return { world, ran: rans.at(-1) as Ran };
}
/** A command about the event that a world has heard of. */
async function ofEvent(argv: (id: string) => string[]): Promise<Walked> {
	const world = await withEvent();
	const [{ id }] = (await world.purser(["events", "list", "--json"])).json();
	return { world, ran: await world.purser(argv(id), { columns: 1000 }) };
}
const newProfile = (auth: string): string[] => [
	"profile",
	"add",
	"beside",
	"--base-url",
	"https://beside.example.com",
	"--auth",
	auth,
	...(auth === "login" ? operatorNames : []),
];

const walks: Readonly<Record<string, () => Promise<Walked>>> = {
	home: () => last([["home"]]),
	"api check": () => withMapping("api", "check", "bank.yaml"),
	"api confirm": () => withMapping("api", "confirm", "transaction.interLedger", "--dry-run"),
	"api diff": () => withMapping("api", "diff", "bank.yaml", "new.yaml"),
	"api list": () => withMapping("api", "list"),
	"api use": () => withMapping("api", "use", "bank.yaml"),
	"auth login": () => last([logInWords], "sandbox-password"),
	"auth logout": () => last([["auth", "logout"]]),
	"profile add": () => last([newProfile("login")]),
	"profile remove": () => last([newProfile("none"), ["profile", "remove", "sandbox", "--yes"]]),
	"corporate create": () => withCase("corporate", "create", "-f", "corporate.json", "--external-id", "crm-9"),
	"onboard plan": () => withCase("onboard", "plan", "case.yaml"),
	"onboard apply": () => withCase("onboard", "apply", "case.yaml", "--yes", "--confirmed-by", "operator"),
	"onboard import": () => withCase("onboard", "import", "c.csv"),
	"onboard bundle": () => withCase("onboard", "bundle", "CORPORATE", "--save", "evidence"),
	"onboard discard": async () => {
		const world = await caseWorld();
		const stopped = { answers: ["yes", "Ada Example", "crm-wizard", async () => Promise.reject(new Error("the terminal is gone"))] };
		await world.purser(["onboard", "start"], stopped).catch(() => undefined);
		const [draft] = (await world.purser(["onboard", "list", "--json"])).json() as { name: string }[];
		return { world, ran: await world.purser(["onboard", "discard", draft?.name as string, "--yes"]) };
	},
	"ledger show": () => withMoney(({ from }) => ["ledger", "show", from]),
	"beneficiary show": () => withMoney(async (world) => ["beneficiary", "show", await payee(world)]),
	"pay show": () => withMoney(async (world) => ["pay", "show", await paid(world)]),
	"pay ledger": () => withMoney(({ from, to }) => ["pay", "ledger", "--from", from, "--to", to, "--amount", "1", "--yes"]),
	"pay beneficiary": () =>
		withMoney(async (world) => ["pay", "beneficiary", "--from", world.from, "--to", await payee(world), "--amount", "1", "--yes"]),
	"pay batch plan": () => withMoney(() => plan),
	"pay batch send": () =>
		withMoney(async (world) => {
			await world.purser(plan);
			return ["pay", "batch", "send", "pay.csv.plan.json", "--dry-run"];
		}),
	"pay batch approve": () =>
		withMoney(
			async (world) => {
				const { key } = (await world.purser(["pay", "batch", "key", "--json"])).json();
				await world.purser(plan);
				// Somebody else's key: nobody approves a plan of their own.
				world.person.key = undefined;
				const other = (await world.purser(["pay", "batch", "key", "--json"])).json();
				Object.assign(world.profiles.get("sandbox")?.settings ?? {}, { planners: `ci=${key}`, approvers: `ben=${other.key}` });
				return ["pay", "batch", "approve", "pay.csv.plan.json", "--yes"];
			},
			{ approval: "above 1 EUR" },
		),
	"events list": () => ofEvent(() => ["events", "list"]),
	"events show": () => ofEvent((id) => ["events", "show", id]),
	// Nobody acknowledges it there.
	"events replay": () => ofEvent((id) => ["events", "replay", id, "--forward-to", "http://127.0.0.1:9/nobody"]),
	"events secret add": () => last([addSecret], eventSecret),
	"events secret list": () => last([["events", "secret", "list"]]),
	"events secret remove": () => last([addSecret, ["events", "secret", "remove", "live", "--yes"]], eventSecret),
	"sandbox simulate fund": () => withMoney(({ from }) => ["sandbox", "simulate", "fund", from, "--amount", "5"]),
	"sandbox simulate transaction": () => withMoney(async (world) => ["sandbox", "simulate", "transaction", await paid(world)]),
};

/** Commands that can suggest something and are not walked, and why. */
const leftOut: Readonly<Record<string, string>> = {
	demo: "it starts the built program for each step; what it suggests is the same each time and typed below",
	"onboard start": "it asks a person dozens of questions; onboard-start.test.ts answers them and goes on with the case that it wrote",
	"onboard resume": "it asks a person; onboard-start.test.ts stops and resumes it in several places",
	"pay batch approvals": "it needs a team's journal; pay-batch-team.test.ts lists, approves and rejects as two people",
	"pay batch reject": "as pay batch approvals",
	...Object.fromEntries(
		["init", "join", "leave", "members", "recover", "status"].map((name) => [
			`team ${name}`,
			"it needs a PostgreSQL server; test/e2e/team.test.ts types what it suggests",
		]),
	),
	"history adopt":
		"it needs a journal that was replaced; history-anchor.test.ts adopts one and types the command suggested, `history verify`",
};

/** What sends money, or asks a person about it: shown, not done. */
const isMoney = /^pay (ledger|beneficiary|batch (send|resume))|^api confirm/;
async function type(world: World, words: readonly string[]): Promise<Ran> {
	const path = words.slice(0, 2).join(" ");
	const { from, to } = world as BatchWorld;
	const more: Readonly<Record<string, string[]>> = {
		"auth login": ["--password-stdin"],
		"profile use": words.length > 2 ? [] : ["beside"],
		"pay ledger": ["--amount", "1", ...(words.includes("--to") ? [] : ["--to", to])],
		"pay beneficiary": ["--amount", "1", "--from", from],
		"terms accept": ["--yes", "--confirmed-by", "operator"],
		"onboard apply": ["--yes", "--confirmed-by", "operator"],
	};
	// The sandbox would serve until it is stopped, and the demo start the built program: their flags alone are read.
	const dry = isMoney.test(words.join(" ")) ? ["--dry-run"] : path === "sandbox serve" || path.startsWith("demo") ? ["--help"] : [];
	return world.purser([...words, ...(more[path] ?? []), ...dry], {
		columns: 1000,
		input: path === "events secret" ? eventSecret : "sandbox-password",
	});
}

test.each(Object.entries(walks))("what `%s` suggests can be typed", async (path, walk) => {
	const { world, ran } = await walk();
	expect(failed(ran), ran.stderr).toBe(false);
	const suggestions = suggestedBy(ran);
	expect(suggestions.length > 0, `${path} suggests nothing here:\n${ran.stdout}${ran.stderr}`).toBe(true);
	for (const words of suggestions) {
		const next = await type(world, words);
		expect(failed(next), `${path} → ${words.join(" ")}\n${next.stderr}`).toBe(false);
	}
});

test("what the demo suggests can be typed", async () => {
	const lines = demoNext.map((advice) => (advice as SuggestedCommand).words as string[]);
	expect(lines.length).toBeGreaterThanOrEqual(3);
	const world = await makeWorld();
	for (const words of lines) {
		const ran = await type(world, words);
		expect(ran.exit, `${words.join(" ")}\n${ran.stderr}`).toBe(0);
	}
});

/** Commands that suggest nothing. */
const silent = [
	...["api draft", "api find", "doctor", "events follow", "events listen", "events verify", "history backup"],
	...["history export", "history verify", "pay batch abandon", "pay batch key", "pay batch resume", "pay batch status", "pay reconcile"],
	...["sandbox serve", "sandbox simulate beneficiary", "sandbox webhook-secret"],
];

test("every command that can suggest something is walked, or says why not", () => {
	const suggesting = loaded.map(({ path }) => path).filter((path) => !silent.includes(path));
	expect(suggesting.length).toBeGreaterThanOrEqual(60);
	const typed = [...commandsOf({}), ...commandsOf({ company: "C", owner: "P" }), ...payCommands(true)].map((words) => words.join(" "));
	const isTyped = (path: string): boolean => typed.some((line) => `${line} `.startsWith(`${path} `));
	const missing = suggesting.filter((path) => !isTyped(path) && !Object.hasOwn(walks, path));
	expect(missing.sort()).toEqual(Object.keys(leftOut).sort());
	expect(Object.keys(walks).filter((path) => !suggesting.includes(path))).toEqual([]);
});
