/**
 * Journals for tests: a folder of their own, a clock in the test's hands, either driver; or a schema of their own in PostgreSQL.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { openFile, openJournal } from "../../src/journal/open.js";
import { openBatches } from "../../src/journal/open-batches.js";
import { openTeam, openTeamBatches, openTeamJournal, recoverTeam } from "../../src/journal/open-team.js";
import { batchRules } from "../../src/payments/batch/send/guards.js";
import { moneyRules } from "../../src/payments/rules/rules.js";
import type { AnchorPlace } from "../../src/ports/anchor.js";
import type { Batches, BatchRules } from "../../src/ports/batches.js";
import type { JournalIntent } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import type { TeamAddress } from "../../src/ports/team.js";
import { type DriverName, loadDriver } from "../../src/sqlite/drivers.js";
import type { OpenStorage } from "../../src/sqlite/storage.js";
import { noPostgres, postgres } from "../support/postgres.js";
import { testPlace } from "./anchors.js";
import { payment } from "./payment.js";

export { ledgerA, ledgerB, payment } from "./payment.js";

/** The drivers this Node can run; libsql is always there. */
export const allDrivers: readonly DriverName[] = isBuiltin("node:sqlite") ? ["built-in", "libsql"] : ["libsql"];

/** Those that are tested each by itself: test/nodes starts a newer Node, and libsql has been tested without it. */
export const drivers = process.env.PURSER_THIS_NODE === undefined ? allDrivers : allDrivers.slice(0, 1);

/** What a journal can be in: a file by one of the drivers, or PostgreSQL. */
export type StoreName = DriverName | "postgres";
export const stores: readonly StoreName[] = [
	...drivers,
	...(noPostgres === undefined && process.env.PURSER_THIS_NODE === undefined ? (["postgres"] as const) : []),
];

export const missing = isBuiltin("node:sqlite")
	? undefined
	: `node:sqlite is not run: this is Node ${process.versions.node}, and it is there from 22.13; the same tests run with libsql`;

export interface TestClock {
	now(): Date;
	monotonic(): number;
	sleep(milliseconds: number): Promise<void>;
	set(time: string): void;
	advance(milliseconds: number): void;
}

export function testClock(start = "2026-03-01T10:00:00.000Z"): TestClock {
	let now = Date.parse(start);
	return {
		now: () => new Date(now),
		monotonic: () => now,
		sleep: async (milliseconds) => {
			now += milliseconds;
		},
		set: (time) => {
			now = Date.parse(time);
		},
		advance: (milliseconds) => {
			now += milliseconds;
		},
	};
}

let folders: string[] = [];
const opened = new Set<{ close(): Promise<void> }>();

/** What is open until it is closed, by {@link removeFolders} at the latest. */
export function kept<T extends { close(): Promise<void> }>(one: T): T {
	const close = one.close.bind(one);
	opened.add(one);
	one.close = () => {
		opened.delete(one);
		return close();
	};
	return one;
}

/** A new folder, removed by {@link removeFolders}. */
export function newFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "purser-journal-"));
	folders.push(folder);
	return folder;
}

/** Ends what the tests had open, and takes its folders away. */
export async function removeFolders(): Promise<void> {
	const [left, old] = [[...opened], folders];
	opened.clear();
	folders = [];
	ownFolder = undefined;
	for (const one of left) await one.close().catch(() => {});
	for (const folder of old) rmSync(folder, { recursive: true, force: true });
}

let uuids = 0;

/** A different one each time, in this process. */
export function newUuid(): string {
	uuids += 1;
	return `${process.pid.toString(16).padStart(8, "0")}-0000-4000-8000-${uuids.toString(16).padStart(12, "0")}`;
}

export interface TestOptions {
	clock?: TestClock;
	settings?: Record<string, string>;
	/** In place of those of the settings. */
	rules?: BatchRules;
	driver?: StoreName;
	storage?: OpenStorage;
	profile?: { name: string; environment: "sandbox" | "live" };
	anchor?: () => Promise<AnchorPlace>;
	/** Where PostgreSQL has the journal; without it, in a schema that belongs to the folder. */
	address?: TeamAddress;
	/** What the team calls this machine. */
	machine?: string;
	/** Milliseconds to wait for a lock there. */
	wait?: number;
	/** Whether one that does not sync is used; it is, if nothing else is said. */
	forgetful?: boolean;
}

/** What a journal and its batches are opened with, but for their rules. */
const optionsOf = (directory: string, options: TestOptions) => ({
	directory,
	profile: options.profile ?? ({ name: "test", environment: "sandbox" } as const),
	clock: options.clock ?? testClock(),
	random: { uuid: newUuid, fraction: () => 0.5 },
	driver: options.driver === "postgres" ? undefined : options.driver,
	storage: options.storage,
	anchor: options.anchor,
});

/** By folder and profile, where PostgreSQL has the journal. */
const addresses = new Map<string, Promise<TeamAddress>>();

/** Where this process keeps its log of journals whose address is given, and no folder. */
let ownFolder: string | undefined;

/** As {@link optionsOf}, of a journal in PostgreSQL. */
async function teamOptionsOf(given: string, options: TestOptions) {
	ownFolder ??= given === "-" ? newFolder() : undefined;
	const directory = given === "-" ? (ownFolder as string) : given;
	const usual = optionsOf(directory, options);
	const address = options.address ?? (await addressOf(directory, usual.profile));
	return {
		...usual,
		address,
		machine: options.machine,
		service: "https://api.example.com",
		forgetful: options.forgetful ?? true,
		wait: options.wait,
	};
}

/** What a team's journal is opened with. */
export const teamOptions = async (directory: string, options: TestOptions) => ({
	...(await teamOptionsOf(directory, options)),
	rules: options.rules ?? moneyRules(options.settings ?? {}),
});

/** Where PostgreSQL has the journal of a folder, for somebody who may plan and send, and nothing else. */
export function addressOf(directory: string, profile = { name: "test", environment: "sandbox" }): Promise<TeamAddress> {
	const key = `${directory} ${profile.name} ${profile.environment}`;
	if (!addresses.has(key)) addresses.set(key, newMembership());
	return addresses.get(key) as Promise<TeamAddress>;
}

/** A new team's journal, for somebody who may plan and send, and nothing else. */
export async function newMembership(): Promise<TeamAddress> {
	const server = await postgres();
	const address = await server.journal();
	return { ...address, user: await server.member(address.schema, ["planner", "sender"]) };
}

export async function open(directory: string, options: TestOptions = {}): Promise<Journal> {
	const rules = options.rules ?? moneyRules(options.settings ?? {});
	if (options.driver === "postgres") return kept(await openTeamJournal({ ...(await teamOptionsOf(directory, options)), rules }));
	return kept(await openJournal({ ...optionsOf(directory, options), rules }));
}

export async function openRows(directory: string, options: TestOptions = {}): Promise<Batches> {
	const rules = options.rules ?? batchRules(options.settings ?? {});
	if (options.driver === "postgres") return kept(await openTeamBatches({ ...(await teamOptionsOf(directory, options)), rules }));
	return kept(await openBatches({ ...optionsOf(directory, options), rules }));
}

/** A machine of a team, with its folder, and its anchor where its profile is a live one. */
export function machineOf(name: string, address: TeamAddress, clock: TestClock, environment: "sandbox" | "live" = "live") {
	const [folder, place] = [newFolder(), testPlace()];
	const profile = { name: "test", environment };
	const anchor = environment === "live" ? async () => place : undefined;
	const options = { driver: "postgres", address, clock, machine: name, profile, anchor } as const;
	return {
		...{ folder, place, options },
		open: () => open(folder, options),
		rows: () => openRows(folder, options),
		recover: async (reason = "restored") => recoverTeam(await teamOptions(folder, options), reason),
		adopt: async (reason: string) => {
			const journal = await open(folder, options);
			await journal.adopt(reason);
			await journal.close();
		},
	};
}

/** The database of a new journal, without the port over it. */
export async function openEngine(store: StoreName, folder = newFolder()) {
	const clock = testClock();
	const rules = moneyRules({});
	const options = { clock, driver: store };
	const engine =
		store === "postgres"
			? await openTeam({ ...(await teamOptionsOf(folder, options)), rules })
			: await openFile({ ...optionsOf(folder, options), rules });
	return { engine, clock, close: () => engine.connection.close().then(() => engine.senders.end()) };
}

/** A payment of which no answer came. @returns its number */
export async function doubtful(journal: Journal, transfer: Partial<Transfer> = {}): Promise<string> {
	const intent = await journal.begin(payment(transfer));
	await journal.end(intent, { state: "in-doubt", reason: "timeout" });
	return intent;
}

/** What somebody with the file and a database program does; in PostgreSQL its administrator, whom only events hold back. */
export async function tamper({ file }: Pick<Journal, "file">, sql: string, driver: StoreName | undefined = drivers[0]): Promise<void> {
	if (driver === "postgres")
		return void (await (
			await postgres()
		).sql(
			`SET session_replication_role TO ${/\bevent\b/.test(sql) ? "origin" : "replica"}; SET search_path TO ${file.match(/schema (\w+)/)?.[1]}; ${sql.replace(/DROP TRIGGER (\w+)/g, "DROP TRIGGER $1 ON event")}`,
		));
	const storage = (await loadDriver(driver))(file, { wait: 1_000 });
	storage.exec(sql);
	storage.close();
}

/** The code of the refusal; `done` where nothing was refused. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
	work.then(
		() => "done",
		(error) => error.failure?.code ?? error.message,
	);

/** A change that moves no money. */
export function change(rest: Partial<JournalIntent> = {}): JournalIntent {
	return {
		operation: "corporate.create",
		effect: "write",
		profile: "test",
		origin: "https://api.example.com",
		method: "POST",
		path: "/api/partner/corporates",
		digest: "1".repeat(64),
		...rest,
	};
}
