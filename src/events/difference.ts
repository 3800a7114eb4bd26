/**
 * The difference of two polls: what was known of each record, and what a poll sees of it now. Pure.
 */
import { spanOf } from "../api/text/time-span.js";
import { decidedKybStatuses, finalTransactionStatuses } from "../api/values.js";
import type { Said } from "../ports/events.js";

/** The records that are polled. */
export type PolledKind = "transaction" | "corporate" | "related";

/** What was seen last of a record. */
export interface Known {
	/** Absent where the service never told one. */
	status?: string;
	/** Of a company: whether it has accepted the latest terms. */
	terms?: boolean;
	/** Of a transaction: when it was made, RFC 3339. */
	created?: string;
	/** Of a company: its related entities were all seen. */
	people?: true;
}

/** One record as a poll sees it. */
export interface Seen extends Known {
	kind: PolledKind;
	id: string;
	/** It was made since the poll before: it is told of when it is seen for the first time. Every other record is only noted then. */
	isNew?: boolean;
}

/** What was seen last, by kind and id. */
export type Records = Readonly<Record<PolledKind, ReadonlyMap<string, Known>>>;

export const nothingSeen: Records = { transaction: new Map(), corporate: new Map(), related: new Map() };

/** The final statuses: a record that has one is not asked for by itself any more. */
const finals: Readonly<Record<PolledKind, readonly string[]>> = {
	transaction: finalTransactionStatuses,
	corporate: decidedKybStatuses,
	related: ["VALIDATED", "DECLINED"],
};

/** The names of events begin as those of the service do (operations, section 7). */
const typeOf: Readonly<Record<PolledKind, string>> = {
	transaction: "transaction",
	corporate: "corporate.kyb",
	related: "corporate.related.kyc",
};

/** What a record is in before anything happened to it: that it is there is no change of its state. */
const untouched: readonly string[] = ["NOT_STARTED"];

/** Whether a record can still change by itself; one whose status nobody told, or nobody knows, can. */
export const isMoving = (kind: PolledKind, { status }: Known): boolean => status === undefined || !finals[kind].includes(status);

/** What happened since the poll before, in the order in which the records were seen. */
export function differenceOf(before: Records, seen: readonly Seen[]): { said: Said[]; after: Records } {
	const after = { transaction: new Map(before.transaction), corporate: new Map(before.corporate), related: new Map(before.related) };
	const said: Said[] = [];
	for (const { kind, id, isNew = false, ...now } of seen) {
		const known = after[kind].get(id);
		if (known !== undefined || isNew) for (const one of changes(kind, id, known ?? {}, now)) said.push(one);
		after[kind].set(id, { ...known, ...told(now) });
	}
	return { said, after };
}

/** What the service did not tell this time is not forgotten. */
const told = (now: Known): Known => Object.fromEntries(Object.entries(now).filter(([, value]) => value !== undefined));

function changes(kind: PolledKind, id: string, known: Known, { status, terms, created }: Known): Said[] {
	const subject = { kind, id };
	const made = spanOf(created);
	const madeAt = made?.from === made?.to ? made?.from : undefined;
	const found: Said[] = [];
	const from = known.status ?? null;
	if (status !== undefined && status !== from && !(from === null && untouched.includes(status)))
		found.push({
			type: `${typeOf[kind]}.${status.toLowerCase().replaceAll("_", ".")}`,
			// When it was made is known, where the time has a zone; when it changed is not.
			...(from === null && status === "PENDING" && madeAt !== undefined ? { at: new Date(madeAt).toISOString() } : {}),
			subject,
			from,
			to: status,
		});
	if (known.terms !== undefined && terms !== undefined && terms !== known.terms) found.push(termsChange(subject, terms));
	return found;
}

/** The specification states no webhook for it (section 6): only a poll sees it. */
function termsChange(subject: NonNullable<Said["subject"]>, terms: boolean): Said {
	const state = (accepted: boolean): string => `termsAccepted: ${accepted}`;
	return { type: `corporate.terms.${terms ? "accepted" : "outdated"}`, subject, from: state(!terms), to: state(terms) };
}

/**
 * Without what needs no look any more: transactions that are final and too old to be listed again.
 * @param oldest RFC 3339: the lists go back to here
 */
export function withoutOld(records: Records, oldest: string): Records {
	const end = Date.parse(oldest);
	const isOld = (known: Known): boolean => !isMoving("transaction", known) && (spanOf(known.created)?.to ?? Number.NEGATIVE_INFINITY) < end;
	return { ...records, transaction: new Map([...records.transaction].filter(([, known]) => !isOld(known))) };
}
