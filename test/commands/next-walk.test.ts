/**
 * Every command that concerns a company, in every state of its case, at the in-process sandbox: what `Next:` and an error's way out suggest
 * is typed as it stands, and so is what that suggests. None of it may fail. A person may be asked for what only they know.
 */
import { expect, test } from "vitest";
import { catalog } from "../../src/api/operations/catalog.js";
import { formatState, parseState } from "../../src/sandbox/state.js";
import { gatesLine } from "../support/gates.js";
import { makeWorld, type Ran, type World } from "../support/purser.js";
import { failed, suggestedBy } from "./suggested.js";

/** COMPANY and OWNER; GRACE, a director; UBO, an owner of a share; BYSTANDER, a person without a part in it; HOLDING. */
type Ids = Partial<Record<"COMPANY" | "OWNER" | "GRACE" | "UBO" | "BYSTANDER" | "HOLDING", string>>;
const withIds = (line: string, ids: Ids): string => line.replace(/\$([A-Z]+)/g, (_, name: keyof Ids) => ids[name] ?? "");

const company = [
	...["--corporate-name", "Example Onboarded BV", "--incorporation-country", "NLD", "--incorporation-code", "000 111"],
	...["--industry", "TRANSPORT_TAXI_SERVICES_CHAUFFEUR", "--registered-address.city", "Exampleville"],
	...["--registered-address.iso-country-code", "NLD", "--expected-monthly-expenses.value", "LESS_THAN_10_000"],
	...["--expected-monthly-expenses.currency", "EUR", "--account-owner-info.first-name", "Ada"],
	...["--account-owner-info.last-name", "Example", "--account-owner-info.position", "CEO"],
	...["--account-owner-info.email-address", "ada@example.com"],
];

const director = (name: string) => `--first-name ${name} --last-name Sample --email-address ${name.toLowerCase()}@example.com`;
/** What leads from one state to the next; `$NAME` is an id, and `NAME = LINE` keeps the id of what was declared. */
const stages = {
	create: [`corporate create ${company.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ")}`],
	acceptTerms: ["terms accept $COMPANY --yes --confirmed-by operator"],
	sendEmail: ["email send-link $OWNER"],
	openEmail: ["sandbox simulate email $OWNER"],
	addPhone: ["related update $OWNER --phone.country-code 33 --phone.number 639980001"],
	verifyPhone: ["phone send-code $OWNER", "phone verify $OWNER --code 123456"],
	// An owner who is not marked, and nobody is a director.
	addSome: [
		`UBO = related add $COMPANY ${director("Lin")} --direct-shares-percentage 60`,
		`BYSTANDER = related add $COMPANY ${director("Otto")}`,
	],
	addAll: [
		`GRACE = related add $COMPANY ${director("Grace")} --is-director`,
		'HOLDING = related add $COMPANY --type COMPANY --corporate-name "Example Holding BV" --direct-shares-percentage 40',
		"related update $UBO --is-ubo",
	],
	requestKyb: [`kyb request $COMPANY ${gatesLine}`],
	askForMore: ['sandbox simulate kyb $COMPANY --outcome NEED_ADDITIONAL_INFORMATION --reason "A recent extract"'],
	declineKyb: ["sandbox simulate kyb $COMPANY --outcome DECLINED"],
	giveLinks: ["kyc link --all --corporate-id $COMPANY"],
	declineKyc: ["sandbox simulate kyc $GRACE --outcome DECLINED"],
	reviewKyc: ["sandbox simulate kyc $GRACE --outcome PROCESSING"],
	passKyc: ["sandbox simulate kyc $GRACE", "sandbox simulate kyc $UBO"],
	validate: ["sandbox simulate kyb $COMPANY"],
	expire: ["sandbox simulate clock --seconds 1"],
	newTerms: ["sandbox simulate terms"],
} as const;
type Stage = keyof typeof stages;

const ready: readonly Stage[] = ["create", "acceptTerms", "sendEmail", "openEmail", "addSome", "addAll"];
const linked: readonly Stage[] = [...ready, "requestKyb", "giveLinks"];
const states: Readonly<Record<string, readonly Stage[]>> = {
	"no case yet": [],
	created: ready.slice(0, 1),
	"terms accepted": ready.slice(0, 2),
	"email link sent": ready.slice(0, 3),
	"email verified": ready.slice(0, 4),
	"phone on record": [...ready.slice(0, 4), "addPhone"],
	"phone verified": [...ready.slice(0, 4), "addPhone", "verifyPhone"],
	"persons incomplete": ready.slice(0, 5),
	"persons complete": ready,
	"KYB requested": [...ready, "requestKyb"],
	"more information needed": [...ready, "requestKyb", "askForMore"],
	"KYC links given": linked,
	"KYC links expired": [...linked, "expire"],
	"KYC under review": [...linked, "reviewKyc"],
	"KYC declined": [...linked, "declineKyc"],
	"KYCs done": [...linked, "passKyc"],
	validated: [...linked, "passKyc", "validate"],
	"validated, new terms": [...linked, "passKyc", "validate", "newTerms"],
	declined: [...ready, "requestKyb", "declineKyb"],
};

async function lead(world: World, ids: Ids, stage: Stage): Promise<void> {
	for (const step of stages[stage]) {
		const [, name, line = ""] = /^(?:([A-Z]+) = )?(.*)$/.exec(step) ?? [];
		const made = await world.json(withIds(line, ids));
		if (stage === "create") Object.assign(ids, { COMPANY: made.corporateId, OWNER: made.accountOwnerId });
		if (name !== undefined) ids[name as keyof Ids] = made.id;
	}
	if (stage === "expire") world.clock.advance(40 * 24 * 3_600_000);
}

const nobody = "33333333-3333-4333-8333-333333333333";
/** Every command that one works a case with, for the ids of the state. */
function commandsOf({ COMPANY: id = nobody, OWNER = nobody, HOLDING, ...others }: Ids): string[][] {
	const persons = [OWNER, ...[others.GRACE, others.UBO, others.BYSTANDER].flatMap((one) => one ?? [])];
	const lines = [
		...["overview", "corporate list", "terms show", "ledger list", "beneficiary list", "pay list", "pay doubts"],
		...["config explain", "profile list", "profile show", "auth status", "api list", "onboard list"],
		...["corporate show", "corporate status", "corporate review", "related list", "related tree", "kyb status", "kyb request"].map(
			(path) => `${path} ${id}`,
		),
		...[`corporate status ${id} --explain`, `kyb status ${id} --wait`, `corporate update ${id} --website https://www.example.com`],
		...[`terms accept ${id} --yes --confirmed-by operator`, `kyc link --all --corporate-id ${id}`, `ledger list --end-user-id ${id}`],
		`related add ${id} --first-name New --last-name Person --is-director`,
		...[...persons, ...(HOLDING ? [HOLDING] : [])].flatMap((one) => [
			...["related show", "kyc status", "kyc link", "email status"].map((path) => `${path} ${one}`),
			...[`related update ${one} --external-id crm-1`, `related remove ${one} --yes`],
		]),
		...persons.flatMap((one) => [
			...["email send-link", "phone send-code", "sandbox simulate email", "sandbox simulate kyc"].map((path) => `${path} ${one}`),
			...["email status", "kyc status"].map((path) => `${path} ${one} --wait --wait-timeout 5`),
			...[`phone verify ${one} --code 123456`, `related update ${one} --email-address other@example.com`],
			`related update ${one} --phone.country-code 33 --phone.number 639980002`,
		]),
		...[`sandbox simulate kyb ${id}`, "sandbox simulate terms", "sandbox simulate clock --seconds 60"],
		...["sandbox simulate fault terms.get=500:x1", "sandbox simulate fault --clear"],
		// The same in every state.
		...(id === nobody ? ["profile set sandbox --set timeout=60", "profile use sandbox"] : []),
	];
	return lines.map((line) => line.split(" "));
}

/** What only the person knows, by its placeholder: the rest of a suggestion has to be there. */
const known: Readonly<Record<string, string>> = {
	...{ ADDRESS: "correct@example.com", CODE: "33", DIGITS: "639980003", "https://…": "https://own.example.com", TEXT: "Asked by phone" },
	...{ "FIELD=VALUE": "website=https://www.example.com", "duplicate-days=VALUE": "duplicate-days=7" },
};

let named = 0;
/** What a person is asked for at a prompt, by command. */
function askedFor(path: string, { COMPANY = "11111111-1111-4111-8111-111111111111" }: Ids): readonly string[] {
	named += 1;
	const answers: Readonly<Record<string, readonly string[]>> = {
		"related add": ["--first-name", `Asked${named}`, "--last-name", "Person", "--is-director"],
		"related list": [COMPANY],
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

async function walk(state: string, environment: "sandbox" | "live" = "sandbox"): Promise<Walk> {
	const result: Walk = { commands: 0, suggestions: 0, faults: [] };
	const [world, ids] = [await makeWorld({ profile: { baseUrl: "https://api.example.com" } }), {} as Ids];
	for (const stage of states[state] ?? []) await lead(world, ids, stage);
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
			if (failed(ran)) result.faults.push(`${environment}, ${state}: ${told}`);
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
async function type(world: World, words: readonly string[], ids: Ids): Promise<Ran> {
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

test("what is suggested can be typed, in every state of a case, and on a live profile, which asks about every change", async () => {
	const walks: Walk[] = [];
	for (const state of Object.keys(states)) walks.push(await walk(state));
	for (const state of ["created", "KYB requested"]) walks.push(await walk(state, "live"));
	const sum = (of: "commands" | "suggestions"): number => walks.reduce((total, one) => total + one[of], 0);
	process.stdout.write(`${walks.length} states, ${sum("commands")} commands in them, ${sum("suggestions")} suggestions typed\n`);
	expect(walks.flatMap(({ faults }) => faults).join("\n\n")).toBe("");
	expect([walks.length >= 21, sum("commands") >= 900, sum("suggestions") >= 930]).toEqual([true, true, true]);
}, 600_000);

test("one that cannot be typed is noticed", async () => {
	const [world, ids] = [await makeWorld(), {} as Ids];
	await lead(world, ids, "create");
	const lines = suggestedBy({ stderr: `Next: purser related list CORPORATE\n      purser phone send-code ${ids.OWNER}\n` });
	expect(lines.map((words) => words.join(" "))).toEqual(["related list CORPORATE", `phone send-code ${ids.OWNER}`]);
	for (const words of lines) expect(failed(await type(world, words, ids))).toBe(true);
	const fix = `Error: …\n  Next: Check the id (purser related list); log in: purser auth login --profile sandbox (purser auth status says which)\n`;
	const found = suggestedBy({ stderr: fix }).map((words) => words.join(" "));
	expect(found).toEqual(["related list", "auth login --profile sandbox", "auth status"]);
	expect(failed(await type(world, ["related", "list"], ids))).toBe(false);
});
