/**
 * Settles doubts with the same fingerprint by what a source showed of their ledger, and records the looks and verdicts.
 */
import type { TransactionView } from "../../api/operations/transaction.js";
import { paidStates } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord, Look } from "../../ports/intent.js";
import { beganAt, beganAtLatest, clockFault, type LookClock } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import { listStart } from "./attempt-times.js";
import { type Correction, checkDuplicateIds, contestedReason } from "./correct.js";
import { type Doubt, looksApart, settleByCounting, type Verdict } from "./counting.js";
import type { Listing } from "./lists/listing.js";
import { alike, isCounted, isTransfer, type Open } from "./matching/doubts.js";
import { payeeOf } from "./matching/look-ups.js";
import { farthestSkew, hasOurToken, identifiesPayee, similarityToAny } from "./matching/similarity.js";
import { lookUpsOf } from "./matching/through.js";
import type { SettleResult, Tools } from "./settle.js";
import { settleResult } from "./settled.js";

/** State shared by all doubts of one run, across ledgers: the look's number and what was read already. */
export class Run<T extends Pick<Tools, "journal" | "service" | "settleAfter"> = Tools> {
	/** The look's number in the journal, once something was recorded. */
	number?: number;
	/** Mistaken ids that were taken from payments while doubts were counted. */
	readonly corrections: Correction[] = [];
	readonly #held = new Map<string, boolean>();
	readonly #payees = new Map<string, ReturnType<typeof payeeOf>>();

	constructor(readonly tools: T) {}

	/** Reads, once for each id, whether an attempt holds it. If a free id is taken meanwhile, the journal refuses to assign it again. */
	async read(lines: readonly TransactionView[]): Promise<void> {
		const asked = lines.flatMap(({ id }) => (id === undefined || this.#held.has(plainId(id)) ? [] : plainId(id)));
		if (asked.length === 0) return;
		const holders = await this.tools.journal.holders(asked);
		for (const id of asked) this.#held.set(id, holders.has(id));
	}

	/** Whether an attempt holds this id (as `plainId` has it); {@link read} must have read it. */
	has(id: string): boolean {
		return this.#held.get(id) === true;
	}

	/** Marks an id as held. */
	hold(id: string): void {
		this.#held.set(plainId(id), true);
	}

	/** The payee's record, read once; see {@link payeeOf}. */
	async payee(record: IntentRecord): Promise<Doubt["payee"]> {
		if (record.transfer?.kind !== "beneficiary") return undefined;
		const key = `${record.transfer.counterpartyId} ${await lookUpsOf(this.tools.journal, record)}`;
		const known = this.#payees.get(key) ?? payeeOf(this.tools, record);
		this.#payees.set(key, known);
		return known;
	}
}

/** Settles doubts with the same fingerprint; for those that stay in doubt the look is recorded. */
export async function settleGroup(run: Run, records: readonly Open[], source: Listing): Promise<SettleResult[]> {
	const { journal, settleAfter, absence } = run.tools;
	const [first] = records;
	if (first === undefined) return [];
	const paid = await journal.list({ states: paidStates, ...alike(first) });
	const counted = paid.filter(isCounted);
	const given = counted.map(({ id }) => plainId(id));
	const clock: LookClock = source.source === "statement" ? "own" : source.skew;
	const listed = source.candidates(first.transfer, given);
	await run.read(listed);
	// The payee's record is needed only if some transaction lacks the beneficiary's id.
	const payee = listed.some(({ beneficiaryId }) => beneficiaryId === undefined) ? await run.payee(first) : undefined;
	const doubts = await Promise.all(records.map(async (one) => doubtOf(one, clock, payee, await journal.looks(one.intent))));
	const since = listStart(begunOf(doubts), counted.map(beganAt), settleAfter);
	const observation = {
		source: source.source,
		at: source.at,
		serviceAt: serviceAt(source),
		skew: source.skew,
		complete: source.complete,
		lacks: source.lacks ?? (await contestedReason(run.tools, doubts, { listed, claimed: run })),
		unproven: source.unproven,
		taken: source.taken,
		known: source.known,
		claimed: run,
		listed,
		counted: counted.map((one) => ({ begun: beganAt(one), id: one.id })),
		sending: (await journal.list({ states: ["sending"], ...alike(first) })).length,
		unnamed: paid.filter((one) => isUnnamed(one, source) && changedAt(one) >= Date.parse(since)).length,
	};
	const patience = { settleAfter, apart: looksApart, absence };
	const verdicts = settleByCounting(doubts, observation, patience);
	if (source.source === "statement" || !verdicts.some(({ state }) => state === "accepted")) return record(run, records, verdicts);
	const named = paid.filter((one): one is Open => isNamed(one) && changedAt(one) >= Date.parse(since));
	const { why, corrections } = await checkDuplicateIds(run.tools, named, source);
	for (const one of corrections) run.corrections.push(one);
	return record(run, records, why === undefined ? verdicts : settleByCounting(doubts, { ...observation, unsure: why }, patience));
}

/** Whether it was accepted with an id from the service's answer that nothing has confirmed since. */
function isNamed(record: IntentRecord): boolean {
	return record.id !== undefined && record.evidence === undefined && isTransfer(record);
}

/** A doubt in the form in which it is compared with a source. */
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

/** The time of a service's list by its own clock; `at` of a listing is the older of both clocks. */
function serviceAt({ source, at, skew }: Listing): Date | undefined {
	return source === "service" && skew !== undefined ? new Date(at.getTime() + Math.max(skew, 0)) : undefined;
}

/** Whether an accepted payment has no id that this source shows, so that one of the source's transactions may be it. */
function isUnnamed({ id }: IntentRecord, source: Listing): boolean {
	return id === undefined || (source.source === "statement" && source.of(id).length === 0);
}

/** When it last changed by the service's clock, in milliseconds; the latest plausible time if the clocks' difference is not known. */
function changedAt({ changed, skew }: IntentRecord): number {
	return Date.parse(changed) + (skew ?? 2 * farthestSkew);
}

export const begunOf = (stored: readonly { begun: string }[]): string[] => stored.map(({ begun }) => begun);

/**
 * The lines that surely are open doubts, by their plain ids, so that they are not candidates for other doubts. If more lines match
 * than payments are in doubt, none counts, since it is unknown whose the extra ones are.
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
			const id = plainId(line.id);
			if (
				id === undefined ||
				run.has(id) ||
				!(source.source === "service" || hasOurToken(transfer, line) || identifiesPayee(transfer, line))
			)
				continue;
			if (similarityToAny({ transfer }, begun, line, run.tools.settleAfter) === "same") same.add(id);
		}
		if (same.size <= doubts.length) for (const id of same) taken.add(id);
	}
	return taken;
}

/** Records the look for each doubt that was not found, under the run's one number, and then each verdict. */
async function record(run: Run, records: readonly Open[], verdicts: readonly Verdict[]): Promise<SettleResult[]> {
	const { journal, dry } = run.tools;
	for (const [key, sameLook] of groupBy(verdicts, (one) => JSON.stringify(lookOf(one) ?? null))) {
		const look = JSON.parse(key) as Look | null;
		const intents = sameLook.map(({ intent }) => intent);
		if (look !== null && !dry) run.number = await journal.recordLook(intents, { ...look, number: run.number });
	}
	const settled: SettleResult[] = [];
	for (const verdict of verdicts) {
		const stored = records.find(({ intent }) => intent === verdict.intent) as Open;
		const concluded = await conclude(run.tools, stored, numbered(verdict, run.number));
		if (concluded.state === "accepted" && concluded.id !== undefined) run.hold(concluded.id);
		settled.push(concluded);
	}
	return settled;
}

/** The look to record for a verdict; none for a doubt that was found, whose evidence says it all. */
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

/** Records a verdict. If another process settled the doubt first, its verdict stands and the answer says so. */
export async function conclude({ journal, dry }: Tools, record: IntentRecord, verdict: Verdict): Promise<SettleResult> {
	if (verdict.state === "in-doubt" || dry) return settleResult(record, verdict);
	try {
		const { evidence } = verdict;
		await journal.settle(
			record.intent,
			verdict.state === "accepted" ? { state: "accepted", id: verdict.id, evidence } : { state: "not-created", evidence },
			record.attempt,
		);
		return settleResult(record, verdict);
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind !== "guard" || verdict.evidence.source === "transaction") throw error;
		return settleResult(record, { intent: record.intent, state: "in-doubt", why: error.message });
	}
}
