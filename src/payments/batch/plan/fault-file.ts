/**
 * Writes the report of faults: each faulty row as in the file, with one line per fault.
 */

import { type CsvStyle, csvLine } from "../../../disk/csv-line.js";
import type { FileWriter } from "../../../ports/machine.js";
import type { Heading, ReadRow } from "./rows.js";

/** Characters written at once. */
const writeAbove = 1024 * 1024;

/** Most faults that an error lists; the file has them all. */
export const maxReported = 20;

export class FaultFile {
	#writer: FileWriter | undefined;
	count = 0;
	rows = 0;

	/** @param make creates the file; called at the first fault */
	constructor(
		private readonly make: () => Promise<FileWriter>,
		private readonly heading: () => Heading,
		private readonly safe: boolean,
	) {}

	async add(rows: readonly ReadRow[]): Promise<void> {
		const faulty = rows.filter(({ faults }) => faults.length > 0);
		if (faulty.length === 0) return;
		const { header, separator, lines } = this.heading();
		const style: CsvStyle = { separator, safe: this.safe };
		let text = "";
		if (this.#writer === undefined) {
			this.#writer = await this.make();
			text = csvLine([...header, "row", "field", "message", ...(lines ? ["original"] : [])], style);
		}
		for (const { row, cells, original, faults } of faulty)
			for (const { field, message } of faults) {
				// Cut or pad a row of the wrong length to the header's.
				const own = header.map((_, place) => cells[place] ?? "");
				text += csvLine([...own, String(row), field, message, ...(lines ? [original] : [])], style);
				this.count += 1;
				if (text.length < writeAbove) continue;
				await this.#writer.write(text);
				text = "";
			}
		this.rows += faulty.length;
		await this.#writer.write(text);
	}

	/** @returns whether a file was written */
	async finish(): Promise<boolean> {
		await this.#writer?.finish();
		return this.#writer !== undefined;
	}

	async discard(): Promise<void> {
		await this.#writer?.discard();
	}
}
