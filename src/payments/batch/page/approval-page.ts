/**
 * The page of a batch before it is sent: whether it may be approved, for the person who does. Rows are gathered while they are checked, in
 * memory that does not grow with the file; the journal is asked for the rest. The same plan gives the same page.
 */

import { groupDigits, inCurrency } from "../../../api/amount.js";
import { plainId } from "../../../api/text/ids.js";
import type { PlannedRow } from "../../../ports/batch-plan.js";
import type { DuplicateRows } from "../../../ports/batches.js";
import type { Block, Cell, Page, Section } from "../../../ports/page.js";
import { compareAmounts } from "../../rules/decimal.js";
import { stateWords } from "../../rules/intent-text.js";
import type { PageMaker, PageSubject, Planned } from "../plan/planning.js";
import { planWarnings, shortfalls, shortfallText } from "../send/preview.js";
import { counted, fingerprints, ledgers, most, note, notice, paymentsTable, sourceOf, sumsText } from "./parts.js";

/** A plan that is to be approved, with what its page says. */
export interface Approvable extends Planned {
	rows: Pick<RowsOfPage, "first" | "largest">;
	newPayees: NewPayees;
	duplicates: DuplicateRows;
	/** Names that are no personal data, by id. */
	nameOf(id: string): string | undefined;
	/** Names of payees, by plain id, that may be personal data. */
	payees: ReadonlyMap<string, string>;
	unmasked: boolean;
	/** The tool and its version. */
	madeBy: string;
	/** The command that approves the plan with this page. */
	approve: string;
}

/** Whether this batch may be approved. */
export function approvalPage(batch: Approvable): Page {
	const { plan, unmasked, madeBy, ignored } = batch;
	return {
		title: `Batch ${plan.batch}: ${counted(plan.count, "payment")}, ${sumsText(plan)}`,
		lead: `What this batch would pay${plan.planner === undefined ? "" : ", for the person who approves it"}. Nothing was sent yet.`,
		personalData: unmasked ? "shown" : "masked",
		madeBy,
		madeAt: plan.planned,
		of: `${plan.profile} (${plan.environment})`,
		sections: [
			approvalSection(batch),
			ledgerSection(batch),
			{ title: "Payments to check", blocks: checkBlocks(batch) },
			{ title: "Payments in the order of the file", blocks: [orderTable(batch)] },
			fingerprints(plan, [["Columns that were not read", ignored.length === 0 ? undefined : ignored.slice(0, most.settings).join(", ")]]),
		],
	};
}

function approvalSection({ plan, foundDuplicates, approve, strangers, ...batch }: Approvable): Section {
	const lacking = lackingOf({ plan, ...batch });
	const warnings = [
		// First, since of many only some are shown.
		...planWarnings({ plan, foundDuplicates, strangers }),
		...lacking.map((one) => `${shortfallText(one)}, from row ${groupDigits(one.row)} on`),
		...(lacking.length === 0 && batch.dry.length > 0
			? ["The available balance is not enough for every payment: see the ledgers below"]
			: []),
		...(plan.despite === undefined ? [] : [`The planner chose to go on although payments look the same. Reason: ${plan.despite.reason}`]),
	];
	return {
		title: "May it be approved?",
		blocks: [
			...warnings.slice(0, most.notices).map(notice("warn")),
			...(warnings.length === 0
				? [
						notice("good")(
							"No warnings: no payment looks the same as another one, every payee was paid before, and limits and known balances are kept.",
						),
					]
				: []),
			{
				kind: "facts",
				rows: [
					["Batch", plan.batch],
					["File", sourceOf(plan)],
					["Payments", groupDigits(plan.count)],
					["Total", sumsText(plan)],
					["Service", plan.origin],
					["Planned by", plan.planner === undefined ? "not recorded" : { code: plan.planner }],
					["Valid until", { time: plan.expires }],
					["To approve it, somebody else than the planner types", plan.planner && { code: approve }],
				],
			},
			...note(
				plan.planner === undefined &&
					"Nobody can approve this plan: the planner had no key. Where an approval is wanted, the planner makes one (purser pay batch key) and plans the file again.",
			),
			...note(
				!batch.unmasked &&
					"References and names of persons are masked. To show them, the planner plans the file again with --page and --unmasked.",
			),
		],
	};
}

/** What is missing on each ledger, with the first row that exceeds its balance. */
function lackingOf({ plan, balances, dry, nameOf }: Pick<Approvable, "plan" | "balances" | "dry" | "nameOf">) {
	return shortfalls(plan, (id) => balances.find(({ ledgerFromId }) => ledgerFromId === id)).flatMap((one) => {
		const row = dry.find(({ ledgerFromId }) => ledgerFromId === one.ledgerFromId)?.row;
		return row === undefined ? [] : [{ ...one, name: one.name ?? nameOf(one.ledgerFromId), row }];
	});
}

function ledgerSection({ plan, balances, dry, nameOf }: Approvable): Section {
	const lacking = lackingOf({ plan, balances, dry, nameOf });
	const rows = plan.totals.slice(0, most.rows).map(({ ledgerFromId, currency, rows: count, amount }): Cell[] => {
		const balance = balances.find((one) => one.ledgerFromId === ledgerFromId);
		const out = lacking.find((one) => one.ledgerFromId === ledgerFromId && one.currency === currency);
		return [
			balance?.name ?? nameOf(ledgerFromId),
			{ code: ledgerFromId },
			groupDigits(count),
			{ amount, currency },
			balance?.available === undefined ? "not known" : { amount: balance.available, currency: balance.currency },
			out && {
				text: `${inCurrency(out.missing, currency).replaceAll(" ", "\u00a0")} missing, from row ${groupDigits(out.row)}`,
				tone: "bad",
			},
		];
	});
	return ledgers(["From", "Ledger", "Payments", "Total", "Available when planned", "Note"], rows, plan.totals.length, "the plan's file");
}

/** Duplicates, new payees and the largest payments: each payment once, with all that there is to check of it. */
function checkBlocks(batch: Approvable): Block[] {
	const { plan, rows, duplicates, newPayees } = batch;
	const found = new Map<number, { row: PlannedRow; why: string[] }>();
	const add = (row: PlannedRow, why: string): void => {
		const known = found.get(row.row);
		if (known === undefined) found.set(row.row, { row, why: [why] });
		else known.why.push(why);
	};
	for (const row of duplicates.inside) add(row, `the same as row ${row.same}`);
	for (const row of duplicates.earlier) {
		const { intent, batch: earlier, batchRow, state, at, rows: foundDuplicates } = row;
		const what = earlier === undefined ? `payment ${intent}` : `row ${batchRow} of batch ${earlier}`;
		const also = foundDuplicates > 1 ? ` (${groupDigits(foundDuplicates)} rows of this file)` : "";
		// The sender of one that is being sent may be dead.
		const standing = state === "sending" ? "being sent, or in doubt" : stateWords(state);
		add(row, `the same as ${what}, ${standing} ${at.slice(0, 10)}${also}`);
	}
	for (const row of newPayees.first) add(row, "new payee");
	for (const largest of rows.largest) for (const row of largest) add(row, "one of the largest");
	const listed = [...found.values()];
	for (const { row, why } of listed) if (newPayees.rows.has(row.row) && !why.includes("new payee")) why.push("to a new payee");
	return [
		paymentsTable(
			"Possible duplicates, payees who were never paid before, and the largest payments",
			listed.map(({ row }) => row),
			plan.totals,
			{
				...columnsOf(batch),
				more: [{ name: "Why", of: (row) => found.get(row.row)?.why.join("; ") }],
			},
		),
		...note(
			"Payments look the same when the debited ledger, the payee, the amount and the reference are the same. A new payee was not paid before by this profile on this machine, as far as its journal tells.",
		),
	];
}

function orderTable(batch: Approvable): Block {
	const { plan, rows } = batch;
	const table = paymentsTable("Rows are numbered as in the spreadsheet", rows.first, plan.totals, { ...columnsOf(batch), more: [] });
	return { ...table, of: plan.count, where: plan.source === "-" ? undefined : sourceOf(plan) };
}

/** Names that may be a person's are masked, and references, which may name one. */
const columnsOf = ({ nameOf, payees, unmasked }: Pick<Approvable, "nameOf" | "payees" | "unmasked">) => ({
	nameOf: (id: string): string | undefined =>
		nameOf(id) ?? (payees.has(plainId(id)) ? (unmasked ? payees.get(plainId(id)) : "***") : undefined),
	unmasked,
});

/** Most rows that the page lists from the beginning of the file, most new payees, and most duplicates of each kind. */
const gathered = { rows: 200, payees: 200, duplicates: 30 } as const;
/** Most of the largest payments of one currency, and most currencies that are looked at so; a file may name thousands. */
const mostLargest = 10;
const mostCurrencies = 5;

export interface PageOptions extends Pick<Approvable, "unmasked" | "madeBy" | "approve"> {
	/** Reads the names that are no personal data; called once, after the last row. */
	names(): Promise<Approvable["nameOf"]>;
	bytes(page: Page): Uint8Array;
}

export function pageMaker({ names, bytes, ...options }: PageOptions): PageMaker {
	const rows = new RowsOfPage();
	return {
		add: (row) => rows.add(row),
		make: async (subject) => {
			const duplicates = await duplicatesOf(subject);
			const asked = [...rows.largest.flat(), ...duplicates.inside, ...duplicates.earlier].map(({ row }) => row);
			const newPayees = await gatherNewPayees(subject.batches.firstTimeRows(subject.plan.batch), new Set(asked));
			return bytes(approvalPage({ ...subject, ...options, rows, newPayees, duplicates, nameOf: await names() }));
		},
	};
}

async function duplicatesOf({ foundDuplicates, batches, plan, skew }: PageSubject) {
	const { inside, earlier, doubts, sending } = foundDuplicates;
	if (inside + earlier + doubts.rows + (sending?.rows ?? 0) === 0) return { inside: [], earlier: [] };
	return batches.duplicateRows(plan.batch, gathered.duplicates, skew);
}

/** The first rows of a file, and the largest of each currency. */
export class RowsOfPage {
	readonly first: PlannedRow[] = [];
	readonly #largest = new Map<string | undefined, PlannedRow[]>();

	add(row: PlannedRow): void {
		if (this.first.length < gathered.rows) this.first.push(row);
		const { amount, currency } = row.transfer;
		const largest = this.#largest.get(currency) ?? [];
		if (largest.length === 0 && this.#largest.size >= mostCurrencies) return;
		this.#largest.set(currency, largest);
		const least = largest.at(-1);
		if (largest.length === mostLargest && least !== undefined && compareAmounts(amount, least.transfer.amount) <= 0) return;
		const place = largest.findIndex(({ transfer }) => compareAmounts(amount, transfer.amount) > 0);
		largest.splice(place < 0 ? largest.length : place, 0, row);
		if (largest.length > mostLargest) largest.pop();
	}

	/** By currency in the order of the file, each the largest first; of the same amount, the first in the file. */
	get largest(): PlannedRow[][] {
		return [...this.#largest.values()];
	}
}

/** Payments to parties that were never paid from this journal. */
export interface NewPayees {
	/** The first payment to each of the first of them, in the order of the file. */
	first: readonly PlannedRow[];
	/** Those of the asked rows that are among them. */
	rows: ReadonlySet<number>;
}

/** @param pages the rows to parties that were never paid, from the journal @param asked rows of which the page tells whether they are among these */
export async function gatherNewPayees(pages: AsyncIterable<PlannedRow[]>, asked: ReadonlySet<number>): Promise<NewPayees> {
	const first = new Map<string, PlannedRow>();
	const rows = new Set<number>();
	for await (const page of pages)
		for (const planned of page) {
			const id = plainId(planned.transfer.counterpartyId);
			if (asked.has(planned.row)) rows.add(planned.row);
			if (!first.has(id) && first.size < gathered.payees) first.set(id, planned);
		}
	return { first: [...first.values()], rows };
}
