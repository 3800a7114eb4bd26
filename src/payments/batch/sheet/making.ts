/**
 * Makes the sheet of a plan: gathers rows while they are checked, asks the journal for the rest, and hands the page to whoever writes it.
 */

import type { Page } from "../../../ports/page.js";
import type { SheetMaker, SheetSubject } from "../plan/planning.js";
import { mostDuplicates } from "./duplicates.js";
import { gatherFirstTime } from "./first-time.js";
import { SheetRows } from "./gather.js";
import { type Sheet, sheetPage } from "./page.js";

export interface SheetOptions extends Pick<Sheet, "unmasked" | "madeBy" | "approve"> {
	/** Reads the names that are no personal data; called once, after the last row. */
	names(): Promise<Sheet["nameOf"]>;
	/** Writes the page. @returns SHA-256 of its bytes, hex */
	write(page: Page): Promise<{ sha256: string }>;
	/** Takes back what was written. */
	remove(): Promise<void>;
}

export function sheetMaker({ names, write, remove, ...options }: SheetOptions): SheetMaker {
	const rows = new SheetRows();
	let written = false;
	return {
		add: (row) => rows.add(row),
		write: async (subject) => {
			const shown = new Set([...rows.first, ...rows.currencies.flatMap(({ largest }) => largest)].map(({ row }) => row));
			const duplicates = await duplicatesOf(subject);
			for (const { row } of [...duplicates.inside, ...duplicates.earlier]) shown.add(row);
			const { beneficiaries, ledgers } = subject.strangers;
			const pages = beneficiaries + ledgers === 0 ? noRows() : subject.batches.firstTimeRows(subject.plan.batch);
			const firstTime = await gatherFirstTime(pages, shown);
			const made = await write(sheetPage({ ...subject, ...options, rows, firstTime, duplicates, nameOf: await names() }));
			written = true;
			return made;
		},
		discard: async () => {
			if (written) await remove();
		},
	};
}

async function duplicatesOf({ alike, batches, plan, skew }: SheetSubject) {
	const { inside, earlier, doubts, sending } = alike;
	if (inside + earlier + doubts.rows + (sending?.rows ?? 0) === 0) return { inside: [], earlier: [] };
	return batches.duplicateRows(plan.batch, mostDuplicates, skew);
}

async function* noRows(): AsyncGenerator<never> {}
