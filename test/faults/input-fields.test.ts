/**
 * Wrong fields and the whole error that a person sees. Nothing is ever sent. Every fault of an amount is in test/api/amount.test.ts, those of
 * references, phones and countries are in test/contract/limits.test.ts.
 */

import { describe, expect, it } from "vitest";
import { commands } from "../../src/commands/index.js";
import { corporate, id, owner, runRefused, to } from "./corporate.js";

const owned = (change: object): string => corporate({ accountOwnerInfo: { ...owner, ...change } });

const toLedger = ["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--yes"];
const update = ["corporate", "update", id];
const create = ["corporate", "create", "--file", "-"];
const withAmount = [...toLedger, "--amount"];
const letters = "allowed are letters (\u00c0-\u00ff too), digits, space and . ' , ?";
const grace = ["related", "add", id, "--first-name", "Grace", "--last-name", "Sample"];

/** The beginning of command lines, their endings that give the same error, then each fault in that error. */
const lines: [string[], (string | string[])[], ...faults: string[]][] = [
	[["ledger", "list", "--limit"], ["0", "-3", "many"], "--limit must be a whole number from 1 to 999999"],
	[
		["pay", "list", "--start-date"],
		["someday"],
		"--start-date must be one of: 7d, 12h, today, yesterday, a day (2026-03-01, of UTC) or a time (2026-03-01 00:00 +00:00)",
	],
	[["corporate", "list", "--sort-attribute"], ["NAME"], "--sort-attribute must be one of UPDATE_DATE, CREATION_DATE"],
	[withAmount, ["10,10"], '--amount has a comma; the decimal separator is "." and there are no thousands separators'],
	[
		[...toLedger],
		[["--amount", "1,0", "--reference", "a/b", "--wait-timeout", "x"]],
		'--amount has a comma; the decimal separator is "." and there are no thousands separators',
		`--reference has the character "/" (U+002F); ${letters}`,
		"--wait-timeout must be seconds, like 120, or a time like 30s, 5m or 2h",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", id, "--amount", "1.00"],
		["--yes"],
		"--ledger-to-id is the ledger to debit; choose another one",
	],
	[[...update, "--metadata"], ["{"], "--metadata must be a JSON object, not text"],
	[
		[...update, "--expected-monthly-expenses.currency"],
		["eu", "EURO"],
		"--expected-monthly-expenses.value is required",
		"--expected-monthly-expenses.currency must be a currency code, like EUR",
	],
	[[...grace, "--email-address"], ["ada"], "--email-address must be an email address, like ada@example.com"],
	[
		["api", "confirm"],
		["nothing.here"],
		"OPERATION must be one of terms.get, corporate.create, email.sendLink, corporate.update, related.update, related.create, related.get, corporate.diligenceReview, kyb.request, corporate.get, kyc.link, phone.sendCode, phone.verifyCode, transaction.interLedger, transaction.beneficiary, transaction.get, corporate.list, related.list, related.delete, ledger.list, ledger.get, beneficiary.list, beneficiary.get, transaction.list, auth.login, auth.refresh",
	],
	[["sandbox", "serve", "--port"], ["99999", "x"], "--port must be a port number, 0 to 65535"],
	[["sandbox", "simulate", "kyc", id, "--outcome"], ["MAYBE"], "--outcome must be one of VALIDATED, DECLINED, PROCESSING, PENDING_REVIEW"],
];

/** The same of what is read from standard input. */
const inputs: [string[], string[], ...faults: string[]][] = [
	[create, [corporate({ corporateName: ["a"] })], "corporateName must be text, not a list"],
	[create, [corporate({ registeredAddress: { town: "x" } })], "registeredAddress.town is not a known field (send it with --set)"],
	[create, [owned({ isDirector: "yes" })], "accountOwnerInfo.isDirector must be a boolean, not text"],
	[
		create,
		[owned({ emailAddress: "x", nationality: "FRX", phone: {} })],
		"accountOwnerInfo.emailAddress must be an email address, like ada@example.com",
		"accountOwnerInfo.nationality is not a country; write its English name or its code, like Germany, DE or DEU",
		"accountOwnerInfo.phone.countryCode is required",
		"accountOwnerInfo.phone.number is required",
	],
];

const wrong: [readonly string[], string | undefined, ...string[]][] = [
	...lines.flatMap(([begin, endings, ...told]) =>
		endings.map((end): (typeof wrong)[number] => [[...begin, ...[end].flat()], undefined, ...told]),
	),
	...inputs.flatMap(([argv, texts, ...told]) => texts.map((text): (typeof wrong)[number] => [argv, text, ...told])),
];

const commandOf = (argv: readonly string[]): string =>
	[3, 2, 1].map((length) => argv.slice(0, length).join(" ")).find((path) => Object.hasOwn(commands, path) || path === "completion") ?? "";

/** Of the commands above. */
const sendsNothing = new Set(["profile add", "api confirm", "sandbox serve", "completion"]);

describe("fields that are wrong: exit 3, every fault at once", () => {
	it.each(wrong)("%j %j", async (argv, input, ...faults) => {
		const ran = await runRefused(argv, input);
		const one = faults.length === 1;
		const [head = "", ...lines] = ran.stderr.split("\n");
		expect(head).toMatch(sendsNothing.has(commandOf(argv)) ? /^Error: .*; nothing was stored$/ : /^Error: .*; nothing was sent$/);
		expect(lines).toEqual([
			...faults.map((fault) => `  ${fault}`),
			`  Next: Correct ${one ? "it" : "them"} and run the command again; see \`purser ${commandOf(argv)} --help\`.`,
			"",
		]);
		expect(ran.exit).toBe(3);
	});
});

describe("the first line names up to three that are wrong, and up to three that are missing", () => {
	const city = { registeredAddress: { town: "x" } };
	const expenses = { expectedMonthlyExpenses: { currency: "eu" } };
	it.each([
		[{ metadata: "x", website: "x".repeat(600) }, "website, metadata are not valid"],
		[
			{ ...city, metadata: "x", website: "x".repeat(600), industry: "x" },
			"website, industry, registeredAddress.town and 1 more are not valid",
		],
		[expenses, "expectedMonthlyExpenses.currency is not valid; expectedMonthlyExpenses.value is missing"],
		[
			{ metadata: "x", accountOwnerInfo: {} },
			"metadata is not valid; accountOwnerInfo.firstName, accountOwnerInfo.lastName, accountOwnerInfo.emailAddress and 1 more are missing",
		],
	])("%j", async (change, head) => {
		expect((await runRefused(create, corporate(change))).stderr.split("\n")[0]).toBe(`Error: ${head}; nothing was sent`);
	});
});
