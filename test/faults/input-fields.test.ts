/**
 * Bad input, and what a person is told: the whole message, since it is all that the person has. Nothing is ever sent.
 */

import { describe, expect, it } from "vitest";
import { commands } from "../../src/commands/index.js";
import { answered, makeWorld } from "../support/purser.js";
import { corporate, id, owner, to } from "./corporate.js";

const owned = (change: object): string => corporate({ accountOwnerInfo: { ...owner, ...change } });

/** Command line, standard input, then each fault that is told. */
const wrong: [string[], string | undefined, ...string[]][] = [
	[["ledger", "list", "--limit", "0"], undefined, "limit must be a whole number from 1 to 999999"],
	[["ledger", "list", "--limit", "-3"], undefined, "limit must be a whole number from 1 to 999999"],
	[["ledger", "list", "--limit", "many"], undefined, "limit must be a whole number from 1 to 999999"],
	[["ledger", "list", "--status", "open"], undefined, `status "open" must be in capitals, digits and "_", like PENDING`],
	[
		["pay", "list", "--start-date", "yesterday"],
		undefined,
		"startDate must be a time as RFC 3339, like 2026-03-01T00:00:00Z, or a day, like 2026-03-01",
	],
	[["pay", "list", "--status", "DONE!"], undefined, `status "DONE!" must be in capitals, digits and "_", like PENDING`],
	[["corporate", "list", "--sort-attribute", "NAME"], undefined, "sortAttribute must be one of UPDATE_DATE, CREATION_DATE"],
	[["pay", "list", "--sort-direction", "UP"], undefined, "sortDirection must be one of ASC, DESC"],
	[["corporate", "show", "42"], undefined, "corporateId must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f"],
	[
		["corporate", "show", id.slice(1)],
		undefined,
		"corporateId must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f; this one has 35 characters, not 36",
	],
	[["corporate", "show", "../../x"], undefined, "corporateId must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f"],
	[
		["corporate", "show", `${id}\n`],
		undefined,
		"corporateId must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f; there is a blank or a line end around it",
	],
	[["corporate", "show", `{${id}}`], undefined, "corporateId must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f"],
	[["related", "show", "x y"], undefined, "corporateRelatedId must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f"],
	[["pay", "show", "0"], undefined, "transactionId must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f"],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "10,10", "--yes"],
		undefined,
		'amount has a comma; the decimal separator is "." and there are no thousands separators',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.000,00", "--yes"],
		undefined,
		'amount has a comma; the decimal separator is "." and there are no thousands separators',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1,000.00", "--yes"],
		undefined,
		'amount has a comma; the decimal separator is "." and there are no thousands separators',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "", "--yes"],
		undefined,
		"amount is empty; type an amount like 10.10",
	],
	[["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "0", "--yes"], undefined, "amount must be greater than 0"],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "0.00", "--yes"],
		undefined,
		"amount must be greater than 0",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "-1", "--yes"],
		undefined,
		'amount has the character "-" (U+002D); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "+1", "--yes"],
		undefined,
		'amount has the character "+" (U+002B); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1e3", "--yes"],
		undefined,
		'amount has the character "e" (U+0065); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "0x10", "--yes"],
		undefined,
		'amount has the character "x" (U+0078); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.", "--yes"],
		undefined,
		'amount must be digits, or digits "." digits, like 10 or 10.10',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "  1", "--yes"],
		undefined,
		'amount has the character U+0020 (a space); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", ".5", "--yes"],
		undefined,
		'amount must be digits, or digits "." digits, like 10 or 10.10',
	],
	[["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "01.00", "--yes"], undefined, "amount has a leading zero"],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1_000", "--yes"],
		undefined,
		'amount has the character "_" (U+005F); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "NaN", "--yes"],
		undefined,
		'amount has the character "N" (U+004E); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "Infinity", "--yes"],
		undefined,
		'amount has the character "I" (U+0049); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "\u0663", "--yes"],
		undefined,
		'amount has the character "\u0663" (U+0663); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "\uff11", "--yes"],
		undefined,
		'amount has the character "\uff11" (U+FF11); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00 EUR", "--yes"],
		undefined,
		'amount has the character U+0020 (a space); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "\u20ac5", "--yes"],
		undefined,
		'amount has the character "\u20ac" (U+20AC); only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.0000000000000001", "--yes"],
		undefined,
		"amount has 17 significant digits; at most 15 arrive unaltered everywhere",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "12345678901234567890", "--yes"],
		undefined,
		"amount has 20 significant digits; at most 15 arrive unaltered everywhere",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00\n", "--yes"],
		undefined,
		'amount has the character U+000A; only the digits 0-9 and one "." are allowed',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "a/b"],
		undefined,
		'reference has the character "/" (U+002F); allowed are letters (\u00c0-\u00ff too), digits, space and . \' , ?',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "a\nb"],
		undefined,
		"reference has the character U+000A; allowed are letters (\u00c0-\u00ff too), digits, space and . ' , ?",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "0123456789012345678"],
		undefined,
		"reference has 19 characters; at most 18 are allowed",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "Gr\u00f6\u00dfe \u20ac"],
		undefined,
		'reference has the character "\u20ac" (U+20AC); allowed are letters (\u00c0-\u00ff too), digits, space and . \' , ?',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "a\u0000"],
		undefined,
		"reference has the character U+0000; allowed are letters (\u00c0-\u00ff too), digits, space and . ' , ?",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "a-b"],
		undefined,
		'reference has the character "-" (U+002D); allowed are letters (\u00c0-\u00ff too), digits, space and . \' , ?',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "emoji \ud83d\udea2"],
		undefined,
		'reference has the character "\ud83d\udea2" (U+1F6A2); allowed are letters (\u00c0-\u00ff too), digits, space and . \' , ?',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "a_b"],
		undefined,
		'reference has the character "_" (U+005F); allowed are letters (\u00c0-\u00ff too), digits, space and . \' , ?',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "tab\there"],
		undefined,
		"reference has the character U+0009; allowed are letters (\u00c0-\u00ff too), digits, space and . ' , ?",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "<b>"],
		undefined,
		'reference has the character "<" (U+003C); allowed are letters (\u00c0-\u00ff too), digits, space and . \' , ?',
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "\u202eabc"],
		undefined,
		"reference has the character U+202E; allowed are letters (\u00c0-\u00ff too), digits, space and . ' , ?",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--reference", "ab\n"],
		undefined,
		"reference has the character U+000A; allowed are letters (\u00c0-\u00ff too), digits, space and . ' , ?",
	],
	[
		[
			"pay",
			"ledger",
			"--ledger-from-id",
			id,
			"--ledger-to-id",
			to,
			"--amount",
			"1,0",
			"--yes",
			"--reference",
			"a/b",
			"--wait-timeout",
			"x",
		],
		undefined,
		'amount has a comma; the decimal separator is "." and there are no thousands separators',
		'reference has the character "/" (U+002F); allowed are letters (\u00c0-\u00ff too), digits, space and . \' , ?',
		"waitTimeout must be a whole number of seconds, like 120",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--wait-timeout", "0"],
		undefined,
		"waitTimeout must be a whole number of seconds, like 120",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", to, "--amount", "1.00", "--yes", "--wait-timeout", "-5"],
		undefined,
		"waitTimeout must be a whole number of seconds, like 120",
	],
	[
		["pay", "ledger", "--ledger-from-id", id, "--ledger-to-id", id, "--amount", "1.00", "--yes"],
		undefined,
		"ledgerToId is the ledger that is debited; choose another one",
	],
	[
		["pay", "beneficiary", "--ledger-from-id", "x", "--amount", "1.00"],
		undefined,
		"ledgerFromId must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f",
		"beneficiaryId is required",
	],
	[
		["corporate", "update", id, "--incorporation-country", "FR"],
		undefined,
		"incorporationCountry is not an ISO 3166-1 alpha-3 country code, like FRA",
	],
	[
		["corporate", "update", id, "--incorporation-country", "fra"],
		undefined,
		"incorporationCountry is not an ISO 3166-1 alpha-3 country code, like FRA; type it in capitals: FRA",
	],
	[
		["corporate", "update", id, "--incorporation-country", "ZZZ"],
		undefined,
		"incorporationCountry is not an ISO 3166-1 alpha-3 country code, like FRA",
	],
	[
		["corporate", "update", id, "--incorporation-country", "France"],
		undefined,
		"incorporationCountry is not an ISO 3166-1 alpha-3 country code, like FRA",
	],
	[["corporate", "update", id, "--incorporation-date", "2023-02-30"], undefined, "incorporationDate is not a valid date: 2023-02-30"],
	[["corporate", "update", id, "--incorporation-date", "30.02.2023"], undefined, "incorporationDate must be a date as YYYY-MM-DD"],
	[["corporate", "update", id, "--incorporation-date", "2023-2-3"], undefined, "incorporationDate must be a date as YYYY-MM-DD"],
	[["corporate", "update", id, "--incorporation-date", "2023-13-01"], undefined, "incorporationDate is not a valid date: 2023-13-01"],
	[
		["corporate", "update", id, "--incorporation-date", "2023-01-01T00:00:00Z"],
		undefined,
		"incorporationDate must be a date as YYYY-MM-DD",
	],
	[["corporate", "update", id, "--incorporation-date", "1900-02-29"], undefined, "incorporationDate is not a valid date: 1900-02-29"],
	[["corporate", "update", id, "--industry", "food"], undefined, 'industry must be in capitals, digits and "_", like CHILD_ADOPTION'],
	[["corporate", "update", id, "--industry", ""], undefined, 'industry must be in capitals, digits and "_", like CHILD_ADOPTION'],
	[
		["corporate", "update", id, "--corporate-name", "x".repeat(256)],
		undefined,
		"corporateName has 256 characters; at most 255 are allowed",
	],
	[["corporate", "update", id, "--website", "x".repeat(512)], undefined, "website has 512 characters; at most 511 are allowed"],
	[["corporate", "update", id, "--metadata", "{"], undefined, "metadata must be a JSON object, not text"],
	[["corporate", "update", id, "--metadata", "[]"], undefined, "metadata must be a JSON object, not a list"],
	[["corporate", "update", id, "--metadata", "12"], undefined, "metadata must be a JSON object, not a number"],
	[
		["corporate", "update", id, "--metadata", `{"a":"${"x".repeat(3000)}"}`],
		undefined,
		"metadata has 3008 characters as sent; at most 3000 are allowed",
	],
	[
		["corporate", "update", id, "--legal-type", "{}"],
		undefined,
		'legalType must be one country-specific key with a legal form, like {"austriaValue":"AT_AKTIENGESELLSCHAFT_AG"}',
	],
	[
		["corporate", "update", id, "--legal-type", '{"a":1}'],
		undefined,
		'legalType must be one country-specific key with a legal form, like {"austriaValue":"AT_AKTIENGESELLSCHAFT_AG"}',
	],
	[
		["corporate", "update", id, "--legal-type", '{"austriaValue":"AG","germanyValue":"X"}'],
		undefined,
		'legalType must be one country-specific key with a legal form, like {"austriaValue":"AT_AKTIENGESELLSCHAFT_AG"}',
	],
	[["corporate", "update", id, "--legal-type", "GmbH"], undefined, "legalType must be a JSON object, not text"],
	[
		["corporate", "update", id, "--expected-monthly-expenses.currency", "eur"],
		undefined,
		"expectedMonthlyExpenses.value is required",
		"expectedMonthlyExpenses.currency must be a currency code, like EUR",
	],
	[
		["corporate", "update", id, "--expected-monthly-expenses.currency", "EURO"],
		undefined,
		"expectedMonthlyExpenses.value is required",
		"expectedMonthlyExpenses.currency must be a currency code, like EUR",
	],
	[
		["corporate", "update", id, "--expected-monthly-expenses.value", "a lot", "--expected-monthly-expenses.currency", "EUR"],
		undefined,
		'expectedMonthlyExpenses.value must be in capitals, digits and "_", like LESS_THAN_10_000',
	],
	[
		["corporate", "update", id, "--registered-address.iso-country-code", "F"],
		undefined,
		"registeredAddress.isoCountryCode is not an ISO 3166-1 alpha-3 country code, like FRA",
	],
	[
		["corporate", "update", id, "--set", "incorporationCountry=12"],
		undefined,
		"incorporationCountry is not an ISO 3166-1 alpha-3 country code, like FRA",
	],
	[["corporate", "update", id, "--set", "corporateName={}"], undefined, "corporateName must be text, not an object"],
	[["corporate", "update", id, "--set", "corporateName=[1]"], undefined, "corporateName must be text, not a list"],
	[["corporate", "update", id, "--set", "registeredAddress=1"], undefined, "registeredAddress must be an object, not a number"],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--email-address", "ada"],
		undefined,
		"emailAddress must be an email address, like ada@example.com",
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--email-address", "ada@example"],
		undefined,
		"emailAddress must be an email address, like ada@example.com",
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--email-address", "a b@example.com"],
		undefined,
		"emailAddress must be an email address, like ada@example.com",
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--phone.country-code", "999", "--phone.number", "1"],
		undefined,
		'phone.countryCode is not a dialling code the service takes: "999" (like 33 or +33)',
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--phone.country-code", "0033", "--phone.number", "1"],
		undefined,
		'phone.countryCode is not a dialling code the service takes: "0033" (like 33 or +33)',
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--phone.country-code", "33", "--phone.number", "06 12"],
		undefined,
		"phone.number must be 1 to 14 digits, without the dialling code, like 639980001",
	],
	[
		[
			"related",
			"add",
			id,
			"--first-name",
			"Grace",
			"--last-name",
			"Sample",
			"--phone.country-code",
			"33",
			"--phone.number",
			"123456789012345",
		],
		undefined,
		"phone.number must be 1 to 14 digits, without the dialling code, like 639980001",
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--direct-shares-percentage", "101"],
		undefined,
		"directSharesPercentage is 101; a percentage is at most 100",
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--direct-shares-percentage", "-1"],
		undefined,
		'directSharesPercentage must be a number from 0 to 100 with "." as separator, like 33.5',
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--direct-shares-percentage", "33,5"],
		undefined,
		'directSharesPercentage must be a number from 0 to 100 with "." as separator, like 33.5',
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--direct-shares-percentage", "50%"],
		undefined,
		'directSharesPercentage must be a number from 0 to 100 with "." as separator, like 33.5',
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--direct-shares-percentage", "100.1"],
		undefined,
		"directSharesPercentage is 100.1; a percentage is at most 100",
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--nationality", "French"],
		undefined,
		"nationality is not an ISO 3166-1 alpha-3 country code, like FRA",
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--type", "robot"],
		undefined,
		'type must be in capitals, digits and "_", like PHYSICAL',
	],
	[
		["related", "add", id, "--first-name", "Grace", "--last-name", "Sample", "--owned-corporate-id", "x"],
		undefined,
		"ownedCorporateId must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f",
	],
	[["phone", "verify", id, "--code", "12345"], undefined, "code must be the 6 digits of the SMS"],
	[["phone", "verify", id, "--code", "abcdef"], undefined, "code must be the 6 digits of the SMS"],
	[["email", "send-link", id, "--url-on-success", "nowhere"], undefined, "urlOnSuccess must be an http or https address"],
	[["related", "add", id, "--from", "-"], "[]", "entities is empty"],
	[["related", "add", id, "--from", "-"], "[1]", "entities.0 must be an object, not a number"],
	[["corporate", "create", "--from", "-"], corporate({ corporateName: ["a"] }), "corporateName must be text, not a list"],
	[
		["corporate", "create", "--from", "-"],
		corporate({ corporatName: "x" }),
		"corporatName is not a field the description knows; is corporateName meant? (send it with --set)",
	],
	[["corporate", "create", "--from", "-"], corporate({ registeredAddress: "here" }), "registeredAddress must be an object, not text"],
	[
		["corporate", "create", "--from", "-"],
		corporate({ registeredAddress: { town: "x" } }),
		"registeredAddress.town is not a field the description knows (send it with --set)",
	],
	[["corporate", "create", "--from", "-"], corporate({ metadata: "x" }), "metadata must be a JSON object, not text"],
	[["corporate", "create", "--from", "-"], corporate({ legalType: "AG" }), "legalType must be a JSON object, not text"],
	[
		["corporate", "create", "--from", "-"],
		owned({ emailAddress: "x" }),
		"accountOwnerInfo.emailAddress must be an email address, like ada@example.com",
	],
	[["corporate", "create", "--from", "-"], owned({ isDirector: "yes" }), "accountOwnerInfo.isDirector must be a boolean, not text"],
	[
		["corporate", "create", "--from", "-"],
		owned({ directSharesPercentage: "half" }),
		'accountOwnerInfo.directSharesPercentage must be a number from 0 to 100 with "." as separator, like 33.5',
	],
	[
		["corporate", "create", "--from", "-"],
		owned({ directSharesPercentage: 1e21 }),
		'accountOwnerInfo.directSharesPercentage must be a number from 0 to 100 with "." as separator, like 33.5',
	],
	[
		["corporate", "create", "--from", "-"],
		owned({ phone: { countryCode: 33, number: "+336" } }),
		"accountOwnerInfo.phone.number must be 1 to 14 digits, without the dialling code, like 639980001",
	],
	[
		["corporate", "create", "--from", "-"],
		owned({ emailAddress: "x", nationality: "FR", phone: {} }),
		"accountOwnerInfo.emailAddress must be an email address, like ada@example.com",
		"accountOwnerInfo.nationality is not an ISO 3166-1 alpha-3 country code, like FRA",
		"accountOwnerInfo.phone.countryCode is required",
		"accountOwnerInfo.phone.number is required",
	],
	[
		["corporate", "create", "--from", "-"],
		corporate({ industry: "x", incorporationDate: "2023-02-30", website: "x".repeat(600) }),
		"incorporationDate is not a valid date: 2023-02-30",
		"website has 600 characters; at most 511 are allowed",
		'industry must be in capitals, digits and "_", like CHILD_ADOPTION',
	],
	[
		["profile", "add", "x", "--base-url", "https://api.example.com", "--environment", "prod"],
		undefined,
		"environment must be one of sandbox, live",
	],
	[
		["profile", "add", "x", "--base-url", "https://api.example.com", "--auth", "magic"],
		undefined,
		"auth must be one of login, header, basic, none",
	],
	[
		["api", "set", "nothing.here", "--path", "/x"],
		undefined,
		"operation must be one of terms.get, corporate.create, email.sendLink, corporate.update, related.update, related.create, related.get, corporate.diligenceReview, kyb.request, corporate.get, kyc.link, phone.sendCode, phone.verifyCode, transaction.interLedger, transaction.beneficiary, transaction.get, corporate.list, related.list, related.delete, ledger.list, ledger.get, beneficiary.list, beneficiary.get, transaction.list, auth.login, auth.refresh",
	],
	[["api", "set", "kyb.request", "--method", "FETCH"], undefined, "method must be one of GET, POST, PATCH, PUT, DELETE"],
	[["sandbox", "serve", "--port", "99999"], undefined, "port must be a port number, 0 to 65535"],
	[["sandbox", "serve", "--port", "x"], undefined, "port must be a port number, 0 to 65535"],
	[["sandbox", "serve", "--seed", "x"], undefined, "seed must be a whole number"],
	[["sandbox", "serve", "--review", "doc"], undefined, "review must be one of html, pdf, json"],
	[
		["sandbox", "simulate", "kyc", id, "--outcome", "MAYBE"],
		undefined,
		"outcome must be one of VALIDATED, DECLINED, PROCESSING, PENDING_REVIEW",
	],
	[
		["sandbox", "simulate", "kyb", id, "--outcome", "YES"],
		undefined,
		"outcome must be one of VALIDATED, NEED_ADDITIONAL_INFORMATION, DECLINED",
	],
	[
		["sandbox", "simulate", "transaction", id, "--outcome", "LOST"],
		undefined,
		"outcome must be one of APPROVED, DECLINED, ABORTED, RELEASED, REVERSED",
	],
	[
		["sandbox", "simulate", "fund", id, "--amount", "1,0"],
		undefined,
		'amount has a comma; the decimal separator is "." and there are no thousands separators',
	],
	[["completion", "tcsh"], undefined, "shell must be one of bash, zsh, fish, powershell"],
];

async function told(argv: readonly string[], input?: string) {
	const world = await makeWorld({ wire: async () => answered(500, "{}") });
	const ran = await world.purser(argv, { input });
	expect(world.requests).toEqual([]);
	expect(world.journal).toEqual([]);
	expect(ran.stdout).toBe("");
	return ran;
}

const commandOf = (argv: readonly string[]): string =>
	[3, 2, 1].map((length) => argv.slice(0, length).join(" ")).find((path) => Object.hasOwn(commands, path) || path === "completion") ?? "";

/** Fields whose ids a command shows. */
const lists: [string, string][] = [
	["corporateId", "purser corporate list"],
	["corporateRelatedId", "purser related list"],
	["ownedCorporateId", "purser related list"],
	["ledgerFromId", "purser ledger list"],
	["beneficiaryId", "purser beneficiary list"],
	["transactionId", "purser pay list"],
];
const isNoId = (fault: string, field: string): boolean =>
	[`${field} must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f`, `${field} is required`].includes(fault);
/** What shows the ids that are wrong or missing. */
function shownBy(faults: readonly string[]): string[] {
	const shown = lists.filter(([field]) => faults.some((fault) => isNoId(fault, field))).map(([, list]) => list);
	return shown.length === 0 ? [] : [`        The ids are shown by: ${shown.join(", ")}`];
}

it("the list is as long as it was promised", () => {
	expect(wrong.length).toBeGreaterThanOrEqual(100);
});

describe("fields that are wrong: exit 3, every fault at once", () => {
	it.each(wrong)("%j %j", async (argv, input, ...faults) => {
		const ran = await told(argv, input);
		const one = faults.length === 1;
		expect(ran.stderr).toBe(
			[
				one
					? "Error: One field of the input is wrong; nothing was sent"
					: `Error: ${faults.length} fields of the input are wrong; nothing was sent`,
				...faults.map((fault) => `  ${fault}`),
				`  Next: Correct ${one ? "it" : "them"} and run the command again; see \`purser ${commandOf(argv)} --help\`.`,
				...shownBy(faults),
				"",
			].join("\n"),
		);
		expect(ran.exit).toBe(3);
	});
});
