/**
 * Looks at the service's lists after a creation, for a record that another run created at the same time.
 *
 * Two runs that create the same both look before and both look afterwards. A list that shows a record shows those created before it, also
 * where it lags. So whoever created later sees the other's record as soon as the list shows its own: one of two runs always tells.
 */
import type { Received } from "../../api/answer.js";
import { sameId } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { serviceAddress } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import type { Listed, Service } from "../../ports/service.js";
import { listRelatedOf } from "../records/reading.js";
import { listNamed, listNewest } from "./companies.js";
import type { Sought } from "./twin.js";

/** Maximum number of related entities that are compared. */
const maxRelated = 5_000;
/** Milliseconds by which the start of a run may be misjudged. */
const allowance = 60_000;

/** What a list shows of records that were created. */
export interface Look {
	/** Ids of the sought records that are listed. */
	shown: Set<string>;
	/** Another record of the same, by the id of the sought one. */
	twins: Map<string, Received[]>;
}

/** The lists in which created records are looked for. */
export interface Lists {
	/** @param began monotonic milliseconds at which the run looked for the company before it created it */
	corporates(sought: Sought, began: number): Promise<Look>;
	related(sought: readonly Sought[], corporateId: string): Promise<Look>;
}

/** @throws PurserError as the service does */
export function listsOf(context: Context, service: Pick<Service, "list">): Lists {
	return {
		corporates: async (sought, began) => {
			const named = await listNamed(service, sought.name);
			const look = lookAt([sought], named.records);
			if (named.complete && look.shown.size > 0) return look;
			// The service may compare names otherwise, or keep another form of this one: then the newest companies show it.
			const latest = await listNewest(service);
			const again = lookAt([sought], [...named.records, ...latest.records]);
			if (!(await reachesBack(context, latest, began))) again.shown.clear();
			return again;
		},
		related: async (sought, corporateId) => lookAt(sought, (await listRelatedOf(service, corporateId, maxRelated)).records),
	};
}

/** What records show of those sought. Pure. */
export function lookAt(sought: readonly Sought[], records: readonly Received[]): Look {
	const look: Look = { shown: new Set(), twins: new Map() };
	for (const one of sought) {
		const idOf = (record: Received) => (one.what === "company" ? viewCorporate(record).id : viewRelated(record).id);
		const own = records.find((record) => sameId(idOf(record), one.id));
		if (own !== undefined) look.shown.add(one.id);
		const others = new Map(records.filter(one.isTwin).map((record) => [idOf(record), record]));
		if (others.size > 0) look.twins.set(one.id, [own ?? { id: one.id }, ...others.values()]);
	}
	return look;
}

/** Whether a list, the newest first, goes back to before a moment of this run, by the service's clock. */
async function reachesBack(context: Context, { records, complete }: Listed, began: number): Promise<boolean> {
	if (complete) return true;
	const { profile } = await context.settings();
	const now = context.serviceClock.now(serviceAddress(profile.baseUrl)).getTime();
	const start = now - (context.clock.monotonic() - began) - allowance;
	const times = records.map((record) => Date.parse(viewCorporate(record).createdAt ?? "")).filter((time) => !Number.isNaN(time));
	// Where no times are shown, the order alone must do.
	return times.length === 0 || times.some((time) => time < start);
}
