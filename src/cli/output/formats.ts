/**
 * The output formats, in one table: `--output` with its help and completion, PURSER_OUTPUT, the errors about them and the
 * shell's writing of answers all read it.
 */
import type { formatJson } from "../../api/json.js";

export interface OutputFormat {
	/** People read it: they may be asked, and errors and warnings are sentences. For programs those are lines of JSON. */
	people: boolean;
	/** Records can be written one after another, so that an answer can continue (`--watch`). */
	streams: boolean;
	/** Records are rows of a table: what stands between their cells. */
	separator?: "," | "\t";
	/**
	 * An answer for programs, in lines; for people the command writes it.
	 * @param records of the answer; the answer itself where it has none
	 */
	write?(answer: unknown, records: () => readonly unknown[], json: typeof formatJson): Iterable<string>;
}

export const outputFormats = {
	text: { people: true, streams: true },
	json: { people: false, streams: false, write: (answer, _, json) => [json(answer === undefined ? null : answer, 2)] },
	ndjson: {
		people: false,
		streams: true,
		*write(_, records, json) {
			for (const record of records()) yield json(record);
		},
	},
	// Whoever exports a table reads errors and may be asked.
	csv: { people: true, streams: false, separator: "," },
	tsv: { people: true, streams: false, separator: "\t" },
} satisfies Record<string, OutputFormat>;

export const formatNames = Object.keys(outputFormats);

/** `text, json … or tsv`. */
export const formatList = formatNames.join(", ").replace(/, (?=\w+$)/, " or ");

/** The format of a name; undefined where none has it. */
export function formatNamed(name = ""): OutputFormat | undefined {
	return Object.hasOwn(outputFormats, name) ? outputFormats[name as keyof typeof outputFormats] : undefined;
}
