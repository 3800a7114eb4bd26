/**
 * Bad input, and what a person is told: the whole message, since it is all that the person has. Nothing is ever sent.
 */

import { describe, expect, it } from "vitest";
import { answered, makeWorld } from "../support/purser.js";
import { corporate, id, to, told } from "./corporate.js";

/** Command line, exit code, and the lines that are told. */
const refused: [string[], number, ...string[]][] = [
	[["corprate", "list"], 2, "Error: There is no command `purser corprate`", "  Next: Did you mean `purser corporate list`?"],
	[["corporate", "lst"], 2, "Error: There is no command `purser corporate lst`", "  Next: Did you mean `purser corporate list`?"],
	[["pay", "ledgr"], 2, "Error: There is no command `purser pay ledgr`", "  Next: Did you mean `purser pay ledger`?"],
	[["pya", "ledger"], 2, "Error: There is no command `purser pya`", "  Next: Did you mean `purser pay ledger`?"],
	[["login"], 2, "Error: There is no command `purser login`", "  Next: Did you mean `purser auth login`?"],
	[["verify"], 2, "Error: There is no command `purser verify`", "  Next: Did you mean `purser phone verify` or `purser history verify`?"],
	[["version"], 2, "Error: There is no command `purser version`", "  Next: Did you mean `purser --version`?"],
	[["list"], 2, "Error: There is no command `purser list`", "  Next: See `purser --help`."],
	[["xyzzy"], 2, "Error: There is no command `purser xyzzy`", "  Next: See `purser --help`."],
	[
		["corporate", "show", id, "extra"],
		2,
		'Error: Unexpected argument: "extra"',
		"  Next: A value with spaces needs quotes, and a flag that is on or off takes no value. See `purser corporate show --help`.",
	],
	[
		["corporate", "show", id, "--verbos"],
		2,
		"Error: Unknown option '--verbos'",
		"  Next: Did you mean --verbose? See `purser corporate show --help`.",
	],
	[
		["pay", "ledger", "--ammount", "1"],
		2,
		"Error: Unknown option '--ammount'",
		"  Next: Did you mean --amount? See `purser pay ledger --help`.",
	],
	[["pay", "ledger", "--amount"], 2, "Error: --amount needs a value", "  Next: See `purser pay ledger --help`."],
	[
		["pay", "ledger", "--leger-from-id", id],
		2,
		"Error: Unknown option '--leger-from-id'",
		"  Next: Did you mean --ledger-from-id? See `purser pay ledger --help`.",
	],
	[
		["ledger", "list", "--password", "x"],
		2,
		"Error: No flag takes a secret: others on this machine could read it, and the shell would remember it",
		"  Next: Use a prompt or standard input: purser auth login --password-stdin; or PURSER_TOKEN_FILE.",
	],
	[
		["auth", "login", "--password", "secret"],
		2,
		"Error: No flag takes a secret: others on this machine could read it, and the shell would remember it",
		"  Next: Use a prompt or standard input: purser auth login --password-stdin; or PURSER_TOKEN_FILE.",
	],
	[
		["auth", "login", "--token", "x"],
		2,
		"Error: No flag takes a secret: others on this machine could read it, and the shell would remember it",
		"  Next: Use a prompt or standard input: purser auth login --password-stdin; or PURSER_TOKEN_FILE.",
	],
	[["ledger", "list", "--output", "xml"], 2, 'Error: There is no output format "xml"', "  Next: Choose text, json or ndjson."],
	[
		["corporate", "status", id, "--wait"],
		2,
		"Error: --wait needs a value",
		"  Next: Give one of NOT_STARTED, COMPLETING, PENDING_VERIFICATION, NEED_ADDITIONAL_INFORMATION, DECLINED, VALIDATED. See `purser corporate status --help`.",
	],
	[["ledger", "list", "--output"], 2, "Error: --output needs a value", "  Next: See `purser ledger list --help`."],
	[["ledger", "list", "--color", "blue"], 2, 'Error: --color takes always, auto or never, not "blue"', "  Next: Like: --color never"],
	[
		["ledger", "list", "--timeout", "0"],
		2,
		'Error: --timeout takes a number of seconds greater than 0, not "0"',
		"  Next: Like: --timeout 30",
	],
	[
		["ledger", "list", "--timeout", "-1"],
		2,
		'Error: --timeout takes a number of seconds greater than 0, not "-1"',
		"  Next: Like: --timeout 30",
	],
	[
		["ledger", "list", "--timeout", "abc"],
		2,
		'Error: --timeout takes a number of seconds greater than 0, not "abc"',
		"  Next: Like: --timeout 30",
	],
	[
		["ledger", "list", "--timeout", "1e3"],
		2,
		'Error: --timeout takes a number of seconds greater than 0, not "1e3"',
		"  Next: Like: --timeout 30",
	],
	[
		["ledger", "list", "--profile", "nobody"],
		2,
		'Error: There is no profile "nobody"',
		"  Why:  There are: sandbox",
		"  Next: Choose one with --profile or purser profile use, or make it: purser profile add nobody --base-url https://\u2026",
	],
	[
		["ledger", "list", "--profile", "../x"],
		2,
		'Error: There is no profile "../x"',
		"  Why:  There are: sandbox",
		"  Next: Choose one with --profile or purser profile use, or make it: purser profile add NAME --base-url https://\u2026",
	],
	[
		["ledger", "list", "--base-url", "example"],
		2,
		'Error: "example" is not an address',
		"  Next: Give the whole base address, like --base-url https://api.example.com",
	],
	[
		["ledger", "list", "--base-url", "ftp://example.com"],
		2,
		"Error: The base address of profile sandbox cannot be used: ftp:// is neither https nor http",
		"  Next: Give another with --base-url, or replace it: purser profile add --help",
	],
	[
		["ledger", "list", "--base-url", "https://user:pw@example.com"],
		2,
		"Error: The base address of profile sandbox cannot be used: it holds a user name or a password; log in with purser auth login instead",
		"  Next: Give another with --base-url, or replace it: purser profile add --help",
	],
	[
		["ledger", "list", "--base-url", "http://example.com"],
		2,
		"Error: The base address of profile sandbox cannot be used: plain http is for a sandbox only; a live address starts with https://",
		"  Next: Give another with --base-url, or replace it: purser profile add --help",
	],
	[
		["ledger", "list", "--json=yes"],
		2,
		"Error: --json takes no value",
		"  Next: Give --json alone, or leave it out. See `purser ledger list --help`.",
	],
	[
		["corporate", "show", ""],
		2,
		"Error: Missing: CORPORATE",
		"  Next: Give it on the command line; see `purser corporate show --help`.",
		"        The ids are shown by: purser corporate list",
	],
	[
		["corporate", "show"],
		2,
		"Error: Missing: CORPORATE",
		"  Next: Give it on the command line; see `purser corporate show --help`.",
		"        The ids are shown by: purser corporate list",
	],
	[
		["related", "update", id],
		2,
		"Error: No field to change was given; nothing was sent",
		"  Next: Give at least one, or a file with --from FILE; see `purser related update --help`.",
	],
	[
		["corporate", "update", id],
		2,
		"Error: No field to change was given; nothing was sent",
		"  Next: Give at least one, or a file with --from FILE; see `purser corporate update --help`.",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00"],
		2,
		"Error: This needs a confirmation and nobody can be asked here; nothing was changed",
		"  Next: Add --yes when it is meant, or look first with `purser pay ledger \u2026 --dry-run`.",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--live"],
		10,
		"Error: --live was given, but the profile sandbox is a sandbox profile; nothing was sent",
		"  Next: Choose the live profile with --profile NAME, or leave --live out.",
	],
	[["pay", "show", "--from", "x.yaml"], 2, "Error: Unknown option '--from'", "  Next: See `purser pay show --help`."],
	[
		["pay", "ledger", "--from", "x.yaml"],
		2,
		"Error: Cannot read x.yaml",
		"  Why:  There is no such file",
		"  Next: Check the path; - stands for standard input.",
	],
	[
		["corporate", "update", id, "--set", "x"],
		2,
		'Error: --set takes path=value, not "x"',
		"  Next: Like: purser corporate update --set accountOwnerInfo.title=Dr",
	],
	[
		["corporate", "update", id, "--set", "=1"],
		2,
		'Error: --set takes path=value, not "=1"',
		"  Next: Like: purser corporate update --set accountOwnerInfo.title=Dr",
	],
	[
		["corporate", "update", id, "--set", "a..b=1"],
		2,
		'Error: --set takes path=value, not "a..b=1"',
		"  Next: Like: purser corporate update --set accountOwnerInfo.title=Dr",
	],
	[
		["corporate", "update", id, "--set", "__proto__.x=1"],
		2,
		'Error: --set takes path=value, not "__proto__.x=1"',
		"  Next: Like: purser corporate update --set accountOwnerInfo.title=Dr",
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--phone.country-code", "33"],
		2,
		"Error: Missing: --phone.number",
		"  Next: Give it as a flag, or in a file with --from FILE; see `purser related add --help`.",
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--phone.number", "1"],
		2,
		"Error: Missing: --phone.country-code",
		"  Next: Give it as a flag, or in a file with --from FILE; see `purser related add --help`.",
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--is-director", "yes"],
		2,
		'Error: Unexpected argument: "yes"',
		"  Next: A value with spaces needs quotes, and a flag that is on or off takes no value. See `purser related add --help`.",
	],
	[
		["related", "add", id, "--type", "COMPANY"],
		2,
		"Error: Missing: --corporate-name",
		"  Next: Give it as a flag, or in a file with --from FILE; see `purser related add --help`.",
	],
	[
		["related", "add", id],
		2,
		"Error: Missing: --first-name, --last-name",
		"  Next: Give them as flags, or in a file with --from FILE; see `purser related add --help`.",
	],
	[
		["related", "add", id, "--type", "COMPANY", "--first-name", "x"],
		2,
		"Error: Missing: --corporate-name",
		"  Next: Give it as a flag, or in a file with --from FILE; see `purser related add --help`.",
	],
	[["phone", "verify", id], 2, "Error: Missing: --code", "  Next: Give it on the command line; see `purser phone verify --help`."],
	[
		["kyc", "link", id, "--url-on-complete", "ftp://x"],
		2,
		"Error: Unknown option '--url-on-complete'",
		"  Next: See `purser kyc link --help`.",
	],
	[
		["corporate", "create", "--from", "missing.yaml"],
		2,
		"Error: Cannot read missing.yaml",
		"  Why:  There is no such file",
		"  Next: Check the path; - stands for standard input.",
	],
	[["corporate", "create", "--from"], 2, "Error: --from needs a value", "  Next: See `purser corporate create --help`."],
	[
		["corporate", "create", "--anonymous"],
		2,
		"Error: Missing: --corporate-name, --incorporation-country, --incorporation-code, --industry, --registered-address.*, --expected-monthly-expenses.value, --expected-monthly-expenses.currency, --account-owner-info.first-name, --account-owner-info.last-name, --account-owner-info.email-address, --account-owner-info.position",
		"  Next: Give them as flags, or in a file with --from FILE; see `purser corporate create --help`.",
	],
	[
		["profile", "add", "Bad Name", "--base-url", "https://api.example.com"],
		3,
		"Error: Invalid setting; the profile is unchanged",
		'  name must be 1 to 64 of a-z, 0-9, ".", "_" and "-", starting with a letter or a digit',
		"  Next: Correct it and run the command again; see `purser profile add --help`.",
	],
	[["profile", "add", "x"], 2, "Error: Missing: --base-url", "  Next: Give it on the command line; see `purser profile add --help`."],
	[
		["profile", "add", "a/b", "--base-url", "https://api.example.com"],
		3,
		"Error: Invalid setting; the profile is unchanged",
		'  name must be 1 to 64 of a-z, 0-9, ".", "_" and "-", starting with a letter or a digit',
		"  Next: Correct it and run the command again; see `purser profile add --help`.",
	],
	[
		["profile", "add", "x", "--base-url", "nowhere"],
		3,
		"Error: Invalid setting; the profile is unchanged",
		"  baseUrl must be an address, like https://api.example.com",
		"  Next: Correct it and run the command again; see `purser profile add --help`.",
	],
	[
		["profile", "add", "x", "--base-url", "http://api.example.com", "--environment", "live"],
		3,
		"Error: Invalid setting; the profile is unchanged",
		"  baseUrl must start with https:// for a live profile; plain http is for a sandbox only",
		"  Next: Correct it and run the command again; see `purser profile add --help`.",
	],
	[
		["profile", "add", "sandbox", "--base-url", "https://api.example.com"],
		2,
		'Error: There is a profile "sandbox" already; nothing was changed',
		"  name is in use",
		"  Next: Change it with `purser profile set sandbox`, or choose another name.",
	],
	[
		["profile", "add", "x", "--base-url", "https://api.example.com", "--auth", "header"],
		3,
		"Error: Invalid setting; the profile is unchanged",
		"  authHeader is required for --auth header, like X-Api-Key",
		"  Next: Correct it and run the command again; see `purser profile add --help`.",
	],
	[
		["profile", "add", "x", "--base-url", "https://api.example.com", "--set", "nonsense=1"],
		3,
		"Error: Invalid setting; the profile is unchanged",
		'  set there is no setting "nonsense"; there are timeout, output, sca-strategy, refusing-statuses, settle-after, absence, duplicate-days, cap-per-transfer, cap-per-day, approval, approvers, planners, plan-hours, ubo-threshold, completion-refresh, credential-helper',
		"  Next: Correct it and run the command again; see `purser profile add --help`.",
	],
	[
		["profile", "add", "x", "--base-url", "https://api.example.com", "--set", "duplicate-days=many"],
		3,
		"Error: Invalid setting; the profile is unchanged",
		"  set duplicate-days must be a number of days from 0 to 366",
		"  Next: Correct it and run the command again; see `purser profile add --help`.",
	],
	[
		["profile", "use", "nobody"],
		2,
		'Error: There is no profile "nobody"',
		"  Why:  There are: sandbox",
		"  Next: Choose one with --profile or purser profile use, or make it: purser profile add nobody --base-url https://\u2026",
	],
	[
		["profile", "remove", "nobody", "--yes"],
		2,
		'Error: There is no profile "nobody"',
		"  Why:  There are: sandbox",
		"  Next: Choose one with --profile or purser profile use, or make it: purser profile add nobody --base-url https://\u2026",
	],
	[
		["profile", "show", "nobody"],
		2,
		'Error: There is no profile "nobody"',
		"  Why:  There are: sandbox",
		"  Next: Choose one with --profile or purser profile use, or make it: purser profile add nobody --base-url https://\u2026",
	],
	[
		["profile", "set", "nobody", "--environment", "live"],
		2,
		'Error: There is no profile "nobody"',
		"  Why:  There are: sandbox",
		"  Next: Choose one with --profile or purser profile use, or make it: purser profile add nobody --base-url https://\u2026",
	],
	[
		["api", "set", "kyb.request", "--path", "x"],
		3,
		"Error: The replacement does not fit kyb.request; nothing was stored",
		"  path must start with / and hold only characters of a path (no ?, # or space)",
		"  path must hold {corporateId} exactly once",
		"  Next: See what kyb.request needs with `purser api list --json`, then run the command again.",
	],
	[
		["api", "set", "kyb.request", "--path", "/x"],
		3,
		"Error: The replacement does not fit kyb.request; nothing was stored",
		"  path must hold {corporateId} exactly once",
		"  Next: See what kyb.request needs with `purser api list --json`, then run the command again.",
	],
	[
		["api", "set", "kyb.request", "--field", "x"],
		3,
		"Error: The replacement does not fit kyb.request; nothing was stored",
		'  field "x" names no field of kyb.request; it has none',
		"  Next: See what kyb.request needs with `purser api list --json`, then run the command again.",
	],
	[
		["api", "set", "kyb.request", "--header", "x"],
		3,
		"Error: The replacement does not fit kyb.request; nothing was stored",
		"  header \"x\" must be 'Name: value'",
		"  Next: See what kyb.request needs with `purser api list --json`, then run the command again.",
	],
	[
		["api", "set", "kyb.request"],
		2,
		"Error: Nothing to replace was given",
		"  Next: Give --method, --path, --field, --header or --reset, like: purser api set kyb.request --path /api/\u2026",
	],
	[
		["sandbox", "serve", "--fault", "x"],
		3,
		"Error: Invalid simulated fault",
		'  fault "x" is not OPERATION=KIND[:PROBABILITY][:xTIMES][:MILLISECONDSms]; kinds: delay, 429, 500, 503, drop-before, drop-after, cut, html, nonsense, no-id, 202, sca',
		"  Next: Like: --fault transaction.interLedger=drop-after:0.5",
	],
	[
		["sandbox", "serve", "--fault", "nothing=delay"],
		3,
		"Error: Invalid simulated fault",
		'  fault "nothing" is no operation; `purser api list` shows them, and * stands for all',
		"  Next: Like: --fault transaction.interLedger=drop-after:0.5",
	],
	[
		["sandbox", "serve", "--fault", "terms.get=explode"],
		3,
		"Error: Invalid simulated fault",
		'  fault "terms.get=explode" is not OPERATION=KIND[:PROBABILITY][:xTIMES][:MILLISECONDSms]; kinds: delay, 429, 500, 503, drop-before, drop-after, cut, html, nonsense, no-id, 202, sca',
		"  Next: Like: --fault transaction.interLedger=drop-after:0.5",
	],
	[
		["sandbox", "serve", "--fault", "terms.get=429:2"],
		3,
		"Error: Invalid simulated fault",
		'  fault "2" is neither a probability (0.5), a count (x3) nor a time (300ms)',
		"  Next: Like: --fault transaction.interLedger=drop-after:0.5",
	],
	[
		["sandbox", "simulate", "clock", "--advance", "soon"],
		2,
		"Error: Unknown option '--advance'",
		"  Next: See `purser sandbox simulate clock --help`.",
	],
	[["completion"], 2, "Error: Missing: SHELL", "  Next: Give it on the command line; see `purser completion --help`."],
	[
		["help", "nothing"],
		2,
		'Error: There is no help about "nothing": it is neither a topic nor a command',
		"  Next: See `purser --help` and `purser help --help`.",
	],
	[
		["help", "exit-code"],
		2,
		'Error: There is no help about "exit-code": it is neither a topic nor a command',
		"  Next: Did you mean `purser help exit-codes`?",
	],
];

/** Command line, standard input, exit code, and the lines that are told. */
const unread: [string[], string, number, ...string[]][] = [
	[
		["corporate", "create", "--from", "-"],
		"{",
		2,
		"Error: standard input is neither JSON nor YAML",
		"  Why:  Quoted object key or end of object '}' expected but reached end of input at position 1",
		"  Next: Correct it and run this again, or write a template to start from with --print-template.",
	],
	[
		["corporate", "create", "--from", "-"],
		"",
		2,
		"Error: Missing: --corporate-name, --incorporation-country, --incorporation-code, --industry, --registered-address.*, --expected-monthly-expenses.value, --expected-monthly-expenses.currency, --account-owner-info.first-name, --account-owner-info.last-name, --account-owner-info.email-address, --account-owner-info.position",
		"  Next: Give them as flags, or in a file with --from FILE; see `purser corporate create --help`.",
	],
	[
		["corporate", "create", "--from", "-"],
		"a: b: c",
		2,
		"Error: standard input is neither JSON nor YAML",
		"  Why:  Nested mappings are not allowed in compact mappings at line 1, column 4",
		"  Next: Correct it and run this again, or write a template to start from with --print-template.",
	],
	[
		["corporate", "create", "--from", "-"],
		"- 1",
		3,
		"Error: The input document is not an object of fields",
		"  Next: See the fields with `purser corporate create --print-template`.",
	],
	[
		["corporate", "create", "--from", "-"],
		"12",
		3,
		"Error: The input document is not an object of fields",
		"  Next: See the fields with `purser corporate create --print-template`.",
	],
	[
		["corporate", "create", "--from", "-"],
		"corporateName: 1\ncorporateName: 2",
		2,
		"Error: standard input is neither JSON nor YAML",
		"  Why:  Map keys must be unique at line 2, column 1",
		"  Next: Correct it and run this again, or write a template to start from with --print-template.",
	],
	[
		["corporate", "create", "--from", "-"],
		"\ufffe",
		3,
		"Error: The input document is not an object of fields",
		"  Next: See the fields with `purser corporate create --print-template`.",
	],
	[
		["corporate", "create", "--from", "-"],
		corporate({ corporateName: null }),
		2,
		"Error: Missing: --corporate-name",
		"  Next: Give it as a flag, or in a file with --from FILE; see `purser corporate create --help`.",
	],
	[
		["corporate", "create", "--from", "-"],
		corporate({ expectedMonthlyExpenses: { value: "LESS_THAN_10_000" } }),
		2,
		"Error: Missing: --expected-monthly-expenses.currency",
		"  Next: Give it as a flag, or in a file with --from FILE; see `purser corporate create --help`.",
	],
	[
		["corporate", "create", "--from", "-"],
		corporate({ accountOwnerInfo: {} }),
		2,
		"Error: Missing: --account-owner-info.first-name, --account-owner-info.last-name, --account-owner-info.email-address, --account-owner-info.position",
		"  Next: Give them as flags, or in a file with --from FILE; see `purser corporate create --help`.",
	],
	[
		["related", "add", id, "--from", "-"],
		'{"entities":[{"firstName":"A","lastName":"B"},{"type":"COMPANY"},{"firstName":1}]}',
		2,
		"Error: Missing: entities.1.corporateName in the file, entities.2.lastName in the file",
		"  Next: Give them as flags, or in a file with --from FILE; see `purser related add --help`.",
	],
	[
		["corporate", "create", "--anonymous", "--from", "-"],
		corporate({}),
		3,
		"Error: An anonymous creation must name the partner; nothing was sent",
		"  partnerName is required for an anonymous creation",
		"  Next: Add --partner-name NAME, or create the company as a partner after `purser auth login`.",
	],
];

describe("everything else that cannot be done", () => {
	type Row = [string[], string | undefined, number, ...string[]];
	const all: Row[] = [...refused.map(([argv, ...told]): Row => [argv, undefined, ...told]), ...unread];
	it.each(all)("%j %j: exit %i", async (argv, input, exit, ...lines) => {
		const ran = await told(argv, input);
		expect(ran.stderr).toBe(`${lines.join("\n")}\n`);
		expect(ran.exit).toBe(exit);
		if (["--from", "--wait", "--amount", "--output", "xml"].includes(argv.at(-1) ?? "")) return;
		const json = await told([...argv, "--json"], input);
		expect(json.exit).toBe(exit);
		expect(json.stderr.trimEnd().split("\n")).toHaveLength(1);
		expect(`Error: ${JSON.parse(json.stderr).error.message}`).toBe(lines[0]);
	});
});

it("a template is one document where JSON is asked for", async () => {
	const world = await makeWorld();
	const text = await world.purser(["corporate", "create", "--print-template"]);
	const json = await world.purser(["corporate", "create", "--print-template", "--json"]);
	expect([json.exit, json.json()]).toEqual([0, { template: text.stdout }]);
});

describe("a template, as it is written, passes the check it was made for", () => {
	it.each(["corporate create", "corporate update", "related add", "related update"])("%s", async (path) => {
		const world = await makeWorld({ wire: async () => answered(200, "{}") });
		const positional = path === "corporate create" ? [] : [id];
		const printed = await world.purser([...path.split(" "), ...positional, "--print-template"]);
		expect(printed.exit).toBe(0);
		const run = (input: string) => world.purser([...path.split(" "), ...positional, "--from", "-", "--dry-run", "--json"], { input });
		const untouched = await run(printed.stdout);
		const code = { "corporate create": undefined, "related add": "MISSING_INPUT" }[path];
		expect(JSON.parse(untouched.stderr || "{}").error?.code).toBe(path.endsWith("update") ? "NOTHING_TO_CHANGE" : code);
		// The marks taken off every line that shows an example.
		const filled = printed.stdout
			.split("\n")
			.slice(2)
			.filter((line) => !/: ""/.test(line))
			.map((line) => (/^# +\w+:/.test(line) ? line.slice(2) : line))
			.join("\n");
		const ran = await run(filled);
		expect([ran.exit, ran.stderr.includes('"error"')]).toEqual([0, false]);
		expect(world.requests).toEqual([]);
	});
});
