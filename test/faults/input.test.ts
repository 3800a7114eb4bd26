/**
 * Bad input and the whole error that a person sees. Nothing is ever sent. Every fault of an amount is in test/api/amount.test.ts, those of
 * references, phones and countries are in test/contract/limits.test.ts, those of an address in test/config/profile-input.test.ts, those of a
 * document in test/cli/documents.test.ts.
 */
import { describe, expect, it } from "vitest";
import { corporate, id, owner, runRefused, to } from "./corporate.js";

/** A command, or its words where one of them has a blank or is empty. */
type Command = string | string[];
const wordsOf = (command: Command): string[] => (typeof command === "string" ? command.split(" ") : command);

interface More {
	/** 2 (wrong usage) by default. */
	exit?: number;
	/** The lines between the error and the next step: each wrong field, or the reason. */
	below?: string[];
	input?: string;
}

const see = (path: string): string => `See \`purser ${path} --help\`.`;
const meant = (...paths: string[]): string => `Did you mean ${paths.map((path) => `\`purser ${path}\``).join(" or ")}?`;
const again = (path: string, what = "it"): string => `Correct ${what} and run the command again; see \`purser ${path} --help\`.`;
const give = (where: string, path: string): string => `Give ${where}; see \`purser ${path} --help\`.`;
const quotes = (path: string): string => `A value with spaces needs quotes, and a flag that is on or off takes no value. ${see(path)}`;
const noProfile = (example: string): string =>
	`Choose one with --profile or purser profile use, or make it: purser profile add ${example} --base-url https://…`;

const takenBack = "Contact your banking service with its transaction id (purser pay list). What can be done: purser help wrong-payment";
const flag = "it as a flag, or in a file with --file FILE";
const flags = "them as flags, or in a file with --file FILE";
const creation = "corporate create --file -";
const transfer = `pay ledger --ledger-from-id ${id} --ledger-to-id ${to} --amount 1.00`;
const person = `related add ${id} --first-name Grace --last-name Sample`;
const add = "profile add x --base-url https://api.example.com";
const ofOwner = ["first-name", "last-name", "email-address", "position"].map((name) => `--account-owner-info.${name}`).join(", ");
const ofCorporate = `--corporate-name, --incorporation-country, --incorporation-code, --industry, --registered-address.*, --expected-monthly-expenses.value, --expected-monthly-expenses.currency, ${ofOwner}`;
const noCorporate = `${give("it on the command line", "corporate show")}\n        They are listed by: purser corporate list`;
const unreadable = "standard input is neither JSON nor YAML";
const mapping = "purser: mapping\nversion: 1\noperations:\n  kyb.request: { send: POST /x }\n";

type Row = [command: Command, error: string, next: string, more?: More];
const row = (...given: Row): Row => given;

const rows: Row[] = [
	["corprate list", "There is no command `purser corprate`", meant("corporate")],
	["corporate lst", "There is no command `purser corporate lst`", meant("corporate list")],
	["verify", "There is no command `purser verify`", meant("phone verify", "events verify", "history verify")],
	["corporate ls", "There is no command `purser corporate ls`", see("corporate")],
	["pay batch cancel", "There is no command `purser pay batch cancel`", meant("pay batch abandon")],
	...["pay cancel", "undo", "refund", "recall", "wrong-payee", "help cancel"].map((command) =>
		row(command, "A sent payment cannot be taken back from here", takenBack),
	),
	[`corporate show ${id} extra`, 'Unexpected argument: "extra"', quotes("corporate show")],
	[`${person} --is-director yes`, 'Unexpected argument: "yes"', quotes("related add")],
	["pay ledger --ammount 1", "Unknown option '--ammount'", `Did you mean --amount? ${see("pay ledger")}`],
	["ledger list --json=yes", "Unknown option '--json=yes'", see("ledger list")],
	["pay show --file x.yaml", "Unknown option '--file'", see("pay show")],
	["pay ledger --amount", "--amount needs a value", see("pay ledger")],
	[
		"auth login --password secret",
		"No flag takes a secret: others on this machine could read it, and the shell would remember it",
		"Use a prompt or standard input: purser auth login --password-stdin; or PURSER_TOKEN_FILE.",
	],
	["ledger list --color blue", '--color takes always, auto or never, not "blue"', "Like: --color never"],
	[
		"ledger list --timeout 1e3",
		'--timeout takes a number of seconds greater than 0, or a time like 30s or 2m, not "1e3"',
		"Like: --timeout 30",
	],
	["ledger list --profile ../x", 'There is no profile "../x"', noProfile("NAME"), { below: ["Why:  There are: sandbox"] }],
	["profile use nobody", 'There is no profile "nobody"', noProfile("nobody"), { below: ["Why:  There are: sandbox"] }],
	[
		"ledger list --base-url http://example.com",
		"The base address of profile sandbox must start with https:// for a live profile; plain http is for a sandbox only",
		"Give another with --base-url, or replace it: purser profile set sandbox --base-url https://…",
	],
	["corporate show", "Missing: CORPORATE", noCorporate],
	[["corporate", "show", ""], "Missing: CORPORATE", noCorporate],
	[
		`corporate update ${id}`,
		"No field to change was given; nothing was sent",
		give("at least one, or a file with --file FILE", "corporate update"),
	],
	[
		transfer,
		"This needs a confirmation and nobody can be asked here; nothing was changed",
		"To confirm, add --yes, or look first with --dry-run.",
	],
	[
		`${transfer} --yes --live`,
		"--live was given, but the profile sandbox is a sandbox profile; nothing was sent",
		"Choose the live profile with --profile NAME, or leave --live out.",
		{ exit: 10 },
	],
	...["x", "__proto__.x=1"].map((text) =>
		row(
			`corporate update ${id} --set ${text}`,
			`--set takes path=value, not "${text}"`,
			"Like: purser corporate update --set accountOwnerInfo.title=Dr",
		),
	),
	...["corporateName", "corporateName.x", "metadata.x", "registeredAddress"].map((path) =>
		row(
			`corporate update ${id} --set ${path}=1`,
			"--set is for fields that have no flag; nothing was sent",
			"Give the whole field by its flag; see `purser corporate update --help`.",
			{ exit: 3, below: [`${path} is given by its own flag, or in a file`] },
		),
	),
	[`${person} --phone.country-code 33`, "Missing: --phone.number", give(flag, "related add")],
	[`related add ${id} --type COMPANY --first-name x`, "Missing: --corporate-name", give(flag, "related add")],
	["corporate create --anonymous", `Missing: ${ofCorporate}`, give(flags, "corporate create")],
	[creation, `Missing: ${ofCorporate}`, give(flags, "corporate create"), { input: "" }],
	[creation, "Missing: --corporate-name", give(flag, "corporate create"), { input: corporate({ corporateName: null }) }],
	[
		["profile", "add", "Bad Name", "--base-url", "https://api.example.com"],
		"Invalid setting; the profile is unchanged",
		again("profile add"),
		{ exit: 3, below: ['NAME must be 1 to 64 of a-z, 0-9, ".", "_" and "-", starting with a letter or a digit'] },
	],
	[
		`${add} --set nonsense=1`,
		"Invalid setting; the profile is unchanged",
		again("profile add"),
		{
			exit: 3,
			below: [
				'--set there is no setting "nonsense"; there are timeout, sca-strategy, refusing-statuses, settle-after, duplicate-days, cap-per-transfer, cap-per-day, approval, approvers, planners, ubo-threshold',
			],
		},
	],
	[
		add.replace(" x ", " sandbox "),
		'There is a profile "sandbox" already; nothing was changed',
		"Change it with `purser profile set sandbox`, or choose another name.",
		{ below: ["NAME is in use"] },
	],
	[
		"api use -",
		"Standard input is not a mapping that can be used; nothing was stored",
		"Correct what is listed, and check it again: purser api check -",
		{ exit: 3, below: ["line 4, kyb.request send must contain {corporateId} exactly once"], input: mapping },
	],
	[creation, unreadable, "Correct it and run this again.", { below: ["Why:  Something does not fit at its end"], input: "{" }],
	...["- 1", "12", "\ufffe"].map((input) =>
		row(creation, "The input document is not an object of fields", "See the fields with `purser corporate create --help`.", {
			exit: 3,
			input,
		}),
	),
	[
		"corporate create --anonymous --file -",
		"An anonymous creation must name the partner; nothing was sent",
		"Add --partner-name NAME, or create the company as a partner after `purser auth login`.",
		{ exit: 3, below: ["--partner-name is required for an anonymous creation"], input: corporate({}) },
	],
];

it.each(rows)("%j: %s", async (command, error, next, { exit = 2, below = [], input } = {}) => {
	const argv = wordsOf(command);
	const ran = await runRefused(argv, input);
	expect(ran.stderr).toBe([`Error: ${error}`, ...below.map((line) => `  ${line}`), `  Next: ${next}`, ""].join("\n"));
	expect(ran.exit).toBe(exit);
	if (argv.at(-1) === "--amount") return;
	const json = await runRefused([...argv, "--json"], input);
	expect([json.exit, json.stderr.trimEnd().split("\n").length, JSON.parse(json.stderr).error.message]).toEqual([exit, 1, error]);
});

const owned = (change: object): string => corporate({ accountOwnerInfo: { ...owner, ...change } });
const comma = '--amount has a comma; the decimal separator is "." and there are no thousands separators';
const both = `pay ledger --ledger-from-id ${id} --ledger-to-id`;

/** Each with its faults, and what is read from standard input. */
const wrong: [command: string, faults: string[], input?: string][] = [
	["ledger list --limit many", ["--limit must be a whole number from 1 to 999999"]],
	[
		"pay list --start-date someday",
		["--start-date must be one of: 7d, 12h, today, yesterday, a day (2026-03-01, of UTC) or a time (2026-03-01 00:00 +00:00)"],
	],
	[
		`${both} ${to} --yes --amount 1,0 --reference a/b --wait-timeout x`,
		[
			comma,
			'--reference has the character "/" (U+002F); allowed are letters (À-ÿ too), digits, space and . \' , ?',
			"--wait-timeout must be seconds, like 120, or a time like 30s, 5m or 2h",
		],
	],
	[`${both} ${id} --amount 1.00 --yes`, ["--ledger-to-id is the ledger to debit; choose another one"]],
	[`corporate update ${id} --metadata {`, ["--metadata must be a JSON object, not text"]],
	[
		`corporate update ${id} --expected-monthly-expenses.currency EURO`,
		["--expected-monthly-expenses.value is required", "--expected-monthly-expenses.currency must be a currency code, like EUR"],
	],
	[`${person} --email-address ada`, ["--email-address must be an email address, like ada@example.com"]],
	[
		"api confirm nothing.here",
		[
			"OPERATION must be one of terms.get, corporate.create, email.sendLink, corporate.update, related.update, related.create, related.get, corporate.diligenceReview, kyb.request, corporate.get, kyc.link, phone.sendCode, phone.verifyCode, transaction.interLedger, transaction.beneficiary, transaction.get, corporate.list, related.list, related.delete, ledger.list, ledger.get, beneficiary.list, beneficiary.get, transaction.list, auth.login, auth.refresh",
		],
	],
	["sandbox serve --port 99999", ["--port must be a port number, 0 to 65535"]],
	[`sandbox simulate kyc ${id} --outcome MAYBE`, ["--outcome must be one of VALIDATED, DECLINED, PROCESSING, PENDING_REVIEW"]],
	[creation, ["corporateName must be text, not a list"], corporate({ corporateName: ["a"] })],
	[creation, ["registeredAddress.town is not a known field (send it with --set)"], corporate({ registeredAddress: { town: "x" } })],
	[creation, ["accountOwnerInfo.isDirector must be a boolean, not text"], owned({ isDirector: "yes" })],
	[
		creation,
		[
			"accountOwnerInfo.emailAddress must be an email address, like ada@example.com",
			"accountOwnerInfo.nationality is not a country; write its English name or its code, like Germany, DE or DEU",
			"accountOwnerInfo.phone.countryCode is required",
			"accountOwnerInfo.phone.number is required",
		],
		owned({ emailAddress: "x", nationality: "FRX", phone: {} }),
	],
];

it.each(wrong)("%s: exit 3, and every fault at once", async (command, faults, input) => {
	const ran = await runRefused(command.split(" "), input);
	const [head, ...lines] = ran.stderr.split("\n");
	expect(head).toMatch(/^(api confirm|sandbox serve)/.test(command) ? /^Error: .*; nothing was stored$/ : /^Error: .*; nothing was sent$/);
	const path = /^(sandbox simulate kyc|\w+ \w+)/.exec(command)?.[0] as string;
	const next = again(path, faults.length === 1 ? "it" : "them");
	expect([ran.exit, lines]).toEqual([3, [...faults.map((fault) => `  ${fault}`), `  Next: ${next}`, ""]]);
});

describe("the first line names up to three that are wrong, and up to three that are missing", () => {
	const long = { metadata: "x", website: "x".repeat(600) };
	it.each([
		[long, "website, metadata are not valid"],
		[{ ...long, registeredAddress: { town: "x" }, industry: "x" }, "website, industry, registeredAddress.town and 1 more are not valid"],
		[
			{ expectedMonthlyExpenses: { currency: "eu" } },
			"expectedMonthlyExpenses.currency is not valid; expectedMonthlyExpenses.value is missing",
		],
		[
			{ metadata: "x", accountOwnerInfo: {} },
			"metadata is not valid; accountOwnerInfo.firstName, accountOwnerInfo.lastName, accountOwnerInfo.emailAddress and 1 more are missing",
		],
	])("%j", async (change, head) => {
		expect((await runRefused(wordsOf(creation), corporate(change))).stderr.split("\n")[0]).toBe(`Error: ${head}; nothing was sent`);
	});
});

it("of hundreds of wrong fields a hundred are shown, and a program is told all", async () => {
	const text = Array.from({ length: 250 }, (_, at) => `key${at}: 1\n`).join("");
	const ran = await runRefused(["corporate", "update", id, "--file", "-"], text);
	expect(ran.exit).toBe(3);
	expect(ran.stderr).toContain("… and 150 more; --json has all of them");
	expect(ran.stderr.split("\n").length).toBeLessThan(110);
	const json = await runRefused(["corporate", "update", id, "--file", "-", "--json"], text);
	expect(JSON.parse(json.stderr).error.details).toHaveLength(250);
});
