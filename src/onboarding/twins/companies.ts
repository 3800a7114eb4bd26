/**
 * Lists of companies, the newest first: all of them once a run, those of one name, the newest.
 */
import { listCorporates } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import type { Listed, Service } from "../../ports/service.js";
import { ifReadable } from "../records/reading.js";

/** Maximum number of companies that are searched. */
const maxAll = 50_000;
/** Maximum number of companies of one name that are compared. */
const maxNamed = 500;
/** As many of the newest companies as one request gives. */
const newest = 99;

const order = { sortAttribute: "CREATION_DATE", sortDirection: "DESC" } as const;

/** The companies of one name. @throws PurserError as the service does */
export function listNamed(service: Pick<Service, "list">, registeredName: string): Promise<Listed> {
	return service.list(listCorporates, { query: { registeredName, ...order } }, maxNamed);
}

/** @throws PurserError as the service does */
export function listNewest(service: Pick<Service, "list">): Promise<Listed> {
	return service.list(listCorporates, { query: order }, newest);
}

/**
 * All companies, as the cases of one run share them; `begun`: monotonic milliseconds at which they were asked for. Undefined where the
 * deployment lists none.
 */
export type SharedList = (fresh: boolean) => Promise<(Listed & { begun: number }) | undefined>;

/** @param context warns where the deployment lists none */
export function sharedList(context: Context, service: Pick<Service, "list">): SharedList {
	let begun = 0;
	let listed: Promise<Listed | undefined> | undefined;
	return async (fresh) => {
		if (fresh || listed === undefined) {
			begun = context.clock.monotonic();
			listed = ifReadable(context, "companies were looked for in the journal only", () =>
				service.list(listCorporates, { query: order }, maxAll),
			);
		}
		const pending = listed;
		try {
			const found = await pending;
			return found && { ...found, begun };
		} catch (error) {
			// A list that could not be read for one case is read again for the next.
			if (listed === pending) listed = undefined;
			throw error;
		}
	};
}
