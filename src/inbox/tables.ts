/**
 * The tables of the inbox.
 */

/** Raised with each change of the tables: a file of another version is refused, so that nothing is misread. */
export const inboxVersion = 2;

/** Marks the file as a purser inbox ("PUIN"). */
export const inboxApplication = 0x5055494e;

/**
 * `event` is what is told, `delivery` is each telling of it: `entry` is the state that its subject entered, and `source` who saw that.
 * `counts` is 0 for a telling that only repeats another one under a new id. A poll has no sender's id. Bodies are base64.
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
	confirmed_status TEXT,
	confirmed_at TEXT
) STRICT;
CREATE INDEX event_of_subject ON event (same_subject, seq) WHERE same_subject IS NOT NULL;
CREATE INDEX event_heard ON event (heard_at);
CREATE TABLE delivery (
	seq INTEGER PRIMARY KEY AUTOINCREMENT,
	event INTEGER NOT NULL REFERENCES event (seq),
	sender_id TEXT UNIQUE,
	entry TEXT,
	same_subject TEXT,
	counts INTEGER NOT NULL,
	source TEXT NOT NULL,
	said_at TEXT,
	heard_at TEXT NOT NULL,
	digest TEXT NOT NULL,
	headers TEXT,
	body TEXT
) STRICT;
CREATE INDEX delivery_of_event ON delivery (event);
CREATE INDEX delivery_entry ON delivery (entry, source) WHERE entry IS NOT NULL;
CREATE INDEX delivery_polled ON delivery (same_subject, seq) WHERE source = 'poll';
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
