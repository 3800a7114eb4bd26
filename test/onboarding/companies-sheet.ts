/**
 * Spreadsheets of invented companies, in the dialects in which LibreOffice writes CSV. The same seed gives the same bytes.
 */
import { Random } from "../payments/simulation/random.js";

export interface Dialect {
	separator: "," | ";" | "\t";
	/** "Quote all text cells" in its dialog; numbers are never quoted. */
	quoteAll: boolean;
	/** The decimal separator of the locale. */
	decimal: "." | ",";
	mark: boolean;
}

export const dialects = {
	english: { separator: ",", quoteAll: false, decimal: ".", mark: false },
	german: { separator: ";", quoteAll: true, decimal: ",", mark: true },
	tabs: { separator: "\t", quoteAll: false, decimal: ",", mark: false },
} as const satisfies Record<string, Dialect>;

/** One sheet: a header and rows of cells by their names. */
export interface Sheet {
	columns: string[];
	rows: Record<string, string>[];
}

/** A cell as LibreOffice writes it: quotes where the separator, a quote or a line's end is inside. */
function cell(text: string, column: string, { separator, quoteAll, decimal }: Dialect): string {
	const number = column === "percentage" && /^\d/.test(text);
	const shown = number ? text.replace(".", decimal) : text;
	const quoted = shown.includes(separator) || /["\n]/.test(shown) || (quoteAll && !number && shown !== "");
	return quoted ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** LibreOffice ends lines with a line feed, and writes every column of every row. */
export function sheetText({ columns, rows }: Sheet, dialect: Dialect): string {
	const lines = [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ""))];
	const line = (cells: readonly string[]): string =>
		cells.map((one, at) => cell(one, columns[at] as string, dialect)).join(dialect.separator);
	return `${dialect.mark ? "\ufeff" : ""}${lines.map((cells) => `${line(cells)}\n`).join("")}`;
}

const firstNames = ["Ada", "Grace", "Lin", "Zoë", "Jürgen", "Marie-Claire", "D'Arcy", "Søren", "Łucja", "José"];
const lastNames = ["Example", "Sample", "Muster", "'t Voorbeeld", "Przykład", "Dupont; fils", 'O"Neil', "Beispiel, jr", "Ejemplo", "Näyte"];
const cities = ["Paris", "Wien", "Köln", "Łódź", "São Exemplo", "Example, upon Thames"];
const countries = ["FRA", "AUT", "DEU", "POL", "NLD", "GBR"];

/**
 * @param seed printed by the test that uses it
 * @param share of the companies that have a holding and its owner, and a director, beside the account owner
 */
export function companiesSheet(count: number, seed: number, share = 0.55): Sheet {
	const chance = new Random(seed);
	const random = (): number => chance.fraction();
	const below = (most: number): number => chance.below(most);
	const of = (list: readonly string[]): string => chance.pick(list);
	const rows: Record<string, string>[] = [];
	for (let place = 1; place <= count; place += 1) {
		const key = `crm-${String(place).padStart(4, "0")}`;
		const country = of(countries);
		const company: Record<string, string> = {
			"corporate.corporateName": `Example ${of(lastNames)} ${place} ${random() < 0.3 ? "& Söhne" : "SAS"}`,
			"corporate.incorporationCountry": country,
			"corporate.incorporationCode": `00${place} ${below(1000)}`,
			"corporate.incorporationDate": `20${10 + below(10)}-0${1 + below(9)}-1${below(10)}`,
			"corporate.industry": "FOOD_RESTAURANT_CATERING",
			"corporate.legalType": country === "AUT" ? "AT_AKTIENGESELLSCHAFT_AG" : "",
			"corporate.registeredAddress.isoCountryCode": country,
			"corporate.registeredAddress.city": of(cities),
			"corporate.registeredAddress.postalCode": `0${1000 + below(9000)}`,
			"corporate.expectedMonthlyExpenses.value": "LESS_THAN_10_000",
			"corporate.expectedMonthlyExpenses.currency": "EUR",
			"corporate.metadata.tier": of(["gold", "silver", "=none"]),
			"terms.version": "1.0",
			"terms.acceptedBy": "The account owner",
			"terms.acceptedAt": "2026-02-20",
		};
		const person = (name: string): Record<string, string> => ({
			firstName: of(firstNames),
			lastName: `${of(lastNames)} ${name}`,
			emailAddress: `${name}.${place}@example.com`,
			nationality: of(countries),
			"phone.countryCode": of(["33", "+43", "'+49"]),
			"phone.number": `63998${String(place).padStart(4, "0")}`,
		});
		const own = below(70) + 5;
		const held = random() < share;
		const owner = {
			role: "account owner",
			...person("owner"),
			position: "CEO",
			isDirector: "yes",
			isUbo: held && own < 25 ? "no" : "yes",
			percentage: held ? `${own}.5` : "100",
		};
		const others: Record<string, string>[] = [];
		if (random() < share) others.push({ role: "person", key: "director", ...person("director"), isDirector: "TRUE", isUbo: "no" });
		if (held) {
			others.push({
				role: "company",
				key: "holding",
				corporateName: `Holding ${place} "BV"`,
				incorporationCountry: "NLD",
				percentage: `${99 - own}.5`,
			});
			others.push({ role: "person", key: "ubo", ...person("ubo"), isUbo: "yes", owns: "holding", percentage: "100" });
		}
		// The company's own values stand in its first row, and sometimes in all of them.
		const repeated = random() < 0.3;
		const made = [owner, ...others].map((row, at) => ({ "corporate.externalId": key, ...(at === 0 || repeated ? company : {}), ...row }));
		rows.push(...made);
	}
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	// In any order.
	const columns = names.map((name) => [random(), name] as const).sort(([one], [other]) => one - other);
	return { columns: columns.map(([, name]) => name), rows };
}
