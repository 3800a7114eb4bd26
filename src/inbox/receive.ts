/**
 * Stores a notice of an event: whether it came before, and which event it is. The page of `events/` says why.
 */
import { sha256, sha256OfParts } from "../api/digest.js";
import type { Change, EventSubject, Notice } from "../ports/events.js";
import type { Storage } from "../sqlite/storage.js";
import { statement } from "../sqlite/storage.js";

interface Received {
	/** The number of the event. */
	sequence: number;
	isNew: boolean;
}

/** What is known of a notice before the inbox is asked. */
interface Notified {
	notice: Notice;
	now: string;
	/** SHA-256 of the body; empty on polls. */
	digest: string;
	/** The state that its subject entered, as a key; undefined where the sender does not say both what and which. */
	entry: string | undefined;
}

/** UUIDs are the same in capitals and small letters; other ids are as they are given. */
const sameId = ({ id }: Pick<EventSubject, "id">): string =>
	/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id.toLowerCase() : id;

const entryOf = ({ subject, to }: Change): string | undefined =>
	subject === null || to === null ? undefined : sha256OfParts(["entry", subject.kind, sameId(subject), to]);

const eventId = (parts: readonly string[]): string => `evt_${sha256OfParts(parts).slice(0, 32)}`;

/**
 * To be called in a transaction.
 * @param now RFC 3339 UTC
 * @param options `hooks`: what a new event is due for; `keeps`: whether headers and body are stored; `unique`: makes a text that never comes again
 */
export function receive(
	storage: Storage,
	notice: Notice,
	now: string,
	{ hooks, keeps, unique }: { hooks: readonly string[]; keeps: boolean; unique(): string },
): Received {
	const { delivery, change } = notice;
	const notified: Notified = { notice, now, digest: delivery === undefined ? "" : sha256(delivery.body), entry: entryOf(change) };
	const known = earlierOf(storage, notified);
	if (known !== undefined) {
		if (known.underNewId) addDelivery(storage, known.sequence, notified, { keeps: false, counts: false });
		return { sequence: known.sequence, isNew: false };
	}
	// By its meaning, and which entry into that state it is; else of the delivery alone.
	const id =
		notified.entry === undefined
			? eventId(["delivery", delivery?.id ?? unique()])
			: eventId(["meaning", notified.entry, String(entriesSeen(storage, notified) + 1)]);
	const stored = statement(storage, "SELECT seq FROM event WHERE id = ?").get(id)?.seq;
	const sequence = stored === undefined ? addEvent(storage, id, notified) : Number(stored);
	addDelivery(storage, sequence, notified, { keeps: keeps || hooks.length > 0, counts: true });
	if (stored !== undefined) return { sequence, isNew: false };
	for (const hook of hooks)
		statement(storage, "INSERT INTO hook (event, hook, state, tries, due_at) VALUES (?, ?, 'due', 0, ?)").run(sequence, hook, now);
	return { sequence, isNew: true };
}

/**
 * The event of a notice that repeats another: a delivery that came before; the same bytes with the sender's own time of the event in them,
 * under another id; a poll that finds what the last one found.
 */
function earlierOf(
	storage: Storage,
	{ notice: { source, delivery, change }, digest, entry }: Notified,
): { sequence: number; underNewId: boolean } | undefined {
	if (delivery !== undefined) {
		const same = statement(storage, "SELECT event FROM delivery WHERE sender_id = ?").get(delivery.id);
		if (same !== undefined) return { sequence: Number(same.event), underNewId: false };
		if (entry === undefined || change.at === undefined) return undefined;
		const again = statement(storage, "SELECT event FROM delivery WHERE entry = ? AND source = ? AND stated_at = ? AND digest = ? LIMIT 1");
		const row = again.get(entry, source, change.at, digest);
		return row && { sequence: Number(row.event), underNewId: true };
	}
	if (entry === undefined || change.subject === null) return undefined;
	const last = statement(
		storage,
		`SELECT event, entry FROM delivery WHERE same_subject = ? AND source = 'poll'
		AND (SELECT state_to LIKE 'termsAccepted:%' FROM event WHERE event.seq = delivery.event) = ? ORDER BY seq DESC LIMIT 1`,
	);
	// A company has two states, its KYB and its terms, and each is compared with what was found of it alone.
	const row = last.get(sameId(change.subject), change.to?.startsWith("termsAccepted:") ? 1 : 0);
	return row?.entry === entry ? { sequence: Number(row.event), underNewId: false } : undefined;
}

/** How often this source has seen the subject enter the state. */
function entriesSeen(storage: Storage, { notice: { source }, entry = "" }: Notified): number {
	const seen = statement(storage, "SELECT count(*) AS seen FROM delivery WHERE entry = ? AND source = ? AND counts = 1");
	return Number(seen.get(entry, source)?.seen);
}

function addEvent(storage: Storage, id: string, { notice: { source, change }, now }: Notified): number {
	const { type, at = now, subject, from, to } = change;
	const row = statement(
		storage,
		`INSERT INTO event (id, type, at, received_at, subject_kind, subject, same_subject, state_from, state_to, source)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
	).get(
		...[id, type, at, now, subject?.kind ?? null, subject?.id ?? null],
		...[subject === null ? null : sameId(subject), from, to, source],
	);
	return Number(row?.seq);
}

function addDelivery(
	storage: Storage,
	event: number,
	{ notice: { source, delivery, change }, now, digest, entry }: Notified,
	{ keeps, counts }: { keeps: boolean; counts: boolean },
): void {
	const stored = keeps ? delivery : undefined;
	statement(
		storage,
		`INSERT INTO delivery (event, sender_id, entry, same_subject, counts, source, stated_at, received_at, digest, headers, body)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	).run(
		event,
		delivery?.id ?? null,
		entry ?? null,
		change.subject === null ? null : sameId(change.subject),
		counts ? 1 : 0,
		source,
		change.at ?? null,
		now,
		digest,
		stored === undefined ? null : JSON.stringify(stored.headers),
		stored === undefined ? null : Buffer.from(stored.body).toString("base64"),
	);
}
