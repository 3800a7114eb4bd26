/**
 * Stores a notice of an event, unless it came before. The page of `events/` says why.
 */
import { sha256, sha256OfParts } from "../api/digest.js";
import type { EventSubject, Notice } from "../ports/events.js";
import { statement } from "../sqlite/statement.js";
import type { Storage } from "../sqlite/storage.js";

/** UUIDs are the same in capitals and small letters; other ids are as they are given. */
const sameId = ({ id }: Pick<EventSubject, "id">): string =>
	/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id.toLowerCase() : id;

/**
 * To be called in a transaction.
 * @param now RFC 3339 UTC
 * @param options `hooks`: what a new event is due for; `unique`: makes a text that never comes again
 * @returns `sequence`: the number of the event
 */
export function receive(
	storage: Storage,
	notice: Notice,
	now: string,
	{ hooks, unique }: { hooks: readonly string[]; unique(): string },
): { sequence: number; isNew: boolean } {
	const known = earlierOf(storage, notice);
	if (known !== undefined) return { sequence: known, isNew: false };
	const sequence = add(storage, notice, now, unique);
	for (const hook of hooks)
		statement(storage, "INSERT INTO hook (event, hook, state, tries, due_at) VALUES (?, ?, 'due', 0, ?)").run(sequence, hook, now);
	return { sequence, isNew: true };
}

/** The event of a delivery that came before, and of a poll that finds what the last one found. */
function earlierOf(storage: Storage, { delivery, change: { subject, to } }: Notice): number | undefined {
	if (delivery !== undefined)
		return statement(storage, "SELECT seq FROM event WHERE sender_id = ?").get(delivery.id)?.seq as number | undefined;
	if (subject === null) return undefined;
	// A company has two states, its KYB and its terms, and each is compared with what was found of it alone.
	const last = statement(
		storage,
		`SELECT seq, state_to FROM event WHERE same_subject = ? AND subject_kind = ? AND source = 'poll'
		AND (state_to LIKE 'termsAccepted:%') = ? ORDER BY seq DESC LIMIT 1`,
	).get(sameId(subject), subject.kind, to?.startsWith("termsAccepted:") ? 1 : 0);
	return last?.state_to === to ? (last?.seq as number) : undefined;
}

function add(
	storage: Storage,
	{ source, change: { type, at, subject, from, to }, delivery }: Notice,
	now: string,
	unique: () => string,
): number {
	const id = `evt_${sha256OfParts([source, delivery?.id ?? unique()]).slice(0, 32)}`;
	const row = statement(
		storage,
		`INSERT INTO event (id, type, at, received_at, subject_kind, subject, same_subject, state_from, state_to, source, sender_id, digest,
		headers, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
	).get(
		...[id, type, at ?? now, now, subject?.kind ?? null, subject?.id ?? null, subject === null ? null : sameId(subject)],
		...[from, to, source, delivery?.id ?? null, delivery === undefined ? null : sha256(delivery.body)],
		delivery === undefined ? null : JSON.stringify(delivery.headers),
		delivery === undefined ? null : Buffer.from(delivery.body).toString("base64"),
	);
	return Number(row?.seq);
}
