/**
 * The open companies that wait for the operator, in few requests and little time: a person looks at this first, before any other command.
 */
import type { Received } from "../../api/answer.js";
import { listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import { decidedKybStatuses } from "../../api/values.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { uboThreshold } from "../records/read-ownership.js";
import { listRelatedOf } from "../records/reading.js";
import { readSince } from "./journal.js";
import { mapConcurrently, type OverviewFacts, type OverviewRow, openStatuses, overviewOf, overviewRow } from "./overview.js";

/** Companies listed: one page. */
const maxListed = 100;
/** Companies of which the persons are read, one request each: those in which nothing happened for longest. */
const maxRead = 12;
/** Related entities read of one company: one page. */
const maxRelated = 100;
const concurrency = 6;

export interface WaitingCases {
	/** Companies with something for the operator to do, the oldest first. */
	yours: OverviewRow[];
	/** Number of companies that wait for somebody else. */
	others: number;
	/** Companies that were looked at, and those listed. */
	looked: number;
	open: number;
	/** There are more open companies than were listed. */
	more: boolean;
	/** Companies of which less than usual is known, because their persons could not be read. */
	incomplete: number;
}

/**
 * Reads the cases.
 * @throws PurserError of the list; a failure with one company is counted in `incomplete`
 */
export async function readWaitingCases(context: Context, service: Service): Promise<WaitingCases> {
	const { profile } = await context.settings();
	const listed = await service.list(listCorporates, { query: { kybStatus: [...openStatuses] } }, maxListed);
	const open = listed.records.filter(
		(record) => !(decidedKybStatuses as readonly string[]).includes(viewCorporate(record).kybStatus ?? ""),
	);
	const oldest = [...open].sort((one, other) => changed(one).localeCompare(changed(other))).slice(0, maxRead);
	const facts = await mapConcurrently(
		oldest,
		concurrency,
		(corporate) => factsOf(service, corporate),
		() => {},
	);
	const recorded = await readSince(context, service);
	const now = context.clock.now();
	const threshold = uboThreshold(profile);
	const { rows } = overviewOf(
		facts.map((one) => overviewRow(one, { threshold, ...recorded, now })),
		now,
	);
	const yours = rows.filter(({ blocker }) => blocker?.state === "to do" || blocker?.state === "declined");
	return {
		yours,
		others: rows.length - yours.length,
		looked: rows.length,
		open: open.length,
		more: !listed.complete,
		incomplete: facts.filter(({ trouble }) => trouble !== undefined).length,
	};
}

/** When a company last changed; a company without that comes first. */
function changed(corporate: Received): string {
	const { updatedAt, createdAt } = viewCorporate(corporate);
	return updatedAt ?? createdAt ?? "";
}

async function factsOf(service: Service, corporate: Received): Promise<OverviewFacts> {
	const { id } = viewCorporate(corporate);
	if (id === undefined) return { corporate, related: undefined, trouble: "the service gave no id" };
	try {
		const { records, complete } = await listRelatedOf(service, id, maxRelated);
		return { corporate, related: records, partial: !complete };
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		return { corporate, related: undefined, trouble: error.message };
	}
}
