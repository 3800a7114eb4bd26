/**
 * Every command that concerns a company, in every state of its case, at the in-process sandbox: what `Next:` and an error's way out suggest
 * is typed as it stands, and so is what that suggests. None of it may fail. A person may be asked for what only they know.
 */
import { expect, test } from "vitest";
import { makeWorld, type Ran, type World } from "../support/purser.js";

interface Ids {
	company: string;
	owner: string;
	/** A director, an owner of a share, and a person without a part in it. */
	grace?: string;
	ubo?: string;
	bystander?: string;
	holding?: string;
}
type Stage = (world: World, ids: Ids) => Promise<void>;

const company = [
	...["--corporate-name", "Example Bakery SAS", "--incorporation-country", "FRA", "--incorporation-code", "732829320"],
	...["--industry", "FOOD_AND_BEVERAGES", "--registered-address.street-name", "Rue Exemple", "--registered-address.city", "Paris"],
	...["--registered-address.postcode", "75001", "--registered-address.country", "FRA", "--expected-monthly-expenses.value", "1000"],
	...["--expected-monthly-expenses.currency", "EUR", "--account-owner-info.first-name", "Ada", "--account-owner-info.last-name", "Example"],
	...["--account-owner-info.email-address", "ada@example.com", "--account-owner-info.position", "CEO"],
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
const acceptTerms: Stage = async (world, { company }) => void (await done(world, "terms", "accept", company, "--yes"));
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
const requestKyb: Stage = async (world, { company }) => void (await done(world, "kyb", "request", company));
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

const nobody = "33333333-3333-4333-8333-333333333333";

/** Every command that one works a case with, for the ids of the state. */
function commandsOf({ company: id = nobody, owner = nobody, grace, ubo, bystander, holding }: Partial<Ids>): string[][] {
	const related = [owner, grace, ubo, bystander, holding].filter((one) => one !== undefined);
	const persons = related.filter((one) => one !== holding);
	const lines = [
		...["overview", "corporate list", "terms show", "terms audit", "ledger list", "beneficiary list", "pay list", "pay doubts"],
		...["history list", "config explain", "profile list", "profile show", "auth status", "api list", "history settings"],
		...["corporate show", "corporate status", "corporate review", "related list", "related tree", "kyb status", "kyc plan", "kyb request"].map(
			(path) => `${path} ${id}`,
		),
		`corporate status ${id} --explain`,
		`kyb status ${id} --wait`,
		`corporate update ${id} --set website=https://www.example.com`,
		`terms accept ${id} --yes`,
		`kyc status --all --corporate-id ${id}`,
		`kyc link --all --corporate-id ${id}`,
		`related add ${id} --first-name New --last-name Person --is-director`,
		`ledger list --end-user-id ${id}`,
		...related.flatMap((one) => [
			`related show ${one}`,
			`related update ${one} --set externalId=crm-1`,
			`related remove ${one} --yes`,
			`kyc status ${one}`,
			`kyc link ${one}`,
			`email status ${one}`,
		]),
		...persons.flatMap((one) => [
			`related update ${one} --email-address other@example.com`,
			`related update ${one} --phone.country-code 33 --phone.number 639980002`,
			`email send-link ${one}`,
			`email status ${one} --wait --wait-timeout 5`,
			`kyc status ${one} --wait --wait-timeout 5`,
			`phone send-code ${one}`,
			`phone verify ${one} --code 123456`,
			`sandbox simulate email ${one}`,
			`sandbox simulate kyc ${one}`,
		]),
		`sandbox simulate kyb ${id}`,
		"sandbox simulate terms",
		"sandbox simulate clock --seconds 60",
		"sandbox simulate inbox",
		"sandbox simulate fault terms.get=500:x1",
		"sandbox simulate fault --clear",
	];
	return lines.map((line) => line.split(" "));
}

/** What only the person knows, by its placeholder: the rest of a suggestion has to be there. */
const known: Readonly<Record<string, string>> = {
	ADDRESS: "correct@example.com",
	CODE: "33",
	DIGITS: "639980003",
	TEXT: "Asked by phone",
	"FIELD=VALUE": "website=https://www.example.com",
	"…": "/api/partner/elsewhere",
};

/** What a person is asked for at a prompt, by command. */
const asked: Readonly<Record<string, readonly string[]>> = {
	"related add": ["--first-name", "Asked", "--last-name", "Person", "--is-director"],
	"corporate create": company,
	"pay ledger": ["--amount", "1", "--dry-run"],
	"pay beneficiary": ["--amount", "1", "--ledger-from-id", "aaaaaaaa-0001-4000-8000-000000000001", "--dry-run"],
	"terms accept": ["--yes"],
};

/** The words of a line as a shell reads them, for the quotes that suggestions use. */
const wordsOf = (line: string): string[] =>
	[...line.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|\\(')/g, "$1$2"));

/** The commands that a run suggests: below `Next:`, and in the way out of an error. */
function suggestedBy({ stderr }: Ran): string[][] {
	const lines = stderr.split("\n");
	const next = lines.flatMap((line) => /^(?:Next:| {5}) purser (.*)$/.exec(line)?.[1] ?? []);
	const fixes = lines.filter((line) => /^ {2}(Next:| {5})/.test(line)).flatMap((line) => [...line.matchAll(/purser ([a-z][^`(),;]*[^`(),;.:\s])/g)]);
	return [...next, ...fixes.map((found) => (found[1] as string).replace(/\. .*$/, ""))].map(wordsOf);
}

const isMoney = (path: string): boolean => path === "pay ledger" || path === "pay beneficiary";

interface Walk {
	commands: number;
	suggestions: number;
	faults: string[];
}

/** How far suggestions of suggestions are followed. */
const depth = 3;

async function walk(state: string, stages: readonly Stage[]): Promise<Walk> {
	const result: Walk = { commands: 0, suggestions: 0, faults: [] };
	const fresh = async (): Promise<[World, Ids]> => {
		const [world, ids] = [await makeWorld(), {} as Ids];
		for (const stage of stages) await stage(world, ids);
		return [world, ids];
	};
	const [shared, ids] = await fresh();
	const seen = new Set<string>();
	/** Types the suggestions of a run where it ended, each in a world that went the same way. */
	const follow = async (from: Ran, way: readonly (readonly string[])[]): Promise<void> => {
		if (way.length > depth) return;
		for (const words of suggestedBy(from)) {
			const changed = way.filter(changes).map((line) => line.join(" "));
			const line = words.join(" ");
			if (seen.has([...changed, line].join("\n"))) continue;
			seen.add([...changed, line].join("\n"));
			result.suggestions += 1;
			const [world] = changed.length === 0 && !changes(words) ? [shared] : await fresh();
			if (world !== shared) for (const before of way.filter(changes)) await type(world, before);
			const ran = await type(world, words);
			if (failed(ran)) result.faults.push(`${state}: ${[...way.map((one) => one.join(" ")), line].join(" → ")}\n  ${ran.stderr.replaceAll("\n", "\n  ")}`);
			else await follow(ran, [...way, words]);
		}
	};
	for (const words of commandsOf(ids)) {
		const world = changes(words) ? (await fresh())[0] : shared;
		result.commands += 1;
		await follow(await type(world, words), [words]);
	}
	return result;
}

/** Whether a command changes the state of the case; ids of one world are those of every other. */
function changes(words: readonly string[]): boolean {
	const reading = /^(overview|config|api list|auth status|history|profile (list|show)|help|\w+ (list|show|status|audit|tree|plan|review|doubts)( |$))/;
	return !reading.test(words.join(" ")) || words.includes("--wait");
}

/** Types it as a person would: placeholders filled in, prompts answered by flags. */
async function type(world: World, words: readonly string[]): Promise<Ran> {
	const path = words.slice(0, 2).join(" ");
	const typed = words.map((word) => known[word] ?? word);
	const dry = isMoney(path) ? ["--dry-run"] : [];
	const first = await world.purser([...typed, ...dry], { columns: 1000 });
	if (!/^Error: (Missing|This needs a confirmation)/.test(first.stderr) || asked[path] === undefined) return first;
	const given = asked[path].filter((_, at, all) => !(typed.includes(all[at] as string) || (at > 0 && typed.includes(all[at - 1] as string))));
	return world.purser([...typed, ...given], { columns: 1000 });
}

/** An answer with an exit code of its own, such as a declined KYB, is none. */
const failed = ({ stderr, exit }: Ran): boolean => /^Error: /m.test(stderr) || exit === 1 || exit === 2;

test("what is suggested can be typed, in every state of a case", async () => {
	const walks: [string, Walk][] = [];
	for (const [state, stages] of Object.entries(states)) walks.push([state, await walk(state, stages)]);
	const sum = (of: "commands" | "suggestions"): number => walks.reduce((total, [, one]) => total + one[of], 0);
	console.log(`${walks.length} states, ${sum("commands")} commands in them, ${sum("suggestions")} suggestions typed`);
	expect(walks.flatMap(([, { faults }]) => faults).join("\n\n")).toBe("");
	expect(walks.length).toBeGreaterThanOrEqual(19);
	expect(sum("commands")).toBeGreaterThanOrEqual(900);
	expect(sum("suggestions")).toBeGreaterThanOrEqual(900);
}, 600_000);
