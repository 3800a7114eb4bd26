/**
 * Whether the record is as it was written: the database's own check, the chain of hashes, and the derived tables against the events.
 * The chain shows any change to a part of it. It cannot show a file replaced as a whole by somebody who recomputed every hash:
 * for that, the head told here is noted elsewhere.
 */
import type { Rules, Verified } from "../ports/journal.js";
import { batches } from "./batch-verify.js";
import { genesis, hashOf } from "./chain.js";
import { tables } from "./schema.js";
import type { Findings } from "./steps.js";
import type { Storage } from "./storage.js";
import { statement } from "./transaction.js";
import { intentFault } from "./verify-intent.js";
import { spentFaults } from "./verify-spent.js";

/** Most faults that are listed. */
const mostFaults = 20;
/** Rows of one page. */
const page = 1_000;

/** Reads everything once, in one view of the file although others may write; memory does not grow with the journal. */
export function verify(storage: Storage, rules: Rules): Verified {
	storage.exec("BEGIN");
	try {
		const faults: string[] = [];
		const findings: Findings = { faults, add: (fault) => void (faults.length < mostFaults && faults.push(fault)) };
		for (const row of storage.prepare("PRAGMA integrity_check(10)").all())
			if (row.integrity_check !== "ok") findings.add(`database: ${row.integrity_check}`);
		const head = chain(storage, findings);
		const intents = derived(storage, rules, findings) + batches(storage, rules, findings);
		tablesFaults(storage, findings);
		spentFaults(storage, rules, findings);
		looksFaults(storage, findings);
		return {
			events: head.events,
			intents,
			head: { seq: head.seq, hash: head.hash },
			installation: metaOf(storage, "installation"),
			faults,
		};
	} finally {
		storage.exec("ROLLBACK");
	}
}

function metaOf(storage: Storage, key: string): string {
	return String(statement(storage, "SELECT value FROM meta WHERE key = ?").get(key)?.value);
}

function chain(storage: Storage, findings: Findings): { seq: number; hash: string; events: number } {
	const start = Number(metaOf(storage, "purged"));
	let seq = start;
	let hash = start === 0 ? genesis : purgedHash(storage, start, findings);
	let events = 0;
	for (;;) {
		const rows = statement(storage, `SELECT * FROM event WHERE seq > ? ORDER BY seq LIMIT ${page}`).all(seq);
		for (const row of rows) {
			events += 1;
			if (Number(row.seq) !== seq + 1) findings.add(`event ${seq + 1} is missing`);
			const expected = hashOf(hash, {
				seq: Number(row.seq),
				at: String(row.at),
				intent: row.intent === null ? null : Number(row.intent),
				kind: String(row.kind),
				content: String(row.content),
			});
			if (expected !== row.hash) findings.add(`event ${row.seq} is not as it was written`);
			seq = Number(row.seq);
			hash = String(row.hash);
		}
		if (rows.length < page) break;
	}
	if (metaOf(storage, "seq") !== String(seq) || metaOf(storage, "hash") !== hash)
		findings.add(`the record ends at event ${seq}, but ${metaOf(storage, "seq")} was written last`);
	return { seq, hash, events };
}

/** The hash that the first remaining event builds on: the purge wrote it into the chain. */
function purgedHash(storage: Storage, through: number, findings: Findings): string {
	for (const row of statement(storage, "SELECT content FROM event WHERE kind = 'purged' ORDER BY seq DESC").all()) {
		const content = JSON.parse(String(row.content)) as { through?: unknown; hash?: unknown };
		if (content.through === through) return String(content.hash);
	}
	findings.add(`events up to ${through} are gone, and no purge says so`);
	return "";
}

/** What makes SQLite keep its promises: the tables, their indexes and triggers, and whose record it is. */
function tablesFaults(storage: Storage, findings: Findings): void {
	const there = storage
		.prepare("SELECT name, sql FROM main.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'")
		.all();
	const made = new Map(there.map(({ name, sql }) => [String(name), `${String(sql)};`]));
	for (const name of objects) {
		const sql = made.get(name);
		if (sql === undefined || !tables.includes(sql))
			findings.add(`database: ${name} is ${sql === undefined ? "gone" : "not as it was made"}`);
	}
	for (const name of made.keys()) if (!objects.includes(name)) findings.add(`database: ${name} was added`);
	const begun = statement(storage, "SELECT content FROM event WHERE kind = 'installed'").get();
	if (begun === undefined) return;
	const { installation, profile, environment } = JSON.parse(String(begun.content)) as Record<string, unknown>;
	if (metaOf(storage, "installation") !== installation) findings.add("the installation is not the one that began the record");
	if (metaOf(storage, "owner") !== `${profile} ${environment}`) findings.add("the record was begun for another profile");
}

/** A number is given to one look alone: the next one is above all that are on record. */
function looksFaults(storage: Storage, findings: Findings): void {
	const given = statement(storage, "SELECT value FROM meta WHERE key = 'looks'").get()?.value ?? 0;
	const highest = statement(
		storage,
		"SELECT max(coalesce(json_extract(content, '$.look.number'), 0)) AS highest FROM event WHERE kind = 'looked'",
	).get()?.highest;
	if (Number(highest ?? 0) > Number(given)) findings.add(`look ${highest} is on record, but only ${given} were counted`);
}

/** Every table, index and trigger that a journal is made with. */
const objects = [...tables.matchAll(/CREATE (?:TABLE|INDEX|TRIGGER) (\w+)/g)].map((match) => match[1] as string);

function derived(storage: Storage, rules: Rules, findings: Findings): number {
	let intents = 0;
	for (let after = 0; ; ) {
		const rows = statement(storage, `SELECT * FROM intent WHERE number > ? AND batch IS NULL ORDER BY number LIMIT ${page}`).all(after);
		for (const row of rows) {
			intents += 1;
			const fault = intentFault(storage, rules, row);
			if (fault) findings.add(`intent ${row.number}: ${fault}`);
		}
		if (rows.length < page) break;
		after = Number(rows.at(-1)?.number);
	}
	const orphans = statement(
		storage,
		"SELECT count(DISTINCT intent) AS orphans FROM event WHERE intent IS NOT NULL AND intent NOT IN (SELECT number FROM intent)",
	).get()?.orphans;
	if (orphans !== 0) findings.add(`${orphans} intents have events, but no entry of their own`);
	return intents;
}
