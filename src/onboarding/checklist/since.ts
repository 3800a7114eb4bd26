/**
 * Since when an open step waits: by the dates that the service tells, and by the journal, which knows what was done from here. What neither
 * tells stays unknown. Pure but for the journal.
 */
import { at, sameId, textAt } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import type { Style } from "../../ports/style.js";
import type { CaseFacts, Item } from "./checklist.js";

/** What the journal is asked for; `declared`: the creation of a related entity, `declaration`: the newest one in a company. */
export type SinceStep = "email" | "kyc" | "kyb" | "related" | "declared" | "declaration";

/** The item with since when it waits, where that is known and it is not said already. */
export function withSince(item: Item, facts: CaseFacts): Item {
	if (item.since !== undefined || !["to do", "declined", "blocked"].includes(item.state)) return item;
	const since = waitingSince(item, facts);
	return since === undefined ? item : { ...item, since };
}

function waitingSince({ step, state, relatedId }: Item, facts: CaseFacts): string | undefined {
	const { corporate, corporateId, since } = facts;
	const { createdAt, updatedAt, kybStatus } = viewCorporate(corporate);
	switch (step) {
		case "terms":
			// Terms that were accepted before wait since others were published, and nobody tells when that was.
			return kybStatus === "VALIDATED" || (at(corporate, "lastTermsAccepted") ?? null) !== null ? undefined : createdAt;
		case "email":
			return (relatedId === undefined ? undefined : since("related", relatedId)) ?? createdAt;
		case "related":
			return since("declaration", corporateId) ?? (facts.related?.length === 1 && !facts.partial ? createdAt : undefined);
		case "kyc":
			return state === "to do" && relatedId !== undefined ? declaredAt(relatedId, facts, createdAt) : undefined;
		case "kyb":
			return state === "to do" ? createdAt : updatedAt;
		case "phone":
			return undefined;
	}
}

/** The account owner is created with the company (specification 2.4). */
function declaredAt(relatedId: string, { related = [], since }: CaseFacts, createdAt: string | undefined): string | undefined {
	const record = related.find((one) => sameId(viewRelated(one).id, relatedId));
	if (record === undefined) return undefined;
	return (
		textAt(record, "creationDate") ?? since("declared", relatedId) ?? (viewRelated(record).isAccountOwner === true ? createdAt : undefined)
	);
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/**
 * The day of a moment with how long ago it was: `3 Nov, 19 days`, `3 Nov 2025, 384 days`, `22 Nov, 3 hours`. Text that is no moment comes back
 * as it is.
 */
export function sinceWords(since: string | undefined, style: Pick<Style, "moment" | "now">): string | undefined {
	const moment = style.moment(since);
	const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2}) /.exec(moment ?? "") ?? [];
	if (since === undefined || year === undefined) return moment;
	const date = `${Number(day)} ${months[Number(month) - 1]}${style.moment(style.now.toISOString())?.startsWith(year) ? "" : ` ${year}`}`;
	const minutes = Math.floor((style.now.getTime() - Date.parse(since)) / 60_000);
	if (minutes < 0) return date;
	return `${date}, ${minutes === 0 ? "just now" : spanOf(minutes)}`;
}

function spanOf(minutes: number): string {
	if (minutes >= 1440) return count(Math.floor(minutes / 1440), "day");
	return minutes >= 60 ? count(Math.floor(minutes / 60), "hour") : count(minutes, "minute");
}

const count = (many: number, unit: string): string => `${many} ${unit}${many === 1 ? "" : "s"}`;
