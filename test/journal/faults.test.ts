import { afterEach, describe, expect, test } from "vitest";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { PurserError } from "../../src/errors.js";
import { call } from "../../src/http/call.js";
import { unusable } from "../../src/journal/sqlite/trouble.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Transport, WireOutcome } from "../../src/ports/wire.js";
import { type DriverName, loadDriver } from "../../src/sqlite/drivers.js";
import type { OpenStorage, Storage } from "../../src/sqlite/storage.js";
import { answered, changed, smallContext } from "../support/context.js";
import { type State, violations } from "../support/invariants.js";
import { doubtful, drivers, ledgerA, ledgerB, newFolder, open, payment, removeFolders } from "./journals.js";

afterEach(removeFolders);

const id = "11111111-1111-4111-8111-111111111111";

interface Fault {
	/** Which call of the storage, from 1. */
	at: number;
	/** `instead`: it is not done; `after`: it is done and reported as failed. `from`: every later one fails too. */
	how: "instead" | "after" | "from";
	error: { message: string; code: string };
}

interface Calls {
	count: number;
	/** What is open underneath, to be let go of as the end of a process does. */
	opened: Storage[];
}

/** Ends what a process held, whatever its own end came to. */
function letGo({ opened }: Pick<Calls, "opened">): void {
	for (const storage of opened) {
		try {
			storage.exec("ROLLBACK");
		} catch {
			// Nothing was open, or it is closed.
		}
	}
}

/** A storage that fails at one call; `calls` counts them. */
function failing(driver: OpenStorage, fault: Fault | undefined, calls: Calls): OpenStorage {
	const step = <T>(act: () => T): T => {
		calls.count += 1;
		const hit = fault !== undefined && (calls.count === fault.at || (fault.how === "from" && calls.count > fault.at));
		if (!hit) return act();
		if (fault.how === "after") act();
		throw Object.assign(new Error(fault.error.message), { code: fault.error.code });
	};
	return (path, options) => {
		const storage: Storage = driver(path, options);
		calls.opened.push(storage);
		return {
			exec: (sql) => step(() => storage.exec(sql)),
			prepare: (sql) => {
				const statement = step(() => storage.prepare(sql));
				return {
					run: (...values) => step(() => statement.run(...values)),
					get: (...values) => step(() => statement.get(...values)),
					all: (...values) => step(() => statement.all(...values)),
				};
			},
			close: () => {
				letGo({ opened: [storage] });
				storage.close();
			},
		};
	};
}

interface Outcome {
	exit: number;
	requests: number;
	state: State;
	createdId?: string;
	faults: readonly string[];
	calls: number;
}

async function pay(driver: DriverName, answer: WireOutcome, fault: Fault | undefined): Promise<Outcome> {
	const folder = newFolder();
	const calls: Calls = { count: 0, opened: [] };
	const storage = failing(await loadDriver(driver), fault, calls);
	let requests = 0;
	const transport: Transport = {
		send: async () => {
			requests += 1;
			return answer;
		},
		close: async () => {},
	};
	let journal: Promise<Journal> | undefined;
	const { context } = smallContext({
		transport,
		credential: { kind: "header", value: "x" },
		profile: { auth: { kind: "header", header: "x-key" } },
	});
	const body = { ledgerFromId: ledgerA, ledgerToId: ledgerB, amount: "10.10", reference: "Invoice 2041" };
	const exit = await call(
		changed(context, {
			journal: {
				of: () => {
					journal ??= open(folder, { storage });
					return journal;
				},
			},
		}),
		createInterLedger,
		{ body },
		{ currency: "EUR" },
	).then(
		() => 0,
		(error: unknown) => (error instanceof PurserError ? error.exit : 1),
	);
	const made = calls.count;
	await (journal as Promise<Journal> | undefined)?.then((one) => one.close()).catch(() => {});
	letGo(calls);
	const healthy = await open(folder, { driver });
	const [record] = await healthy.list({});
	const { faults } = await healthy.verify();
	await healthy.close();
	return { exit, requests, state: record?.state ?? "planned", createdId: record?.id, faults, calls: made };
}

const accepted = answered(201, { id });
const refused = answered(422, {});
const reset: WireOutcome = { kind: "sent", reason: "the connection was closed before an answer came" };

describe.each(drivers)("storage that fails, with %s", (driver) => {
	test.each<[string, string, readonly Fault["how"][], number]>([
		["the disk is full", "SQLITE_FULL", ["instead", "after", "from"], 6],
		["the disk fails", "SQLITE_IOERR_FSYNC", ["after"], 2],
		["the file is read-only", "SQLITE_READONLY", ["instead"], 2],
	])("%s, at each call in turn", async (_, code, hows, unsent) => {
		const { calls } = await pay(driver, accepted, undefined);
		expect(calls).toBeGreaterThan(30);
		const found: string[] = [];
		for (const how of hows)
			for (let at = 1; at <= calls; at++)
				for (const answer of at % 3 === 0 ? [accepted, refused, reset] : [accepted]) {
					const seen = await pay(driver, answer, { at, how, error: { message: "planted", code } });
					found.push(...violatedBy(seen, answer, unsent).map((one) => `call ${at} (${how}): ${one}`));
				}
		expect(found).toEqual([]);
	});
});

/** @param whenNotSent the exit code where the journal could not be written before anything was sent */
function violatedBy(seen: Outcome, answer: WireOutcome, whenNotSent: number): string[] {
	const made = seen.requests > 0 && answer !== refused;
	const found = violations({
		rows: [{ key: "a", amount: "10.10", state: seen.state, id: seen.createdId }],
		asked: ["a"],
		total: "10.10",
		created: new Map([["a", made ? [id] : []]]),
		deaths: 1,
		inFlight: 1,
		faults: seen.faults,
		exits: [{ code: seen.exit, states: [seen.requests === 0 ? "planned" : honest(seen)] }],
	});
	if (seen.requests > 1) found.push(`${seen.requests} requests for one attempt`);
	if (seen.requests === 0 && seen.exit !== whenNotSent) found.push(`nothing was sent, and the exit is ${seen.exit}`);
	return found;
}

/** A refusal that could not be written down is told as the refusal it was; the record says "in doubt", which is the safer. */
function honest({ exit, state }: Outcome): State {
	return exit === 5 && state === "in-doubt" ? "refused" : state;
}

test("an error of the storage tells what to do, and nothing more is sent by that process", async () => {
	const folder = newFolder();
	const calls: Calls = { count: 0, opened: [] };
	const fault: Fault = { at: Number.MAX_SAFE_INTEGER, how: "from", error: { message: "database or disk is full", code: "SQLITE_FULL" } };
	const journal = await open(folder, { storage: failing(await loadDriver("libsql"), fault, calls) });
	await doubtful(journal);
	fault.at = calls.count + 1;
	const first = await journal.resend("1", 1).catch((error: unknown) => error as PurserError);
	fault.at = Number.MAX_SAFE_INTEGER;
	const second = await journal.begin(payment({ amount: "1" })).catch((error: unknown) => error as PurserError);
	const third = await journal.resend("1", 1).catch((error: unknown) => error as PurserError);
	for (const error of [first, second, third]) {
		const message = "No space left on the disk: nothing was sent that is not on record";
		const fix = "Make room on that disk, then run this again.";
		expect(error).toMatchObject({ kind: "unavailable", failure: { code: "JOURNAL_FULL", message, fix } });
	}
});

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
