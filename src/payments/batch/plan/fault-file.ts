/**
 * The report of faults: each faulty row as in the file, with one line per fault; and the error that names the first of them.
 */

import { advice, purser } from "../../../api/advice.js";
import { type Fault, PurserError } from "../../../errors.js";
import type { FileWriter } from "../../../ports/machine.js";
import { type CsvStyle, csvLine } from "../../../system/disk/csv-line.js";
import type { Heading, ReadRow } from "./rows.js";

/** Characters written at once. */
const writeAbove = 1024 * 1024;

/** Most faults that an error lists; the file has them all. */
const maxReported = 20;

export class FaultFile {
	#writer: FileWriter | undefined;
	/** The faults that the error lists. */
	readonly #reported: Fault[] = [];
	count = 0;
	#rows = 0;

	/** @param make creates the file; called at the first fault */
	constructor(
		private readonly make: () => Promise<FileWriter>,
		private readonly heading: () => Heading,
	) {}

	async add(rows: readonly ReadRow[]): Promise<void> {
		const faulty = rows.filter(({ faults }) => faults.length > 0);
		if (faulty.length === 0) return;
		const { header, separator } = this.heading();
		const style: CsvStyle = { separator, safe: true };
		let text = "";
		if (this.#writer === undefined) {
			this.#writer = await this.make();
			text = csvLine([...header, "row", "field", "message"], style);
		}
		for (const { row, cells, faults } of faulty)
			for (const fault of faults) {
				// Cut or pad a row of the wrong length to the header's.
				const own = header.map((_, place) => cells[place] ?? "");
				text += csvLine([...own, String(row), fault.field, fault.message], style);
				this.count += 1;
				if (this.#reported.length < maxReported) this.#reported.push(fault);
				if (text.length < writeAbove) continue;
				await this.#writer.write(text);
				text = "";
			}
		this.#rows += faulty.length;
		await this.#writer.write(text);
	}

	/** @param all number of rows of the file @param flags whether the file was read with flags @throws PurserError validation, if there was a fault */
	async finish(input: { file: string; faultsTo: string }, all: number, flags: boolean): Promise<void> {
		if (this.#writer === undefined) return;
		await this.#writer.finish();
		const { count } = this;
		const more = count > this.#reported.length ? `; the first ${this.#reported.length} are shown here` : "";
		throw new PurserError("validation", {
			code: "ROWS_INVALID",
			message: `${this.#rows} of ${all} rows cannot be paid (${count} ${count === 1 ? "error" : "errors"}${more}); nothing was planned or sent`,
			why: `all of them, next to their rows: ${input.faultsTo} (row 1 is the first payment)`,
			fix: advice`Correct the rows in the file and plan it again${flags ? " with the same flags" : ""}: ${purser`pay batch plan ${{ path: input.file }}`}`,
			details: [...this.#reported],
		});
	}

	async discard(): Promise<void> {
		await this.#writer?.discard();
	}
}
