/**
 * Verifies that the journal was not altered: the database's own check, the chain of hashes, and the derived tables against the events. The
 * chain shows any change to a part of it. It cannot show that the whole file was replaced or every hash recomputed; for that the journal
 * is compared with its anchor.
 */
import type { Standing } from "../../ports/anchor.js";
import type { Head, Rules, Verification } from "../../ports/journal.js";
import { type SqlRow, yieldToEventLoop } from "../../sqlite/storage.js";
import { marksOf } from "../anchor/unfit.js";
import { type Reading, within } from "../tables/sql.js";
import { eventPages, genesis, hashOf, headOf, installationOf } from "../tables/transaction.js";
import { Replay } from "./replay.js";

/** Most faults that are listed. */
const mostFaults = 20;
/** Rows of one page; one event may concern a few hundred rows. Larger pages outlive V8's young generation and raise peak memory. */
const page = 200;

/**
 * Reads everything once; memory does not grow with the journal.
 * @param reading one snapshot, even while others write
 * @param compared `standing`: with its anchor, if it has one, read before the snapshot, which must contain the anchored event; `mismatch`, `database`:
 *   what is wrong with that, and with the database itself, in words
 */
export async function verifyJournal(
	reading: Reading,
	rules: Rules,
	{ standing, mismatch, database }: { standing?: Standing; mismatch?: string; database: readonly string[] },
): Promise<Verification> {
	const faults: string[] = [];
	const add = (fault: string): void => void (faults.length < mostFaults && faults.push(fault));
	for (const fault of database) add(`database: ${fault}`);
	const replay = new Replay(rules, add);
	const { events, ...head } = await checkChain(reading, add, (event) => replay.see(event));
	const { restored: mark } = await marksOf(reading);
	if (mismatch !== undefined) add(mismatch);
	const anchor = standing !== undefined && "anchor" in standing ? standing.anchor : undefined;
	const holds = standing?.kind === "held" || standing?.kind === "second";
	return {
		events,
		intents: await replay.compare(reading),
		head,
		installation: await installationOf(reading),
		...(anchor && { anchor: { seq: anchor.seq, hash: anchor.hash, at: anchor.at, installation: anchor.installation, holds } }),
		...(mark && { restored: { copied: mark.copied, last: mark.last } }),
		faults,
	};
}

/**
 * Checks that each event continues the one before it, up to the stored head.
 * @param add is given each fault, `see` each event
 */
export async function checkChain(
	reading: Reading,
	add: (fault: string) => void,
	see?: (event: SqlRow) => void,
): Promise<Head & { events: number }> {
	let seq = 0;
	let hash = genesis;
	let events = 0;
	for await (const rows of eventPages(within(reading), { page })) {
		for (const row of rows) {
			events += 1;
			if (Number(row.seq) !== seq + 1) add(`event ${seq + 1} is missing`);
			const expected = hashOf(hash, {
				seq: Number(row.seq),
				at: String(row.at),
				intent: row.intent === null ? null : Number(row.intent),
				kind: String(row.kind),
				content: String(row.content),
				batch: row.batch === null ? null : Number(row.batch),
			});
			if (expected !== row.hash) add(`event ${row.seq} was altered`);
			seq = Number(row.seq);
			hash = String(row.hash);
			see?.(row);
		}
		await yieldToEventLoop();
	}
	const written = await headOf(reading);
	if (written.seq !== seq || written.hash !== hash) add(`the record ends at event ${seq}, but ${written.seq} was written last`);
	return { seq, hash, events };
}
