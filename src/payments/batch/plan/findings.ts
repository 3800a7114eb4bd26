/**
 * What a person looks at before a batch is sent: its first rows, whom it pays from which ledger, and by row what may be wrong. However many rows
 * there are, what is read and shown is bounded.
 */

import { groupDigits, inCurrency } from "../../../api/amount.js";
import { plainId } from "../../../api/text/ids.js";
import type { Context } from "../../../context.js";
import type { BatchPlan, PlannedRow } from "../../../ports/batch-plan.js";
import type { BatchDuplicates, Batches, RowsToCheck } from "../../../ports/batches.js";
import type { Table } from "../../../ports/changes.js";
import type { IntentState } from "../../../ports/intent.js";
import { difference } from "../../rules/decimal.js";
import { groupBy } from "../../rules/group-by.js";
import { type Parties, partyNames, stateWords } from "../../rules/intent-text.js";
import { counted, rowsText } from "../../rules/refusal-text.js";
import type { Directory } from "./directory.js";

export type NamedRow = PlannedRow & Parties;
type Named<T> = { [K in keyof T]: T[K] extends (infer R extends PlannedRow)[] ? (R & Parties)[] : T[K] };

export interface Findings extends Named<Pick<RowsToCheck, "first" | "inside" | "earlier">> {
	newPayees: Named<RowsToCheck["newPayees"]>;
	/** Rows whose payee cannot be paid now, each with the status that the service gives. */
	unpayable: { rows: number; first: (NamedRow & { status: string })[] };
}

export const mostShown = 10;

/**
 * Finds these rows and names their parties.
 * @param asked `most`: most rows of each kind; `duplicates`: where none were found, none are looked for; `directory`: tells who cannot be paid
 */
export async function findingsOf(
	context: Pick<Context, "names">,
	batches: Pick<Batches, "toCheck">,
	batch: string,
	asked: { takes: readonly IntentState[]; duplicates?: BatchDuplicates; directory?: Directory; most?: number; skew?: number },
): Promise<Findings> {
	const { takes, duplicates, directory, most = mostShown, skew } = asked;
	const unpaid = directory?.unpayable ?? [];
	const statuses = new Map(unpaid.map((one) => [plainId(one.counterpartyId), one.status]));
	const alike = duplicates === undefined || duplicates.inside + duplicates.earlier + duplicates.doubts.rows > 0;
	const { to, ...found } = await batches.toCheck(batch, { takes, most, alike, to: unpaid, skew });
	const shown = [...found.first, ...found.inside, ...found.earlier, ...found.newPayees.first, ...to.first].map(({ transfer }) => transfer);
	const nameOf = await partyNames(context, shown);
	const statusOf = ({ transfer }: PlannedRow): string => statuses.get(plainId(transfer.counterpartyId)) as string;
	const unpayable = { ...to, first: to.first.map((row) => ({ ...row, status: statusOf(row) })) };
	return named({ ...found, unpayable }, ({ transfer: { ledgerFromId, counterpartyId } }) => ({
		ledgerName: nameOf(ledgerFromId),
		payeeName: nameOf(counterpartyId),
	}));
}

export function named({ first, inside, earlier, newPayees, unpayable }: Findings, partiesOf: (row: NamedRow) => Parties): Findings {
	const all = <R extends NamedRow>(rows: readonly R[]): R[] => rows.map((row) => ({ ...row, ...partiesOf(row) }));
	return {
		...{ first: all(first), inside: all(inside), earlier: all(earlier) },
		newPayees: { ...newPayees, first: all(newPayees.first) },
		unpayable: { ...unpayable, first: all(unpayable.first) },
	};
}

/** The first rows, as a table. @param count of all rows that are to be sent */
export function rowsTable(rows: readonly NamedRow[], count: number): Table {
	const several = new Set(rows.map(({ transfer }) => plainId(transfer.ledgerFromId))).size > 1;
	const more = count - rows.length;
	return {
		columns: ["Row", ...(several ? ["From"] : []), "To", "Amount", "Reference"],
		rows: rows.map(({ row, transfer, ledgerName, payeeName }) => [
			groupDigits(row),
			...(several ? [ledgerName ?? transfer.ledgerFromId] : []),
			payeeName ?? `${transfer.kind} ${transfer.counterpartyId}`,
			inCurrency(transfer.amount, transfer.currency),
			transfer.reference ?? "",
		]),
		...(more > 0 && { below: `and ${counted(more, "more row")}` }),
	};
}

export interface Debited {
	ledgerFromId: string;
	name?: string;
	available?: string;
	currency?: string;
	status?: string;
}

/** The debited ledgers by name, with what is known of each. */
export async function debitedOf(
	{ names }: Pick<Context, "names">,
	{ totals }: Pick<BatchPlan, "totals">,
	directory?: Directory,
): Promise<Debited[]> {
	const ids = [...new Set(totals.map(({ ledgerFromId }) => ledgerFromId))];
	const nameOf = await names.of(ids.map((id) => ["ledger", id]));
	return ids.map((ledgerFromId) => {
		const { available, currency, status } = directory?.ledgers.get(plainId(ledgerFromId)) ?? {};
		return { ledgerFromId, name: nameOf("ledger", ledgerFromId), available, currency, status };
	});
}

/** What is missing on the ledger of a total; undefined where it is enough, or where the balance in that currency is not known. */
function missing({ currency, amount }: BatchPlan["totals"][number], ledger: Debited | undefined): string | undefined {
	const { available, currency: own = currency } = ledger ?? {};
	const left = available === undefined || own !== currency ? undefined : difference(available, amount);
	return left?.startsWith("-") ? left.slice(1) : undefined;
}

/** The totals of each debited ledger, with its balance, where one is known, and what is wrong with it. @param dry the first rows that balances do not cover */
export function ledgersTable(
	{ totals }: Pick<BatchPlan, "totals">,
	debited: readonly Debited[],
	dry: readonly { ledgerFromId: string; row: number }[] = [],
	most = mostShown,
): Table {
	const more = totals.length - most;
	const isRead = debited.some(({ available, status }) => (available ?? status) !== undefined);
	return {
		columns: ["From", "Rows", "Total", ...(isRead ? ["Available", ""] : [])],
		rows: totals.slice(0, most).map((total) => {
			const { ledgerFromId, currency, rows, amount } = total;
			const ledger = debited.find((one) => one.ledgerFromId === ledgerFromId);
			const shown = [ledger?.name ?? ledgerFromId, groupDigits(rows), inCurrency(amount, currency)];
			if (!isRead) return shown;
			const [lacking, from] = [missing(total, ledger), dry.find((one) => one.ledgerFromId === ledgerFromId)];
			const faults = [
				lacking && `${inCurrency(lacking, currency)} missing${from === undefined ? "" : ` from row ${groupDigits(from.row)} on`}`,
				ledger?.status !== "ACTIVE" && ledger?.status,
			];
			const available = ledger?.available === undefined ? "not known" : inCurrency(ledger.available, ledger.currency);
			return [...shown, available, faults.filter(Boolean).join("; ")];
		}),
		...(more > 0 && { below: `and ${counted(more, "more ledger")}` }),
	};
}

/** `3 (Invoice 7, 12.50 EUR to Example Supplies Ltd)` */
function rowText({ row, transfer, payeeName }: NamedRow): string {
	const { reference, amount, currency, kind, counterpartyId } = transfer;
	const what = `${inCurrency(amount, currency)} to ${payeeName ?? `${kind} ${counterpartyId}`}`;
	return `${groupDigits(row)} (${[reference, what].filter(Boolean).join(", ")})`;
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `21 Nov`, of a moment in RFC 3339, by this machine's zone */
const dayText = (at: string): string => `${new Date(at).getDate()} ${months[new Date(at).getMonth()]}`;

/** What an earlier payment is that a row looks like, after the row: `was already paid on 21 Nov as …` */
function earlierText({ intent, id, batch, batchRow, state, at }: RowsToCheck["earlier"][number]): string {
	const which = batch === undefined ? `payment ${intent}` : `row ${batchRow} of batch ${batch}`;
	if (state === "accepted") return `was already paid on ${dayText(at)} as ${id ?? which}`;
	return `is the same as ${which} (${stateWords(state)}, ${dayText(at)})`;
}

/** By row what may be wrong. @param duplicates how many rows look the same as others @param most most rows of each kind */
export function findingLines(findings: Findings, { inside, earlier, doubts, batches }: BatchDuplicates, most = mostShown): string[] {
	const alike = earlier + doubts.rows;
	const isWhole = batches.some(({ same }) => same);
	const paid = isWhole ? [] : findings.earlier.slice(0, most);
	const twins = findings.inside.slice(0, most);
	const { newPayees } = findings;
	const news = newPayees.ledgers + newPayees.beneficiaries;
	const named = newPayees.first
		.slice(0, most)
		.map(({ row, transfer, payeeName }) => `${payeeName ?? transfer.counterpartyId} (row ${groupDigits(row)})`);
	return [
		...paid.map(
			(row) => `Row ${rowText(row)} ${earlierText(row)}${row.rows > 1 ? `, like ${groupDigits(row.rows - 1)} more of this file` : ""}`,
		),
		...(isWhole ? [] : andMore(alike - paid.reduce((sum, { rows }) => sum + rows, 0), "paid recently or in a batch under way")),
		...twins.map((row) => `Row ${rowText(row)} is the same as row ${groupDigits(row.same)}`),
		...andMore(inside - twins.length, "the same as another row"),
		...unpayableText(findings.unpayable, most),
		...(news === 0
			? []
			: [
					`${counted(news, "payee")} never paid before: ${named.join(", ")}${news > named.length ? ` and ${groupDigits(news - named.length)} more` : ""}`,
				]),
	];
}

/** `Cannot be paid yet: Example Supplies Ltd (PENDING_REVIEW), rows 3 and 5` */
function unpayableText({ rows, first }: Findings["unpayable"], most: number): string[] {
	if (rows === 0) return [];
	const shown = first.slice(0, most);
	const payees = groupBy(shown, ({ transfer, payeeName, status }) => `${payeeName ?? transfer.counterpartyId} (${status})`);
	const named = [...payees].map(([payee, of]) => `${payee}, ${rowsText(of.map(({ row }) => row))}`).join("; ");
	return [`Cannot be paid yet: ${named}${rows > shown.length ? `; ${groupDigits(rows - shown.length)} more rows` : ""}`];
}

const andMore = (count: number, what: string): string[] => (count > 0 ? [`and ${groupDigits(count)} more, ${what}`] : []);
