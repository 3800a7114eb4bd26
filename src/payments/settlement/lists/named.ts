/**
 * Reads the transactions that events named, one by one, as a source for settling. An event is a hint: only what the service answers counts,
 * and that no event named a transaction proves nothing.
 */
import { otherRecord } from "../../../api/answer.js";
import { getTransaction, type TransactionView, viewTransaction } from "../../../api/operations/transaction.js";
import { type IdForms, isIdOf } from "../../../api/text/ids.js";
import type { Inbox } from "../../../ports/events.js";
import type { Reading } from "../../../ports/service.js";
import { canProceed } from "../../rules/failed-look.js";
import { Listing } from "./listing.js";

/** Most transactions that one run reads, the newest first. */
const mostRead = 20_000;
/** Events are looked for from this many milliseconds before a payment began: this machine's clock may have been set in between. */
const before = 3_600_000;

/**
 * The ids of transactions that events named since the oldest of these payments began, the newest first. An event that says nothing of its
 * kind may be of one too.
 */
export async function idsHeard(inbox: Pick<Inbox, "list">, open: readonly { begun: string }[], forms: IdForms): Promise<string[]> {
	const [oldest] = open.map(({ begun }) => begun).sort();
	if (oldest === undefined) return [];
	const heard = await inbox.list({ since: new Date(Date.parse(oldest) - before).toISOString() });
	const named = heard.flatMap(({ subject, verified }) =>
		verified && (subject?.kind === "transaction" || subject?.kind === "unknown") ? [subject.id] : [],
	);
	return [...new Set(named)].filter((id) => isIdOf("transaction", id, forms)).slice(0, mostRead);
}

/** How many are read at once. */
const lanes = 8;

/**
 * @param ids that nobody holds
 * @throws PurserError auth (401) or interrupted
 */
export async function listNamed(
	service: Reading,
	ids: readonly string[],
	{ now, progress }: { now(): Date; progress?(label: string): void },
): Promise<Listing> {
	const found: TransactionView[] = [];
	let unread = 0;
	for (let first = 0; first < ids.length; first += lanes) {
		const read = await Promise.all(ids.slice(first, first + lanes).map((id) => readNamed(service, id)));
		for (const one of read) {
			if (one === undefined) unread += 1;
			else found.push(one);
		}
		progress?.(`Reading what events named: ${Math.min(first + lanes, ids.length)} of ${ids.length}`);
	}
	const listing = new Listing("service", now(), false, found);
	listing.lacks = lacksText(unread);
	return listing;
}

function lacksText(unread: number): string {
	const rest = "only transactions that events named were read, which proves nothing of the others";
	return unread === 0 ? rest : `${unread} of the transactions that events named could not be read, and ${rest}`;
}

/** Undefined where the service does not show it, or shows another one. */
async function readNamed(service: Reading, transactionId: string): Promise<TransactionView | undefined> {
	try {
		const listed = viewTransaction((await service.get(getTransaction, { params: { transactionId } })) as Record<string, unknown>);
		return otherRecord(transactionId, listed.id) === undefined ? { ...listed, id: transactionId } : undefined;
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return undefined;
	}
}
