/**
 * The page of a batch before it is sent: whether it may be approved, for the person who does. The same plan gives the same page.
 */

import { groupDigits, inCurrency } from "../../../api/amount.js";
import { plainId } from "../../../api/text/ids.js";
import type { PlannedRow } from "../../../ports/batch-plan.js";
import type { Block, Cell, Page, Section } from "../../../ports/page.js";
import type { Parties } from "../../rules/intent-text.js";
import { earlierText, shortfalls } from "../plan/findings.js";
import type { Planned } from "../plan/planning.js";
import { sourceOf, totalsText } from "../plan/totals.js";
import { planWarnings } from "../send/preview.js";
import { counted, fingerprints, ledgers, most, note, notice, paymentsTable, sumsText } from "./parts.js";

/** A plan that is to be approved, with what its page says. */
export interface Approvable extends Planned {
	/** Names that are no personal data, by id. */
	nameOf(id: string): string | undefined;
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

function approvalSection(batch: Approvable): Section {
	const { plan, approve } = batch;
	const lacking = lackingOf(batch);
	const warnings = [
		// First, since of many only some are shown.
		...planWarnings(batch, false),
		...lacking.map(
			({ name, ledgerFromId, currency, missing, row }) =>
				`The available balance of ${name ?? ledgerFromId} is not enough: ${inCurrency(missing, currency)} is missing, from row ${groupDigits(row)} on`,
		),
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
					["Largest payment", totalsText({ totals: plan.largest.slice(0, most.currencies) })],
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
			...note(!batch.unmasked && "Names of persons are masked. To show them, the planner plans the file again with --page and --unmasked."),
		],
	};
}

/** What is missing on each ledger, with the first row that exceeds its balance. */
function lackingOf({ plan, balances, dry, nameOf }: Pick<Approvable, "plan" | "balances" | "dry" | "nameOf">) {
	return shortfalls(plan, balances).flatMap((one) => {
		const row = dry.find(({ ledgerFromId }) => ledgerFromId === one.ledgerFromId)?.row;
		const name = balances.find(({ ledgerFromId }) => ledgerFromId === one.ledgerFromId)?.name ?? nameOf(one.ledgerFromId);
		return row === undefined ? [] : [{ ...one, name, row }];
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

type Row = PlannedRow & Parties;

/** Most duplicates of each kind. */
const mostDuplicates = 30;

/** Duplicates, new payees and those that cannot be paid: each payment once, with all that there is to check of it. */
function checkBlocks(batch: Approvable): Block[] {
	const { plan, findings } = batch;
	const found = new Map<number, { row: Row; why: string[] }>();
	const add = (row: Row, why: string): void => {
		const known = found.get(row.row);
		if (known === undefined) found.set(row.row, { row, why: [why] });
		else known.why.push(why);
	};
	for (const row of findings.unpayable.first) add(row, `the payee cannot be paid yet (${row.status})`);
	for (const row of findings.inside.slice(0, mostDuplicates)) add(row, `the same as row ${row.same}`);
	for (const row of findings.earlier.slice(0, mostDuplicates))
		add(row, `${earlierText(row)}${row.rows > 1 ? ` (${groupDigits(row.rows)} rows of this file)` : ""}`);
	for (const row of findings.newPayees.first) add(row, "new payee");
	const listed = [...found.values()];
	const newcomers = new Set(findings.newPayees.first.map(({ transfer }) => plainId(transfer.counterpartyId)));
	for (const { row, why } of listed)
		if (newcomers.has(plainId(row.transfer.counterpartyId)) && !why.includes("new payee")) why.push("to a new payee");
	return [
		paymentsTable(
			"Possible duplicates, and payees who were never paid before or cannot be paid yet",
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
	const { plan, findings } = batch;
	const table = paymentsTable("Rows are numbered as in the spreadsheet", findings.first, plan.totals, { ...columnsOf(batch), more: [] });
	return { ...table, of: plan.count, where: plan.source === "-" ? undefined : sourceOf(plan) };
}

/** Names that may be a person's are masked. References are not: whoever approves has to see what is paid. */
const columnsOf = ({ nameOf, unmasked }: Pick<Approvable, "nameOf" | "unmasked">) => ({
	nameOf: (id: string, { transfer, ledgerName, payeeName }: Row): string | undefined => {
		if (id === transfer.ledgerFromId) return ledgerName ?? nameOf(id);
		if (transfer.kind === "ledger" || unmasked) return payeeName ?? nameOf(id);
		return nameOf(id) ?? (payeeName && "***");
	},
	references: true,
});
