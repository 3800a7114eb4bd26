/**
 * The tables. `event` is the record: appended to, never changed. All else is derived from it in the same transaction.
 */

/** Raised with each change of the tables. */
export const schemaVersion = 1;

/** Marks the file as a journal of purser's ("PURS"). */
export const applicationId = 0x50555253;

/**
 * Removing an event is only possible up to the point that a purge wrote into `meta` before, in the same transaction.
 * Ids of transactions are unique: the same id for two transfers is a doubt, never an entry.
 */
export const tables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE event (
	seq INTEGER PRIMARY KEY,
	at TEXT NOT NULL,
	intent INTEGER,
	kind TEXT NOT NULL,
	content TEXT NOT NULL,
	hash TEXT NOT NULL
) STRICT;
CREATE INDEX event_intent ON event (intent, seq);
CREATE TRIGGER event_is_kept BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_is_not_lost BEFORE DELETE ON event
WHEN OLD.seq > coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'purged'), 0)
BEGIN SELECT RAISE(ABORT, 'events are only purged'); END;
CREATE TABLE intent (
	number INTEGER PRIMARY KEY AUTOINCREMENT,
	effect TEXT NOT NULL,
	state TEXT NOT NULL,
	attempt INTEGER NOT NULL,
	begun TEXT NOT NULL,
	changed TEXT NOT NULL,
	sender TEXT,
	fingerprint TEXT,
	created_id TEXT,
	content TEXT NOT NULL,
	result TEXT NOT NULL
) STRICT;
CREATE INDEX intent_alike ON intent (fingerprint, number) WHERE fingerprint IS NOT NULL;
CREATE INDEX intent_open ON intent (state, number) WHERE state IN ('sending', 'in-doubt', 'planned');
CREATE UNIQUE INDEX intent_created ON intent (created_id) WHERE created_id IS NOT NULL AND effect = 'money';
CREATE TABLE spent (day TEXT NOT NULL, currency TEXT NOT NULL, total TEXT NOT NULL, PRIMARY KEY (day, currency)) STRICT, WITHOUT ROWID;
`;
