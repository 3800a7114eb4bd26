/**
 * Stores a telling of an event: whether it was heard before, and which event it is.
 */
import { sha256 } from "../api/digest.js";
import { deliveryId, deliveryKey, entryKey, meaningId, sameId, witnessOf } from "../events/identity.js";
import type { Heard } from "../ports/events.js";
import { statement } from "../sqlite/statement.js";
import type { Storage } from "../sqlite/storage.js";

interface Received {
	/** The sequence number of the event. */
	sequence: number;
	isNew: boolean;
}

/** What is known of a telling before the inbox is asked. */
interface Telling {
	heard: Heard;
	now: string;
	/** SHA-256 of the body; empty on polls. */
	digest: string;
	/** Of the delivery; on polls something that never comes again. */
	key: string;
	entry: string | undefined;
	witness: string;
}

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
	const digest = delivery === undefined ? "" : sha256(delivery.body);
	const key = delivery === undefined ? unique() : deliveryKey(delivery, digest);
	const telling: Telling = { heard, now, digest, key, entry: entryKey(said), witness: witnessOf(delivery) };
	const known = heardBefore(storage, telling);
	if (known !== undefined) {
		if (known.underNewId) addDelivery(storage, known.sequence, telling, { keeps: false, counts: false });
		return { sequence: known.sequence, isNew: false };
	}
	const id = telling.entry === undefined ? deliveryId(key) : meaningId(telling.entry, entriesSeen(storage, telling) + 1);
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
	{ heard: { delivery, said }, key, digest, entry, witness }: Telling,
): { sequence: number; underNewId: boolean } | undefined {
	const same = statement(storage, "SELECT event FROM delivery WHERE key = ?").get(key);
	if (same !== undefined) return { sequence: Number(same.event), underNewId: false };
	if (entry === undefined || said.subject === null) return undefined;
	if (delivery === undefined) {
		const last = statement(
			storage,
			`SELECT event, entry FROM delivery WHERE same_subject = ? AND witness = 'poll'
			AND (SELECT state_to LIKE 'termsAccepted:%' FROM event WHERE event.seq = delivery.event) = ? ORDER BY seq DESC LIMIT 1`,
		);
		// A company has two states, its KYB and its terms, and each is compared with what was found of it alone.
		const row = last.get(sameId(said.subject), said.to?.startsWith("termsAccepted:") ? 1 : 0);
		return row?.entry === entry ? { sequence: Number(row.event), underNewId: false } : undefined;
	}
	if (said.at === undefined) return undefined;
	const again = statement(storage, "SELECT event FROM delivery WHERE entry = ? AND witness = ? AND said_at = ? AND digest = ? LIMIT 1");
	const row = again.get(entry, witness, said.at, digest);
	return row && { sequence: Number(row.event), underNewId: true };
}

/** How often this witness has seen the subject enter the state. */
function entriesSeen(storage: Storage, { entry = "", witness }: Telling): number {
	return Number(
		statement(storage, "SELECT count(*) AS seen FROM delivery WHERE entry = ? AND witness = ? AND counts = 1").get(entry, witness)?.seen,
	);
}

function addEvent(storage: Storage, id: string, { heard: { source, said }, now }: Telling): number {
	const { type, at = now, subject, from, to, missed } = said;
	const row = statement(
		storage,
		`INSERT INTO event (id, type, at, heard_at, subject_kind, subject, same_subject, state_from, state_to, source, missed)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
	).get(
		id,
		type,
		at,
		now,
		subject?.kind ?? null,
		subject?.id ?? null,
		subject === null ? null : sameId(subject),
		from,
		to,
		source,
		missed ? 1 : 0,
	);
	return Number(row?.seq);
}

function addDelivery(
	storage: Storage,
	event: number,
	{ heard: { source, delivery, said }, now, digest, key, entry, witness }: Telling,
	{ keeps, counts }: { keeps: boolean; counts: boolean },
): void {
	const kept = keeps ? delivery : undefined;
	statement(
		storage,
		`INSERT INTO delivery (key, event, entry, same_subject, witness, counts, source, scheme, sender_id, said_at, heard_at, digest, headers, body)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	).run(
		key,
		event,
		entry ?? null,
		said.subject === null ? null : sameId(said.subject),
		witness,
		counts ? 1 : 0,
		source,
		delivery?.scheme ?? "",
		delivery?.id ?? null,
		said.at ?? null,
		now,
		digest,
		kept === undefined ? null : JSON.stringify(kept.headers),
		kept === undefined ? null : Buffer.from(kept.body).toString("base64"),
	);
}
