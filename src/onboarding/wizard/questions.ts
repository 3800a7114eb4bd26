/**
 * The wizard's questions, in the order of the eight steps of specification 1. Pure: the answers so far decide what comes next.
 */
import { legalTypeList } from "../../api/check/lists.js";
import { openChoice } from "../../api/check/open-choice.js";
import { describe, type Field } from "../../api/schema.js";
import { titleOf, wordsOf } from "../../api/titles.js";
import { legalFormKeys, legalForms } from "../../api/values.js";
import { caseSchema, corporateKey } from "../case/case.js";
import type { Answers } from "./state.js";

/** One question. Its id is the answer's dotted path in the case, or the wizard's own name. */
export interface Question {
	id: string;
	/** From 1 to 8. */
	step: number;
	/** The heading over its questions, where a step asks about several records. */
	about?: string;
	label: string;
	kind: "text" | "yes" | "field" | "choice";
	required: boolean;
	/** Of `field`. */
	field?: Field;
	/** Of `choice`. */
	choices?: readonly { value: string; label: string }[];
	/** The answer of Enter. */
	fallback?: string | boolean;
}

/** Titles of the eight steps. */
export const stepTitles: readonly string[] = [
	"Terms and conditions",
	"The company and its account owner",
	"The account owner's email",
	"Owners, directors and other related entities",
	"Due-diligence review",
	"KYB",
	"KYC",
	"The account owner's phone",
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

/** Maximum number of persons and companies asked for; more are written in a file. */
const maxEntities = 100;

/** Every question that the answers so far lead to, answered or not, in order. */
export function questions(answers: Answers): Question[] {
	return [...terms(answers), ...companyQuestions(answers), ...email(), ...entities(answers), fileQuestion(answers)];
}

const yes = (id: string, step: number, label: string, fallback: boolean): Question => {
	return { id, step, label, kind: "yes", required: true, fallback };
};
const text = (id: string, step: number, label: string, fallback?: string): Question => ({
	id,
	step,
	label,
	kind: "text",
	required: true,
	fallback,
});

function terms(answers: Answers): Question[] {
	const version = answers["terms.version"];
	const these = typeof version === "string" ? `version ${version}` : "these terms";
	const asked = yes("terms.accepted", 1, `Has the account owner seen and accepted ${these}`, false);
	return answers["terms.accepted"] === true ? [asked, text("terms.acceptedBy", 1, "Who accepted them (first and last name)")] : [asked];
}

/** The record that questions are about. */
interface Subject {
	step: number;
	about: string;
	noun: string;
}

const accountOwner: Subject = { step: 2, about: "The account owner", noun: "account owner" };

function companyQuestions(answers: Answers): Question[] {
	return [
		...fieldsOf(corporate, corporateKey, { step: 2, about: "The company", noun: "company" }, answers, { externalId: true }),
		...fieldsOf(owner, "accountOwner", accountOwner, answers, {}),
		{
			...fieldQuestion(share, "accountOwner.shares", accountOwner, "Shares of the company held directly, in percent"),
			required: false,
		},
	];
}

const email = (): Question[] => [yes("ask.email", 3, "Send the account owner the email verification link afterwards", true)];

/** Fields that are never asked, because the wizard sets them. */
const setByWizard = { key: false, externalId: false } as const;
/** Fields that are among the optional details of a company, which is rarely a director. */
const ofDirectors = { isDirector: "rest", directorAppointmentDate: "rest" } as const;

function entities(answers: Answers): Question[] {
	const asked: Question[] = [];
	for (const [list, of, label, more] of [
		["companies", company, "company", "company that holds shares"],
		["persons", person, "person", "person: a UBO, a director"],
	] as const)
		for (let place = 0; place < maxEntities; place += 1) {
			const id = `${list}.${place}`;
			asked.push(yes(`${id}.more`, 4, `Declare ${place === 0 ? "a" : "another"} ${more}`, false));
			if (answers[`${id}.more`] !== true) break;
			const at: Subject = { step: 4, about: `${label === "company" ? "Company" : "Person"} ${place + 1}`, noun: label };
			asked.push(
				...fieldsOf(of, id, at, answers, list === "companies" ? { ...setByWizard, ...ofDirectors } : setByWizard),
				...holding(id, at, answers),
			);
		}
	return asked;
}

function holding(id: string, at: Subject, answers: Answers): Question[] {
	const companies = companiesBefore(id, answers);
	const none = { value: "-", label: "None" };
	const owned = [{ value: corporateKey, label: "The company itself" }, ...companies.map(({ id: value, name }) => ({ value, label: name }))];
	// A company is declared because it holds shares; a person may only be a director.
	const choices = at.noun === "company" ? [...owned, none] : [none, ...owned];
	const question: Question = {
		id: `${id}.owned`,
		step: at.step,
		about: at.about,
		label: `${nameAt(id, answers)} holds shares of`,
		kind: "choice",
		required: true,
		choices,
	};
	const answered = answers[question.id];
	if (answered === undefined || answered === null || answered === "-") return [question];
	const held = companies.find((one) => one.id === answered)?.name ?? "the company";
	const label = `Percent of ${held} that ${nameAt(id, answers)} holds`;
	return [question, { ...fieldQuestion(share, `${id}.percentage`, at, label), required: true }];
}

function nameAt(id: string, answers: Answers): string {
	const names = ["corporateName", "firstName", "lastName"].map((name) => answers[`${id}.${name}`]);
	return names.filter((name) => typeof name === "string").join(" ");
}

function companiesBefore(id: string, answers: Answers): { id: string; name: string }[] {
	const found: { id: string; name: string }[] = [];
	for (let place = 0; place < maxEntities && answers[`companies.${place}.more`] === true && id !== `companies.${place}`; place += 1)
		found.push({ id: `companies.${place}`, name: String(answers[`companies.${place}.corporateName`] ?? "") });
	return found;
}

function fileQuestion(answers: Answers): Question {
	const name = String(answers["corporate.externalId"] ?? "case").replace(/[^A-Za-z0-9_-]+/g, "-");
	return text("file", 4, "Write all of this as a case file to", `case-${name}.yaml`);
}

/**
 * The questions about one record: required and offered fields, then the rest if wanted.
 * @param rules fields that are always asked (true), never (false), or among the optional details (`rest`)
 */
function fieldsOf(of: Field, id: string, at: Subject, answers: Answers, rules: Record<string, boolean | "rest">): Question[] {
	const fields = (of.fields ?? []).filter(({ name }) => rules[name] !== false);
	const first = fields.filter(
		(field) => field.required || (field.meta.offer === true && rules[field.name] !== "rest") || rules[field.name] === true,
	);
	const rest = fields.filter((field) => !first.includes(field));
	const label = `Give optional details of the ${at.noun} (${rest.map(({ name }) => plainNames[name] ?? wordsOf(name)).join(", ")})`;
	const more = { ...yes(`${id}.details`, at.step, label, false), about: at.about };
	return [
		...first.flatMap((field) => questionsOf(field, `${id}.${field.name}`, at, answers, field.required)),
		...(rest.length === 0 ? [] : [more]),
		...(answers[more.id] === true ? rest.flatMap((field) => questionsOf(field, `${id}.${field.name}`, at, answers, false)) : []),
	];
}

function questionsOf(field: Field, id: string, at: Subject, answers: Answers, required: boolean): Question[] {
	const label = labels[field.name]?.(at.noun) ?? titleOf(field).replace(/ of a (company|person)$/, "");
	if (field.name === "legalType") return legalForm(id, at, label, answers);
	if (field.name === "metadata" && typeof answers[id] !== "string") return customData(id, at, answers);
	if (field.fields === undefined) return [{ ...fieldQuestion(field, id, at, label), required, ...usualAnswer(id, answers) }];
	const gate = { ...yes(id, at.step, `Add ${label.charAt(0).toLowerCase()}${label.slice(1)}`, false), about: at.about };
	if (!required && answers[id] !== true) return [gate];
	// Only the usual fields of an address are asked; the rest can be written in the case file.
	const usual = field.fields.filter((one) => one.required || one.meta.offer === true);
	const below = partsWithHeading.includes(field.name) ? { ...at, about: `${at.about}: ${wordsOf(field.name)}` } : at;
	const inner = usual.flatMap((one) => questionsOf(one, `${id}.${one.name}`, below, answers, one.required));
	return required ? inner : [gate, ...inner];
}

/** The legal form alone; the case has the object that the service takes. Countries without legal forms are not asked. */
function legalForm(id: string, at: Subject, label: string, answers: Answers): Question[] {
	const country = String(answers[`${corporateKey}.incorporationCountry`]);
	if (legalFormKeys[country] === undefined) return [];
	const known = legalForms[country];
	const name = label.replace(/:.*$/, "");
	const more = { list: `${legalTypeList}.${legalFormKeys[country]}`, ...(known ? {} : { known: undefined }) };
	const field = describe(openChoice(name, known ?? ["AT_AKTIENGESELLSCHAFT_AG"], more));
	return [{ ...fieldQuestion(field, id, at, known ? name : `${name}, as the service writes it`), required: false }];
}

/** Maximum number of names of custom data that are asked for; more are written in the file. */
const maxCustom = 20;

/** Custom data as names with values. */
function customData(id: string, at: Subject, answers: Answers): Question[] {
	const asked: Question[] = [];
	for (let place = 0; place < maxCustom; place += 1) {
		const here = `${id}.${place}`;
		const more = { ...yes(`${here}.more`, at.step, place === 0 ? "Add custom data" : "Add more custom data", false), about: at.about };
		asked.push(more);
		if (answers[more.id] !== true) break;
		for (const question of [text(`${here}.name`, at.step, "Name of the custom data"), text(`${here}.value`, at.step, "Its value")])
			asked.push({ ...question, about: at.about });
	}
	return asked;
}

/** Parts whose questions need a heading. */
const partsWithHeading = ["registeredAddress", "businessAddress", "address"];

/** A company is usually registered where it was incorporated; the specification names only the euro (2.1). */
function usualAnswer(id: string, answers: Answers): { fallback?: string } {
	if (id === `${corporateKey}.expectedMonthlyExpenses.currency`) return { fallback: "EUR" };
	const country = answers[`${corporateKey}.incorporationCountry`];
	return id === `${corporateKey}.registeredAddress.isoCountryCode` && typeof country === "string" ? { fallback: country } : {};
}

/** Fields whose names in the service are not what people call them. */
const plainNames: Readonly<Record<string, string>> = { legalType: "legal form", metadata: "custom data" };

const labels: Readonly<Record<string, (noun: string) => string>> = {
	isDirector: (noun) => `Is ${noun === "account owner" ? "the" : "this"} ${noun} a director`,
	isUbo: (noun) => `Is ${noun === "account owner" ? "the" : "this"} ${noun} an ultimate beneficial owner (UBO)`,
};

function fieldQuestion(field: Field, id: string, { step, about }: Subject, label: string): Question {
	if (field.kind === "boolean") return { id, step, about, label, kind: "yes", required: true, fallback: false };
	return { id, step, about, label, kind: "field", required: field.required, field };
}
