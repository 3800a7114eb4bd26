/**
 * Lists of values that a profile completes, because its service has more of them than anybody has shown.
 */
import { suggestionFor } from "../suggest.js";
import { employeesRanges, industries, legalFormKeys, legalForms, monthlyExpenses } from "../values.js";

/** The values of a list; where it is `complete`, any other is refused. */
export interface ListedValues {
	values: readonly string[];
	complete?: boolean;
}

/** By the name of the list. */
export type Lists = Readonly<Record<string, ListedValues>>;

/** A legal type by its key, then its forms: `austriaValue=AT_AKTIENGESELLSCHAFT_AG`. */
const legalTypes: readonly string[] = Object.entries(legalFormKeys).flatMap(([country, key]) => [
	key,
	...(legalForms[country] ?? []).map((form) => `${key}=${form}`),
]);

/** The list of legal types, whose values are keys, or keys with a form. */
export const legalTypeList = "legal-type";

const builtIn: Lists = {
	industry: { values: industries },
	"expected-monthly-expenses": { values: monthlyExpenses },
	"employees-range": { values: employeesRanges },
	[legalTypeList]: { values: legalTypes },
};

/** The names of the lists. */
export const listNames: readonly string[] = Object.keys(builtIn);

/** How a value of a list is written. */
export const listedPattern = (list: string): RegExp =>
	list === legalTypeList ? /^[a-z][A-Za-z]{0,98}Value(=[A-Z0-9_]{1,100})?$/ : /^[A-Z0-9_]{1,100}$/;

/** The values that are known: those of the profile, and unless they are complete those that purser knows itself. */
export function knownValues(list: string, lists: Lists): ListedValues {
	const own = Object.hasOwn(lists, list) ? lists[list] : undefined;
	const known = builtIn[list]?.values ?? [];
	if (own === undefined) return { values: known };
	return own.complete ? own : { values: [...new Set([...own.values, ...known])] };
}

/** The forms of one legal type. */
export function knownForms(key: string, lists: Lists): ListedValues {
	const { values, complete } = knownValues(legalTypeList, lists);
	const forms = values.filter((value) => value.startsWith(`${key}=`)).map((value) => value.slice(key.length + 1));
	// A complete list may tell the types alone.
	return { values: forms, ...(complete && forms.length > 0 ? { complete } : {}) };
}

/**
 * The values that a prompt offers.
 * @param list its name, or `legal-type.KEY` for the forms of one legal type
 */
export function valuesToChoose(list: string, lists: Lists): readonly string[] | undefined {
	const { values } = ofName(list, lists);
	return values.length === 0 || list === legalTypeList ? undefined : values;
}

/** Whether a value outside the list is refused. */
export const isComplete = (list: string | undefined, lists: Lists): boolean => list !== undefined && ofName(list, lists).complete === true;

function ofName(list: string, lists: Lists): ListedValues {
	return list.startsWith(`${legalTypeList}.`) ? knownForms(list.slice(legalTypeList.length + 1), lists) : knownValues(list, lists);
}

/** What a value outside a list comes to: a warning, or where the list is complete a fault. */
export interface Unlisted {
	message: string;
	refused: boolean;
}

/**
 * Whether a value is in its list.
 * @param value text; of the list of legal types the object with one key
 * @param country of registration of a legal type's company, where it is known
 * @returns undefined where it is, and where it is nothing that a list could have
 */
export function unlisted(list: string, value: unknown, lists: Lists, country?: unknown): Unlisted | undefined {
	if (list !== legalTypeList) return typeof value === "string" ? unlistedText(value, "values", ofName(list, lists)) : undefined;
	if (typeof value !== "object" || value === null) return undefined;
	const [[key, form] = []] = Object.entries(value);
	if (key === undefined || typeof form !== "string") return undefined;
	const { values, complete } = knownValues(legalTypeList, lists);
	const keys = [...new Set(values.map((one) => one.replace(/=.*$/, "")))];
	const of = unlistedText(key, "legal types", { values: keys, complete });
	if (of !== undefined) return { ...of, message: `has ${key}, which ${of.message}` };
	const ofForm = unlistedText(form, `legal forms of ${key}`, knownForms(key, lists));
	const foreign = foreignLegalType(value, country);
	return foreign === undefined || ofForm?.refused ? ofForm : { message: foreign, refused: false };
}

/** What is odd about a legal type (the object with one key) of another country than that of registration. */
export function foreignLegalType(legalType: object, country: unknown): string | undefined {
	const [key] = Object.keys(legalType);
	const [own] = Object.entries(legalFormKeys).find(([, one]) => one === key) ?? [];
	if (own === undefined || typeof country !== "string" || own === country) return undefined;
	return `has ${key}, the legal type of ${own}, and the country of registration is ${country}; the service may refuse it`;
}

function unlistedText(value: string, noun: string, { values, complete = false }: ListedValues): Unlisted | undefined {
	if (values.includes(value)) return undefined;
	const near = suggestionFor(value, values, 4);
	const meant = near === undefined ? "" : ` (did you mean ${near}?)`;
	const message = complete
		? `is not among the ${noun} of this profile, whose list is complete${meant}`
		: `is not among the ${noun} known so far; the service may refuse it${meant}`;
	return { message, refused: complete };
}
