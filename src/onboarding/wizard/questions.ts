/**
 * The wizard's questions, in the order of specification 1, and where the answer to each stands: in the case, or beside it.
 * Pure: the answers so far decide what comes next.
 */
import { slugOf } from "../../api/names.js";
import { describe, type Field, titleOf, wordsOf } from "../../api/schema.js";
import { caseSchema, corporateKey, ownerKey } from "../case/case.js";

/** The fields of one part of a case by their names, as typed. */
export type Part = Record<string, unknown>;

/** What a case file has, as far as it is answered. */
interface DraftCase extends Part {
	corporate: Part;
	accountOwner: Part;
	companies: Part[];
	persons: Part[];
	ownership: Part[];
	terms?: Part;
}

/** Everything that is answered: the case, and what a case does not say. */
export interface Answered {
	case: DraftCase;
	/** Answers that are no part of a case, by the ids of their questions: yes or no; null where a field was left out. */
	answers: Record<string, boolean | null>;
	/** Version of the terms that were shown. */
	terms?: string;
}

/** An answer: text or a choice as typed, yes or no; null where it was left out. */
export type Answer = string | boolean | null;

type Path = readonly (string | number)[];

/** One question. Its id is the dotted path in the case, or the wizard's own name. */
export interface Question {
	id: string;
	/** Where the answer stands in the case; undefined of a question about which the case says nothing. */
	path?: Path;
	/** What a holding is made with. */
	made?: Part;
	/** What a No, or nothing, takes out of the case. */
	drops?: readonly Path[];
	/** From 1 to 4. */
	step: number;
	/** The heading over its questions, where a step asks about several records. */
	about?: string;
	label: string;
	kind: "text" | "yes" | "field" | "choice";
	required: boolean;
	/** Of `field`. */
	field?: Field;
	/** Of `choice`. One of roles stands for two fields of the part at its path. */
	choices?: readonly { value: string; label: string }[];
	/** The answer of Enter. */
	fallback?: string | boolean;
	/** What is said of leaving it out, in place of "optional". */
	remark?: string;
	/** What the review says behind the answer. */
	unit?: string;
}

/** Titles of the steps. */
export const stepTitles: readonly string[] = [
	"Terms and conditions",
	"The company and its account owner",
	"Owners, directors and other related entities",
	"What happens then",
];

const shape = describe(caseSchema);
const part = (name: string): Field => {
	const found = shape.fields?.find((field) => field.name === name) as Field;
	return found.element ?? found;
};
const corporate = part(corporateKey);
const owner = part("accountOwner");
const person = part("persons");
const company = part("companies");
const share = part("ownership").fields?.find(({ name }) => name === "percentage") as Field;

/** The question whether everything is requested once the case is declared: one for the email link, the KYB and the KYC links. */
export const followUps = "ask.followUps";

/** Maximum number of persons and companies asked for; more are written in a file. */
const maxEntities = 100;

/** Every question that the answers so far lead to, answered or not, in order. */
export function questions(draft: Answered): Question[] {
	return [...terms(draft), ...companyQuestions(draft), ...entities(draft), lastQuestion];
}

/** The answer to a question; undefined where it is open. */
export function answerTo(draft: Answered, { id, path }: Question): Answer | undefined {
	const value = path?.reduce<unknown>((part, name) => (part as Part | undefined)?.[name], draft.case);
	if (id.endsWith(".roles")) return roleOf((value ?? {}) as Part);
	return typeof value === "string" || typeof value === "boolean" ? value : draft.answers[id];
}

/** Puts an answer where it belongs, or takes it away again: then it is undefined. */
export function keepAnswer(draft: Answered, { id, path, made, drops = [] }: Question, answer: Answer | undefined): void {
	const { case: of, answers } = draft;
	delete answers[id];
	if (id.endsWith(".roles"))
		for (const [name, roles] of Object.entries(rolesWith))
			put(of, [...(path as Path), name], answer === undefined ? undefined : roles.includes(String(answer)));
	else if (path !== undefined) put(of, path, answer ?? undefined, made);
	else if (typeof answer === "boolean") answers[id] = answer;
	if (answer === null) answers[id] = null;
	if (answer === null || answer === false) for (const one of drops) put(of, one, undefined);
}

/** The two fields of a role, and the answers with which each is true. */
const rolesWith: Readonly<Record<string, readonly string[]>> = { isDirector: ["director", "both"], isUbo: ["owner", "both"] };
const roles = [
	{ value: "director", label: "Director" },
	{ value: "owner", label: "Owner (UBO)" },
	{ value: "both", label: "Both director and owner (UBO)" },
	{ value: "neither", label: "Neither director nor owner" },
];

function roleOf({ isDirector, isUbo }: Part): string | undefined {
	if (typeof isDirector !== "boolean" || typeof isUbo !== "boolean") return undefined;
	return isDirector ? (isUbo ? "both" : "director") : isUbo ? "owner" : "neither";
}

/** Writes a value, making the parts on the way; without a value it is removed. */
function put(into: Part | Part[], [name = "", ...rest]: Path, value: unknown, made: Part = {}): void {
	const part = into as Part;
	if (rest.length > 0) {
		if (part[name] === undefined && value === undefined) return;
		part[name] ??= rest.length > 1 ? {} : { ...made };
		put(part[name] as Part, rest, value, made);
	} else if (value !== undefined) part[name] = value;
	else if (Array.isArray(into)) into.splice(Number(name), 1);
	else delete part[name];
}

/**
 * Gives everybody who has a name a key, and removes what only stood there because of another answer. A declared record is found by its key, so
 * that stays when the name is corrected.
 */
export function tidy(draft: Answered): void {
	const { case: of, answers } = draft;
	const { companies, persons } = of;
	const entities = [...companies, ...persons];
	const taken = new Set([corporateKey, ownerKey].map((key) => key.toLowerCase()));
	for (const { key } of entities) if (typeof key === "string") taken.add(key);
	for (const entity of entities) {
		const named = entity.corporateName ?? (entity.lastName && `${entity.firstName} ${entity.lastName}`);
		if (entity.key !== undefined || named === undefined) continue;
		const base = slugOf(String(named)) || "entity";
		let key = base;
		for (let count = 2; taken.has(key); count += 1) key = `${base}-${count}`;
		taken.add(key);
		entity.key = key;
	}
	const keys = new Set<unknown>([corporateKey, ownerKey, ...entities.map(({ key }) => key)]);
	of.ownership = of.ownership.filter(({ owner: from, owned }) => keys.has(from) && keys.has(owned));
	const asked = new Set(questions(draft).map(({ id }) => id));
	for (const id of Object.keys(answers)) if (!asked.has(id)) delete answers[id];
}

const yes = (id: string, step: number, label: string, fallback: boolean): Question => {
	return { id, step, label, kind: "yes", required: true, fallback };
};
const text = (id: string, step: number, label: string, fallback?: string): Question => {
	return { id, step, label, kind: "text", required: true, fallback, path: id.split(".") };
};

function terms({ answers, terms: version }: Answered): Question[] {
	const these = version === undefined ? "these terms" : `version ${version}`;
	const asked = { ...yes("terms.accepted", 1, `Has the account owner seen and accepted ${these}`, false), drops: [["terms"]] };
	return answers[asked.id] === true ? [asked, text("terms.acceptedBy", 1, "Who accepted them (first and last name)")] : [asked];
}

/** The record that questions are about. */
interface Subject {
	step: number;
	about: string;
	noun: string;
	/** Where it stands in the case. */
	path: Path;
}

const ofCompany: Subject = { step: 2, about: "The company", noun: "company", path: [corporateKey] };
const ofOwner: Subject = { step: 2, about: "The account owner", noun: "account owner", path: [ownerKey] };

function companyQuestions(draft: Answered): Question[] {
	const { path } = holdingOf(draft, ownerKey);
	const label = "Shares of the company held directly, in percent";
	return [
		...fieldsOf(draft, corporate, ofCompany, { externalId: true, metadata: false }),
		...fieldsOf(draft, owner, ofOwner),
		{
			...fieldQuestion(share, ofOwner, `${ownerKey}.shares`, label),
			unit: " % of the company",
			required: false,
			path: [...path, "percentage"],
			made: { owner: ownerKey, owned: corporateKey },
			drops: [path],
		},
	];
}

/** What one owner holds, and where that stands: a wizard asks for one holding of each. */
function holdingOf({ case: { ownership } }: Answered, key: unknown): { found?: Part; path: Path } {
	const at = ownership.findIndex((one) => one.owner === key);
	return { found: ownership[at], path: ["ownership", at < 0 ? ownership.length : at] };
}

function entities(draft: Answered): Question[] {
	const name = "First name of a person who is owner (UBO) or director";
	return [
		...listQuestions(draft, "companies", company, "Name of a company that holds shares"),
		...listQuestions(draft, "persons", person, name),
	];
}

/** Each record of a list, until no further one is named. */
function listQuestions(draft: Answered, list: "companies" | "persons", of: Field, name: string): Question[] {
	const asked: Question[] = [];
	const [noun, title] = list === "companies" ? ["company", "Owning company"] : ["person", "Person"];
	// The wizard sets the key, and a company rarely is a director.
	const rules = { key: false, externalId: false, ...(list === "companies" ? { isDirector: false } : {}) };
	for (let place = 0; place < maxEntities; place += 1) {
		const at: Subject = { step: 3, about: place === 0 ? title : `${title} ${place + 1}`, noun, path: [list, place] };
		const [first, ...others] = fieldsOf(draft, of, at, rules) as [Question, ...Question[]];
		// Without a name all that follow go.
		const drops = draft.case[list].slice(place).map(() => [list, place]);
		const label = place === 0 ? name : name.replace(" of a ", " of another ");
		asked.push({ ...first, label, drops, required: false, remark: `Enter if there is ${place === 0 ? "none" : "no other"}` });
		if (typeof answerTo(draft, first) !== "string") break;
		for (const question of [...others, ...holding(draft, at, draft.case[list][place] ?? {})]) asked.push(question);
	}
	return asked;
}

function holding(draft: Answered, at: Subject, entity: Part): Question[] {
	const { companies } = draft.case;
	const isCompany = at.noun === "company";
	const above = companies.includes(entity) ? companies.slice(0, companies.indexOf(entity)) : companies;
	const none = { value: "", label: "None" };
	const owned = [
		{ value: corporateKey, label: String(draft.case.corporate.corporateName ?? "The company") },
		...above.map(({ key, corporateName }) => ({ value: String(key), label: String(corporateName) })),
	];
	const { found, path } = holdingOf(draft, entity.key);
	const { step, about } = at;
	const question: Question = {
		id: `${at.path.join(".")}.owned`,
		step,
		about,
		label: `${nameOf(entity)} holds shares of`,
		kind: "choice",
		required: true,
		// A company is declared because it holds shares; a person may only be a director.
		choices: isCompany ? [...owned, none] : [none, ...owned],
		path: [...path, "owned"],
		made: { owner: entity.key },
		drops: [path],
	};
	if (found?.owned === undefined) return [question];
	const held = above.find(({ key }) => key === found.owned)?.corporateName ?? "the company";
	const label = `Percent of ${held} that ${nameOf(entity)} holds`;
	const percentage = fieldQuestion(share, at, `${at.path.join(".")}.percentage`, label);
	return [question, { ...percentage, required: true, path: [...path, "percentage"], unit: ` % of ${held}` }];
}

const nameOf = (entity: Part): string =>
	["corporateName", "firstName", "lastName"].flatMap((name) => (typeof entity[name] === "string" ? [entity[name]] : [])).join(" ");

const lastQuestion = yes(followUps, 4, "Once it is created: send the verification email, request the KYB and create the KYC links", true);

/**
 * The questions about one record: what is required and what is usually given. The rest can be written in the case file.
 * @param rules fields that are always asked (true) or never (false)
 */
function fieldsOf(draft: Answered, of: Field, at: Subject, rules: Record<string, boolean> = {}): Question[] {
	return (of.fields ?? [])
		.filter(({ name, required, meta }) => rules[name] ?? (required || meta.offer === true))
		.flatMap((field) => questionsOf(draft, field, at));
}

function questionsOf(draft: Answered, field: Field, at: Subject): Question[] {
	const path = [...at.path, field.name];
	const id = path.join(".");
	if (field.name === "isUbo") return [];
	if (field.name === "isDirector")
		return [
			{
				...at,
				id: `${at.path.join(".")}.roles`,
				label: `Role of ${roleOwner(draft, at)} (UBO: ultimate beneficial owner)`,
				kind: "choice",
				required: true,
				choices: roles,
				fallback: "neither",
			},
		];
	// What is typed as one text, like a phone, is one question.
	if (field.fields === undefined || field.meta.read !== undefined)
		return [{ ...fieldQuestion(field, at, id, titleOf(field)), ...usualAnswer(draft, id) }];
	// Only the usual fields of an address are asked; the rest can be written in the case file.
	const about = partsWithHeading.includes(field.name) ? `${at.about}: ${wordsOf(field.name)}` : at.about;
	return fieldsOf(draft, field, { ...at, path, about });
}

/** Parts whose questions need a heading. */
const partsWithHeading = ["registeredAddress"];

const roleOwner = (draft: Answered, { noun, path: [list = "", place = ""] }: Subject): string =>
	noun === "person" ? nameOf((draft.case[list] as Part[])[Number(place)] ?? {}) : `the ${noun}`;

/** A company is usually registered where it was incorporated; the specification names only the euro (2.1). */
function usualAnswer({ case: { corporate: known } }: Answered, id: string): { fallback?: string } {
	if (id === `${corporateKey}.expectedMonthlyExpenses.currency`) return { fallback: "EUR" };
	const country = known.incorporationCountry;
	return id === `${corporateKey}.registeredAddress.isoCountryCode` && typeof country === "string" ? { fallback: country } : {};
}

function fieldQuestion(field: Field, { step, about, path }: Subject, id: string, label: string): Question {
	return { id, step, about, label, path: [...path, field.name], kind: "field", required: field.required, field };
}
