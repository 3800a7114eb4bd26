/**
 * Stores a telling of an event: whether it was heard before, and which event it is. The page of `events/` says why.
 */
import { sha256, sha256OfParts } from "../api/digest.js";
import type { EventSubject, Heard, Said } from "../ports/events.js";
import { statement } from "../sqlite/statement.js";
import type { Storage } from "../sqlite/storage.js";

interface Received {
	/** The number of the event. */
	sequence: number;
	isNew: boolean;
}

/** What is known of a telling before the inbox is asked. */
interface Telling {
	heard: Heard;
	now: string;
	/** SHA-256 of the body; empty on polls. */
	digest: string;
	/** The state that its subject entered, as a key; undefined where the sender does not say both what and which. */
	entry: string | undefined;
}

/** UUIDs are the same in capitals and small letters; other ids are as they are given. */
const sameId = ({ id }: Pick<EventSubject, "id">): string =>
	/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id.toLowerCase() : id;

const entryOf = ({ subject, to }: Said): string | undefined =>
	subject === null || to === null ? undefined : sha256OfParts(["entry", subject.kind, sameId(subject), to]);

const eventId = (parts: readonly string[]): string => `evt_${sha256OfParts(parts).slice(0, 32)}`;

/**
 * To be called in a transaction.
 * @param now RFC 3339 UTC
 * @param options `hooks`: what a new event is due for; `keeps`: whether headers and body are stored; `unique`: makes a text that never comes again
 */
export function receive(
	storage: Storage,
	heard: Heard,
	now: string,
	{ hooks, keeps, unique }: { hooks: readonly string[]; keeps: boolean; unique(): string },
): Received {
	const { delivery, said } = heard;
	const telling: Telling = { heard, now, digest: delivery === undefined ? "" : sha256(delivery.body), entry: entryOf(said) };
	const known = heardBefore(storage, telling);
	if (known !== undefined) {
		if (known.underNewId) addDelivery(storage, known.sequence, telling, { keeps: false, counts: false });
		return { sequence: known.sequence, isNew: false };
	}
	// By its meaning, and which entry into that state it is; else of the delivery alone.
	const id =
		telling.entry === undefined
			? eventId(["delivery", delivery?.id ?? unique()])
			: eventId(["meaning", telling.entry, String(entriesSeen(storage, telling) + 1)]);
	const told = statement(storage, "SELECT seq FROM event WHERE id = ?").get(id)?.seq;
	const sequence = told === undefined ? addEvent(storage, id, telling) : Number(told);
	addDelivery(storage, sequence, telling, { keeps: keeps || hooks.length > 0, counts: true });
	if (told !== undefined) return { sequence, isNew: false };
	for (const hook of hooks)
		statement(storage, "INSERT INTO hook (event, hook, state, tries, due_at) VALUES (?, ?, 'due', 0, ?)").run(sequence, hook, now);
	return { sequence, isNew: true };
}

/**
 * The event of a telling that repeats another: a delivery that came before; the same bytes with the sender's own time of the event in them,
 * under another id; a poll that finds what the last one found.
 */
function heardBefore(
	storage: Storage,
	{ heard: { source, delivery, said }, digest, entry }: Telling,
): { sequence: number; underNewId: boolean } | undefined {
	if (delivery !== undefined) {
		const same = statement(storage, "SELECT event FROM delivery WHERE sender_id = ?").get(delivery.id);
		if (same !== undefined) return { sequence: Number(same.event), underNewId: false };
		if (entry === undefined || said.at === undefined) return undefined;
		const again = statement(storage, "SELECT event FROM delivery WHERE entry = ? AND source = ? AND said_at = ? AND digest = ? LIMIT 1");
		const row = again.get(entry, source, said.at, digest);
		return row && { sequence: Number(row.event), underNewId: true };
	}
	if (entry === undefined || said.subject === null) return undefined;
	const last = statement(
		storage,
		`SELECT event, entry FROM delivery WHERE same_subject = ? AND source = 'poll'
		AND (SELECT state_to LIKE 'termsAccepted:%' FROM event WHERE event.seq = delivery.event) = ? ORDER BY seq DESC LIMIT 1`,
	);
	// A company has two states, its KYB and its terms, and each is compared with what was found of it alone.
	const row = last.get(sameId(said.subject), said.to?.startsWith("termsAccepted:") ? 1 : 0);
	return row?.entry === entry ? { sequence: Number(row.event), underNewId: false } : undefined;
}

/** How often this source has seen the subject enter the state. */
function entriesSeen(storage: Storage, { heard: { source }, entry = "" }: Telling): number {
	const seen = statement(storage, "SELECT count(*) AS seen FROM delivery WHERE entry = ? AND source = ? AND counts = 1");
	return Number(seen.get(entry, source)?.seen);
}

function addEvent(storage: Storage, id: string, { heard: { source, said }, now }: Telling): number {
	const { type, at = now, subject, from, to } = said;
	const row = statement(
		storage,
		`INSERT INTO event (id, type, at, heard_at, subject_kind, subject, same_subject, state_from, state_to, source)
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
	{ heard: { source, delivery, said }, now, digest, entry }: Telling,
	{ keeps, counts }: { keeps: boolean; counts: boolean },
): void {
	const kept = keeps ? delivery : undefined;
	statement(
		storage,
		`INSERT INTO delivery (event, sender_id, entry, same_subject, counts, source, said_at, heard_at, digest, headers, body)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	).run(
		event,
		delivery?.id ?? null,
		entry ?? null,
		said.subject === null ? null : sameId(said.subject),
		counts ? 1 : 0,
		source,
		said.at ?? null,
		now,
		digest,
		kept === undefined ? null : JSON.stringify(kept.headers),
		kept === undefined ? null : Buffer.from(kept.body).toString("base64"),
	);
}
