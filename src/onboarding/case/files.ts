/**
 * Case files: given as arguments, read and checked.
 */
import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { check } from "../../api/check/check.js";
import { flag, plain } from "../../api/fields.js";
import { nameKey, sameName } from "../../api/names.js";
import { askAboutZeros } from "../../api/phones.js";
import { describe, field, withOptional, withoutEmpty } from "../../api/schema.js";
import type { Context } from "../../context.js";
import { type Fault, PurserError } from "../../errors.js";
import { ownershipOf } from "../ownership/ownership.js";
import { uboThreshold } from "../records/read-ownership.js";
import { type Case, caseSchema, companyName, corporateKey, nameOf, ownerKey, type Person, unplacedInCase } from "./case.js";

/** The arguments of commands that work on case files. */
export const caseArguments = () =>
	field(z.array(plain("Case file")).check(z.maxLength(1000)), {
		description: "Case files, YAML or JSON; - for standard input",
		positional: true,
		placeholder: "case",
	});

/** Whether a record that is not found counts as not there. */
export const isNewField = () => flag("Create what is not found although the service cannot list, or lists one that looks the same");

/** A file of a run: its case, or why it is not one. */
export interface CaseFile {
	file: string;
	of?: Case;
	error?: PurserError;
}

/** Reads and checks every file before anything is sent; an invalid one does not stop the others. */
export async function readCases(context: Context, files: readonly string[]): Promise<CaseFile[]> {
	const read: CaseFile[] = [];
	const fileOf = new Map<string, string>();
	const unplaced = await unplacedInCase(context);
	const { interactive } = await context.settings.read();
	const caseOf = async (file: string): Promise<CaseFile> => {
		try {
			const content = withoutEmpty(caseSchema, await context.files.documents.read(file, describe(caseSchema)));
			if (interactive) await askAboutZeros(describe(caseSchema), [content], context.ask);
			const of = checkCase(context, content, file, { unplaced });
			const { externalId } = of.corporate;
			const before = fileOf.get(externalId);
			if (before !== undefined)
				throw new PurserError("validation", {
					code: "CASE_TWICE",
					message: `${file} has the externalId ${externalId}, as ${before} has; nothing of it was sent`,
					fix: "Leave one of them out, or give each company its own externalId.",
				});
			fileOf.set(externalId, file);
			return { file, of };
		} catch (error) {
			if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
			return { file, error };
		}
	};
	for (const file of files) read.push(await caseOf(file));
	return read;
}

/**
 * The case of a document; what is valid but odd is warned about.
 * @param by `warns`: false where the same case is checked again; `unplaced`: what may be left out
 * @throws PurserError validation, listing every fault
 */
export function checkCase(
	context: Context,
	document: unknown,
	file: string,
	{ warns = true, unplaced = new Set() }: { warns?: boolean; unplaced?: ReadonlySet<string> } = {},
): Case {
	const { data, faults, warnings } = check(withOptional(caseSchema, unplaced), document);
	if (data === undefined) throw invalidCase(file, faults);
	const { terms } = data;
	// Of today in the easternmost time zone too.
	if (terms !== undefined && Date.parse(terms.acceptedAt) > context.clock.now().getTime() + 14 * 3_600_000)
		throw invalidCase(file, [{ field: "terms.acceptedAt", message: `is in the future: ${terms.acceptedAt}` }]);
	if (warns) for (const { field, message } of warnings) context.report.warn(`${file}: ${field} ${message}`);
	return data;
}

function invalidCase(file: string, faults: readonly Fault[]): PurserError {
	return new PurserError("validation", {
		code: "INVALID_CASE",
		message: `${file}: ${faults.length === 1 ? "one field of the case is wrong" : `${faults.length} fields of the case are wrong`}; nothing was sent`,
		fix: advice`Correct the file and run this again. A file to start from: ${purser`onboard plan --print-template`}`,
		details: faults.map(({ field, message }) => ({ field: field || "case", message: message.replace(" (send it with --set)", "") })),
	});
}

/** Warns of {@link ownershipNotes}. */
export async function warnOfOwnership(context: Context, of: Case, file: string): Promise<void> {
	const { profile } = await context.settings.read();
	for (const message of ownershipNotes(of, uboThreshold(profile))) context.report.warn(`${file}: ${message}`);
}

/** Warnings about who accepted the terms for, owns and directs the company of a case. Pure. */
export function ownershipNotes(of: Case, threshold: string): string[] {
	const parties = [
		{ id: ownerKey, name: nameOf(of.accountOwner), isCompany: false, isAccountOwner: true, ...roles(of.accountOwner) },
		...of.persons.map((person) => ({ id: person.key, name: nameOf(person), isCompany: false, ...roles(person) })),
		...of.companies.map((company) => ({ id: company.key, name: company.corporateName, isCompany: true, isDirector: company.isDirector })),
	];
	const { warnings } = ownershipOf({ id: corporateKey, name: companyName(of) }, parties, of.ownership, threshold);
	return [...otherAccepter(of), ...warnings.map(({ message }) => message), ...duplicatePersons(of)];
}

/** The account owner alone accepts the terms (specification 2.1, lastTermsAccepted). */
function otherAccepter({ accountOwner, terms }: Case): string[] {
	const owner = nameOf(accountOwner);
	if (terms === undefined || sameName(terms.acceptedBy, owner)) return [];
	return [`terms.acceptedBy is ${terms.acceptedBy}, and the account owner, who must accept the terms, is ${owner}`];
}

/** One person in two places becomes two related entities, each with its own shares and KYC. Two persons may have the same name. */
function duplicatePersons({ accountOwner, persons }: Case): string[] {
	const identity = ({ firstName, lastName, emailAddress }: Pick<Person, "firstName" | "lastName" | "emailAddress">): string | undefined =>
		emailAddress && JSON.stringify([`${firstName} ${lastName}`, emailAddress].map(nameKey));
	const keys = new Map([[identity(accountOwner), ownerKey]]);
	return persons.flatMap((person): string[] => {
		const own = identity(person);
		if (own === undefined) return [];
		const other = keys.get(own);
		keys.set(own, other ?? person.key);
		if (other === undefined) return [];
		return [
			`${person.key} has the name and email of ${other}; if it is one person, put what the person is and holds there, and only there`,
		];
	});
}

const roles = ({ isDirector, isUbo }: { isDirector?: boolean; isUbo?: boolean }) => ({ isDirector, isUbo });
