/**
 * A case: one company's whole onboarding in one file. It holds no ids of the service; records are found by externalId.
 */
import * as z from "zod/mini";
import { sha256 } from "../../api/digest.js";
import { name, percentage, plain } from "../../api/fields.js";
import { createCorporate } from "../../api/operations/corporate.js";
import { createRelated } from "../../api/operations/related.js";
import { field } from "../../api/schema.js";
import { dateFault } from "../../api/typed.js";
import type { Context } from "../../context.js";

/** Keys of the company itself and of its account owner. */
export const corporateKey = "corporate";
export const ownerKey = "accountOwner";

/** How texts name the company of a case: its name may be empty (specification 2.1). */
export const companyName = ({ corporate: { corporateName, externalId } }: Pick<Case, "corporate">): string =>
	corporateName.trim() || externalId;

/** Maximum number of persons, of companies and of holdings in one case. */
const maxEntries = 500;

const { partnerName: _, accountOwnerInfo, lastTermsAccepted: __, externalId, ...corporateFields } = createCorporate.body.shape;
const { directSharesPercentage: ___, ...ownerFields } = accountOwnerInfo.shape;
const related = createRelated.body.shape;

/** A field of an operation that a case cannot do without. */
const required = <S extends z.ZodMiniType>(optional: z.ZodMiniOptional<S>): S => optional.def.innerType;

const key = () =>
	field(z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "must be a short name of letters, digits, - and _, like grace")), {
		description: "Its name within this file; never changed once applied",
		example: "grace",
	});

const reference = (description: string) =>
	field(z.string(), { description: `${description}: a key of this file, "${corporateKey}" or "${ownerKey}"`, example: "grace" });

const moment = () =>
	field(
		z.string().check(
			z.regex(
				/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/,
				"must be a date or a time, like 2026-03-01T10:22:00Z",
			),
			z.refine((value) => dateFault(value.slice(0, 10)) === undefined && !Number.isNaN(Date.parse(value)), "is not a valid date or time"),
		),
		{ description: "When it was accepted", example: "2026-03-01T10:22:00Z" },
	);

const { emailAddress, phone, nationality, address, position, isDirector, directorAppointmentDate, isUbo } = related;

const person = field(
	z.strictObject({
		...{ key: key(), externalId: related.externalId, firstName: required(related.firstName), lastName: required(related.lastName) },
		...{ emailAddress, phone, nationality, address, position, isDirector, directorAppointmentDate, isUbo },
	}),
	{ description: "A physical person" },
);

const { incorporationCountry, incorporationCode } = related;

const company = field(
	z.strictObject({
		...{ key: key(), externalId: related.externalId, corporateName: required(related.corporateName) },
		...{ incorporationCountry, incorporationCode, address, isDirector, directorAppointmentDate },
	}),
	{ description: "A related company" },
);

const holding = field(
	z.strictObject({
		owner: reference("Who holds the shares"),
		owned: reference("Of which company"),
		percentage: percentage("Shares held directly"),
	}),
	{ description: "Who holds how much of whom" },
);

const several = <S extends z.ZodMiniType>(one: S, description: string) =>
	z._default(field(z.array(one).check(z.maxLength(maxEntries)), { description }), []);

const shape = z.strictObject({
	version: z._default(
		field(z.string().check(z.regex(/^1$/, "must be 1, the only version there is")), {
			description: "Version of this format",
			example: "1",
		}),
		"1",
	),
	corporate: field(z.strictObject({ externalId: required(externalId), ...corporateFields }), {
		description: "The company; it is found by its externalId, which never changes once applied",
	}),
	accountOwner: field(z.strictObject({ ...ownerFields, isUbo }), {
		description: "The account owner; the person who manages the account",
	}),
	persons: several(person, "Owners and directors; every UBO and every director but the account owner"),
	companies: several(company, "Owning companies; those that hold shares, through every layer"),
	ownership: several(holding, "Who holds how much of whom"),
	terms: z.optional(
		field(
			z.strictObject({
				version: plain("Version of the terms that the account owner accepted", { example: "1.0" }),
				acceptedBy: name("Who accepted them", { example: "Ada Example", personal: true }),
				acceptedAt: moment(),
			}),
			{ description: "Which terms were accepted, by whom and when" },
		),
	),
});

/** The schema of a case file. */
export const caseSchema = shape.check(
	z.superRefine((value, context) => {
		for (const { path, message } of contradictions(value)) context.addIssue({ code: "custom", path, message });
	}),
);

export type Case = z.output<typeof shape>;

/** What a case requires and the service has no place for, by its mapping: the dotted names in a case. */
export async function unplacedInCase({ settings }: Pick<Context, "settings">): Promise<ReadonlySet<string>> {
	const names = await settings.unplaced([createCorporate.id]);
	return new Set(
		[...names].map((name) => (/^accountOwnerInfo\b/.test(name) ? name.replace("accountOwnerInfo", "accountOwner") : `corporate.${name}`)),
	);
}
export type Person = Case["persons"][number];
export type Company = Case["companies"][number];
export type CaseHolding = Case["ownership"][number];

/** The name of a person or company of a case. */
export const nameOf = (entity: Person | Company | Case["accountOwner"]): string =>
	"corporateName" in entity ? entity.corporateName : `${entity.firstName} ${entity.lastName}`;

interface Contradiction {
	path: (string | number)[];
	message: string;
}

const tooLong = "made from the company's externalId and the key it would have more than 511 characters; give one";

/** Faults between fields that are each valid alone. */
function contradictions(value: Case): Contradiction[] {
	const found: Contradiction[] = [];
	if (value.corporate.externalId.trim() === "")
		found.push({ path: ["corporate", "externalId"], message: "is empty; the company is found by it" });
	const companies = new Set([corporateKey]);
	const keys = new Set([corporateKey, ownerKey]);
	const ids = new Map<string, string>();
	for (const list of ["companies", "persons"] as const)
		for (const [at, entity] of value[list].entries()) {
			if (keys.has(entity.key)) found.push({ path: [list, at, "key"], message: `appears twice in the file: ${entity.key}` });
			keys.add(entity.key);
			if (list === "companies") companies.add(entity.key);
			const id = externalIdOf(value, entity);
			const other = ids.get(id);
			if (other !== undefined) found.push({ path: [list, at, "externalId"], message: `${JSON.stringify(id)} is also used by ${other}` });
			else if ([...id].length > 511) found.push({ path: [list, at, "externalId"], message: tooLong });
			ids.set(id, entity.key);
		}
	return [...found, ...holdingFaults(value.ownership, keys, companies)];
}

function holdingFaults(holdings: readonly CaseHolding[], keys: ReadonlySet<string>, companies: ReadonlySet<string>): Contradiction[] {
	const pairs = new Set<string>();
	return holdings.flatMap(({ owner, owned }, at): Contradiction[] => {
		const fault = (name: string, message: string): Contradiction[] => [{ path: ["ownership", at, name], message }];
		if (!keys.has(owner)) return fault("owner", `is not a key of this file: ${owner}`);
		if (!keys.has(owned)) return fault("owned", `is not a key of this file: ${owned}`);
		if (owner === corporateKey) return fault("owner", "cannot be the company itself: what it holds is not declared");
		if (!companies.has(owned)) return fault("owned", `is a person, and only companies have shares: ${owned}`);
		if (owner === owned) return fault("owned", "cannot be the owner itself");
		const pair = `${owner} ${owned}`;
		if (pairs.has(pair)) return fault("owner", `appears twice with ${owned}; give one percentage`);
		pairs.add(pair);
		return [];
	});
}

/**
 * The externalId under which a person or company of a case is declared: its own, else the company's with a digest of the key. A key is
 * often a name, and the journal keeps externalIds but no personal data.
 */
export function externalIdOf(of: Pick<Case, "corporate">, entity: { key: string; externalId?: string }): string {
	if (entity.externalId !== undefined) return entity.externalId;
	const { externalId } = of.corporate;
	return `${externalId}/${sha256(`${externalId}\n${entity.key}`).slice(0, 16)}`;
}
