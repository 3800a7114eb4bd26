/**
 * The tables of the inbox.
 */

/** Raised with each change of the tables, so that an older purser refuses an inbox that it would misread. */
export const inboxVersion = 1;

/** Marks the file as a purser inbox ("PUIN"). */
export const inboxApplication = 0x5055494e;

/**
 * `event` is what is told, `delivery` is each telling of it: `entry` is the state that its subject entered, and `witness` who saw that.
 * `counts` is 0 for a telling that only repeats another one under a new id. Bodies are base64.
 */
export const inboxTables = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE event (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	id TEXT NOT NULL UNIQUE,
	type TEXT NOT NULL,
	at TEXT NOT NULL,
	heard_at TEXT NOT NULL,
	subject_kind TEXT,
	subject TEXT,
	same_subject TEXT,
	state_from TEXT,
	state_to TEXT,
	source TEXT NOT NULL,
	missed INTEGER NOT NULL,
	confirmed_status TEXT,
	confirmed_at TEXT
) STRICT;
CREATE INDEX event_of_subject ON event (same_subject, seq) WHERE same_subject IS NOT NULL;
CREATE INDEX event_heard ON event (heard_at);
CREATE TABLE delivery (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	key TEXT UNIQUE,
	event INTEGER NOT NULL REFERENCES event (seq),
	entry TEXT,
	same_subject TEXT,
	witness TEXT NOT NULL,
	counts INTEGER NOT NULL,
	source TEXT NOT NULL,
	scheme TEXT NOT NULL,
	sender_id TEXT,
	said_at TEXT,
	heard_at TEXT NOT NULL,
	digest TEXT NOT NULL,
	headers TEXT,
	body TEXT
) STRICT;
CREATE INDEX delivery_of_event ON delivery (event);
CREATE INDEX delivery_entry ON delivery (entry, witness) WHERE entry IS NOT NULL;
CREATE INDEX delivery_polled ON delivery (same_subject, seq) WHERE witness = 'poll';
CREATE INDEX delivery_kept ON delivery (heard_at) WHERE body IS NOT NULL;
CREATE TABLE hook (
	event INTEGER NOT NULL REFERENCES event (seq),
	hook TEXT NOT NULL,
	state TEXT NOT NULL,
	tries INTEGER NOT NULL,
	due_at TEXT,
	why TEXT,
	PRIMARY KEY (event, hook)
) STRICT, WITHOUT ROWID;
CREATE INDEX hook_due ON hook (hook, due_at, event) WHERE state = 'due';
CREATE INDEX hook_failed ON hook (event) WHERE state = 'failed';
CREATE TABLE place (source TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE listener (name TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
