/**
 * Reads records of the service; goes on without what a deployment does not offer.
 */

import { advice, purser } from "../../api/advice.js";
import { at, otherRecord, type Received } from "../../api/answer.js";
import { nameKey } from "../../api/names.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { getRelated, listRelated, viewRelated } from "../../api/operations/related.js";
import { plainId } from "../../api/text/ids.js";
import { sanitizeLine } from "../../api/text/sanitize.js";
import type { Context } from "../../context.js";
import { isNotOffered, notOfferedBy, PurserError } from "../../errors.js";
import type { KnownRecord } from "../../ports/resolver.js";
import type { Listed, Service } from "../../ports/service.js";

/** The same context without its warnings: what is read for a question is read again afterwards, and warns then. */
export const quietly = (context: Context): Context => ({ ...context, report: { ...context.report, warn: () => {} } });

/** Maximum number of related entities of one company that are read. */
const maxRelated = 1000;

/** @throws PurserError as the service does; bug, where the service answers with another corporate */
export async function readCorporate({ call }: Pick<Service, "call">, corporateId: string): Promise<Received> {
	const { data } = await call(getCorporate, { params: { corporateId } });
	return askedRecord("corporate", corporateId, data as Received);
}

/** @throws PurserError as the service does; bug, where the service answers with another related entity */
export async function readRelated({ call }: Pick<Service, "call">, corporateRelatedId: string): Promise<Received> {
	const { data } = await call(getRelated, { params: { corporateRelatedId } });
	return askedRecord("related entity", corporateRelatedId, data as Received);
}

/** @throws PurserError as the service does */
export function listRelatedOf({ list }: Pick<Service, "list">, corporateId: string, limit = maxRelated): Promise<Listed> {
	return list(listRelated, { params: { corporateId } }, limit);
}

/** Names a record in the commands that are suggested, unless a command could not hold the name as it stands. */
function nameRecord({ names }: Pick<Context, "names">, id: string, name: string, more: KnownRecord = {}): void {
	const known = names.known.get(plainId(id));
	const isPlain = !name.startsWith("-") && name === sanitizeLine(name).trim();
	names.known.set(plainId(id), { ...more, ...known, typed: known?.typed ?? (isPlain ? name : undefined) });
}

/** Those whose names nobody else among them has, as suggested commands name them. */
const alone = <T extends { id?: string; name?: string }>(views: readonly T[]) => {
	const counts = new Map<string, number>();
	for (const { name = "" } of views) counts.set(nameKey(name), (counts.get(nameKey(name)) ?? 0) + 1);
	return views.flatMap(({ id, name }) => (id === undefined || name === undefined || counts.get(nameKey(name)) !== 1 ? [] : [{ id, name }]));
};

/** From here on suggested commands name these records, all of their kind, by their names, where only one has it. */
export function nameRecords(context: Pick<Context, "names">, views: readonly { id?: string; name?: string }[]): void {
	for (const { id, name } of alone(views)) nameRecord(context, id, name);
}

/** From here on suggested commands name these persons as `Example Florist/Ada Example`, where the company is named so. */
export function namePersons(context: Pick<Context, "names">, corporateId: string, records: readonly Received[]): void {
	const { typed, name: company = typed } = context.names.known.get(plainId(corporateId)) ?? {};
	if (typed === undefined) return;
	for (const { id, name } of alone(records.map(viewRelated))) nameRecord(context, id, `${typed}/${name}`, { name, company });
}

/**
 * Warns where the service did not list all related entities.
 * @param listed undefined where it lists none
 * @param may what may be wrong then, as the end of a sentence
 */
export function warnIfPartial(context: Context, listed: Listed | undefined, may = "what is shown may miss some"): void {
	if (listed?.complete === false) context.report.warn(`The service did not list all related entities; ${may}`);
}

/**
 * The result of `read`, or undefined with a warning where the deployment does not offer it.
 * @param without what is now not done, as the end of a sentence: "duplicates were not looked for"
 * @throws PurserError of any other failure
 */
export async function ifOffered<T>(context: Context, without: string, read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (!isNotOffered(error)) throw error;
		context.report.warn(`The service did not answer a lookup (${notOfferedBy(error)}); ${without}`);
		return undefined;
	}
}

/**
 * A list that is looked at before a creation, or undefined with a warning where it cannot be read: a deployment may not have it, or describe
 * it in a way that nobody has told purser yet. The creation goes on as where there is none.
 * @param without what is now not done, as the end of a sentence
 * @throws PurserError where it may be read by another try: without an answer, with a credential that was refused, or interrupted
 */
export async function ifReadable<T>(context: Context, without: string, read: () => Promise<T>): Promise<T | undefined> {
	return ifOffered(context, without, async () => {
		try {
			return await read();
		} catch (error) {
			if (isNotOffered(error) || !isUnreadable(error)) throw error;
			context.report.warn(`A list could not be read (${error.message}); ${without}`);
			return undefined;
		}
	});
}

/** Whether trying again is of no use: the answer makes no sense, the service refuses the request, or nobody confirmed how it is sent. */
function isUnreadable(error: unknown): error is PurserError {
	if (!(error instanceof PurserError)) return false;
	return error.kind === "bug" || error.kind === "rejected" || (error.kind === "guard" && /^MAPPING_/.test(error.failure.code));
}

/**
 * Reads back what a change did. The change has been made by then: neither a failed read nor Ctrl-C may look like a failed change.
 * @returns undefined, with a warning, where it cannot be read
 */
export async function readBack<T>(context: Context, read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		context.report.warn(`The change was made, but it could not be read back: ${error.message}`);
		return undefined;
	}
}

/**
 * Returns the record unless it is another one.
 * @throws PurserError bug, where every id in it is another record's
 */
export function askedRecord(kind: "corporate" | "ledger" | "beneficiary" | "related entity", id: string, record: Received): Received {
	const other = otherRecord(
		id,
		...["id", "corporateId", "ledgerId", "beneficiaryId", "corporateRelatedId"].map((name) => at(record, name)),
	);
	if (other === undefined) return record;
	throw new PurserError("bug", {
		code: "ANSWER_UNREADABLE",
		message: `The service was asked for the ${kind} ${id} and answered with another one, ${other}`,
		why: "The answer says nothing about the requested record",
		fix: advice`Try again; if it happens again, check the path of ${`${kind.split(" ")[0]}.get`}: ${purser`api list`}`,
		answer: record,
	});
}
