/**
 * Who owns and directs the company of a case, before the service knows of it.
 */
import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { Decimal, formatJson } from "../../api/json.js";
import { nameKey } from "../../api/names.js";
import type { Context } from "../../context.js";
import type { Advice } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";
import type { Service } from "../../ports/service.js";
import { type Holding, type Ownership, ownershipOf } from "../ownership/ownership.js";
import { readBack, readRelated } from "../records/reading.js";
import { type Case, type CaseHolding, companyName, corporateKey, ownerKey, type Person } from "./case.js";
import { recordedShare, trimmedPercent } from "./compare.js";
import { nameOf } from "./match.js";
import type { CaseStep } from "./plan.js";
import type { StepResult } from "./result.js";

/** Warnings about who owns and directs the company of a case. Pure. */
export function ownershipNotes(of: Case, threshold: string): string[] {
	return [...caseOwnership(of, threshold).warnings.map(({ message }) => message), ...duplicatePersons(of)];
}

/** The ownership as a case declares it, by its keys. Pure. */
export function caseOwnership(of: Case, threshold: string): Ownership {
	const parties = [
		{ id: ownerKey, name: nameOf(of.accountOwner), isCompany: false, isAccountOwner: true, ...roles(of.accountOwner) },
		...of.persons.map((person) => ({ id: person.key, name: nameOf(person), isCompany: false, ...roles(person) })),
		...of.companies.map((company) => ({ id: company.key, name: company.corporateName, isCompany: true, isDirector: company.isDirector })),
	];
	return ownershipOf({ id: corporateKey, name: companyName(of) }, parties, of.ownership, threshold);
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

/** Every holding of one owner as a deployment takes a list of them (assumed, after the record's `shares`). */
export function sharesList(holdings: readonly Pick<CaseHolding, "owned" | "percentage">[], ids: ReadonlyMap<string, string>) {
	return holdings.map(({ owned, percentage }) => ({
		...(owned === corporateKey ? {} : { ownedCorporateId: ids.get(owned) }),
		directSharesPercentage: new Decimal(percentage),
	}));
}

/** Whether the deployment takes every holding of a person in a list. */
export const takesShareList = ({ settings }: Pick<Profile, "settings">): boolean => settings["related-shares"] === "list";

/** @param sent when, RFC 3339 UTC; undefined: just now */
export const listNotShown = (sent?: string): Advice =>
	`the list of holdings was sent${sent === undefined ? "" : ` on ${sent}`}, and the service does not show it: tell its customer care`;

/**
 * The holdings of a case by the ids of the service, for what a record shows only in part.
 * @param ids by the keys of the case, as far as known
 */
export function holdingsById({ ownership }: Case, ids: ReadonlyMap<string, string>): Holding[] {
	return ownership.flatMap(({ owner, owned, percentage }): Holding[] => {
		const [holder, company] = [ids.get(owner), ids.get(owned)];
		return holder === undefined || company === undefined ? [] : [{ owner: holder, owned: company, percentage }];
	});
}

/**
 * Why only one holding of several was declared, with the command by which a person declares all of them.
 * @param ids by the keys of the case, as far as known
 */
export function severalHoldings(of: Case, key: string, ids: ReadonlyMap<string, string>): Advice {
	const holdings = of.ownership.filter(({ owner }) => owner === key);
	const name = nameOf([...of.persons, ...of.companies].find((one) => one.key === key) ?? of.accountOwner);
	const known = ids.has(key) && holdings.every(({ owned }) => owned === corporateKey || ids.has(owned));
	const set = known ? `shares=${formatJson(sharesList(holdings, ids))}` : "shares=[…]";
	return advice`a declaration takes one holding, and ${name} has several: tell the service's customer care, or, if your service takes a list, ${purser`related update ${typed(ids.get(key), "RELATED")} --set ${set}`}; to send the list yourself from now on: ${purser`profile set NAME --set related-shares=list`}`;
}

/** Whether a record shows every holding of an owner; true where it cannot be read back, which is warned about. */
async function isListShown(
	context: Context,
	service: Service,
	of: Case,
	{ ids, corporateId }: { ids: ReadonlyMap<string, string>; corporateId?: string },
	key: string,
): Promise<boolean> {
	if ((await context.settings()).dryRun || corporateId === undefined) return true;
	const record = await readBack(context, () => readRelated(service, ids.get(key) as string));
	return (
		record === undefined ||
		of.ownership
			.filter(({ owner }) => owner === key)
			.every(({ owned, percentage }) => {
				const company = owned === corporateKey ? undefined : ids.get(owned);
				return recordedShare(record, corporateId, company) === trimmedPercent(percentage);
			})
	);
}

/** Reads a list of holdings back, which a deployment may ignore: the step then waits for a person. */
export async function readListBack(
	context: Context,
	service: Service,
	of: Case,
	found: { ids: ReadonlyMap<string, string>; corporateId?: string },
	{ changes, key }: CaseStep,
	result: StepResult,
): Promise<void> {
	if (!changes.some(({ field }) => field === "shares") || (await isListShown(context, service, of, found, key))) return;
	Object.assign(result, { state: "blocked", why: listNotShown() });
}

/** By the end every id is known, and the command that declares several holdings can be typed as it stands. */
export function nameHoldings(of: Case, ids: ReadonlyMap<string, string>, steps: readonly CaseStep[], results: readonly StepResult[]): void {
	for (const [place, { what, action, key, holding }] of steps.entries())
		if (what === "shares" && action === "blocked" && holding !== undefined && ids.has(key))
			Object.assign(results[place] as StepResult, { why: severalHoldings(of, key, ids) });
}
