/**
 * Whether the record is as it was written: the database's own check, the chain of hashes, and the derived tables against the events.
 * The chain shows any change to a part of it. It cannot show a file replaced as a whole by somebody who recomputed every hash:
 * for that, the head told here is noted elsewhere.
 */
import type { IntentState, Rules, Verified } from "../context.js";
import { batches } from "./batch-verify.js";
import { genesis, hashOf } from "./chain.js";
import { type Findings, idOf, stepOf } from "./steps.js";
import type { Row, Storage } from "./storage.js";
import { statement } from "./transaction.js";

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

function derived(storage: Storage, rules: Rules, findings: Findings): number {
	let intents = 0;
	for (let after = 0; ; ) {
		const rows = statement(storage, `SELECT * FROM intent WHERE number > ? AND batch IS NULL ORDER BY number LIMIT ${page}`).all(after);
		for (const row of rows) {
			intents += 1;
			const fault = compare(storage, rules, row);
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

/** Plays an intent's events again and compares what follows with what is kept. */
function compare(storage: Storage, rules: Rules, row: Row): string | undefined {
	const rows = statement(storage, "SELECT kind, content FROM event WHERE intent = ? ORDER BY seq").all(Number(row.number));
	let state: IntentState | undefined;
	let attempt = 0;
	let id: string | undefined;
	try {
		for (const { kind, content } of rows) {
			const step = stepOf(String(kind), JSON.parse(String(content)) as Record<string, unknown>);
			state = rules.next(state, step);
			if (step.kind === "begun") attempt += 1;
			id = idOf(step) ?? id;
		}
	} catch (error) {
		return `its events do not follow from each other (${error instanceof Error ? error.message : "unknown"})`;
	}
	if (state !== row.state) return `is kept as ${row.state}, but its events say ${state ?? "nothing"}`;
	if (attempt !== Number(row.attempt)) return `is kept at attempt ${row.attempt}, but its events say ${attempt}`;
	if ((id ?? null) !== row.created_id) return `is kept with the id ${row.created_id}, but its events say ${id ?? "none"}`;
	return undefined;
}
