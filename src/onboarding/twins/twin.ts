/**
 * A company or person that the service has twice, because two runs created it and neither could see the other. Pure.
 */
import { advice, purser } from "../../api/advice.js";
import { type Received, sameId, textAt } from "../../api/answer.js";
import { sameCode, sameName } from "../../api/names.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { differingPoints, sameText } from "../../api/text/lookalike.js";
import { type Advice, type Failure, PurserError } from "../../errors.js";

/** A record that this run created, and how another of the same company or person is known. */
export interface Sought {
	what: "company" | "related entity";
	id: string;
	name: string;
	externalId?: string;
	isTwin(record: Received): boolean;
}

/** Records of one company or person, the one to keep first. */
export interface Twins {
	what: Sought["what"];
	name: string;
	/** The oldest first where the service says when each was created, else in the order of the ids, so that every run names the same one. */
	ids: string[];
	/** The oldest, where the service says when each was created. */
	oldest?: string;
	/** When each was created, in the order of the ids. */
	created: (string | undefined)[];
}

/** A record that was created, and what exists of the same. */
export type Found = readonly [Sought, Twins];

/**
 * A company that was created. One without an externalId in the answer is told by its name, country and code.
 * @param known ids of the companies that were there before: one that only looks the same is no twin then
 */
export function soughtCorporate(
	id: string,
	of: { externalId?: string; corporateName: string; incorporationCountry?: string; incorporationCode?: string },
	known: ReadonlySet<string>,
): Sought {
	const alike = (record: Received): boolean =>
		sameName(viewCorporate(record).name, of.corporateName) &&
		viewCorporate(record).country === of.incorporationCountry &&
		sameCode(textAt(record, "incorporationCode"), of.incorporationCode);
	return {
		what: "company",
		id,
		name: of.corporateName,
		externalId: of.externalId,
		isTwin: (record) => isAnother(viewCorporate(record), id, of.externalId, () => alike(record), known),
	};
}

/**
 * A related entity that was created. One without an externalId in the answer is told by its name and email.
 * @param known ids of those who were there before, and of the others of the same case or file
 */
export function soughtRelated(
	id: string,
	of: { externalId?: string; name: string; email?: string },
	known: Pick<ReadonlySet<string>, "has">,
): Sought {
	return {
		what: "related entity",
		id,
		name: of.name,
		externalId: of.externalId,
		isTwin: (record) => {
			const view = viewRelated(record);
			const alike = () => view.isAccountOwner !== true && sameName(view.name, of.name) && sameName(view.email, of.email);
			return isAnother(view, id, of.externalId, alike, known);
		},
	};
}

/** Whether a record is another one of the same: where both have an externalId, it alone decides. */
function isAnother(
	shown: { id?: string; externalId?: string },
	own: string,
	externalId: string | undefined,
	alike: () => boolean,
	known: Pick<ReadonlySet<string>, "has">,
): boolean {
	if (shown.id === undefined || sameId(shown.id, own)) return false;
	if (shown.externalId !== undefined && externalId !== undefined) return sameText(shown.externalId, externalId) && !known.has(shown.id);
	return alike() && !known.has(shown.id);
}

/** What a list does not show yet was created after what it shows: only its id is known. */
const isUnlisted = (record: Received): boolean => Object.keys(record).join() === "id";

/** Records of the same company or person, in the order in which they are told. */
export function twinsOf({ what, name }: Pick<Sought, "what" | "name">, records: readonly Received[]): Twins {
	const views = records.map((record) => {
		const id = what === "company" ? viewCorporate(record).id : viewRelated(record).id;
		const createdAt = textAt(record, "creationDate");
		return { id: id ?? "", createdAt, at: isUnlisted(record) ? Number.POSITIVE_INFINITY : Date.parse(createdAt ?? "") };
	});
	const dated = views.every(({ at }) => !Number.isNaN(at)) && views.some(({ createdAt }) => createdAt !== undefined);
	const sorted = views.sort((one, other) => (dated ? one.at - other.at : 0) || (one.id < other.id ? -1 : 1));
	const [first, second] = sorted;
	return {
		what,
		name,
		ids: sorted.map(({ id }) => id),
		oldest: dated && first?.at !== second?.at ? first?.id : undefined,
		created: sorted.map(({ createdAt }) => createdAt),
	};
}

/** `1111 (the older, created on …) and 2222 (created on …)`. */
export function namedTwins({ ids, oldest, created }: Twins, own?: string): string {
	const told = ids.map((id, place) => {
		const facts = [
			id === oldest ? (ids.length === 2 ? "the older" : "the oldest") : undefined,
			created[place] === undefined ? undefined : `created on ${created[place]}`,
			own !== undefined && sameId(id, own) ? "by this run" : undefined,
		].filter(Boolean);
		return facts.length === 0 ? id : `${id} (${facts.join(", ").replace(/, by this run$/, " by this run")})`;
	});
	return `${told.slice(0, -1).join(", ")} and ${told.at(-1)}`;
}

/** How one of them is left. Nothing removes a company, so the others get another externalId, by which no run finds them. */
export function twinsFix({ what, ids, oldest }: Twins, externalId: string | undefined): Advice {
	const [keep = "", ...others] = ids;
	const which = oldest === undefined ? "the service does not say which is older, and every run names this one" : "the older one";
	const commands = others.flatMap((id, place): Advice[] => {
		const spare = externalId === undefined ? id : `${externalId}-twin${place > 0 ? place + 1 : ""}`;
		const command = what === "company" ? purser`corporate update ${id} --external-id ${spare}` : purser`related remove ${id}`;
		return place === 0 ? [command] : [", ", command];
	});
	const end =
		what === "company"
			? advice`Give the other another externalId: ${commands}; and have the service's customer care close it`
			: advice`Remove the other: ${commands}`;
	return advice`Keep ${keep} (${which}), unless more was done on another one. ${end}.`;
}

/** What exists more than once, because this run and another one created it. */
export class CreatedTwice extends PurserError {
	constructor(
		failure: Failure,
		readonly twins: readonly Twins[],
	) {
		super("unknown", failure);
	}
}

/**
 * The error for records that this run and another one created.
 * @param found at least one
 */
export function twinError(found: readonly Found[]): CreatedTwice {
	const [first] = found as [Found];
	const fixes = found.flatMap(([sought, twins]): Advice[] => [twinsFix(twins, sought.externalId), " "]);
	const failure = {
		code: "CREATED_TWICE",
		message: found.length === 1 ? twinsTold(...first) : `${found.length} companies or persons exist more than once`,
		why: "Another run created the same, perhaps on another machine",
		fix: advice`${fixes}Then run this again: it goes on with what is left.`,
		...(found.length === 1
			? {}
			: { details: found.map(([sought, twins]) => ({ field: sought.name, message: namedTwins(twins, sought.id) })) }),
	};
	return new CreatedTwice(
		failure,
		found.map(([, twins]) => twins),
	);
}

/** `Example SAS exists twice: 1111 (the older, …) and 2222 (created on … by this run)`. */
export function twinsTold({ name, id }: Pick<Sought, "name" | "id">, twins: Twins): string {
	return `${name} exists ${twins.ids.length === 2 ? "twice" : `${twins.ids.length} times`}: ${namedTwins(twins, id)}`;
}

/** The error for records with one externalId that were there before this run. */
export function severalFound(what: Sought["what"], externalId: string, records: readonly Received[]): PurserError {
	const twins = twinsOf({ what, name: externalId }, records);
	const [one = "", other] = [...new Set(records.flatMap((record) => textAt(record, "externalId") ?? []))];
	const [left, right] = differingPoints(one, other ?? "");
	return new PurserError("guard", {
		code: "SEVERAL_FOUND",
		message: `${records.length} records have the externalId ${externalId}: ${namedTwins(twins)}. Nothing was sent`,
		why:
			other === undefined
				? "Two runs may have created it at the same time, perhaps on two machines"
				: `They differ only in how they are written: one has ${left} where another has ${right}`,
		fix: advice`${twinsFix(twins, externalId)} Then run this again: it goes on with the one that is left.`,
	});
}
