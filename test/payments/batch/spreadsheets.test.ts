/**
 * Spreadsheets as people keep them: read as meant, or refused with the row and the reason. No number is read as another number.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { rowName } from "../../../src/errors.js";
import { Amounts, type DecimalSign, readingsOf } from "../../../src/payments/batch/plan/numbers.js";
import { seedOfRun } from "../../support/seed.js";
import { readFile, readingWith } from "./reading.js";

const ledger = (nth: number, friendlyName: string) => ({
	id: `aaaaaaaa-0000-4000-8000-00000000000${nth}`,
	friendlyName,
	status: "ACTIVE",
	currency: "EUR",
	availableAmount: `${nth}000.00`,
});
const payee = (nth: number, name: string) => ({ id: `bbbbbbbb-0000-4000-8000-00000000000${nth}`, name, status: "VALID", currency: "EUR" });
const lists = {
	"ledger.list": [ledger(1, "Main account"), ledger(2, "Savings"), ledger(3, "Reserve"), ledger(4, "Reserve"), ledger(5, "Alpine Ltd")],
	"beneficiary.list": [
		payee(1, "Example Supplies Ltd"),
		{ ...payee(2, "Müller GmbH"), externalId: "K-17" },
		payee(3, "Café Muster"),
		payee(4, "Twin Ltd"),
		payee(5, "Twin Ltd"),
		payee(6, "Alpine Ltd"),
	],
};
const [l1, l2, p1, p6] = [
	lists["ledger.list"][0]?.id,
	lists["ledger.list"][1]?.id,
	lists["beneficiary.list"][0]?.id,
	lists["beneficiary.list"][5]?.id,
];

/** L1 and P2 for the first ledger and the second payee. */
const short = (text: string): string =>
	text.replace(/\b([ab])\1{7}-0000-4000-8000-00000000000(\d)\b/g, (_, letter, nth) => `${letter === "a" ? "L" : "P"}${nth}`);

type Options = {
	decimal?: DecimalSign;
	complete?: boolean;
	currency?: string;
	map?: string[];
	given?: Record<string, string>;
	size?: number;
};

/** A line for each row: what is paid, or what is wrong; one for the file where it is refused as a whole. */
async function told(file: string | Buffer, { decimal, complete, currency = "EUR", ...options }: Options = {}): Promise<string[]> {
	const currencyOf = async (ids: readonly string[]) => new Map(ids.map((id) => [id, currency]));
	try {
		const { rows } = await readFile(file, { ...options, ...readingWith(lists, { decimal, complete }), currencyOf });
		return rows.flatMap(({ row, transfer, faults }) => {
			if (transfer === undefined)
				return faults.map(({ row = 0, reference, flag, field, message }) =>
					short(`${rowName({ row, reference })}, ${flag ?? field} ${message}`),
				);
			const { ledgerFromId, counterpartyId, amount, reference } = transfer;
			return [short(`${row} ${ledgerFromId} ${counterpartyId} ${amount} ${reference}`)];
		});
	} catch (error) {
		return [(error as { failure: { message: string } }).failure.message];
	}
}

const german =
	"Von;An;Betrag;Verwendungszweck\r\nMain account;Müller GmbH;1.250,00;Rg 7 für März\r\nMain account;Café Muster;99,90;Rechnung 8\r\n";
const asGerman = ["2 L1 P2 1250.00 Rg 7 für März", "3 L1 P3 99.90 Rechnung 8"];
const english = german
	.replace("Von;An;Betrag;Verwendungszweck", "From;To;Amount;Reference")
	.replace("1.250,00", "1,250.00")
	.replace("99,90", "99.90");
const tabs = (text: string): string => text.replaceAll(";", "\t");
/** As Excel writes CSV that is not called UTF-8; all letters here have the same byte in Latin-1. */
const windows = (text: string): Buffer => Buffer.from(text, "latin1");
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, "utf16le");
/** The second row alone: what a spreadsheet calls a column must not matter. */
const headed = (header: string): string => `${header}\nMain account;Savings;10,5;Rent\n`;
const asHeaded = ["2 L1 L2 10.5 Rent"];
/** One amount a row, to one payee. */
const amounts = (...cells: string[]): string =>
	["From\tTo\tAmount", ...cells.map((cell) => `Main account\tExample Supplies Ltd\t${cell}`)].join("\n");
const noAmount = "is not an amount; write digits alone, without sign or currency, like 1234.56 or 1234,56";
const paid = (...read: string[]): string[] => read.map((amount, at) => `${at + 2} L1 P1 ${amount} undefined`);
const twins = '"Twin Ltd" fits 2 payees: Twin Ltd · EUR · VALID (P4); Twin Ltd · EUR · VALID (P5). Write the id of the right one';
/** One party a row. */
const payees = (...names: string[]): string =>
	["From;To;Amount;Purpose", ...names.map((name, at) => `Main account;${name};5,00;Note ${at}`)].join("\n");

it.each<[string, string | Buffer, string[], Options?]>([
	// Encodings and separators.
	["German, UTF-8", german, asGerman],
	["German, UTF-8 with a mark", `\ufeff${german}`, asGerman],
	["German, Windows-1252", windows(german), asGerman],
	["German, UTF-16LE, tabs", utf16(tabs(german)), asGerman],
	["German, UTF-16BE, tabs", utf16(tabs(german)).swap16(), asGerman],
	["German, commas, quoted", german.replaceAll(/[^;\r\n]+/g, '"$&"').replaceAll(";", ","), asGerman],
	["German, sep=", `sep=;\r\n${german}`, asGerman],
	["German, sep= after a mark, quoted", `\ufeff"sep=;"\r\n${german}`, asGerman],
	["German, old line ends", german.replaceAll("\r\n", "\r"), asGerman],
	["German, no end after the last line", german.slice(0, -2), asGerman],
	["English, UTF-8", english, asGerman],
	["English, UTF-16LE", utf16(tabs(english)), asGerman],
	[
		"the euro sign of Windows-1252",
		Buffer.from("From;To;Amount;Reference\nSavings;K-17;1,00;\x80 5 \x96 x\n", "latin1"),
		['row 2 (€ 5 – x), Reference has the character "€" (U+20AC); allowed are letters (À-ÿ too), digits, space and . \' , ?'],
	],
	// Headers.
	...[
		"From;To;Amount;Reference",
		"FROM;TO;AMOUNT;REFERENCE",
		"from account;Payee;amount;payment reference",
		"Debit_Account;to;Amount;Purpose",
		"Von;Empfänger;Betrag;Verwendungszweck",
		"von;Empfaenger;BETRAG;verwendungs zweck",
		"ledgerFromId;ledgerToId;amount;reference",
		"Ledger from ID;ledger-to-id;amount;Reference",
	].map((header): [string, string, string[]] => [header, headed(header), asHeaded]),
	["a column that nobody knows", "From;Note;To;Amount;Reference\nMain account;x;Savings;1,5;Rent\n", ["2 L1 L2 1.5 Rent"]],
	["a title with characters that nobody sees", headed("From;To;Amount;Refe\u00adrence\u200b"), asHeaded],
	["no such column", headed("From;To;Sum;Reference"), ['pay.csv: there is no column Amount; there are "From", "To", "Sum", "Reference"']],
	...[
		["From;To;Amount;Betrag", '"Amount" and "Betrag"'],
		["From;To;Amount;Beneficiary", '"To" and "Beneficiary"'],
		["Von;From account;Amount;To", '"Von" and "From account"'],
	].map(([header = "", both]): [string, string, string[]] => [
		`two columns of one field: ${header}`,
		headed(header),
		[`pay.csv: the columns ${both} mean the same; there are "${header.replaceAll(";", '", "')}"`],
	]),
	// Rows.
	[
		"a line break within a cell is one row",
		'From;To;Amount;"Refe\nrence"\nMain account;Savings;"1,\n5";Rent\nMain account;Nobody;1,5;Rent 2\n',
		[`row 2 (Rent), Amount "1,\\n5" ${noAmount}`, 'row 3 (Rent 2), To "Nobody" is no ledger or payee'],
	],
	// They count, and pay nothing; before the header they may be of any kind.
	["empty rows", "\nFrom;To;Amount\n;;\n\nMain account;Savings;1,50\n;;\n", ["5 L1 L2 1.50 undefined"]],
	["empty rows of Windows, after a mark", `\ufeff\r\n\r\n${headed("From;To;Amount;Reference")}`, ["4 L1 L2 10.5 Rent"]],
	["rows of blanks, or of empty cells", `   \n,,,,,\n;;\n\t\n${headed("From;To;Amount;Reference")}`, ["6 L1 L2 10.5 Rent"]],
	["one cell too many", "From;To;Amount\nMain account;Savings;1,50;x\n", ["row 2,  has 4 cells, but the header has 3"]],
	// Numbers.
	["a decimal comma decides for a group", amounts("1.250,00", "99,90", "1.250"), paid("1250.00", "99.90", "1250")],
	["also behind it", amounts("1.250", "99,90"), paid("1250", "99.90")],
	["a decimal point decides for a group", amounts("1,250.00", "99.90", "1,250"), paid("1250.00", "99.90", "1250")],
	["whole numbers", amounts("1250", "7"), paid("1250", "7")],
	["a space between groups", amounts("1 250,00", "12 345 678,90"), paid("1250.00", "12345678.90")],
	["a narrow no-break space", amounts("1\u202f250,5"), paid("1250.5")],
	["an apostrophe", amounts("1'250.00", "1\u2019000"), paid("1250.00", "1000")],
	["a space alone is not unclear", amounts("1 250"), paid("1250")],
	["two groups are not unclear", amounts("1.250.000", "1.250"), paid("1250000", "1250")],
	["zero before is no group", amounts("0,500", "1.250"), ["row 2, Amount has 3 decimals; EUR has 2", "3 L1 P1 1250 undefined"]],
	["three decimals where the currency has them", amounts("0.500", "1.250"), paid("0.500", "1.250"), { currency: "KWD" }],
	["a point alone", amounts("1.250"), ['pay.csv, row 2: the amount "1.250" can be 1250 or 1.250; nothing was planned']],
	["a comma alone", amounts("7", "1,250"), ['pay.csv, row 3: the amount "1,250" can be 1.250 or 1250; nothing was planned']],
	["both, and none decides", amounts("1,250", "1.250"), ['pay.csv, row 2: the amount "1,250" can be 1.250 or 1250; nothing was planned']],
	["a point alone, and a person says comma", amounts("1.250"), paid("1250"), { decimal: "comma" }],
	["a point alone, and a person says point", amounts("1.250"), ["row 2, Amount has 3 decimals; EUR has 2"], { decimal: "point" }],
	["a comma alone, and a person says point", amounts("1,250"), paid("1250"), { decimal: "point" }],
	[
		"a comma where a person says point",
		amounts("99,90"),
		['row 2, Amount "99,90" cannot be read with a decimal point (--decimal)'],
		{ decimal: "point" },
	],
	[
		"two ways in one column",
		amounts("99,90", "1,250.00", "12.50"),
		[
			"2 L1 P1 99.90 undefined",
			'row 3, Amount "1,250.00" is not written like "99,90" in row 2; write all amounts in one way',
			'row 4, Amount "12.50" is not written like "99,90" in row 2; write all amounts in one way',
		],
	],
	[
		"a decimal point in a German thousand",
		amounts("99.90", "1.250"),
		["2 L1 P1 99.90 undefined", "row 3, Amount has 3 decimals; EUR has 2"],
	],
	...["1.50.000", "1.250 000,00", "-5,00", "(5,00)", "1.250,00 €", "$5", "5,00 EUR", "1,25E+05", "١٢٫٥"].map(
		(cell): [string, string, string[]] => [cell, amounts(cell), [`row 2, Amount ${JSON.stringify(cell)} ${noAmount}`]],
	),
	["zero, and a zero before", amounts("0,00", "007,50"), ["row 2, Amount must be greater than 0", "row 3, Amount has a leading zero"]],
	// Names.
	[
		"names in other letters and spaces",
		payees("EXAMPLE  supplies ltd", "müller gmbh", "savings"),
		["2 L1 P1 5.00 Note 0", "3 L1 P2 5.00 Note 1", "4 L1 L2 5.00 Note 2"],
	],
	["an externalId", payees("K-17"), ["2 L1 P2 5.00 Note 0"]],
	["ids in a column that takes both", payees(p1 as string, l2 as string), ["2 L1 P1 5.00 Note 0", "3 L1 L2 5.00 Note 1"]],
	[
		"an id that nothing has",
		payees("cccccccc-0000-4000-8000-000000000001"),
		['row 2 (Note 0), To "cccccccc-0000-4000-8000-000000000001" is no ledger or payee'],
	],
	[
		"the beginning of an id",
		payees("bbbbbbbb-0000-4000-8000-00000000000"),
		[
			expect.stringMatching(
				/^row 2 \(Note 0\), To "b.*" fits 6 payees: Example Supplies Ltd · EUR · VALID \(P1\);.* and 1 more\. Write the id of the right one$/,
			),
		] as never,
	],
	["part of a name", payees("Example"), ['row 2 (Note 0), To "Example" is no ledger or payee; similar: Example Supplies Ltd']],
	["two payees of one name", payees("Twin Ltd"), [`row 2 (Note 0), To ${twins}`]],
	[
		"two ledgers of one name",
		"Von;An;Betrag;Purpose\nReserve;Savings;1,50;Rent\n",
		[
			'row 2 (Rent), Von "Reserve" fits 2 ledgers: Reserve · 3 000.00 EUR available (L3); Reserve · 4 000.00 EUR available (L4). Write the id of the right one',
		],
	],
	[
		"a ledger and a payee of one name",
		payees("Alpine Ltd", p6 as string),
		[
			'row 2 (Note 0), To "Alpine Ltd" fits 2 ledgers and payees: Alpine Ltd · 5 000.00 EUR available (L5); Alpine Ltd · EUR · VALID (P6). Write the id of the right one',
			"3 L1 P6 5.00 Note 1",
		],
	],
	[
		"which the column tells",
		"From;Beneficiary;Amount\nMain account;Alpine Ltd;5,00\nMain account;Savings;5,00\n",
		["2 L1 P6 5.00 undefined", 'row 3, Beneficiary "Savings" is no payee'],
	],
	["nobody", payees("", "Savings"), ["row 2 (Note 0), To is required: a row names who is paid", "3 L1 L2 5.00 Note 1"]],
	["itself", "From;To;Amount\nSavings;savings;5,00\n", ["row 2, To is the ledger to debit; choose another one"]],
	[
		"a list that goes on",
		payees("Savings"),
		[
			'row 2 (Note 0), From "Main account" may be another ledger than Main account · 1 000.00 EUR available (L1): the service did not list all. Write the id',
			'row 2 (Note 0), To "Savings" may be another ledger or payee than Savings · 2 000.00 EUR available (L2): the service did not list all. Write the id',
		],
		{ complete: false },
	],
	[
		"ids where a list goes on",
		`ledgerFromId;ledgerToId;amount;reference\n${l1};${l2};5,00;Rent\n`,
		["2 L1 L2 5.00 Rent"],
		{ complete: false },
	],
	[
		"everything that is wrong at once",
		"From;To;Amount;Reference\nNobody;Twin Ltd;5 €;a/b\n",
		[
			`row 2 (a/b), Amount "5 €" ${noAmount}`,
			'row 2 (a/b), From "Nobody" is no ledger',
			`row 2 (a/b), To ${twins}`,
			'row 2 (a/b), Reference has the character "/" (U+002F); allowed are letters (À-ÿ too), digits, space and . \' , ?',
		],
	],
	// Other files.
	[".xlsx", Buffer.from("504b0304140006000800", "hex"), ["pay.csv is a workbook (.xlsx, .xls or .ods), not CSV"]],
	[".xls", Buffer.from("d0cf11e0a1b11ae10000", "hex"), ["pay.csv is a workbook (.xlsx, .xls or .ods), not CSV"]],
])("%s", async (_, file, expected, options) => {
	for (const size of [undefined, 1, 2, 3, 7]) expect(await told(file, { ...options, size })).toEqual(expected);
});

it("what is looked up, and what is held until an amount decides, has an end", async () => {
	const unknown = await told(payees(...Array.from({ length: 1_001 }, (_, at) => `Nobody ${at}`)));
	expect(unknown.slice(-2)).toEqual([
		'row 1001 (Note 999), To "Nobody 999" is no ledger or payee',
		'row 1002 (Note 1000), To "Nobody 1000" was not looked up: 1000 other names were not found. Is it the right column?',
	]);
	const unclear = (rows: number) => `${amounts(...Array(rows).fill("1.250"), "99,90")}\n`;
	expect((await told(unclear(1_000))).length).toBe(1_001);
	expect(await told(unclear(110_000), { size: 64 * 1024 })).toEqual([
		'pay.csv, row 2: the amount "1.250" can be 1250 or 1.250; nothing was planned',
	]);
});

const seed = seedOfRun("numbers of spreadsheets");
/** How a number is written: what stands between groups, and before the decimals. */
const styles: readonly [group: string, decimal: string][] = [".,", " ,", "\u00a0,", "\u202f,", "',", ",.", " .", "'.", "’."].map((both) => [
	both.slice(0, -1),
	both.slice(-1),
]);

it(`no number is read as another, whatever else stands in the column (seed ${seed})`, () => {
	const number = fc.record({
		whole: fc.oneof(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 999_999_999 })).map(String),
		fraction: fc.stringMatching(/^\d{0,3}$/),
		isGrouped: fc.boolean(),
	});
	const counts = { read: 0, refused: 0 };
	fc.assert(
		fc.property(fc.array(number, { minLength: 1, maxLength: 6 }), fc.constantFrom(...styles), (numbers, [group, decimal]) => {
			const cells = numbers.map(({ whole, fraction, isGrouped }) => {
				const digits = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, group) : whole;
				return fraction === "" ? digits : digits + decimal + fraction;
			});
			const column = new Amounts(undefined);
			for (const [at, cell] of cells.entries()) column.see({ row: at + 2, cell });
			counts[column.isUnclear ? "refused" : "read"] += 1;
			if (column.isUnclear) {
				// Only where every cell could be written the other way too.
				expect(cells.every((cell) => Object.values(readingsOf(cell)).every((one) => one !== undefined))).toBe(true);
				return;
			}
			const read = cells.map((cell, at) => column.read({ row: at + 2, cell }));
			expect(read).toEqual(numbers.map(({ whole, fraction }) => (fraction === "" ? whole : `${whole}.${fraction}`)));
		}),
		{ seed, numRuns: 5_000 },
	);
	expect([counts.read > 3_000, counts.refused > 20]).toEqual([true, true]);
});
