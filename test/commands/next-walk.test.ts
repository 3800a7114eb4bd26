/**
 * Every command that concerns a company, in every state of its case, at the in-process sandbox: what `Next:` and an error's way out suggest
 * is typed as it stands, and so is what that suggests. None of it may fail. A person may be asked for what only they know.
 */
import { expect, test } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { formatState, parseState } from "../../src/sandbox/state.js";
import { everyGate } from "../support/gates.js";
import { makeWorld, type Ran, type World } from "../support/purser.js";
import { commandsOf, type Ids } from "./case-commands.js";
import { failed, suggestedBy } from "./suggested.js";

type Stage = (world: World, ids: Ids) => Promise<void>;

const company = [
	...["--corporate-name", "Example Onboarded BV", "--incorporation-country", "NLD", "--incorporation-code", "000 111"],
	...["--industry", "TRANSPORT_TAXI_SERVICES_CHAUFFEUR", "--registered-address.city", "Exampleville"],
	...["--registered-address.iso-country-code", "NLD", "--expected-monthly-expenses.value", "LESS_THAN_10_000"],
	...["--expected-monthly-expenses.currency", "EUR", "--account-owner-info.first-name", "Ada"],
	...["--account-owner-info.last-name", "Example", "--account-owner-info.position", "CEO"],
	...["--account-owner-info.email-address", "ada@example.com"],
];

async function done(world: World, ...argv: string[]): Promise<Ran> {
	const ran = await world.purser([...argv, "--json"]);
	if (ran.exit !== 0) throw new Error(`${argv.join(" ")}: exit ${ran.exit}\n${ran.stderr}`);
	return ran;
}

const add = async (world: World, ids: Ids, ...flags: string[]): Promise<string> =>
	(await done(world, "related", "add", ids.company, ...flags)).json().id;
const director = (name: string) => ["--first-name", name, "--last-name", "Sample", "--email-address", `${name.toLowerCase()}@example.com`];

const create: Stage = async (world, ids) => {
	const made = (await done(world, "corporate", "create", ...company)).json();
	Object.assign(ids, { company: made.corporateId, owner: made.accountOwnerId });
};
const acceptTerms: Stage = async (world, { company }) =>
	void (await done(world, "terms", "accept", company, "--yes", "--confirmed-by", "operator"));
const sendEmail: Stage = async (world, { owner }) => void (await done(world, "email", "send-link", owner));
const openEmail: Stage = async (world, { owner }) => void (await done(world, "sandbox", "simulate", "email", owner));
const addPhone: Stage = async (world, { owner }) =>
	void (await done(world, "related", "update", owner, "--phone.country-code", "33", "--phone.number", "639980001"));
const verifyPhone: Stage = async (world, { owner }) => {
	await done(world, "phone", "send-code", owner);
	await done(world, "phone", "verify", owner, "--code", "123456");
};
/** An owner who is not marked, and nobody is a director. */
const addSome: Stage = async (world, ids) => {
	ids.ubo = await add(world, ids, ...director("Lin"), "--direct-shares-percentage", "60");
	ids.bystander = await add(world, ids, ...director("Otto"));
};
const addAll: Stage = async (world, ids) => {
	ids.grace = await add(world, ids, ...director("Grace"), "--is-director");
	ids.holding = await add(world, ids, "--type", "COMPANY", "--corporate-name", "Example Holding BV", "--direct-shares-percentage", "40");
	await done(world, "related", "update", ids.ubo as string, "--is-ubo");
};
const requestKyb: Stage = async (world, { company }) => void (await done(world, "kyb", "request", company, ...everyGate));
const askForMore: Stage = async (world, { company }) => {
	const more = ["--outcome", "NEED_ADDITIONAL_INFORMATION", "--reason", "A recent extract"];
	await done(world, "sandbox", "simulate", "kyb", company, ...more);
};
const declineKyb: Stage = async (world, { company }) =>
	void (await done(world, "sandbox", "simulate", "kyb", company, "--outcome", "DECLINED"));
const giveLinks: Stage = async (world, { company }) => void (await done(world, "kyc", "link", "--all", "--corporate-id", company));
const declineKyc: Stage = async (world, { grace }) =>
	void (await done(world, "sandbox", "simulate", "kyc", grace as string, "--outcome", "DECLINED"));
const reviewKyc: Stage = async (world, { grace }) =>
	void (await done(world, "sandbox", "simulate", "kyc", grace as string, "--outcome", "PROCESSING"));
const passKyc: Stage = async (world, { grace, ubo }) => {
	for (const id of [grace, ubo]) await done(world, "sandbox", "simulate", "kyc", id as string);
};
const validate: Stage = async (world, { company }) => void (await done(world, "sandbox", "simulate", "kyb", company));
const expire: Stage = async (world) => world.clock.advance(40 * 24 * 3_600_000);
const newTerms: Stage = async (world) => void (await done(world, "sandbox", "simulate", "terms"));

const ready = [create, acceptTerms, sendEmail, openEmail, addSome, addAll];
const states: Readonly<Record<string, readonly Stage[]>> = {
	"no case yet": [],
	created: [create],
	"terms accepted": [create, acceptTerms],
	"email link sent": [create, acceptTerms, sendEmail],
	"email verified": [create, acceptTerms, sendEmail, openEmail],
	"phone on record": [create, acceptTerms, sendEmail, openEmail, addPhone],
	"phone verified": [create, acceptTerms, sendEmail, openEmail, addPhone, verifyPhone],
	"persons incomplete": [create, acceptTerms, sendEmail, openEmail, addSome],
	"persons complete": ready,
	"KYB requested": [...ready, requestKyb],
	"more information needed": [...ready, requestKyb, askForMore],
	"KYC links given": [...ready, requestKyb, giveLinks],
	"KYC links expired": [...ready, requestKyb, giveLinks, expire],
	"KYC under review": [...ready, requestKyb, giveLinks, reviewKyc],
	"KYC declined": [...ready, requestKyb, giveLinks, declineKyc],
	"KYCs done": [...ready, requestKyb, giveLinks, passKyc],
	validated: [...ready, requestKyb, giveLinks, passKyc, validate],
	"validated, new terms": [...ready, requestKyb, giveLinks, passKyc, validate, newTerms],
	declined: [...ready, requestKyb, declineKyb],
};

/** What only the person knows, by its placeholder: the rest of a suggestion has to be there. */
const known: Readonly<Record<string, string>> = {
	ADDRESS: "correct@example.com",
	CODE: "33",
	DIGITS: "639980003",
	"https://…": "https://own.example.com",
	TEXT: "Asked by phone",
	"FIELD=VALUE": "website=https://www.example.com",
	"duplicate-days=VALUE": "duplicate-days=7",
};

let named = 0;
/** What a person is asked for at a prompt, by command. */
function askedFor(path: string, { company: id = "11111111-1111-4111-8111-111111111111" }: Partial<Ids>): readonly string[] {
	named += 1;
	const answers: Readonly<Record<string, readonly string[]>> = {
		"related add": ["--first-name", `Asked${named}`, "--last-name", "Person", "--is-director"],
		"related list": [id],
		"corporate create": company,
		"pay ledger": ["--amount", "1", "--dry-run"],
		"pay beneficiary": ["--amount", "1", "--ledger-from-id", "aaaaaaaa-0001-4000-8000-000000000001", "--dry-run"],
		"terms accept": ["--yes", "--confirmed-by", "operator"],
		"phone verify": ["--code", "123456"],
		"profile set": ["--yes"],
		"auth login": ["--password-stdin"],
	};
	return answers[path] ?? [];
}

const isMoney = (path: string): boolean => path === "pay ledger" || path === "pay beneficiary";

interface Walk {
	commands: number;
	suggestions: number;
	faults: string[];
}

/** How far suggestions of suggestions are followed: what one leads to is a state of its own here. */
const depth = process.env.PURSER_TORTURE === "1" ? 2 : 1;

async function walk(state: string, stages: readonly Stage[], environment: "sandbox" | "live" = "sandbox"): Promise<Walk> {
	const result: Walk = { commands: 0, suggestions: 0, faults: [] };
	const [world, ids] = [await makeWorld({ profile: { baseUrl: "https://api.example.com" } }), {} as Ids];
	for (const stage of stages) await stage(world, ids);
	Object.assign(world.profiles.get("sandbox") ?? {}, { environment });
	const seen = new Set<string>();
	/** Types the suggestions of a run where it ended, each from there anew. */
	const follow = async (from: Ran, way: readonly (readonly string[])[]): Promise<void> => {
		if (way.length > depth) return;
		const back = momentOf(world);
		const changed = way.filter(changes).map((line) => line.join(" "));
		for (const words of suggestedBy(from)) {
			const line = words.join(" ");
			const key = [...changed, line].join("\n");
			if (seen.has(key)) continue;
			seen.add(key);
			result.suggestions += 1;
			const ran = await type(world, words, ids);
			const told = `${[...way.map((one) => one.join(" ")), line].join(" → ")}\n  ${ran.stderr.replaceAll("\n", "\n  ")}`;
			if (failed(ran)) result.faults.push(`${state}: ${told}`);
			else await follow(ran, [...way, words]);
			await back(words);
		}
	};
	for (const words of commandsOf(ids)) {
		const back = momentOf(world);
		result.commands += 1;
		await follow(await type(world, words, ids), [words]);
		await back(words);
	}
	return result;
}

/** Takes down how the service, the journal and the profiles are; the answer leads back there. Only the time goes on. */
function momentOf(world: World): (words: readonly string[]) => Promise<void> {
	const text = formatState(world.sandbox.state);
	const profiles = structuredClone([...world.profiles]);
	const written = world.journal.length;
	return async (words) => {
		if (words.includes("fault")) await world.purser("sandbox simulate fault --clear");
		if (!changes(words)) return;
		// Logins go on: the operator holds the newest one.
		Object.assign(world.sandbox.state, parseState(text), { sessions: world.sandbox.state.sessions });
		world.journal.splice(written);
		world.profiles.clear();
		for (const [name, profile] of profiles) world.profiles.set(name, profile);
	};
}

/** Whether a command changes the state of the case; ids of one world are those of every other. */
function changes(words: readonly string[]): boolean {
	const reading =
		/^(overview|config|api list|auth status|history|profile (list|show)|help|\w+ (list|show|status|tree|plan|review|doubts)( |$))/;
	return !reading.test(words.join(" ")) || words.includes("--wait");
}

/** Types it as a person would: placeholders filled in, and what is asked for at a prompt given as flags. */
async function type(world: World, words: readonly string[], ids: Partial<Ids>): Promise<Ran> {
	const path = words.slice(0, 2).join(" ");
	const typed = words.map((word) => (word === "…" ? catalog.find(({ id }) => id === words[2])?.path : known[word]) ?? word);
	// The sandbox would serve until it is stopped, the wizard asks a person, and the demo runs the built program: they have tests of their own.
	if (["sandbox serve", "onboard start", "demo"].includes(path)) return world.purser([...words.slice(0, 2), "--help"], { columns: 1000 });
	const line = isMoney(path) ? [...typed, "--dry-run"] : [...typed];
	for (let hasAnswered = false; ; ) {
		const ran = await world.purser(line, { columns: 1000, input: "sandbox-password" });
		// At a terminal a live profile asks, and a person says Yes.
		if (ran.stderr.includes(" is LIVE, and this changes something") && !line.includes("--live"))
			line.push(...(line.includes("--yes") ? [] : ["--yes"]), "--live");
		else if (/^Error: (Missing|This needs a confirmation)/m.test(ran.stderr) && !hasAnswered) {
			hasAnswered = true;
			line.push(...askedFor(path, ids).filter((word) => word !== "--yes" || !line.includes("--yes")));
		} else return ran;
	}
}

test("what is suggested can be typed, in every state of a case", async () => {
	const walks: [string, Walk][] = [];
	for (const [state, stages] of Object.entries(states)) walks.push([state, await walk(state, stages)]);
	const sum = (of: "commands" | "suggestions"): number => walks.reduce((total, [, one]) => total + one[of], 0);
	process.stdout.write(`${walks.length} states, ${sum("commands")} commands in them, ${sum("suggestions")} suggestions typed\n`);
	expect(walks.flatMap(([, { faults }]) => faults).join("\n\n")).toBe("");
	expect(walks.length).toBeGreaterThanOrEqual(19);
	expect(sum("commands")).toBeGreaterThanOrEqual(900);
	expect(sum("suggestions")).toBeGreaterThanOrEqual(900);
}, 600_000);

test("what is suggested can be typed on a live profile, which asks about every change", async () => {
	const walks: [string, Walk][] = [];
	for (const state of ["created", "KYB requested"] as const)
		walks.push([state, await walk(`live, ${state}`, states[state] as readonly Stage[], "live")]);
	expect(walks.flatMap(([, { faults }]) => faults).join("\n\n")).toBe("");
	expect(walks.reduce((total, [, one]) => total + one.suggestions, 0)).toBeGreaterThanOrEqual(30);
}, 600_000);

test("one that cannot be typed is noticed", async () => {
	const [world, ids] = [await makeWorld(), {} as Ids];
	await create(world, ids);
	const stderr = `Next: purser related list CORPORATE\n      purser phone send-code ${ids.owner}\n`;
	const lines = suggestedBy({ stderr } as Ran);
	expect(lines).toEqual([
		["related", "list", "CORPORATE"],
		["phone", "send-code", ids.owner],
	]);
	for (const words of lines) expect(failed(await type(world, words, ids))).toBe(true);
	const fix = `Error: …\n  Next: Check the id (purser related list); log in: purser auth login --profile sandbox (purser auth status says which)\n`;
	expect(suggestedBy({ stderr: fix } as Ran)).toEqual([
		["related", "list"],
		["auth", "login", "--profile", "sandbox"],
		["auth", "status"],
	]);
	expect(failed(await type(world, ["related", "list"], ids))).toBe(false);
});
