/**
 * One run over a batch, for send and resume: the journal lets it begin, the rows are sent, the result is reported.
 */

import { advice, purser } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import { RowsDigest } from "../../../api/operations/rows-digest.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { isOtherSandbox, serviceAddress } from "../../../api/service-address.js";
import type { Context } from "../../../context.js";
import { PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Batches, BatchOverrides, BatchRecord, MarkedRow } from "../../../ports/batches.js";
import type { IntentState, JournalOutcome } from "../../../ports/intent.js";
import type { Moment } from "../../../ports/machine.js";
import type { Arrived, Sender, Service } from "../../../ports/service.js";
import type { Style } from "../../../ports/style.js";
import { counted } from "../../rules/refusal-text.js";
import { withNames } from "../approval/approval.js";
import { recheckRows, rowsToSendAgain } from "./again.js";
import { overridesOf } from "./guards.js";
import { Concurrency, isForNow, type SendLimits, stopBy } from "./pace.js";
import { type Paused, type SendResult, type SendTools, sendBatch } from "./send.js";
import { type BatchRun, nothingSent, rowsIn } from "./text.js";

/** The states whose rows are sent when a batch is resumed: they provably have not been created. */
export const resumableStates: readonly IntentState[] = ["planned", "not-sent", "not-created"];

/** @throws PurserError guard, if the recorded rows are not those that were planned */
export async function checkRows(batches: Batches, plan: BatchPlan): Promise<void> {
	const digest = new RowsDigest();
	for await (const rows of batches.planned(plan.batch)) for (const transfer of rows) digest.add(transfer);
	const found = digest.finish();
	if (found.sequence === plan.digest.sequence && found.rows === plan.digest.rows) return;
	throw new PurserError("guard", {
		code: "ROWS_CHANGED",
		message: `The rows of batch ${plan.batch} in the journal are not those that were planned; nothing was sent`,
		fix: advice`Check the journal with ${purser`history verify`}, and plan the file again: ${purser`pay batch plan FILE`}`,
	});
}

const mostAgain = 3;

/** Most rows that are sent again at once; the others stay refused. */
const mostSentAgain = 5_000;

/** @throws PurserError guard, if the journal holds it back; whatever opening the sender throws: nothing was sent */
export async function runBatch(
	context: Context,
	given: { plan: BatchPlan; takes: readonly IntentState[]; allowed: BatchOverrides; limits: SendLimits; notThis?: readonly string[] },
): Promise<BatchRun> {
	const { profile, dryRun } = await context.settings.read();
	const batches = await context.journal.batches(profile);
	const { service } = context;
	const { plan, takes, allowed, limits, notThis } = given;
	const { batch } = plan;
	await checkSandbox(context, batches, batch);
	if (dryRun) {
		const record = (await batches.show(batch)) as BatchRecord;
		return { ...record, run: nothingSent, stopped: { code: "DRY_RUN", why: "dry run: nothing was sent" } };
	}
	await context.report.during("Checking every row against the plan", () => checkRows(batches, plan));
	const senders = await sendersOf(service, batches, batch, takes);
	const skew = () => context.clock.service.skew(serviceAddress(profile.baseUrl));
	const run = { operator: await context.config.operator(), mapping: service.mappingOf(profile) };
	const record = await batches.begin(batch, takes, { ...allowed, ...run }, skew());
	if (record.warning !== undefined) context.report.warn(record.warning);
	const tally = new Tally(record, takes, context.clock.monotonic());
	let isReleased = false;
	try {
		const concurrency = new Concurrency(limits);
		const tools = toolsOf(context, batches, { senders, skew }, tally);
		const send = (label: string, most?: number): Promise<SendResult> =>
			context.report.during(label, (update) => {
				update((style) => progressLine(tally, context.signal.aborted ? "stopping once all answers are here" : undefined, style));
				return sendBatch(batch, tools, { ...limits, stopAfter: most }, concurrency);
			});
		let sent = await send(`Sending batch ${batch}`, limits.stopAfter);
		isReleased = await release(batches, batch);
		for (let times = 1; times <= mostAgain && isReleased && isWhole(sent); times++) {
			try {
				const all = await rowsToSendAgain(context, batches, batch, tally.again, (refused) =>
					recheckRows(context, { batch }, { takes: ["refused"], notThis, refused }),
				);
				const only = all.slice(0, mostSentAgain);
				if (only.length === 0) break;
				await batches.begin(batch, ["refused"], { ...overridesOf(record.plan, false), ...run, only }, skew());
				isReleased = false;
				const again = await send(`Sending ${only.length === 1 ? "a row" : `${only.length} rows`} of batch ${batch} again`);
				sent = { ...again, stop: again.stop ?? sent.stop };
			} catch (error) {
				sent = { ...sent, stop: stopBy(error) };
			}
			isReleased = await release(batches, batch);
		}
		const last = await standing(batches, batch, isReleased, { ...sent, inDoubt: tally.inDoubt });
		return answer(withNames(last, profile.settings), tally, sent, context);
	} finally {
		if (!isReleased) await release(batches, batch);
	}
}

/** Whether a run came to its end, so that what was refused for the moment may follow. */
const isWhole = ({ stop, unrecorded }: SendResult): boolean => unrecorded === 0 && (stop === undefined || stop.code === "STOP_AFTER");

async function checkSandbox(context: Context, batches: Batches, batch: string): Promise<void> {
	const here = await context.journal.sandboxIdentity((await context.settings.read()).profile);
	if (here === undefined || !isOtherSandbox((await batches.show(batch))?.sandbox, here)) return;
	throw new PurserError("guard", {
		code: "PLAN_ELSEWHERE",
		message: `Batch ${batch} was planned for an earlier sandbox at this address, which has been restarted or reset since; nothing was sent`,
		fix: advice`Plan the file again: ${purser`pay batch plan FILE`}`,
	});
}

/** Releases the batch. A failure of the journal here comes after the sending, so it is not an error of its own. */
function release(batches: Batches, batch: string): Promise<boolean> {
	return batches.release(batch).then(
		() => true,
		() => false,
	);
}

/** The batch after sending: rows without a recorded outcome are in doubt, even if the batch could not be released. */
async function standing(
	batches: Batches,
	batch: string,
	isReleased: boolean,
	{ failure, unrecorded, inDoubt }: SendResult & Pick<Tally, "inDoubt">,
): Promise<BatchRecord> {
	let why = "it is not in the journal any more";
	try {
		const record = await batches.show(batch);
		if (record && (isReleased || record.counts.sending === 0)) return record;
		if (record) {
			const { counts } = record;
			return { ...record, sending: false, counts: { ...counts, sending: 0, "in-doubt": counts["in-doubt"] + counts.sending } };
		}
	} catch (error) {
		why = error instanceof Error ? error.message : "unknown";
	}
	if (failure instanceof PurserError && failure.kind === "unavailable" && inDoubt === 0 && (isKept(failure) || unrecorded === 0))
		throw new PurserError("unavailable", {
			code: "BATCH_AWAY",
			message: `Batch ${batch} stopped: the team's journal cannot be reached. What was on its way has ended, and ${unrecorded === 0 ? "is on record" : "is kept on this machine"}`,
			why,
			fix: advice`Go on once the database can be reached; that records what is kept first: ${purser`pay batch resume ${batch}`}`,
		});
	throw new PurserError("unknown", {
		code: "BATCH_NOT_TOLD",
		message: `Batch ${batch} was being sent, and the journal cannot be read now, so the state of its rows is unknown`,
		why,
		fix: advice`Do not pay its rows in another way. ${batches.team ? "When the team's database can be reached" : "Check the disk, then"} look: ${purser`pay batch status ${batch}`}`,
		moneyMayHaveMoved: true,
	});
}

/** Whether the outcomes that the team's database could not take stand in this machine's log. */
const isKept = (failure: unknown): failure is PurserError => failure instanceof PurserError && failure.failure.code === "OUTCOME_KEPT";

/** Returns the sender for a kind of transfer, opened at its first row. */
type Senders = (transfer: Transfer) => Promise<Sender>;

/** Opens the first row's sender, so that what would stop a single payment stops the batch before it begins. */
async function sendersOf(
	service: Pick<Service, "sender">,
	batches: Batches,
	batch: string,
	takes: readonly IntentState[],
): Promise<Senders> {
	const opened = new Map<Transfer["kind"], Promise<Sender>>();
	const senders: Senders = (transfer) => {
		const sender = opened.get(transfer.kind) ?? service.sender(transfer);
		opened.set(transfer.kind, sender);
		return sender;
	};
	for await (const rows of batches.rows(batch, takes)) {
		for (const { transfer } of rows) await senders(transfer);
		break;
	}
	return senders;
}

function toolsOf(
	context: Context,
	batches: Batches,
	{ senders, skew }: { senders: Senders; skew(): number | undefined },
	tally: Tally,
): SendTools {
	return {
		advance: async (batch, ended, want) => {
			const recorded = { now: context.clock.now(), monotonic: context.clock.monotonic() };
			const begun = await batches.advance(batch, ended, want, skew());
			for (const row of begun) row.recorded = recorded;
			return begun;
		},
		send: async ({ transfer, number, attempt, recorded }) => {
			let sender: Sender;
			try {
				sender = await senders(transfer);
			} catch (error) {
				return { outcome: { state: "not-sent", reason: error instanceof Error ? error.message : "unknown" }, took: 0 };
			}
			return sender(transfer, { intent: String(number), attempt, recorded: recorded as Moment });
		},
		clock: context.clock,
		signal: context.signal,
		arrived: (row, arrived) => {
			tally.add(arrived.outcome, row.number, isForNow(arrived));
			return context.report.record(() => lineOf(row, arrived));
		},
		paused: (pause) => {
			context.report.announce(pausedText(pause, Date.parse(pause.until) - context.clock.now().getTime()));
		},
	};
}

function lineOf({ row, number }: MarkedRow, { outcome }: Pick<Arrived, "outcome">): Record<string, unknown> {
	const { state } = outcome;
	return {
		row,
		intent: String(number),
		state: state === "accepted" && outcome.waiting ? "waiting" : state,
		id: state === "accepted" ? outcome.id : undefined,
		status: "status" in outcome ? outcome.status : undefined,
		apiCode: state === "refused" ? outcome.apiCode : undefined,
		why: "reason" in outcome ? outcome.reason : undefined,
	};
}

function answer(record: BatchRecord, tally: Tally, { stop, unrecorded, failure }: SendResult, context: Context): BatchRun {
	if (stop?.code === "OUTPUT_CLOSED")
		context.report.warn(
			advice`${stop.why}, so no more rows were sent; what was sent is on record. Resume: ${purser`pay batch resume ${record.batch}`}`,
		);
	if (unrecorded > 0)
		context.report.warn(
			isKept(failure)
				? `the outcome of ${unrecorded} rows could not be recorded: ${failure.message}`
				: advice`the outcome of ${unrecorded} rows could not be recorded (${failure instanceof Error ? failure.message : "unknown"}); they are in doubt: ${purser`pay doubts`}`,
		);
	return { ...record, run: tally.run(context.clock.monotonic()), stopped: stop };
}

export class Tally {
	accepted = 0;
	waiting = 0;
	refused = 0;
	inDoubt = 0;
	notSent = 0;
	readonly again = new Set<number>();
	readonly count: number;
	readonly toSend: number;

	/** @param started monotonic milliseconds */
	constructor(
		{ plan, counts }: Pick<BatchRecord, "plan" | "counts">,
		takes: readonly IntentState[],
		private readonly started: number,
	) {
		this.count = plan.count;
		this.toSend = rowsIn(counts, ...takes);
	}

	add(outcome: JournalOutcome, number?: number, isForNow = false): void {
		if (number !== undefined && this.again.delete(number)) this.refused--;
		if (number !== undefined && isForNow) this.again.add(number);
		if (outcome.state === "accepted") outcome.waiting ? this.waiting++ : this.accepted++;
		else if (outcome.state === "refused") this.refused++;
		else if (outcome.state === "in-doubt") this.inDoubt++;
		else this.notSent++;
	}

	get sent(): number {
		return this.accepted + this.waiting + this.refused + this.inDoubt;
	}

	/** Rows of the batch that this run has sent or has not to send. */
	get done(): number {
		return this.count - this.toSend + this.sent;
	}

	run(now: number) {
		const { sent, accepted, waiting, refused, inDoubt, notSent } = this;
		return { sent, accepted, waiting, refused, inDoubt, notSent, seconds: Math.round(Math.max(0, now - this.started)) / 1_000 };
	}
}

/** `12 400 of 50 000 rows · 2 in doubt · 8 refused`, asked for a few times a second, whatever the number of rows. */
export function progressLine(
	{ done, count, inDoubt, refused, waiting }: Tally,
	note: string | undefined,
	style: Pick<Style, "columns">,
): string {
	const some = (rows: number, word: string): string[] => (rows === 0 ? [] : [`${groupDigits(rows)} ${word}`]);
	const counts = [...some(inDoubt, "in doubt"), ...some(refused, "refused"), ...some(waiting, "waiting")];
	return [`${groupDigits(done)} of ${counted(count, "row")}`, ...(note ? [note] : []), ...counts].join(" · ").slice(0, style.columns);
}

/** `Paused for 2 min, until 2026-03-01T10:02:00.000Z: the service answered 429 (too many requests)`. @param length milliseconds */
export function pausedText({ until, why }: Paused, length: number): string {
	const seconds = Math.ceil(length / 1_000);
	return `Paused for ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}, until ${until}: ${why}`;
}
