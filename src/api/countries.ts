/**
 * Countries as people write them: the code of two or three letters, or the English name, in any case. The service takes three letters.
 */
import { suggestionFor } from "./suggest.js";
import { countries, countriesInTwoLetters } from "./values.js";

/** Names in use that the standard names of the runtime do not have. */
const otherNames: readonly (readonly [code: string, ...names: string[]])[] = [
	["ARE", "UAE"],
	["CIV", "Ivory Coast"],
	["COD", "Democratic Republic of the Congo", "DR Congo"],
	["CPV", "Cabo Verde"],
	["CZE", "Czech Republic"],
	["GBR", "UK", "Great Britain", "Britain"],
	["KOR", "Republic of Korea"],
	["MKD", "Macedonia"],
	["NLD", "Holland"],
	["PSE", "State of Palestine", "Palestine"],
	["RUS", "Russian Federation"],
	["TUR", "Turkey", "Türkiye"],
	["USA", "United States of America"],
	["VAT", "Vatican", "Holy See"],
];

/** Every code of three letters with the one of two. */
const codes = new Map([...countries.map((code, at) => [code, countriesInTwoLetters[at] as string] as const), ["XKX", "XK"]]);

/** The English name of a code of three letters; the code itself where it is none. */
export function countryName(code: string): string {
	const two = codes.get(code);
	return two === undefined ? code : (english("long").of(two) ?? code).replace(" SAR China", "");
}

const english = (style: "long" | "short") => new Intl.DisplayNames("en", { type: "region", style });

/** The code of two letters, the code of three, and what else is typed in capitals for it, such as UK. */
export function shortNames(code: string): string[] {
	const others = otherNames.find(([one]) => one === code)?.filter((name) => /^[A-Z]{2,3}$/.test(name)) ?? [];
	return [...new Set([codes.get(code) ?? "", code, ...others])];
}

/** How names are compared: without accents, "the" and "and", and with Saint written out. */
function folded(name: string): string {
	const letters = name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("&", " ").replace(/['’.]/g, "");
	const words = letters.split(/[^\p{L}\p{N}]+/u).map((word) => (word === "st" ? "saint" : word));
	return words.filter((word) => !["", "the", "and", "of"].includes(word)).join(" ");
}

let names: ReadonlyMap<string, string> | undefined;

/** The codes by every name, folded; made when a name is first read. */
function byName(): ReadonlyMap<string, string> {
	if (names !== undefined) return names;
	const [long, short] = [english("long"), english("short")];
	names = new Map(
		[
			...[...codes].flatMap(([code, two]) => [long.of(two) ?? two, short.of(two) ?? two].map((name) => [name, code])),
			...otherNames.flatMap(([code, ...others]) => others.map((name) => [name, code])),
		].map(([name = "", code = ""]) => [folded(name), code]),
	);
	return names;
}

/** The code of three letters of a country that is named by a code or by its name; anything else stays as it is. */
export function countryCode(typed: unknown): unknown {
	if (typeof typed !== "string" || codes.has(typed)) return typed;
	const capitals = typed.replace(/[.\s]/g, "").toUpperCase();
	const [code] = [...codes].find((both) => both.includes(capitals)) ?? [];
	return code ?? byName().get(folded(typed)) ?? typed;
}

/** What is wrong with a country, with those that may be meant. */
export function countryFault(value: string): string | undefined {
	if (codes.has(value)) return undefined;
	const near = byName().get(suggestionFor(folded(value), [...byName().keys()]) ?? "");
	if (near === undefined) return "is not a country; write its English name or its code, like Germany, DE or DEU";
	return `is not a country; did you mean ${countryName(near)} (${near})?`;
}

/** Said of a country that ISO 3166-1 does not have, and that is in use: Kosovo. */
export const countryRemark = (value: string): string | undefined =>
	value === "XKX" ? "is not in ISO 3166-1; not every deployment takes it" : undefined;
