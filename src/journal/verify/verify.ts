/**
 * Verifies that the journal was not altered: the database's own check, the chain of hashes, and the derived tables against the events. The
 * chain shows any change to a part of it. It cannot show that the whole file was replaced or every hash recomputed; for that the journal
 * is compared with its anchor and with a head that was noted elsewhere.
 */
import type { Standing } from "../../ports/anchor.js";
import type { IntentState, JournalIntent, JournalStep } from "../../ports/intent.js";
import type { Rules, SettingsRecord, Verification } from "../../ports/journal.js";
import { type SqlRow, type SqlValue, yieldToEventLoop } from "../../sqlite/storage.js";
import { restoredMark } from "../anchor/restored.js";
import { diedReason, resultAfterReopening, resultOf } from "../intents/record.js";
import { settingChanges, settingsKind } from "../intents/settings-record.js";
import { type Findings, idAfter, stepOf } from "../intents/steps.js";
import { type Cells, transferOf } from "../tables/batch-row.js";
import { atService, dayOf } from "../tables/service-time.js";
import { type Reading, sql } from "../tables/sql.js";
import { columnsOf, type IntentResult, type StoredIntent, text } from "../tables/tables.js";
import { genesis, hashOf, headOf, installationOf, metaOf } from "../tables/transaction.js";
import { batchFaults } from "./batches.js";

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
	const own = new OwnEvents(findings);
	const head = await checkChain(reading, findings, noted, (event) => own.see(event));
	await own.compare(reading);
	const mark = await restoredMark(reading);
	const anchor = anchorFaults(standing, head, findings);
	const intents = (await intentFaults(reading, rules, findings)) + (await batchFaults(reading, rules, findings));
	await ownerFaults(reading, findings);
	await spentFaults(reading, rules, findings);
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
		elsewhere: "the journal is in another database than the one by which money left last: it may be a copy",
		changed: `event ${anchor?.seq} is not the one that was there when money left: what is before it was changed`,
	};
	const fault = standing && faults[standing.kind];
	if (fault !== undefined) findings.add(fault);
	const holds = standing?.kind === "held" || standing?.kind === "second";
	return anchor && { seq: anchor.seq, hash: anchor.hash, at: anchor.at, installation: anchor.installation, holds };
}

/** The journal must be its owner's. */
async function ownerFaults(reading: Reading, findings: Findings): Promise<void> {
	const begun = await reading.get(sql`SELECT content FROM event WHERE kind = 'installed'`);
	if (begun === undefined) return;
	const { installation, profile, environment } = JSON.parse(String(begun.content)) as Record<string, unknown>;
	if ((await installationOf(reading)) !== installation) findings.add("the installation is not the one that began the record");
	if ((await metaOf(reading, "owner")) !== `${profile} ${environment}`) findings.add("the record was begun for another profile");
}

async function intentFaults(reading: Reading, rules: Rules, findings: Findings): Promise<number> {
	let intents = 0;
	for (let after = 0; ; ) {
		const rows = await reading.all(sql`SELECT * FROM intent WHERE number > ${after} AND batch IS NULL ORDER BY number LIMIT ${page}`);
		for (const row of rows) {
			intents += 1;
			const fault = await intentFault(reading, rules, row);
			if (fault) findings.add(`intent ${row.number}: ${fault}`);
		}
		if (rows.length < page) break;
		after = Number(rows.at(-1)?.number);
		await yieldToEventLoop();
	}
	const orphans = Number(
		(
			await reading.get(
				sql`SELECT count(DISTINCT intent) AS orphans FROM event WHERE intent IS NOT NULL AND intent NOT IN (SELECT number FROM intent)`,
			)
		)?.orphans,
	);
	if (orphans !== 0) findings.add(`${orphans} intents have events, but no entry of their own`);
	return intents;
}

/** Adds up everything that counts as spent, and the unsent rows of begun batches. */
async function spentFaults(reading: Reading, rules: Rules, findings: Findings): Promise<void> {
	const sums = new Map<string, string>();
	const add = (day: string, currency: string, amount: string, sign: 1 | -1): void => {
		const key = `${day} ${currency}`;
		sums.set(key, rules.add(sums.get(key) ?? "0", amount, sign));
	};
	for (let after = 0; ; ) {
		const rows = await reading.all(
			sql`SELECT intent.*, batch.day AS day FROM intent LEFT JOIN batch ON batch.number = intent.batch WHERE intent.number > ${after}
			AND intent.effect = 'money' AND (intent.state <> 'planned' OR batch.state = 'begun') ORDER BY intent.number LIMIT ${page}`,
		);
		for (const row of rows) {
			if (row.state !== "planned" && !rules.counts(row.state as IntentState)) continue;
			const { amount, currency = "", skew } = ofRow(row);
			add(row.state === "planned" ? String(row.day) : dayOf(String(row.begun), skew), currency, amount, 1);
		}
		if (rows.length < page) break;
		after = Number(rows.at(-1)?.number);
		await yieldToEventLoop();
	}
	for (const { day, currency, total } of await reading.all(sql`SELECT day, currency, total FROM spent`))
		add(String(day), String(currency), String(total), -1);
	for (const [key, difference] of sums)
		if (/[1-9]/.test(difference)) findings.add(`the sum of the day ${key.trim()} is not that of what went out on it`);
}

/** Of a payment and of a batch's row, told apart by their content: what it moves, and the skew known when it began. */
function ofRow(row: SqlRow): { amount: string; currency?: string; skew?: number } {
	const content = JSON.parse(String(row.content)) as JournalIntent | Cells;
	if ("effect" in content) return { ...(content.transfer ?? { amount: "0" }), skew: content.skew };
	return { ...transferOf(content), skew: typeof row.skew === "number" ? row.skew : undefined };
}

/** Takes every event, oldest first, then compares. */
class OwnEvents {
	#settings?: SettingsRecord;
	/** The earliest that the highest service time can be. */
	#least?: string;
	#checks = 0;

	constructor(private readonly findings: Findings) {}

	see(row: SqlRow): void {
		if (!["settings", "clock", "begun", "moved", "begun-batch", "checked"].includes(String(row.kind))) return;
		const content = contentOf(row);
		if (row.kind === settingsKind && row.intent === null && row.batch === null)
			this.#seeSettings(row, content as unknown as SettingsRecord);
		else if (row.kind === "clock") this.#least = String(content.service);
		else if (row.kind === "checked")
			this.#checks = Math.max(this.#checks, Number((content.check as { number?: number } | undefined)?.number ?? 0));
		else if (typeof content.skew === "number") this.#least = [this.#least ?? "", atService(String(row.at), content.skew)].sort().at(-1);
	}

	/** The first record may hold any settings: earlier ones were never recorded. */
	#seeSettings({ seq }: SqlRow, record: SettingsRecord): void {
		const last = this.#settings;
		const { how, changes, settings } = record;
		if (last !== undefined && (how === "first" || JSON.stringify(changes) !== JSON.stringify(settingChanges(last.settings, settings))))
			this.findings.add(`the settings recorded in event ${seq} do not follow from those recorded before`);
		this.#settings = record;
	}

	/** The stored time may be later than all events, because refused steps have no event; set back, it would let an expired plan be sent. */
	async compare(reading: Reading): Promise<void> {
		const highest = await metaOf(reading, "service-time");
		if (this.#least !== undefined && !(highest !== undefined && highest >= this.#least))
			this.findings.add(`the highest time of the service is kept as ${highest ?? "nothing"}, but its events say ${this.#least}`);
		const counted = Number((await metaOf(reading, "checks")) ?? 0);
		// A number must not be given twice.
		if (this.#checks > counted) this.findings.add(`check ${this.#checks} is on record, but only ${counted} were counted`);
	}
}

/** What cannot be read was altered, which the chain tells. */
function contentOf({ content }: SqlRow): Record<string, unknown> {
	try {
		return JSON.parse(String(content)) as Record<string, unknown>;
	} catch {
		return {};
	}
}

/** An intent as its events say, and the numbers of the looks at its latest attempt. */
interface Replayed extends Omit<StoredIntent, "number" | "state"> {
	state?: IntentState;
	checks: readonly (number | undefined)[];
}

/** Replays an intent's events. @returns how its row differs from them, for people; undefined if it does not */
async function intentFault(reading: Reading, rules: Rules, row: SqlRow): Promise<string | undefined> {
	let replayed: Replayed;
	try {
		replayed = await replay(reading, rules, Number(row.number));
	} catch (error) {
		return `its events do not follow from each other (${error instanceof Error ? error.message : "unknown"})`;
	}
	const { state, intent, fingerprint } = replayed;
	if (state === undefined) return "has no events";
	const expected: Readonly<Record<string, SqlValue>> = { ...columnsOf({ ...replayed, state }), batch: null, row: null };
	const other = Object.keys(expected).filter((column) => row[column] !== expected[column]);
	if (other.length > 0) return `is kept with another ${other.join(", ")} than its events say`;
	return fingerprint === rules.fingerprint(intent) ? undefined : "is kept with a fingerprint that is not its own";
}

async function replay(reading: Reading, rules: Rules, number: number): Promise<Replayed> {
	const rows = await reading.all(sql`SELECT at, kind, content FROM event WHERE intent = ${number} ORDER BY seq`);
	let replayed: Replayed = { attempt: 0, begun: "", changed: "", intent: {} as JournalIntent, result: {}, checks: [] };
	for (const row of rows) {
		const at = String(row.at);
		const content = JSON.parse(String(row.content)) as Record<string, unknown>;
		if (row.kind === "carried" && replayed.state === undefined) {
			replayed = { ...(content as unknown as StoredIntent), checks: [] };
			continue;
		}
		const step = stepOf(String(row.kind), content);
		const state = rules.next(replayed.state, step);
		requireRecordedChecks(step, replayed.checks);
		if (step.kind === "begun") {
			const { attempt: _, sender, fingerprint, ...intent } = content;
			const recorded = { sender: text(sender), fingerprint: text(fingerprint), intent: intent as unknown as JournalIntent };
			const { attempt, createdId, carried } = replayed;
			replayed = { ...recorded, state, createdId, carried, attempt: attempt + 1, begun: at, changed: at, result: {}, checks: [] };
		} else if (step.kind === "checked") replayed = { ...replayed, state, checks: [...replayed.checks, step.check.number] };
		else if (step.kind === "abandoned") replayed = { ...replayed, state };
		else {
			const createdId = idAfter(step, replayed.createdId);
			replayed = { ...replayed, state, createdId, changed: at, result: resultAfter(step, replayed.result) };
		}
	}
	return replayed;
}

function resultAfter(step: JournalStep, result: IntentResult): IntentResult {
	switch (step.kind) {
		case "ended":
			return resultOf(step.outcome);
		case "died":
			return { ...result, why: diedReason };
		case "settled":
			return { ...result, evidence: step.settlement.evidence };
		case "reopened":
			return resultAfterReopening(result, step);
		default:
			return result;
	}
}

/** @throws RangeError if a doubt was settled on a look that is not recorded */
function requireRecordedChecks(step: JournalStep, checks: Replayed["checks"]): void {
	if (step.kind !== "settled") return;
	const astray = step.settlement.evidence.checks?.find(({ number }) => number !== undefined && !checks.includes(number));
	if (astray) throw new RangeError(`it was settled on check ${astray.number}, which is not on record`);
}
