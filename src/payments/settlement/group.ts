/**
 * The verdicts on the doubts that cannot be told apart, by what a source showed of their ledger, and what is written of them.
 */
import type { TransactionView } from "../../api/operations/transaction.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord, Look } from "../../ports/intent.js";
import { beganAt, beganAtLatest, clockFault, type LookClock } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import { reachBack } from "./attempt-times.js";
import { type Correction, contested, unsure } from "./correct.js";
import { type Doubt, looksApart, settleByCounting, type Verdict } from "./counting.js";
import type { Listing } from "./lists/listing.js";
import { isCounted, isTransfer, type Open } from "./matching/doubts.js";
import { payeeOf } from "./matching/look-ups.js";
import { farthestSkew, isMarked, similarityToAny, tellsPayee } from "./matching/similarity.js";
import type { Settled, Tools } from "./settle.js";
import { answerOf } from "./settled.js";

/** What one look of a run has in common for all its doubts, whatever ledgers they are of. */
export class Run<T extends Pick<Tools, "journal" | "service" | "settleAfter"> = Tools> {
	/** The number under which the journal has this look, once anything of it was recorded. */
	number?: number;
	/** Ids that were taken from payments because they came into question while doubts were counted. */
	readonly corrections: Correction[] = [];
	readonly #held = new Map<string, boolean>();
	readonly #payees = new Map<string, ReturnType<typeof payeeOf>>();

	constructor(readonly tools: T) {}

	/** Reads who holds the ids of these lines, each once. What is free may be taken meanwhile: then the journal refuses it to another. */
	async read(lines: readonly TransactionView[]): Promise<void> {
		const asked = lines.flatMap(({ id }) => (id === undefined || this.#held.has(id.toLowerCase()) ? [] : id.toLowerCase()));
		if (asked.length === 0) return;
		const holders = await this.tools.journal.holders(asked);
		for (const id of asked) this.#held.set(id, holders.has(id));
	}

	/** Whether an attempt holds this id, in lower case, of a line that was read. */
	has(id: string): boolean {
		return this.#held.get(id) === true;
	}

	/** This id is held from now on. */
	hold(id: string): void {
		this.#held.set(id.toLowerCase(), true);
	}

	/** The record of whom a payment went to, read once; see {@link payeeOf}. */
	async payee(record: IntentRecord): Promise<Doubt["payee"]> {
		if (record.transfer?.kind !== "beneficiary") return undefined;
		const { counterpartyId } = record.transfer;
		const known = this.#payees.get(counterpartyId) ?? payeeOf(this.tools, record);
		this.#payees.set(counterpartyId, known);
		return known;
	}
}

/** Settles doubts with one fingerprint; what stays in doubt gets this look on record. */
export async function settleGroup(run: Run, records: readonly Open[], source: Listing): Promise<Settled[]> {
	const { journal, settleAfter, absence } = run.tools;
	const [first] = records;
	if (first === undefined) return [];
	const { fingerprint } = first;
	const gone = await journal.list({ states: ["accepted", "waiting"], fingerprint });
	const counted = gone.filter(isCounted);
	const given = counted.map(({ id }) => id.toLowerCase());
	const clock: LookClock = source.source === "statement" ? "own" : source.skew;
	const listed = source.candidates(first.transfer, given);
	await run.read(listed);
	// Where every transaction tells the beneficiary's id, the record is not needed.
	const payee = listed.some(({ beneficiaryId }) => beneficiaryId === undefined) ? await run.payee(first) : undefined;
	const doubts = await Promise.all(records.map(async (one) => doubtOf(one, clock, payee, await journal.looks(one.intent))));
	const since = reachBack(begunOf(doubts), counted.map(beganAt), settleAfter);
	const seen = {
		source: source.source,
		at: source.at,
		serviceAt: serviceAt(source),
		skew: source.skew,
		complete: source.complete,
		lacks: source.lacks ?? (await contested(run.tools, doubts, { listed, claimed: run })),
		unproven: source.unproven,
		taken: source.taken,
		known: source.known,
		claimed: run,
		listed,
		counted: counted.map((one) => ({ begun: beganAt(one), id: one.id })),
		sending: (await journal.list({ states: ["sending"], fingerprint })).length,
		unnamed: gone.filter((one) => isUnnamed(one, source) && changedAt(one) >= Date.parse(since)).length,
	};
	const patience = { settleAfter, apart: looksApart, absence };
	const verdicts = settleByCounting(doubts, seen, patience);
	if (source.source === "statement" || !verdicts.some(({ state }) => state === "accepted")) return record(run, records, verdicts);
	const named = gone.filter((one): one is Open => isNamed(one) && changedAt(one) >= Date.parse(since));
	const { why, corrections } = await unsure(run.tools, named, source);
	run.corrections.push(...corrections);
	return record(run, records, why === undefined ? verdicts : settleByCounting(doubts, { ...seen, unsure: why }, patience));
}

/** Accepted with an id that the service answered, and that nothing has confirmed since. */
function isNamed(record: IntentRecord): boolean {
	return record.id !== undefined && record.evidence === undefined && isTransfer(record);
}

/** A doubt as it is held against a source. */
function doubtOf(record: Open, clock: LookClock, payee: Doubt["payee"], looks: readonly Look[]): Doubt {
	const { intent, transfer } = record;
	return {
		intent,
		transfer,
		payee,
		looks,
		begun: beganAt(record),
		latest: beganAtLatest(record, clock),
		clock: clockFault(record, clock),
	};
}

/** When a service's list was given by its own clock. The listing has the older of the two clocks. */
function serviceAt({ source, at, skew }: Listing): Date | undefined {
	return source === "service" && skew !== undefined ? new Date(at.getTime() + Math.max(skew, 0)) : undefined;
}

/** Accepted, and under no id that this source tells: what it shows may be that one. */
function isUnnamed({ id }: IntentRecord, source: Listing): boolean {
	return id === undefined || (source.source === "statement" && source.of(id).length === 0);
}

/** When it last changed by the service's clock, in milliseconds; the latest that is likely where the difference of the clocks is not known. */
function changedAt({ changed, skew }: IntentRecord): number {
	return Date.parse(changed) + (skew ?? 2 * farthestSkew);
}

export const begunOf = (of: readonly { begun: string }[]): string[] => of.map(({ begun }) => begun);

/**
 * The lines that surely are open doubts, by their ids in lower case: one that is exactly another doubt is not one that may be this. Where more
 * of them are listed than are in doubt, nobody knows whose the others are.
 * @param all every open doubt of the listing's ledger at its service
 */
export async function takenLines(
	run: Run<Pick<Tools, "journal" | "service" | "settleAfter">>,
	all: readonly Open[],
	source: Listing,
): Promise<Set<string>> {
	const taken = new Set<string>();
	for (const doubts of groupBy(all, (one) => `${one.fingerprint} ${one.transfer.reference ?? ""}`).values()) {
		const { transfer } = doubts[0] as Open;
		const begun = doubts.map((one) => Date.parse(beganAt(one))).sort((one, other) => one - other);
		const lines = source.candidates(transfer, []);
		await run.read(lines);
		const same = new Set<string>();
		for (const line of lines) {
			const id = line.id?.toLowerCase();
			if (id === undefined || run.has(id) || !(source.source === "service" || isMarked(transfer, line) || tellsPayee(transfer, line)))
				continue;
			if (similarityToAny({ transfer }, begun, line, run.tools.settleAfter) === "same") same.add(id);
		}
		if (same.size <= doubts.length) for (const id of same) taken.add(id);
	}
	return taken;
}

/** Records this look for what it did not show to be created, under the one number of the run, and then each verdict. */
async function record(run: Run, records: readonly Open[], verdicts: readonly Verdict[]): Promise<Settled[]> {
	const { journal, dry } = run.tools;
	for (const [key, those] of groupBy(verdicts, (one) => JSON.stringify(lookOf(one) ?? null))) {
		const look = JSON.parse(key) as Look | null;
		const intents = those.map(({ intent }) => intent);
		if (look !== null && !dry) run.number = await journal.recordLook(intents, { ...look, number: run.number });
	}
	const settled: Settled[] = [];
	for (const verdict of verdicts) {
		const of = records.find(({ intent }) => intent === verdict.intent) as Open;
		const concluded = await conclude(run.tools, of, numbered(verdict, run.number));
		if (concluded.state === "accepted" && concluded.id !== undefined) run.hold(concluded.id);
		settled.push(concluded);
	}
	return settled;
}

/** What this look saw of a doubt; of one that was found nothing is kept but what it was settled on. */
function lookOf(verdict: Verdict): Look | undefined {
	if (verdict.state === "in-doubt") return verdict.look;
	return verdict.state === "not-created" ? verdict.evidence.looks?.at(-1) : undefined;
}

function numbered(verdict: Verdict, number: number | undefined): Verdict {
	if (number === undefined) return verdict;
	const given = (look: Look): Look => ({ number, ...look });
	if (verdict.state === "in-doubt") return { ...verdict, look: verdict.look && given(verdict.look) };
	if (verdict.state === "accepted") return verdict;
	const looks = verdict.evidence.looks?.map((look, place, all) => (place === all.length - 1 ? given(look) : look));
	return { ...verdict, evidence: { ...verdict.evidence, looks } };
}

/** Records a verdict. Another process may have been first: then that holds, and this one says so. */
export async function conclude({ journal, dry }: Tools, record: IntentRecord, verdict: Verdict): Promise<Settled> {
	if (verdict.state === "in-doubt" || dry) return answerOf(record, verdict);
	try {
		const { evidence } = verdict;
		await journal.settle(
			record.intent,
			verdict.state === "accepted" ? { state: "accepted", id: verdict.id, evidence } : { state: "not-created", evidence },
			record.attempt,
		);
		return answerOf(record, verdict);
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind !== "guard" || verdict.evidence.source === "transaction") throw error;
		return answerOf(record, { intent: record.intent, state: "in-doubt", why: error.message });
	}
}
