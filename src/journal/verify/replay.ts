/**
 * Rebuilds the derived tables from the events, by what writes them, and compares every column. Intents are replayed in pieces by number, so
 * that memory grows by a few bytes with each piece: which events concern it.
 */
import { RowsDigest } from "../../api/operations/rows-digest.js";
import type { IntentState, JournalIntent, JournalStep } from "../../ports/intent.js";
import type { Rules, SettingsRecord } from "../../ports/journal.js";
import { type SqlRow, yieldToEventLoop } from "../../sqlite/storage.js";
import { type BatchEvents, batchAfter, batchColumns, newRow, type StoredBatch } from "../batches/table.js";
import { type Range, type RowsStep, stepsIn } from "../intents/batch-events.js";
import { intentAfter } from "../intents/record.js";
import { settingChanges, settingsKind } from "../intents/settings-record.js";
import { transferIn } from "../tables/batch-row.js";
import { atService, dayOf } from "../tables/service-time.js";
import { type Reading, sql } from "../tables/sql.js";
import { columnsOf, type StoredIntent, text } from "../tables/tables.js";

/** Numbers of one piece. Larger ones outlive V8's young generation and raise peak memory. */
const size = 500;
/** Events of one page; each may concern a few hundred rows. */
const page = 25;
/** Events between two that concern a piece which are read with them. */
const gap = 10;

/** A batch as its events say, without its plan: plans are long. */
interface KnownBatch {
	stored: StoredBatch;
	/** The event with its plan. */
	planned: number;
	count: number;
	sequence: string;
	/** Those seen so far, the numbers that they have in the file, and the digest over them. */
	rows: number;
	numbers: Generator<number>;
	digest: RowsDigest;
}

/** An intent as its events say. */
interface Replayed {
	stored: Omit<StoredIntent, "state"> & { state?: IntentState };
	/** The numbers of the looks at its latest attempt. */
	checks: readonly (number | undefined)[];
	fault?: string;
}

interface Event {
	seq: number;
	at: string;
	kind: string;
	intent: number | null;
	batch: number | null;
	content: Record<string, unknown>;
}

/** Takes every event, oldest first, then compares. */
export class Replay {
	readonly #batches = new Map<number, KnownBatch>();
	/** By piece, the events that concern it. */
	readonly #touched = new Map<number, [from: number, to: number][]>();
	readonly #spent = new Map<string, string>();
	/** By machine; of a journal on one machine there is one. */
	readonly #settings = new Map<string | undefined, SettingsRecord["settings"]>();
	#meta: Record<string, string | undefined> = {};

	constructor(
		private readonly rules: Rules,
		private readonly fault: (fault: string) => void,
	) {}

	see(row: SqlRow): void {
		try {
			const event = eventIn(row);
			if (event.intent === null && event.batch === null) this.#seeOwn(event);
			else if (event.batch !== null) this.#seeBatch(event, event.batch);
			this.#seeTime(event);
			for (const { ranges } of stepsOf(event)) for (const range of ranges) this.#touch(this.#within(event, range), event.seq);
		} catch (error) {
			this.fault(`event ${row.seq} does not follow from those before it (${error instanceof Error ? error.message : "unknown"})`);
		}
	}

	#seeOwn({ kind, content, seq }: Event): void {
		if (kind === settingsKind) this.#seeSettings(seq, content as unknown as SettingsRecord);
		else if (kind === "installed") {
			const { installation, profile, environment, service, version } = content as Record<string, string | number | undefined>;
			const team = service === undefined ? {} : { service: String(service), version: String(version) };
			this.#meta = { installation: String(installation), owner: `${profile} ${environment}`, ...team };
		} else if (kind === "clock") this.#meta["service-time"] = String(content.service);
	}

	/** The first record may hold any settings: earlier ones were never recorded. */
	#seeSettings(seq: number, { how, machine, changes, settings }: SettingsRecord): void {
		const last = this.#settings.get(machine);
		if (last !== undefined && (how === "first" || JSON.stringify(changes) !== JSON.stringify(settingChanges(last, settings))))
			this.fault(`the settings recorded in event ${seq} do not follow from those recorded before`);
		this.#settings.set(machine, settings);
	}

	#seeTime({ at, kind, content }: Event): void {
		if (kind === "checked") {
			const number = Number((content.check as { number?: number }).number ?? 0);
			if (number > Number(this.#meta.checks ?? 0)) this.#meta.checks = String(number);
		}
		const { skew } = kind === "ended" ? (content.outcome as { skew?: number }) : content;
		if (typeof skew === "number") this.#meta["service-time"] = [this.#meta["service-time"] ?? "", atService(at, skew)].sort().at(-1);
	}

	#seeBatch({ seq, at, kind, content, intent }: Event, number: number): void {
		const known = this.#batches.get(number);
		if (kind === "planned") {
			const { plan, rows, ...stored } = content as unknown as BatchEvents["planned"];
			this.#batches.set(number, {
				stored: batchAfter({ number }, "planned", { ...stored, plan, rows }, at),
				...{ planned: seq, count: plan.count, sequence: plan.digest.sequence },
				...{ rows: 0, numbers: numbersIn(rows), digest: new RowsDigest() },
			});
			return;
		}
		if (known === undefined) throw new RangeError(`batch ${number} was not planned`);
		const begins = kind === "begun-batch" || (kind === "moved" && (content.begun as readonly Range[]).length > 0);
		if (begins && known.stored.state === "abandoned") this.fault(`batch ${number} was sent after it was cancelled`);
		if (intent !== null || kind === "moved") return;
		known.stored = batchAfter(known.stored, kind as keyof BatchEvents, content as never, at);
	}

	/** @throws RangeError, if an event of a batch concerns what is none of its rows */
	#within({ batch, intent }: Event, [from, to]: Range): Range {
		if (batch === null && intent !== null) return [from, to];
		const stored = this.#batches.get(Number(batch))?.stored;
		if (stored === undefined || !(stored.first <= from && from <= to && to <= stored.last))
			throw new RangeError(`intents ${from} to ${to} are no rows of batch ${batch}`);
		return [from, to];
	}

	#touch([from, to]: Range, seq: number): void {
		for (let piece = Math.floor(from / size); piece <= Math.floor(to / size); piece++) {
			const ranges = this.#touched.get(piece) ?? [];
			const last = ranges.at(-1);
			if (last !== undefined && seq - last[1] <= gap) last[1] = seq;
			else ranges.push([seq, seq]);
			this.#touched.set(piece, ranges);
		}
	}

	/** @returns the number of intents compared */
	async compare(reading: Reading): Promise<number> {
		const loading = await this.#compareBatches(reading);
		let intents = 0;
		const touched = [...this.#touched.keys()].sort((one, other) => one - other);
		for (let after = Number.MIN_SAFE_INTEGER; ; ) {
			const { least } = (await reading.get(sql`SELECT min(number) AS least FROM intent WHERE number > ${after}`)) ?? {};
			while (touched[0] !== undefined && touched[0] * size + size - 1 <= after) touched.shift();
			const stored = typeof least === "number" ? Math.floor(least / size) : Number.POSITIVE_INFINITY;
			const piece = Math.min(stored, touched[0] ?? Number.POSITIVE_INFINITY);
			if (piece === Number.POSITIVE_INFINITY) break;
			intents += await this.#comparePiece(reading, piece, loading);
			after = piece * size + size - 1;
			await yieldToEventLoop();
		}
		this.#compareRows();
		await this.#compareMeta(reading);
		await this.#compareSpent(reading);
		return intents;
	}

	/** @returns the batches that are being loaded, of which no event says anything */
	async #compareBatches(reading: Reading): Promise<ReadonlySet<number>> {
		const loading = new Set<number>();
		for (const { number, state } of await reading.all(sql`SELECT number, state FROM batch ORDER BY number`)) {
			const known = this.#batches.get(Number(number));
			if (state === "loading" && (known === undefined || known.stored.state === "loading")) loading.add(Number(number));
			else if (known === undefined) this.fault(`batch ${number} has no events`);
		}
		for (const [number, { stored, planned }] of this.#batches) {
			if (stored.state === "loading") continue;
			// libsql's `get` adds a column of its own.
			const [row] = await reading.all(sql`SELECT * FROM batch WHERE number = ${number}`);
			if (row === undefined) this.fault(`batch ${number} has events, but no entry of its own`);
			const event = await reading.get(sql`SELECT content FROM event WHERE seq = ${planned}`);
			const { plan } = JSON.parse(String(event?.content)) as BatchEvents["planned"];
			// Who loaded it is known to the rules of a team's database alone, which keep it.
			const { planner: _, ...own } = row ?? {};
			this.#addOther(`batch ${number}`, own, batchColumns({ ...stored, plan }));
		}
		return loading;
	}

	/** Every column of the row is compared, so that none can be forgotten. */
	#addOther(whose: string, row: SqlRow | undefined, columns: Readonly<Record<string, unknown>>): void {
		const other = Object.keys(row ?? {}).filter((column) => row?.[column] !== columns[column]);
		if (other.length > 0) this.fault(`${whose} is kept with another ${other.join(", ")} than its events say`);
	}

	async #comparePiece(reading: Reading, piece: number, loading: ReadonlySet<number>): Promise<number> {
		const [from, to] = [piece * size, piece * size + size - 1];
		const rows = await reading.all(sql`SELECT * FROM intent WHERE number BETWEEN ${from} AND ${to} ORDER BY number`);
		const intents = new Map<number, Replayed>();
		for (const row of rows) if (row.batch !== null) this.#plan(intents, row, Number(row.batch));
		for (const range of this.#touched.get(piece) ?? [])
			for await (const event of eventsIn(reading, range))
				for (const { ranges, step } of stepsOf(event))
					for (const [first, last] of ranges)
						for (let number = Math.max(first, from); number <= Math.min(last, to); number++) this.#move(intents, number, event, step);
		for (const row of rows) {
			const number = Number(row.number);
			const one = intents.get(number);
			intents.delete(number);
			const whose = `intent ${number}${row.batch === null ? "" : ` (row ${row.row} of batch ${row.batch})`}`;
			if (one === undefined && loading.has(Number(row.batch))) continue;
			if (one === undefined || one.stored.state === undefined) this.fault(`${whose} has no events`);
			else if (one.fault !== undefined) this.fault(`${whose} ${one.fault}`);
			else this.#compareIntent(whose, row, { ...one.stored, state: one.stored.state });
		}
		for (const number of intents.keys()) this.fault(`intent ${number} has events, but no entry of its own`);
		return rows.length;
	}

	/** A row as it was planned: what it pays is held against the digest of its batch. */
	#plan(intents: Map<number, Replayed>, row: SqlRow, batch: number): void {
		const [known, number] = [this.#batches.get(batch), Number(row.number)];
		if (known === undefined || known.stored.state === "loading" || number < known.stored.first || number > known.stored.last) return;
		known.rows += 1;
		try {
			const planned = { row: known.numbers.next().value as number, transfer: transferIn(row) };
			known.digest.add(planned.transfer);
			intents.set(number, { stored: { ...newRow(this.rules, known.stored, planned), number }, checks: [] });
		} catch {
			intents.set(number, { stored: { state: "planned" } as StoredIntent, checks: [], fault: "cannot be read" });
		}
	}

	#move(intents: Map<number, Replayed>, number: number, event: Event, step: JournalStep): void {
		const one = intents.get(number) ?? newIntent(number);
		if (one.fault !== undefined) return;
		try {
			if ((one.stored.batch ?? null) !== event.batch) throw new RangeError("it is a row of another batch");
			intents.set(number, moved(this.rules, one, event, step));
		} catch (error) {
			const fault = `has events that do not follow from each other (${error instanceof Error ? error.message : "unknown"})`;
			intents.set(number, { ...one, stored: { ...one.stored, state: one.stored.state ?? "sending" }, fault });
		}
	}

	#compareIntent(whose: string, row: SqlRow, stored: StoredIntent): void {
		const { number, intent, fingerprint, state, batch, begun, result } = stored;
		this.#addOther(whose, row, { number, ...columnsOf(stored) });
		if (fingerprint !== this.rules.fingerprint(intent)) this.fault(`${whose} is kept with a fingerprint that is not its own`);
		if (intent.transfer === undefined) return;
		const { amount, currency = "" } = intent.transfer;
		const of = batch === undefined ? undefined : this.#batches.get(batch)?.stored;
		if (state === "planned" && of?.state === "begun") this.#add(String(of.day), currency, amount, 1);
		else if (state !== "planned" && this.rules.counts(state))
			this.#add(dayOf(begun, batch === undefined ? intent.skew : result.skew), currency, amount, 1);
	}

	#add(day: string, currency: string, amount: string, sign: 1 | -1): void {
		const key = `${day} ${currency}`;
		this.#spent.set(key, this.rules.add(this.#spent.get(key) ?? "0", amount, sign));
	}

	#compareRows(): void {
		for (const [number, { stored, rows, count, digest, sequence }] of this.#batches) {
			if (stored.state === "loading") continue;
			if (rows !== count) this.fault(`batch ${number} has ${rows} rows, but was planned with ${count}`);
			else if (digest.finish().sequence !== sequence) this.fault(`the rows of batch ${number} are not those that were planned`);
		}
	}

	/** All but the end of the chain, which is compared with it. */
	async #compareMeta(reading: Reading): Promise<void> {
		const rows = await reading.all(sql`SELECT key, value FROM meta WHERE key NOT IN ('seq', 'hash')`);
		const kept = Object.fromEntries(rows.map(({ key, value }) => [String(key), String(value)]));
		for (const key of new Set([...Object.keys(kept), ...Object.keys(this.#meta)]))
			if (kept[key] !== this.#meta[key])
				this.fault(`${key} is kept as ${kept[key] ?? "nothing"}, but the events say ${this.#meta[key] ?? "nothing"}`);
	}

	async #compareSpent(reading: Reading): Promise<void> {
		for (const { day, currency, total } of await reading.all(sql`SELECT day, currency, total FROM spent`))
			this.#add(String(day), String(currency), String(total), -1);
		for (const [key, difference] of this.#spent)
			if (/[1-9]/.test(difference)) this.fault(`the sum of the day ${key.trim()} is not that of what went out on it`);
	}
}

/** @throws SyntaxError, if it cannot be read */
function eventIn({ seq, at, kind, intent, batch, content }: SqlRow): Event {
	return {
		...{ seq: Number(seq), at: String(at), kind: String(kind) },
		intent: intent === null ? null : Number(intent),
		batch: batch === null ? null : Number(batch),
		content: JSON.parse(String(content)) as Record<string, unknown>,
	};
}

/** Those that can be read: of the others the chain tells. */
async function* eventsIn(reading: Reading, [from, to]: Range): AsyncGenerator<Event> {
	for (let first = from; first <= to; first += page) {
		const rows = await reading.all(sql`SELECT * FROM event WHERE seq BETWEEN ${first} AND ${Math.min(to, first + page - 1)} ORDER BY seq`);
		for (const row of rows) {
			try {
				yield eventIn(row);
			} catch {}
		}
	}
}

/** What an event does to which intents. */
function stepsOf({ kind, intent, content }: Event): readonly RowsStep[] {
	if (intent === null) return stepsIn(kind, content) ?? [];
	return [{ ranges: [[intent, intent]], step: { ...content, kind } as unknown as JournalStep }];
}

function* numbersIn(ranges: readonly Range[]): Generator<number> {
	for (const [from, to] of ranges) for (let number = from; number <= to; number++) yield number;
}

/** Of one that has no event yet. */
function newIntent(number: number): Replayed {
	return { stored: { number, attempt: 0, begun: "", changed: "", intent: {} as JournalIntent, result: {} }, checks: [] };
}

/** @throws RangeError or the rules' error, where the step does not follow */
function moved(rules: Rules, { stored, checks }: Replayed, { at, content }: Event, step: JournalStep): Replayed {
	requireRecordedChecks(step, checks);
	if (step.kind !== "begun" && step.kind !== "carried") {
		const after = intentAfter(rules, stored, step, at);
		return { stored: after, checks: step.kind === "checked" ? [...checks, step.check.number] : checks };
	}
	const state = rules.next(stored.state, step);
	if (step.kind === "carried") return { stored: { ...(content as unknown as StoredIntent), number: stored.number }, checks: [] };
	return { stored: { ...stored, state, ...begunBy(stored, at, content) }, checks: [] };
}

/** What a new attempt changes. A single payment's may have other details than the one before; a row's never has. */
function begunBy({ batch, attempt }: Replayed["stored"], at: string, content: Record<string, unknown>): Partial<StoredIntent> {
	const { attempt: _, sender, fingerprint, ...intent } = content;
	const begun = { attempt: attempt + 1, begun: text(content.sent) ?? at, changed: at, sender: text(sender) };
	if (batch !== undefined) return { ...begun, result: { skew: content.skew as number | undefined } };
	return { ...begun, fingerprint: text(fingerprint), intent: intent as unknown as JournalIntent, result: {} };
}

/** @throws RangeError if a doubt was settled on a look that is not recorded */
function requireRecordedChecks(step: JournalStep, checks: Replayed["checks"]): void {
	if (step.kind !== "settled") return;
	const astray = step.settlement.evidence.checks?.find(({ number }) => number !== undefined && !checks.includes(number));
	if (astray) throw new RangeError(`it was settled on check ${astray.number}, which is not on record`);
}
