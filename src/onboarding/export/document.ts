/**
 * A live company as a case: what the service tells, so that applying it changes nothing. Pure.
 */
import { type Received, sameId, textAt } from "../../api/answer.js";
import { check } from "../../api/check/check.js";
import { Decimal } from "../../api/json.js";
import { sameName, slugOf } from "../../api/names.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { describe, type Field, isRecord, placeholder } from "../../api/schema.js";
import { plainId } from "../../api/text/ids.js";
import { legalFormKeys } from "../../api/values.js";
import { type Case, caseSchema, corporateKey, externalIdOf, ownerKey } from "../case/case.js";
import { shownValue } from "../case/compare.js";
import { nameOf } from "../case/match.js";
import { readOwnership } from "../records/read-ownership.js";

/** The records of a company at the service. */
export interface LiveCompany {
	corporateId: string;
	corporate: Received;
	related: readonly Received[];
}

export interface ExportedCase {
	document: Received;
	/** What a case has and this one does not, in words. */
	leftOut: string[];
	/** Dotted names of required fields that a person has to write before it can be applied. */
	missing: string[];
}

/** @param known an earlier case of the same company, whose keys are kept */
export function caseOfCompany({ corporateId, corporate, related }: LiveCompany, known?: Case): ExportedCase {
	const notes = new Notes();
	const externalId = externalIdAt(corporate) ?? placeholder;
	if (externalId === placeholder) notes.missing.push("corporate.externalId");
	const company = { externalId, ...notes.fields(corporateKey, readFields("corporate", corporate)) };
	const ownerId = textAt(corporate, "accountOwnerId");
	const isOwner = (record: Received): boolean => {
		const { id, isAccountOwner } = viewRelated(record);
		return ownerId === undefined ? isAccountOwner === true : sameId(id, ownerId);
	};
	const owner = related.find(isOwner);
	const root = { id: corporateId, name: viewCorporate(corporate).name ?? corporateId };
	const { parties, holdings } = readOwnership(root, related);
	const companies = new Set(parties.filter(({ isCompany }) => isCompany).map(({ id }) => id));
	const keys = new Keys(externalId, known);
	if (owner !== undefined) keys.note(viewRelated(owner).id, ownerKey);
	keys.note(corporateId, corporateKey);
	const entities = related.filter((record) => record !== owner).map((record) => entityOf(record, companies, keys, notes));
	const ownership = holdings.flatMap((holding): Received[] => {
		const [from, of] = [keys.of(holding.owner), keys.of(holding.owned)];
		const fits = from !== undefined && of !== undefined && /^(0|[1-9]\d{0,2})(\.\d{1,12})?$/.test(holding.percentage);
		if (fits && notes.once(`${from} ${of}`)) return [{ owner: from, owned: of, percentage: new Decimal(holding.percentage) }];
		notes.leftOut.push(`the ${holding.percentage} % that ${from ?? holding.owner} holds of ${of ?? holding.owned}`);
		return [];
	});
	const listOf = (isCompany: boolean) => entities.filter((one) => one.isCompany === isCompany).map(({ fields }) => fields);
	const terms =
		viewCorporate(corporate).termsAccepted === true ? ["terms: they are accepted; the service does not tell by whom and when"] : [];
	return {
		document: {
			version: "1",
			corporate: company,
			accountOwner: notes.fields(ownerKey, readFields("accountOwner", owner ?? {})),
			...named("persons", listOf(false)),
			...named("companies", listOf(true)),
			...named("ownership", ownership),
		},
		leftOut: [...notes.leftOut, ...terms],
		missing: notes.missing,
	};
}

const named = (name: string, list: readonly Received[]): Received => (list.length === 0 ? {} : { [name]: list });

function entityOf(record: Received, companies: ReadonlySet<string>, keys: Keys, notes: Notes): { fields: Received; isCompany: boolean } {
	const isCompany = companies.has(viewRelated(record).id ?? "");
	const { key, externalId } = keys.make(record);
	const part = isCompany ? "companies" : "persons";
	const fields = { key, ...(externalId === undefined ? {} : { externalId }), ...notes.fields(`${part}.${key}`, readFields(part, record)) };
	return { fields, isCompany };
}

/** What is left out of the case. */
class Notes {
	readonly leftOut: string[] = [];
	readonly missing: string[] = [];
	readonly #seen = new Set<string>();

	/** Whether this is seen for the first time. */
	once(text: string): boolean {
		return this.#seen.size < this.#seen.add(text).size;
	}

	/** The fields, with a placeholder for each that a case must have. */
	fields(place: string, { fields, notShown, notTaken, required }: ReadFields): Received {
		const optional = notShown.filter((name) => !required.includes(name));
		if (optional.length > 0) this.leftOut.push(`${place}: the service does not show ${optional.join(", ")}`);
		if (notTaken.length > 0) this.leftOut.push(`${place}: a case cannot hold what the service shows as ${notTaken.join(", ")}`);
		for (const name of required) this.missing.push(`${place}.${name}`);
		return { ...Object.fromEntries(required.map((name) => [name, placeholder])), ...fields };
	}
}

/** Keys of the case, by the ids of the service. */
class Keys {
	readonly #byId = new Map<string, string>();
	readonly #taken = new Set([corporateKey, ownerKey].map((key) => key.toLowerCase()));

	constructor(
		private readonly corporateExternalId: string,
		private readonly known: Case | undefined,
	) {
		for (const { key } of this.#earlier()) this.#taken.add(key.toLowerCase());
	}

	note(id: string | undefined, key: string): void {
		if (id !== undefined) this.#byId.set(plainId(id), key);
	}

	of(id: string): string | undefined {
		return this.#byId.get(plainId(id));
	}

	/** The key of a record, and its externalId where the key does not lead to it. */
	make(record: Received): { key: string; externalId?: string } {
		const { id, name, email } = viewRelated(record);
		const externalId = externalIdAt(record);
		const known = this.#earlier().find((entity) => {
			if (externalId !== undefined) return externalIdOf(this.known as Case, entity) === externalId;
			const same = "emailAddress" in entity ? entity.emailAddress : undefined;
			return sameName(nameOf(entity), name) && sameName(same, email);
		});
		const key = known?.key ?? this.#free(slugOf(name ?? "") || "entity");
		this.note(id, key);
		if (known !== undefined) return { key, externalId: known.externalId };
		const derived = externalIdOf({ corporate: { externalId: this.corporateExternalId } as Case["corporate"] }, { key });
		return derived === externalId ? { key } : { key, externalId };
	}

	#free(base: string): string {
		let key = base;
		for (let count = 2; this.#taken.has(key); count += 1) key = `${base}-${count}`;
		this.#taken.add(key);
		return key;
	}

	#earlier(): readonly (Case["persons"][number] | Case["companies"][number])[] {
		return this.known === undefined ? [] : [...this.known.persons, ...this.known.companies];
	}
}

/** Fields of a record as a case has them, and the dotted names of those that it does not have. */
export interface ReadFields {
	fields: Received;
	/** The service shows none. */
	notShown: string[];
	/** The service shows a value that a case cannot hold. */
	notTaken: string[];
	/** Those of both that a case must have. */
	required: string[];
}

type Part = "corporate" | "accountOwner" | "persons" | "companies";

/** Fields that are made here, and those that a person seldom gives. */
const own: readonly string[] = ["key", "externalId"];

/** The fields of one part of a case. */
export function readFields(part: Part, record: Received): ReadFields {
	const shape = describe(caseSchema).fields?.find(({ name }) => name === part) as Field;
	const read: ReadFields = { fields: {}, notShown: [], notTaken: [], required: [] };
	for (const field of (shape.element ?? shape).fields ?? []) {
		if (own.includes(field.name)) continue;
		const shown = field.name === "legalType" ? legalType(record) : shownValue(field.name, record);
		const isWhole = shown === "" && field.required && check(field.schema, shown).faults.length === 0;
		const value = isWhole ? shown : fitting(field, shown);
		if (value !== undefined) {
			read.fields[field.name] = value;
			continue;
		}
		read[isEmpty(shown) ? "notShown" : "notTaken"].push(field.name);
		if (field.required) read.required.push(field.name);
	}
	return read;
}

/** Whether a text is valid as an externalId. */
export function externalIdAt(record: Received): string | undefined {
	const shown = textAt(record, "externalId");
	return shown !== undefined && shown.trim() !== "" && [...shown].length <= 511 ? shown : undefined;
}

/** A deployment may show the legal form without the key under which it is sent. */
function legalType(record: Received): unknown {
	const shown = shownValue("legalType", record);
	const key = legalFormKeys[textAt(record, "incorporationCountry") ?? ""];
	return typeof shown === "string" && key !== undefined ? { [key]: shown } : shown;
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === "" || (isRecord(value) && Object.values(value).every(isEmpty));
}

/** The value without what the field does not know; undefined where nothing valid is left. */
function fitting(field: Field, value: unknown): unknown {
	if (isEmpty(value)) return undefined;
	const parts =
		field.fields !== undefined && isRecord(value)
			? Object.fromEntries(
					field.fields.map((part) => [part.name, fitting(part, value[part.name])]).filter(([, part]) => part !== undefined),
				)
			: value;
	if (isEmpty(parts)) return undefined;
	const checked = check(field.schema, parts);
	return checked.faults.length > 0 ? undefined : checked.data;
}
