/**
 * The report of everything that is wrong with a file: each faulty row as it stands there, with what is wrong beside it.
 */

import { type CsvStyle, csvLine } from "../../../disk/csv-line.js";
import type { FileWriter } from "../../../ports/machine.js";
import type { Heading, ReadRow } from "./rows.js";

/** Characters that are written at once. */
const large = 1024 * 1024;

/** Most faults that are told in an error; the file has them all. */
export const mostTold = 20;

export class FaultFile {
	#writer: FileWriter | undefined;
	count = 0;
	rows = 0;

	/** @param make makes the file when the first fault comes */
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
				// A row of another length is told with as many cells as there is room for.
				const own = header.map((_, place) => cells[place] ?? "");
				text += csvLine([...own, String(row), field, message, ...(lines ? [original] : [])], style);
				this.count += 1;
				if (text.length < large) continue;
				await this.#writer.write(text);
				text = "";
			}
		this.rows += faulty.length;
		await this.#writer.write(text);
	}

	/** Whether there is a file now. */
	async finish(): Promise<boolean> {
		await this.#writer?.finish();
		return this.#writer !== undefined;
	}

	async discard(): Promise<void> {
		await this.#writer?.discard();
	}
}
