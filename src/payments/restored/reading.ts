/**
 * Compares a restored backup with the service: what was sent after the backup is in the service's lists, and no payment of this journal
 * holds it.
 */
import { advice, purser } from "../../api/advice.js";
import { sameId } from "../../api/answer.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { type ServiceInUse, wasSentTo } from "../../api/service-address.js";
import { spanOf } from "../../api/text/duration.js";
import { plainId } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { Restored } from "../../ports/anchor.js";
import type { Batches, BatchRecord, BatchRow } from "../../ports/batches.js";
import type { IntentState } from "../../ports/intent.js";
import type { Journal, SentSince } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";
import type { Style } from "../../ports/style.js";
import { clockTolerance, compare, lettersOf, lineOf } from "../matching/fits.js";
import { readLedger } from "../matching/list/ledger-list.js";
import { transactionText } from "../matching/person.js";
import { farthestSkew } from "../matching/sides.js";
import { canonicalAmount } from "../rules/decimal.js";
import { groupBy } from "../rules/group-by.js";
import { counted } from "../rules/refusal-text.js";

/** A listed payment that no payment of this journal holds, and the rows that it may be. No names of persons. */
export type UnknownPayment = Pick<TransactionView, "id" | "createdAt" | "amount" | "currency" | "reference" | "status"> & {
	ledgerId: string;
	rows: readonly { intent: string; batch: string; row: number }[];
};

export interface SinceBackup {
	payments: readonly UnknownPayment[];
	sent: readonly SentSince[];
	/** Ledgers whose payments could not be compared, and why; no batch has a row to send from them. */
	unread: readonly { ledgerId: string; why: string }[];
}

interface ReadingTools {
	journal: Pick<Journal, "list" | "holders">;
	batches: Pick<Batches, "list" | "rows">;
	service: Reading;
	place: ServiceInUse;
	now(): Date;
	progress?(label: string): void;
}

const sendable: readonly IntentState[] = ["planned", "refused", "not-sent", "not-created"];
/** Most payments whose ledgers are read, the newest first; a ledger of a row that may be sent is always read. */
const mostPayments = 10_000;

/** Reads the list of each ledger that was debited, from the earliest begin of a batch that may go on, and compares it with the journal. */
export async function readSinceBackup(tools: ReadingTools, backup: Pick<Restored, "copied">): Promise<SinceBackup> {
	const mayGoOn = ({ state, counts }: BatchRecord): boolean =>
		(state === "planned" || state === "begun") && sendable.some((one) => counts[one] > 0);
	const known = await tools.batches.list();
	const sent = known.find(({ sending }) => sending);
	if (sent !== undefined) throw stillSending(sent);
	const open = known.filter(mayGoOn);
	const rows = groupBy(await rowsOf(tools, open), ({ transfer }) => plainId(transfer.ledgerFromId));
	const paid = await tools.journal.list({ effect: "money", limit: mostPayments });
	const debited = paid.filter((one) => wasSentTo(one, tools.place)).flatMap(({ transfer }) => transfer?.ledgerFromId ?? []);
	const [earliest] = [backup.copied, ...open.map(({ begun, plan }) => begun ?? plan.planned)].sort() as [string];
	/** By how much this machine's clock was ahead of the service's at most. */
	const ahead = paid.reduce((most, { skew = 0 }) => Math.max(most, -skew), 0);
	const start = Date.parse(earliest) - farthestSkew - ahead;
	const found: { payments: UnknownPayment[]; unread: SinceBackup["unread"][number][] } = { payments: [], unread: [] };
	const doubts = new Map<string, SentSince>();
	for (const ledgerId of new Set([...rows.keys(), ...debited.map((id) => plainId(id))])) {
		const own = rows.get(ledgerId) ?? [];
		const lines = await unheldLines(tools, ledgerId, start);
		if ("unread" in lines) {
			if (own.length > 0) throw notCompared(ledgerId, own, lines.unread);
			found.unread.push({ ledgerId, why: lines.unread });
			continue;
		}
		const rowsOfLine = rowsThatFit(own);
		for (const line of lines) {
			const [fitting, span] = [rowsOfLine(line), spanOf(line.createdAt)];
			// It is certainly from before the backup was made.
			if (fitting.length === 0 && span !== undefined && span.to < Date.parse(backup.copied) - clockTolerance - ahead) continue;
			const { id, createdAt, amount, currency, reference, status } = line;
			const mayBe = fitting.map(({ intent, batch, row }) => ({ intent, batch, row }));
			found.payments.push({ id, createdAt, amount, currency, reference, status, ledgerId, rows: mayBe });
			const at = span === undefined ? backup.copied : new Date(span.from).toISOString();
			// A row may fit several lines; it is in doubt from the first of them.
			for (const { intent } of fitting) if (at < (doubts.get(intent)?.at ?? "~")) doubts.set(intent, { intent, at });
		}
	}
	return { ...found, sent: [...doubts.values()] };
}

async function rowsOf({ batches, place }: ReadingTools, open: readonly BatchRecord[]): Promise<SendableRow[]> {
	const all: SendableRow[] = [];
	for (const { batch } of open)
		for await (const page of batches.rows(batch, sendable)) for (const row of page) if (wasSentTo(row, place)) all.push(row);
	return all;
}

/** The ledger's debits that no payment of this journal holds. */
async function unheldLines({ service, journal, now, progress }: ReadingTools, ledgerId: string, from: number) {
	const unheld = async (page: readonly TransactionView[]): Promise<TransactionView[]> => {
		const held = await journal.holders(page.flatMap(({ id }) => plainId(id) ?? []));
		return page.filter(
			({ id, senderLedgerId }) =>
				(id === undefined || !held.has(plainId(id))) && (senderLedgerId === undefined || sameId(senderLedgerId, ledgerId)),
		);
	};
	const list = await readLedger(service, { ledgerId, from, now, keep: unheld, progress });
	if ("unread" in list) return list;
	return list.lacks === undefined ? unheld(list.lines) : { unread: list.lacks };
}

/** What is on its way is in no list yet. */
const stillSending = ({ batch }: BatchRecord): PurserError =>
	new PurserError("guard", {
		code: "BATCH_BUSY",
		message: `Batch ${batch} is being sent right now by another purser, so what was sent after the backup is not known; nothing was changed`,
		fix: "Stop it with Ctrl-C where it runs, and wait until it has ended. Then run this again.",
	});

function notCompared(ledgerId: string, rows: readonly SendableRow[], why: string): PurserError {
	const batches = [...new Set(rows.map(({ batch }) => batch))];
	return new PurserError("unavailable", {
		code: "NOT_COMPARED",
		message: `The payments of ledger ${ledgerId} could not be compared with this journal; nothing was changed`,
		why: `${why}. ${batches.length === 1 ? `Batch ${batches[0]} has` : `Batches ${batches.join(", ")} have`} rows that may have been sent after the backup`,
		fix: advice`Run this again. If the service has no such list, cancel what is left of the batch first: ${purser`pay batch abandon ${batches[0] as string} --reason TEXT`}`,
	});
}

type SendableRow = Pick<BatchRow, "intent" | "batch" | "row" | "transfer">;

/**
 * Makes a function that finds the rows which a line may be: ledger, payee, amount and reference do not contradict. The time is left out: when
 * a row was sent is not known.
 */
function rowsThatFit(rows: readonly SendableRow[]): (line: TransactionView) => readonly SendableRow[] {
	const byAmount = groupBy(rows, ({ transfer }) => canonicalAmount(transfer.amount));
	const byReference = groupBy(rows, ({ transfer }) => lettersOf(transfer.reference));
	return (view) => {
		const line = lineOf(view);
		const sameAmount = line.value === undefined ? rows : (byAmount.get(line.value) ?? []);
		// Another amount may be the one debited after an exchange; then the reference tells the payment.
		const sameReference = line.letters === "" ? [] : (byReference.get(line.letters) ?? []);
		return [...new Set([...sameAmount, ...sameReference])].filter(({ intent, transfer }) => {
			const row = { intent, attempt: 1, state: "planned" as const, transfer, begun: 0, timed: false };
			return compare(row, line, 0).fit !== "no";
		});
	};
}

const mostShown = 20;

/** The listed payments that the journal does not know, and the ledgers that could not be compared. */
export function sinceBackupText({ payments, unread }: SinceBackup, style: Style): string {
	const first = payments.slice(0, mostShown);
	return [
		payments.length === 0
			? "The service lists no payment that this journal does not know"
			: `The service lists ${counted(payments.length, "payment")} that this journal does not know:`,
		...first.map((one) => `  ${paymentText(one, style)}`),
		...(payments.length > first.length ? [style.dim(`  … and ${payments.length - first.length} more (--json shows all)`)] : []),
		...(payments.some(({ rows }) => rows.length === 0)
			? [style.warn("What fits no row is not recorded here: neither duplicates nor limits count it. Do not pay it again")]
			: []),
		...unread.map(({ ledgerId, why }) => style.bad(`Ledger ${ledgerId} could not be compared: ${why}`)),
	].join("\n");
}

function paymentText({ rows, ...listed }: UnknownPayment, style: Style): string {
	const [row, ...more] = rows.map((one) => `row ${one.row} of batch ${one.batch}`);
	const others = more.length === 0 ? "" : ` or ${more.length} more`;
	return `${style.localized(transactionText(listed))}  ${row === undefined ? "fits no row of a batch" : `may be ${row}${others}`}`;
}
