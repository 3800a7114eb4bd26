/**
 * Bad input and the whole error that a person sees. Nothing is ever sent.
 */

import { describe, expect, it } from "vitest";
import { corporate, id, runRefused, to } from "./corporate.js";

/** Command line, standard input, exit code, and the lines on standard error. */
type Row = [argv: string[], input: string | undefined, exit: number, ...lines: string[]];

interface Refusal {
	error: string;
	/** The lines between the error and the next step: each wrong field, or the reason. */
	below?: string[];
	next: string;
	/** 2 (wrong usage) by default. */
	exit?: number;
	input?: string;
}

/** @param command the words after `purser`; a list where one of them has a blank or is empty */
const refused = (command: string | string[], { error, below = [], next, exit = 2, input }: Refusal): Row => [
	typeof command === "string" ? command.split(" ") : command,
	input,
	exit,
	`Error: ${error}`,
	...below.map((line) => `  ${line}`),
	`  Next: ${next}`,
];

const see = (path: string): string => `See \`purser ${path} --help\`.`;

const unknownCommand = (command: string, next: string, named = command): Row =>
	refused(command, { error: `There is no command \`purser ${named}\``, next });
const takenBack = (command: string): Row =>
	refused(command, {
		error: "A sent payment cannot be taken back from here",
		next: `Contact your banking service with its transaction id (purser pay list). What can be done: purser help wrong-payment`,
	});
const meant = (...paths: string[]): string => `Did you mean ${paths.map((path) => `\`purser ${path}\``).join(" or ")}?`;

const unknownOption = (command: string, option: string, path: string, similar?: string): Row =>
	refused(command, {
		error: `Unknown option '${option}'`,
		next: `${similar === undefined ? "" : `Did you mean ${similar}? `}${see(path)}`,
	});
const unexpected = (command: string, word: string, path: string): Row =>
	refused(command, {
		error: `Unexpected argument: "${word}"`,
		next: `A value with spaces needs quotes, and a flag that is on or off takes no value. ${see(path)}`,
	});
const noValue = (command: string, next: string): Row => refused(command, { error: `${command.split(" ").at(-1)} needs a value`, next });

const secretAsFlag = (command: string): Row =>
	refused(command, {
		error: "No flag takes a secret: others on this machine could read it, and the shell would remember it",
		next: "Use a prompt or standard input: purser auth login --password-stdin; or PURSER_TOKEN_FILE.",
	});

const badTimeout = (value: string): Row =>
	refused(`ledger list --timeout ${value}`, {
		error: `--timeout takes a number of seconds greater than 0, or a time like 30s or 2m, not "${value}"`,
		next: "Like: --timeout 30",
	});

const noProfile = (command: string, name: string, example = name): Row =>
	refused(command, {
		error: `There is no profile "${name}"`,
		below: ["Why:  There are: sandbox"],
		next: `Choose one with --profile or purser profile use, or make it: purser profile add ${example} --base-url https://\u2026`,
	});
const badAddress = (address: string, why: string): Row =>
	refused(`ledger list --base-url ${address}`, {
		error: `The base address ${why}`,
		next: "Give the whole base address, like --base-url https://api.example.com",
	});
const badProfile = (command: string | string[], fault: string): Row =>
	refused(command, {
		exit: 3,
		error: "Invalid setting; the profile is unchanged",
		below: [fault],
		next: "Correct it and run the command again; see `purser profile add --help`.",
	});
const badName = 'NAME must be 1 to 64 of a-z, 0-9, ".", "_" and "-", starting with a letter or a digit';
const anAddress = "--base-url https://api.example.com";

/** @param where the input can be given @param path the command whose help is named */
const missing = (command: string | string[], names: string, where: string, path: string, input?: string): Row =>
	refused(command, { error: `Missing: ${names}`, next: `Give ${where}; see \`purser ${path} --help\`.`, input });
const flag = "it as a flag, or in a file with --file FILE";
const flags = "them as flags, or in a file with --file FILE";
const argument = "it on the command line";
const corporateList = "\n        They are listed by: purser corporate list";

const nothingToChange = (noun: string): Row =>
	refused(`${noun} update ${id}`, {
		error: "No field to change was given; nothing was sent",
		next: `Give at least one, or a file with --file FILE; see \`purser ${noun} update --help\`.`,
	});
const badSet = (text: string): Row =>
	refused(`corporate update ${id} --set ${text}`, {
		error: `--set takes path=value, not "${text}"`,
		next: "Like: purser corporate update --set accountOwnerInfo.title=Dr",
	});
const knownSet = (path: string): Row =>
	refused(`corporate update ${id} --set ${path}=1`, {
		exit: 3,
		error: "--set is for fields that have no flag; nothing was sent",
		below: [`${path} is given by its own flag, or in a file`],
		next: "Give the whole field by its flag; see `purser corporate update --help`.",
	});
const noFile = (command: string, file: string): Row =>
	refused(`${command} --file ${file}`, {
		error: `Cannot read ${file}`,
		below: ["Why:  There is no such file or folder"],
		next: "Check the path; - stands for standard input.",
	});
const creation = "corporate create --file -";
const unreadable = (input: string, why: string): Row =>
	refused(creation, {
		error: "standard input is neither JSON nor YAML",
		below: [`Why:  ${why}`],
		next: "Correct it and run this again.",
		input,
	});
const noObject = (input: string): Row =>
	refused(creation, {
		exit: 3,
		error: "The input document is not an object of fields",
		next: "See the fields with `purser corporate create --help`.",
		input,
	});
const ofOwner =
	"--account-owner-info.first-name, --account-owner-info.last-name, --account-owner-info.email-address, --account-owner-info.position";
const ofCorporate = `--corporate-name, --incorporation-country, --incorporation-code, --industry, --registered-address.*, --expected-monthly-expenses.value, --expected-monthly-expenses.currency, ${ofOwner}`;

const transfer = `pay ledger --ledger-from-id ${id} --ledger-to-id ${to} --amount 1.00`;
const person = `related add ${id} --first-name Grace --last-name Sample`;

const rows: Row[] = [
	unknownCommand("corprate list", meant("corporate"), "corprate"),
	unknownCommand("corporate lst", meant("corporate list")),
	unknownCommand("login", meant("auth login")),
	unknownCommand("verify", meant("phone verify", "events verify", "history verify")),
	unknownCommand("corporate ls", "See `purser corporate --help`."),
	unknownCommand("pay batch cancel", meant("pay batch abandon")),
	...["pay cancel", "undo", "refund", "recall", "wrong-payee", "help cancel"].map((command) => takenBack(command)),
	unexpected(`corporate show ${id} extra`, "extra", "corporate show"),
	unknownOption("pay ledger --ammount 1", "--ammount", "pay ledger", "--amount"),
	noValue("pay ledger --amount", see("pay ledger")),
	secretAsFlag("auth login --password secret"),
	refused("ledger list --output xml", { error: 'There is no output format "xml"', next: "Choose text, json, ndjson, csv or tsv." }),
	noValue("ledger list --output", see("ledger list")),
	refused("ledger list --color blue", { error: '--color takes always, auto or never, not "blue"', next: "Like: --color never" }),
	...["0", "1e3"].map(badTimeout),
	noProfile("ledger list --profile ../x", "../x", "NAME"),
	badAddress("ftp://example.com", "must start with https://, not ftp://"),
	badAddress("https://user:pw@example.com", "must not contain a user name or password; `purser auth login` keeps them"),
	refused("ledger list --base-url http://example.com", {
		error: "The base address of profile sandbox must start with https:// for a live profile; plain http is for a sandbox only",
		next: "Give another with --base-url, or replace it: purser profile set sandbox --base-url https://\u2026",
	}),
	unknownOption("ledger list --json=yes", "--json=yes", "ledger list"),
	...[["corporate", "show", ""], "corporate show"].map((command) =>
		refused(command, { error: "Missing: CORPORATE", next: `Give ${argument}; see \`purser corporate show --help\`.${corporateList}` }),
	),
	nothingToChange("corporate"),
	refused(transfer, {
		error: "This needs a confirmation and nobody can be asked here; nothing was changed",
		next: "To confirm, add --yes, or look first with --dry-run.",
	}),
	refused(`${transfer} --yes --live`, {
		exit: 10,
		error: "--live was given, but the profile sandbox is a sandbox profile; nothing was sent",
		next: "Choose the live profile with --profile NAME, or leave --live out.",
	}),
	unknownOption("pay show --file x.yaml", "--file", "pay show"),
	noFile("pay ledger", "x.yaml"),
	...["x", "__proto__.x=1"].map(badSet),
	missing(`${person} --phone.country-code 33`, "--phone.number", flag, "related add"),
	unexpected(`${person} --is-director yes`, "yes", "related add"),
	missing(`related add ${id} --type COMPANY --first-name x`, "--corporate-name", flag, "related add"),
	missing(`phone verify ${id}`, "--code", flag, "phone verify"),
	missing("corporate create --anonymous", ofCorporate, flags, "corporate create"),
	badProfile(["profile", "add", "Bad Name", ...anAddress.split(" ")], badName),
	badProfile(
		"profile add x --base-url http://api.example.com --environment live",
		"--base-url must start with https:// for a live profile; plain http is for a sandbox only",
	),
	refused(`profile add sandbox ${anAddress}`, {
		error: 'There is a profile "sandbox" already; nothing was changed',
		below: ["NAME is in use"],
		next: "Change it with `purser profile set sandbox`, or choose another name.",
	}),
	badProfile(
		`profile add x ${anAddress} --set nonsense=1`,
		'--set there is no setting "nonsense"; there are timeout, sca-strategy, refusing-statuses, settle-after, duplicate-days, cap-per-transfer, cap-per-day, approval, approvers, planners, ubo-threshold',
	),
	...["use nobody", "set nobody --environment live"].map((command) => noProfile(`profile ${command}`, "nobody")),
	refused("api use -", {
		exit: 3,
		error: "Standard input is not a mapping that can be used; nothing was stored",
		below: ["line 4, kyb.request send must contain {corporateId} exactly once"],
		next: "Correct what is listed, and check it again: purser api check -",
		input: "purser: mapping\nversion: 1\noperations:\n  kyb.request: { send: POST /x }\n",
	}),
	refused("help nothing", {
		error: 'There is no help about "nothing": it is neither a topic nor a command',
		next: "See `purser --help` and `purser help --help`.",
	}),
	...["corporateName", "corporateName.x", "metadata.x", "registeredAddress"].map(knownSet),
	unreadable("{", "Something does not fit at its end"),
	missing(creation, ofCorporate, flags, "corporate create", ""),
	unreadable("a: b: c", "Two keys stand on one line, or a text with a colon needs quotes at line 1, column 4"),
	...["- 1", "12", "\ufffe"].map(noObject),
	unreadable("corporateName: 1\ncorporateName: 2", 'The key "corporateName" appears twice at line 2, column 1'),
	missing(creation, "--corporate-name", flag, "corporate create", corporate({ corporateName: null })),
	refused("corporate create --anonymous --file -", {
		exit: 3,
		error: "An anonymous creation must name the partner; nothing was sent",
		below: ["--partner-name is required for an anonymous creation"],
		next: "Add --partner-name NAME, or create the company as a partner after `purser auth login`.",
		input: corporate({}),
	}),
];

describe("everything else that cannot be done", () => {
	it.each(rows)("%j %j: exit %i", async (argv, input, exit, ...lines) => {
		const ran = await runRefused(argv, input);
		expect(ran.stderr).toBe(`${lines.join("\n")}\n`);
		expect(ran.exit).toBe(exit);
		if (["--file", "--outcome", "--amount", "--output", "xml"].includes(argv.at(-1) ?? "")) return;
		const json = await runRefused([...argv, "--json"], input);
		expect(json.exit).toBe(exit);
		expect(json.stderr.trimEnd().split("\n")).toHaveLength(1);
		expect(`Error: ${JSON.parse(json.stderr).error.message}`).toBe(lines[0]);
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
