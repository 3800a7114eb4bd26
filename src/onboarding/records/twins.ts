/**
 * A company or person that two runs created at once. Both look before they create and once afterwards: a list that shows a record shows those
 * created before it, so whoever created later sees the other's. What the list does not show yet is said, and the next run tells of two.
 */
import { advice, purser } from "../../api/advice.js";
import { type Received, sameId, textAt, typed } from "../../api/answer.js";
import { sameCode, sameName, sameText } from "../../api/names.js";
import { listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import { type RelatedView, viewRelated } from "../../api/operations/related.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import type { Listed, Service } from "../../ports/service.js";
import { ifReadable, listRelatedOf } from "./reading.js";

/** How companies are listed: the newest first. */
export const newestFirst = { sortAttribute: "CREATION_DATE", sortDirection: "DESC" } as const;
/** Maximum number of companies of one name, of newest companies (one page), and of related entities that are compared. */
const most = { named: 500, newest: 99, related: 5_000 };

/** The companies of one name. @throws PurserError as the service does */
export const listNamed = (service: Pick<Service, "list">, registeredName: string): Promise<Listed> =>
	service.list(listCorporates, { query: { registeredName, ...newestFirst } }, most.named);

/** Whether a record looks like a company, whatever its externalId: by name, country and code. */
export function looksLikeCompany(
	record: Received,
	of: { corporateName: string; incorporationCountry?: string; incorporationCode?: string },
): boolean {
	const { name, country } = viewCorporate(record);
	const sameCountry = country === of.incorporationCountry;
	return sameCountry && sameName(name, of.corporateName) && sameCode(textAt(record, "incorporationCode"), of.incorporationCode);
}

/** The name of a declaration in messages: the person's or the company's, else its reference. */
export const entityName = (body: Received): string => viewRelated(body).name ?? textAt(body, "externalId") ?? "an entity without a name";

/** Why an entity seems to be declared already: the same externalId, or the same name unless each has an externalId or an email of its own. */
export function duplicateOf(body: Received, listed: readonly Received[]): string | undefined {
	for (const other of listed.map(viewRelated)) {
		const reason = duplicateReason(viewRelated(body), other);
		if (reason !== undefined) return `${entityName(body)} is declared already ${reason}${other.id === undefined ? "" : `: ${other.id}`}`;
	}
	return undefined;
}

function duplicateReason(one: RelatedView, other: RelatedView): string | undefined {
	const differ = (["externalId", "email"] as const).some((field) => one[field] !== undefined && other[field] !== undefined);
	if (one.externalId !== undefined && sameText(one.externalId, other.externalId)) return "with the same externalId";
	if (one.name === undefined || !sameName(one.name, other.name)) return undefined;
	if (one.email !== undefined && sameName(one.email, other.email)) return "with the same name and email";
	return differ ? undefined : "with the same name";
}

/** Whether a record looks like a person or an owning company, whatever its externalId: by name and email. */
export function looksLikeEntity(record: Received, of: { name: string; email?: string }): boolean {
	const { name, email, isAccountOwner } = viewRelated(record);
	return isAccountOwner !== true && sameName(name, of.name) && sameName(email, of.email);
}

type What = "company" | "related entity";

const viewOf = (what: What, record: Received): { id?: string; externalId?: string } =>
	what === "company" ? viewCorporate(record) : viewRelated(record);

/** A record that this run created. */
export interface Sought {
	what: What;
	id: string;
	name: string;
	externalId?: string;
	/** Whether a record looks like it. */
	isSimilar(record: Received): boolean;
	/** Ids of those who were there before, and of others of the same case: one that only looks the same is no twin then. */
	known: Pick<ReadonlySet<string>, "has">;
}

/** Records of one company or person. */
export interface Twins {
	what: What;
	name: string;
	/** The oldest first where the service says when each was created, else in the order of the ids, so that every run names the same one. */
	ids: string[];
}

/** A record that was created, and what exists of the same. */
export type Found = readonly [Sought, Twins];

/**
 * Looks once for others of what was created: of one company, or of related entities of one company. Warns of what the list does not show yet, and
 * where there is no list.
 * @throws PurserError as the service does
 */
export async function findTwins(context: Context, sought: readonly Sought[], corporateId: string): Promise<Found[]> {
	const [first] = sought;
	if (first === undefined) return [];
	const isCompany = first.what === "company";
	const noun = isCompany ? "company" : "persons and companies";
	const records = await ifReadable(context, `whether another run created the same ${noun} too cannot be seen`, async () =>
		isCompany ? listedCompanies(context.service, first) : (await listRelatedOf(context.service, corporateId, most.related)).records,
	);
	if (records === undefined) return [];
	const hidden = sought.filter(({ what, id }) => !records.some((record) => sameId(viewOf(what, record).id, id)));
	const list = isCompany ? purser`corporate list --registered-name ${first.name}` : purser`related list ${typed(corporateId, "CORPORATE")}`;
	if (hidden.length > 0)
		context.report.warn(
			advice`The service does not list ${hidden.map(({ name }) => name).join(", ")} yet, so whether another run created the same is not known. Check later: ${list}`,
		);
	return sought.flatMap((one): Found[] => {
		const own = records.find((record) => sameId(viewOf(one.what, record).id, one.id)) ?? { id: one.id };
		const others = new Map(records.filter((record) => isTwin(one, record)).map((record) => [viewOf(one.what, record).id, record]));
		return others.size === 0 ? [] : [[one, twinsOf(one, [own, ...others.values()])]];
	});
}

/** The companies of that name; where they do not show it, the service may compare names otherwise, or keep another form: then the newest do. */
async function listedCompanies(service: Pick<Service, "list">, { name, id }: Sought): Promise<readonly Received[]> {
	const named = await listNamed(service, name);
	if (named.complete && named.records.some((record) => sameId(viewCorporate(record).id, id))) return named.records;
	return [...named.records, ...(await service.list(listCorporates, { query: newestFirst }, most.newest)).records];
}

/** Whether a record is another one of the same: where both have an externalId, it alone decides. */
function isTwin({ what, id: own, externalId: ours, isSimilar, known }: Sought, record: Received): boolean {
	const { id, externalId } = viewOf(what, record);
	if (id === undefined || sameId(id, own) || known.has(id)) return false;
	return externalId !== undefined && ours !== undefined ? sameText(externalId, ours) : isSimilar(record);
}

/** Records of the same company or person. What a list does not show yet was created after what it shows: only its id is known. */
function twinsOf({ what, name }: Pick<Sought, "what" | "name">, records: readonly Received[]): Twins {
	const placed = records.map((record) => ({ id: viewOf(what, record).id ?? "", at: textAt(record, "creationDate") ?? "~" }));
	placed.sort((one, other) => (`${one.at} ${one.id}` < `${other.at} ${other.id}` ? -1 : 1));
	return { what, name, ids: placed.map(({ id }) => id) };
}

/** `Example SAS exists twice: 1111 and 2222 (by this run)`. */
function twinsText([{ name, id: own }, { ids }]: Found): string {
	const named = ids.map((id) => (sameId(id, own) ? `${id} (by this run)` : id));
	return `${name} exists ${ids.length === 2 ? "twice" : `${ids.length} times`}: ${named.join(" and ")}`;
}

/** How one of them is left. Nothing removes a company, so another one gets another externalId, by which no run finds it. */
function twinsFix({ what, ids: [keep = "", other = ""] }: Twins, externalId = other): Advice {
	const end =
		what === "company"
			? advice`Give the other another externalId: ${purser`corporate update ${other} --external-id ${`${externalId}-twin`}`}; and have the service's customer care close it`
			: advice`Remove the other: ${purser`related remove ${other}`}`;
	return advice`Keep ${keep} (every run names this one), unless more was done on another one. ${end}.`;
}

/** What exists more than once, because this run and another one created it. */
export class CreatedTwice extends PurserError {
	readonly twins: readonly Twins[];

	/** @param found at least one */
	constructor(found: readonly Found[]) {
		super("unknown", {
			code: "CREATED_TWICE",
			message: found.map(twinsText).join("; "),
			why: "Another run created the same, perhaps on another machine",
			fix: advice`${found.flatMap(([{ externalId }, twins]): Advice[] => [twinsFix(twins, externalId), " "])}Then run this again: it goes on with what is left.`,
		});
		this.twins = found.map(([, twins]) => twins);
	}
}

/** The error for records with one externalId that were there before this run. */
export function severalFound(what: What, externalId: string, records: readonly Received[]): PurserError {
	const twins = twinsOf({ what, name: externalId }, records);
	return new PurserError("guard", {
		code: "SEVERAL_FOUND",
		message: `${records.length} records have the externalId ${externalId}: ${twins.ids.join(" and ")}. Nothing was sent`,
		why: "Two runs may have created it at the same time, perhaps on two machines",
		fix: advice`${twinsFix(twins, externalId)} Then run this again: it goes on with the one that is left.`,
	});
}
