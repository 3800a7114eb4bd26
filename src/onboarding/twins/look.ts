/**
 * The look at the service's lists after a creation, for a record that another run created at the same time. Both runs look before they create and
 * once afterwards: a list that shows a record shows those created before it, so whoever created later sees the other's. What the list does not show
 * yet is said, and the next run tells of two.
 */
import { advice, purser } from "../../api/advice.js";
import { type Received, sameId, typed } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import type { Context } from "../../context.js";
import { type Kind, PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { ifReadable, listRelatedOf } from "../records/reading.js";
import { listNamed, listNewest } from "./companies.js";
import { type Found, type Sought, type Twins, twinsFix, twinsOf, twinsTold } from "./twin.js";

/** Maximum number of related entities that are compared. */
const maxRelated = 5_000;

/**
 * Looks once for others of what was created: of one company, or of related entities of one company. Warns of what the list does not show yet, and
 * where there is no list.
 * @throws PurserError as the service does
 */
export async function findTwins(
	context: Context,
	service: Pick<Service, "list">,
	sought: readonly Sought[],
	corporateId: string,
): Promise<Found[]> {
	const [first] = sought;
	if (first === undefined) return [];
	const noun = first.what === "company" ? "company" : "persons and companies";
	const records = await ifReadable(context, `whether another run created the same ${noun} too cannot be seen`, async () =>
		first.what === "company" ? listedCompanies(service, first) : (await listRelatedOf(service, corporateId, maxRelated)).records,
	);
	if (records === undefined) return [];
	const hidden = sought.filter(({ id }) => !records.some((record) => sameId(idOf(first.what, record), id)));
	if (hidden.length > 0) context.report.warn(notListed(hidden, first, corporateId));
	return twinsAmong(sought, records);
}

/** The companies of that name; where they do not show it, the service may compare names otherwise, or keep another form: then the newest do. */
async function listedCompanies(service: Pick<Service, "list">, { name, id }: Sought): Promise<readonly Received[]> {
	const named = await listNamed(service, name);
	if (named.complete && named.records.some((record) => sameId(viewCorporate(record).id, id))) return named.records;
	return [...named.records, ...(await listNewest(service)).records];
}

/** Others of those sought among the records of a list. Pure. */
export function twinsAmong(sought: readonly Sought[], records: readonly Received[]): Found[] {
	return sought.flatMap((one): Found[] => {
		const own = records.find((record) => sameId(idOf(one.what, record), one.id));
		const others = new Map(records.filter(one.isTwin).map((record) => [idOf(one.what, record), record]));
		return others.size === 0 ? [] : [[one, twinsOf(one, [own ?? { id: one.id }, ...others.values()])]];
	});
}

const idOf = (what: Sought["what"], record: Received): string | undefined =>
	what === "company" ? viewCorporate(record).id : viewRelated(record).id;

function notListed(hidden: readonly Sought[], { what, name }: Sought, corporateId: string) {
	const list =
		what === "company" ? purser`corporate list --registered-name ${name}` : purser`related list ${typed(corporateId, "CORPORATE")}`;
	const names = hidden.map((one) => one.name).join(", ");
	return advice`The service does not list ${names} yet, so whether another run created the same is not known. Check later: ${list}`;
}

/** What is added to the answer of a command that creates. */
export interface Told {
	/** What exists more than once, because another run created it too. */
	twins?: readonly Twins[];
}

/** The look after what a person created by a command. It is created by then, so a look that fails is no failure of the command. */
export async function lookAfter(
	context: Context,
	service: Pick<Service, "list">,
	sought: readonly Sought[],
	corporateId: string,
): Promise<Told> {
	try {
		const found = await findTwins(context, service, sought, corporateId);
		for (const [one, twins] of found) context.report.warn(advice`${twinsTold(one, twins)}. ${twinsFix(twins, one.externalId)}`);
		return found.length === 0 ? {} : { twins: found.map(([, twins]) => twins) };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		const names = sought.map(({ name }) => name).join(", ");
		context.report.warn(`${names}: created; whether another run created the same too could not be checked: ${error.message}`);
		return {};
	}
}

/** The kind of an answer that tells of a twin: a change was made twice, and a person has to settle it. */
export function toldOutcome(answer: unknown): Kind | undefined {
	return (answer as Told | undefined)?.twins === undefined ? undefined : "unknown";
}
