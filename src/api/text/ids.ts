/**
 * The form of a deployment's ids: UUIDs (specification 2), or for each kind of id a pattern of a small language that cannot take long to
 * compare. One form holds for what is typed, what is answered, what is looked up and what is suggested.
 */

/** Kinds of ids that may have a form of their own. */
export const idKinds = ["corporate", "related", "ledger", "beneficiary", "transaction", "endUser"] as const;
export type IdKind = (typeof idKinds)[number];

/** The kind of id that each of our fields with an id is. */
export const idKindOf: Readonly<Record<string, IdKind>> = {
	corporateId: "corporate",
	corporateRelatedId: "related",
	relatedPhysicalPersonId: "related",
	transactionId: "transaction",
	ledgerId: "ledger",
	ledgerFromId: "ledger",
	ledgerToId: "ledger",
	beneficiaryId: "beneficiary",
	endUserId: "endUser",
};

/** A profile's forms of ids: a pattern for each kind whose ids are no UUIDs. */
export type IdForms = Readonly<Partial<Record<IdKind, string>>>;

/** Most characters of an id. */
const longestId = 128;
/** Parts of a pattern whose length varies; each more would multiply the time of a comparison. */
const mostVariable = 3;

/** A range stays among digits, small letters or capitals: from `A` to `z` there are `[`, `\` and others too. */
const part = /(?:[A-Za-z0-9_-]|\[-?(?:[A-Z]-[A-Z]|[a-z]-[a-z]|\d-\d|\w)+-?\])(?:\{\d{1,3}(?:,\d{1,3})?\})?/g;

/** The fewest and the most of a part of a pattern. */
function countsOf(one: string): [least: number, most: number] {
	const [, least = "1", most = least] = /\{(\d+)(?:,(\d+))?\}$/.exec(one) ?? [];
	return [Number(least), Number(most)];
}

/**
 * What is wrong with a pattern; undefined if nothing is. A pattern is a row of characters and classes (`[0-9a-f]`), each with a count
 * (`{12}`, `{1,20}`) or without: `pay_[0-9a-z]{16}`. Letters, digits, `_` and `-` are all that an id may hold.
 */
export function idPatternFault(pattern: string): string | undefined {
	const parts = pattern.match(part) ?? [];
	if (pattern === "" || pattern.length > 200 || parts.join("") !== pattern)
		return "must be a row of letters, digits, _ and - or classes like [0-9a-f], each with a count like {12} or without";
	const counts = parts.map(countsOf);
	if (counts.some(([least, most]) => least > most)) return "has a count whose first number is above the second";
	const longest = counts.reduce((sum, [, most]) => sum + most, 0);
	if (longest > longestId) return `allows ${longest} characters; at most ${longestId} are allowed`;
	if (counts.reduce((sum, [least]) => sum + least, 0) < 4) return "allows ids of less than 4 characters";
	if (counts.filter(([least, most]) => least !== most).length > mostVariable) return `has more than ${mostVariable} counts that vary`;
	try {
		new RegExp(pattern);
		return undefined;
	} catch {
		return "has a class that is none";
	}
}

/** Whether it is the text of a UUID; capitals count as small letters (RFC 9562, 4). */
export function isUuid(value: unknown): value is string {
	return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
}

/** An id as it is compared: a UUID in small letters; of any other id each letter counts as it is. */
export const plainId = <T extends string | undefined>(id: T) => (isUuid(id) ? id.toLowerCase() : id) as T;

/** Patterns never change, so each is compiled once. */
const compiled = new Map<string, RegExp>();

/** The form of a kind that is no UUID. An end-user is a company, unless the profile tells them apart. */
function formOf(kind: IdKind, forms: IdForms): { pattern: string; form: RegExp } | undefined {
	const pattern = forms[kind] ?? (kind === "endUser" ? forms.corporate : undefined);
	if (pattern === undefined) return undefined;
	const form = compiled.get(pattern) ?? compiledForm(pattern);
	compiled.set(pattern, form);
	return { pattern, form };
}

/** A pattern was checked where it was stored ({@link idPatternFault}); of one that was edited since, no id has the form. */
function compiledForm(pattern: string): RegExp {
	try {
		if (/^[\w[\]{},-]+$/.test(pattern)) return new RegExp(`^(?:${pattern})$`);
	} catch {
		// Nothing has the form of what is no pattern.
	}
	return /^(?!)/;
}

/** Whether a value has the form of an id of this kind: a UUID, unless the profile gives another form. */
export function isIdOf(kind: IdKind, value: unknown, forms: IdForms): value is string {
	const own = formOf(kind, forms);
	if (own === undefined) return isUuid(value);
	return typeof value === "string" && value.length <= longestId && own.form.test(value);
}

/** Forms that the schemas of an input hold ids to while {@link heldToForms} runs. */
let held: IdForms = {};

/**
 * Runs a check of an input whose schemas hold its ids to a profile's forms. Schemas are built before a profile is known, and hold ids to
 * UUIDs everywhere else.
 * @param check ends before this returns: it is not async
 */
export function heldToForms<T>(forms: IdForms, check: () => T): T {
	const before = held;
	held = forms;
	try {
		return check();
	} finally {
		held = before;
	}
}

/** What an id should be, in words. */
export function idShould(kind: IdKind, forms: IdForms): string {
	const own = formOf(kind, forms);
	return own === undefined
		? "must be a UUID, like 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f"
		: `must be the id of ${nouns[kind]}, like ${own.pattern}`;
}

const nouns: Readonly<Record<IdKind, string>> = {
	corporate: "a company",
	related: "a related entity",
	ledger: "a ledger",
	beneficiary: "a beneficiary",
	transaction: "a transaction",
	endUser: "an end-user",
};

/** Whether a fault of an input says that something else than an id was given, such as a name. */
export const isNoId = (message: string): boolean => /^must be (a UUID|the id of an? [a-z -]+), like \S+$/.test(message);

/**
 * What is wrong with an id as it was typed; undefined if nothing is. For one that is nearly right also the fault that is hard to see: blanks,
 * or a missing character.
 */
export function idFault(kind: IdKind, value: string, forms: IdForms = held): string | undefined {
	const hasForm = (text: string): boolean => isIdOf(kind, text, forms);
	if (hasForm(value)) return undefined;
	const should = idShould(kind, forms);
	if (hasForm(value.trim())) return `${should}; there is a blank or a line end around it`;
	if (formOf(kind, forms) !== undefined || !/^[0-9a-fA-F-]{30,42}$/.test(value)) return should;
	return value.length === 36 ? should : `${should}; this one has ${value.length} characters, not 36`;
}

/** Fewest characters at the beginning of an id that name a record. */
const shortestStart = 8;

/** Whether a text may be the beginning of an id. */
export function mayStartId(kind: IdKind, value: string, forms: IdForms): boolean {
	const characters = formOf(kind, forms) === undefined ? /^[0-9a-f-]{0,35}$/i : /^[0-9A-Za-z_-]{0,127}$/;
	return value.length >= shortestStart && characters.test(value);
}

/** The characters that one part of a pattern stands for. */
function charactersOf(what: string): string {
	if (what.length === 1) return what;
	const form = new RegExp(`^${what}$`);
	return [..."0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"].filter((one) => form.test(one)).join("");
}

/** The shortest id of a pattern, of this digit where the pattern allows it: ids of several digits differ. */
export const idOfDigit = (pattern: string, digit: string): string =>
	(pattern.match(part) ?? [])
		.map((one) => {
			const among = charactersOf(one.replace(/\{.*\}$/, ""));
			const character = among.includes(digit) ? digit : among.charAt(Number(digit) % among.length);
			return character.repeat(countsOf(one)[0]);
		})
		.join("");

/** What programs write for a missing id: the nil and the max UUID (RFC 9562, 5.9 and 5.10), zeros, and words that say so. */
const missing =
	/^(0{8}(-0{4}){3}-0{12}|f{8}(-f{4}){3}-f{12}|([a-z]+[_-])?0{4,}|null|none|nil|undefined|unknown|missing|empty|error|failed|pending|true|false)$/i;

/** Whether an id of this form stands for a missing one. */
export const standsForNone = (id: string): boolean => missing.test(id);
