/**
 * The tables, in SQLite's words. `event` is the append-only record; everything else is derived from it in the same transaction.
 */

/** Raised with each change of the tables or of the kinds of events; a journal of another version is refused and left as it is. */
export const schemaVersion = 10;

/**
 * `alike` and `created` are short integer keys of the fingerprint and of the service's id: an index of a million integers fits into memory,
 * one of long texts does not. Matches are then compared in full. If two transfers get the same id, the second becomes a doubt without one.
 * `begun_service` is `begun` by the service's clock, as far as `skew` is known; `party` is who is credited; `reopened` is 1 for a
 * payment that a person opened again.
 * `carried`: the machine that an intent was carried over from into a team's journal, and its number there, like `laptop:17`.
 * A batch's rows are intents. What they have in common is stored in `batch.shared`, and an event may concern many rows at once.
 */
export const tables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE event (
	seq INTEGER PRIMARY KEY,
	at TEXT NOT NULL,
	intent INTEGER,
	kind TEXT NOT NULL,
	content TEXT NOT NULL,
	hash TEXT NOT NULL,
	batch INTEGER
) STRICT;
CREATE INDEX event_intent ON event (intent, seq) WHERE intent IS NOT NULL;
CREATE INDEX event_batch ON event (batch, seq) WHERE batch IS NOT NULL;
CREATE INDEX event_but_moved ON event (batch, seq) WHERE batch IS NOT NULL AND kind <> 'moved';
CREATE INDEX event_of_journal ON event (kind, seq) WHERE intent IS NULL AND batch IS NULL;
CREATE TABLE intent (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	effect TEXT NOT NULL,
	state TEXT NOT NULL,
	attempt INTEGER NOT NULL,
	begun TEXT NOT NULL,
	skew INTEGER,
	begun_service TEXT NOT NULL,
	changed TEXT NOT NULL,
	sender TEXT,
	sandbox TEXT,
	party TEXT,
	fingerprint TEXT,
	alike INTEGER,
	created_id TEXT,
	created INTEGER,
	content TEXT NOT NULL,
	result TEXT NOT NULL,
	reopened INTEGER NOT NULL DEFAULT 0,
	batch INTEGER,
	row INTEGER,
	carried TEXT
) STRICT;
CREATE INDEX intent_alike ON intent (alike) WHERE alike IS NOT NULL;
CREATE INDEX intent_open ON intent (state, number) WHERE state IN ('sending', 'in-doubt');
CREATE INDEX intent_carried ON intent (carried) WHERE carried IS NOT NULL;
CREATE INDEX intent_created ON intent (created) WHERE created IS NOT NULL;
CREATE TABLE batch (
	number INTEGER PRIMARY KEY,
	state TEXT NOT NULL,
	opened TEXT NOT NULL,
	begun TEXT,
	begun_service TEXT,
	day TEXT,
	senders TEXT NOT NULL,
	first INTEGER,
	last INTEGER,
	takes TEXT NOT NULL,
	rows_digest TEXT,
	shared TEXT NOT NULL,
	plan TEXT
) STRICT;
CREATE TABLE spent (day TEXT NOT NULL, currency TEXT NOT NULL, total TEXT NOT NULL, PRIMARY KEY (day, currency)) STRICT, WITHOUT ROWID;
`;
