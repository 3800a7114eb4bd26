import { expect, test } from "vitest";
import { unusable } from "../../src/journal/sqlite/trouble.js";

test.each([
	["built-in: no right to open", Object.assign(new Error("unable to open database file"), { errcode: 14 })],
	["libsql: no right to open", new Error('ConnectionFailed("Unable to open connection to local database /j/a.db: 14")')],
	["libsql: read-only", Object.assign(new Error("attempt to write a readonly database"), { code: "SQLITE_READONLY" })],
])("a journal that may not be written is told as that, and no other folder is advised (%s)", (_, cause) => {
	expect(unusable(cause, "/j/a.db").failure).toMatchObject({
		code: "JOURNAL_DENIED",
		message: "The journal cannot be written (it is not writable), and nothing is sent that is not on record",
		fix: "Give yourself permission to write /j/a.db, then run this again. Another folder in PURSER_STATE_DIR is a new journal, which knows no earlier payment.",
	});
});

test("any other failure of opening is not taken for a missing right", () => {
	const cause = new Error('ConnectionFailed("Unable to open connection to local database /j/a 14.db: 1")');
	expect(unusable(cause, "/j/a 14.db").failure.code).toBe("JOURNAL_FAILED");
});
