/**
 * Verifies that the journal was not altered: the database's own check, the chain of hashes, and the derived tables against the events. The
 * chain shows any change to a part of it. It cannot show that the whole file was replaced or every hash recomputed; for that the journal
 * is compared with its anchor and with a head that was noted elsewhere.
 */
import type { Standing } from "../../ports/anchor.js";
import type { Rules, Verification } from "../../ports/journal.js";
import { type SqlRow, yieldToEventLoop } from "../../sqlite/storage.js";
import { restoredMark } from "../anchor/unfit.js";
import type { Findings } from "../intents/steps.js";
import { type Reading, sql } from "../tables/sql.js";
import { genesis, hashOf, headOf, installationOf } from "../tables/transaction.js";
import { Replay } from "./replay.js";

/** Most faults that are listed. */
const mostFaults = 20;
/** Rows of one page; one event may concern a few hundred rows. Larger pages outlive V8's young generation and raise peak memory. */
const page = 200;

/** What the journal is compared with besides itself. */
export interface Comparison {
	/** How it compares with its anchor, if it has one; read before the snapshot, which must contain the anchored event. */
	standing?: Standing;
	/** An event noted elsewhere: its hash, and its number if known. */
	head?: { seq?: number; hash: string };
	/** What is wrong with the database itself. */
	database: readonly string[];
}

/**
 * Reads everything once; memory does not grow with the journal.
 * @param reading one snapshot, even while others write
 */
export async function verifyJournal(
	reading: Reading,
	rules: Rules,
	{ standing, head: noted, database }: Comparison,
): Promise<Verification> {
	const faults: string[] = [];
	const findings: Findings = { faults, add: (fault) => void (faults.length < mostFaults && faults.push(fault)) };
	for (const fault of database) findings.add(`database: ${fault}`);
	const replay = new Replay(rules, findings);
	const head = await checkChain(reading, findings, noted, (event) => replay.see(event));
	const mark = await restoredMark(reading);
	const anchor = anchorFaults(standing, head, findings);
	const intents = await replay.compare(reading);
	return {
		events: head.events,
		intents,
		head: { seq: head.seq, hash: head.hash },
		installation: await installationOf(reading),
		...(anchor && { anchor }),
		...(mark && { restored: { copied: mark.copied, last: mark.last } }),
		faults,
	};
}

/** The end of the chain and its number of events. */
interface Chain {
	seq: number;
	hash: string;
	events: number;
}

/**
 * Checks that each event continues the one before it, up to the stored head.
 * @param noted an event that must be among them
 * @param see is given each event
 */
export async function checkChain(
	reading: Reading,
	findings: Findings,
	noted?: Comparison["head"],
	see?: (event: SqlRow) => void,
): Promise<Chain> {
	let seq = 0;
	let hash = genesis;
	let events = 0;
	let found = noted === undefined || isNoted(noted, { seq, hash });
	for (;;) {
		const rows = await reading.all(sql`SELECT * FROM event WHERE seq > ${seq} ORDER BY seq LIMIT ${page}`);
		for (const row of rows) {
			events += 1;
			if (Number(row.seq) !== seq + 1) findings.add(`event ${seq + 1} is missing`);
			const expected = hashOf(hash, {
				seq: Number(row.seq),
				at: String(row.at),
				intent: row.intent === null ? null : Number(row.intent),
				kind: String(row.kind),
				content: String(row.content),
				batch: row.batch === null ? null : Number(row.batch),
			});
			if (expected !== row.hash) findings.add(`event ${row.seq} was altered`);
			seq = Number(row.seq);
			hash = String(row.hash);
			see?.(row);
			found ||= isNoted(noted as NonNullable<typeof noted>, { seq, hash });
		}
		if (rows.length < page) break;
		await yieldToEventLoop();
	}
	if (!found) findings.add(notedFault(noted as NonNullable<typeof noted>, seq));
	const written = await headOf(reading);
	if (written.seq !== seq || written.hash !== hash) findings.add(`the record ends at event ${seq}, but ${written.seq} was written last`);
	return { seq, hash, events };
}

const isNoted = (noted: NonNullable<Comparison["head"]>, { seq, hash }: { seq: number; hash: string }): boolean =>
	noted.hash === hash && (noted.seq === undefined || noted.seq === seq);

function notedFault({ seq, hash }: NonNullable<Comparison["head"]>, last: number): string {
	const which = seq === undefined ? `the noted hash ${hash}` : `event ${seq} with the noted hash ${hash}`;
	if (seq !== undefined && seq > last) return `${which} is not in the record, which ends at event ${last}: it is older, or not the one`;
	return `${which} is not in the record`;
}

/** Adds the faults found by the comparison with the anchor. @returns the anchor, if there is one */
function anchorFaults(standing: Standing | undefined, head: Chain, findings: Findings): Verification["anchor"] {
	const anchor = standing !== undefined && "anchor" in standing ? standing.anchor : undefined;
	const faults: Partial<Record<Standing["kind"], string>> = {
		broken: "the anchor beside the profile was changed by hand, or its key is gone, so the journal cannot be checked against it",
		other: `the anchor is of another journal (installation ${anchor?.installation}): this one was put in its place, or begun anew`,
		behind: `the record ends at event ${head.seq}, but money left when it had ${anchor?.seq}: it is older, or cut off`,
		elsewhere: "the journal is in another database than the one by which money left last, or that one was restored, or a standby took over",
		changed: `event ${anchor?.seq} is not the one that was there when money left: what is before it was changed`,
	};
	const fault = standing && faults[standing.kind];
	if (fault !== undefined) findings.add(fault);
	const holds = standing?.kind === "held" || standing?.kind === "second";
	return anchor && { seq: anchor.seq, hash: anchor.hash, at: anchor.at, installation: anchor.installation, holds };
}
