/**
 * Reads the transactions that events named, as a source for settling. An event is a hint: only what the service answers counts, and that
 * none named a transaction proves nothing.
 */
import { otherRecord, type Received } from "../../api/answer.js";
import { getTransaction, type TransactionView, viewTransaction } from "../../api/operations/transaction.js";
import { type IdForms, isIdOf } from "../../api/text/ids.js";
import type { Inbox } from "../../ports/events.js";
import type { Reading } from "../../ports/service.js";
import { unlessUnreadable } from "../rules/failed-look.js";

const mostRead = 20_000;
/** Milliseconds before a payment began from which events are looked for: this machine's clock may have been set in between. */
const before = 3_600_000;
const atOnce = 8;

/** The ids of transactions that events named since the oldest of these payments began, the newest first. */
export async function idsNamed(inbox: Pick<Inbox, "list">, open: readonly { begun: string }[], forms: IdForms): Promise<string[]> {
	const [oldest] = open.map(({ begun }) => begun).sort();
	if (oldest === undefined) return [];
	const events = await inbox.list({ since: new Date(Date.parse(oldest) - before).toISOString() });
	// An event that says nothing of its kind may be of a transaction too.
	const named = events.flatMap(({ subject, verified }) =>
		verified && (subject?.kind === "transaction" || subject?.kind === "unknown") ? [subject.id] : [],
	);
	return [...new Set(named)].filter((id) => isIdOf("transaction", id, forms)).slice(0, mostRead);
}

/** @returns the transactions that the service shows, and why they may not be all */
export async function readNamed(service: Reading, ids: readonly string[], progress?: (label: string) => void) {
	const lines: TransactionView[] = [];
	for (let first = 0; first < ids.length; first += atOnce) {
		const read = ids.slice(first, first + atOnce).map(async (transactionId) => {
			const record = await unlessUnreadable(() => service.get(getTransaction, { params: { transactionId } }));
			const listed = viewTransaction((record ?? {}) as Received);
			// What answers with another transaction shows nothing of this one.
			const isIt = record !== undefined && otherRecord(transactionId, listed.id) === undefined;
			return isIt ? [{ ...listed, id: transactionId }] : [];
		});
		for (const one of (await Promise.all(read)).flat()) lines.push(one);
		progress?.(`Reading what events named: ${Math.min(first + atOnce, ids.length)} of ${ids.length}`);
	}
	const unread = ids.length - lines.length;
	const rest = "only transactions that events named were read, which proves nothing of the others";
	return { lines, lacks: unread === 0 ? rest : `${unread} of the transactions that events named could not be read, and ${rest}` };
}
