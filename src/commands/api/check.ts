import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { filePath, plain } from "../../api/fields.js";
import { catalog } from "../../api/operations/catalog.js";
import { withRecords } from "../../api/schema.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import type { Style } from "../../ports/style.js";
import { type LineFault, lineFault, readMappingFile } from "../families/mapping-file.js";

const checked = () =>
	z.strictObject({
		file: z.string(),
		/** How many operations it maps, and how many of them are none. */
		mapped: z.number(),
		absent: z.number(),
		faults: z.array(lineFault()),
		against: z.nullable(z.string()),
	});

export default defineCommand({
	path: "api check",
	summary: "Check a mapping, and hold it against the service's document",
	details:
		"Every fault with its line: what is open (?), a place that does not exist or that two fields share, a value that cannot be read back. With --against also what only the document shows: a required field of theirs without a value, a value that their list does not have, a type that does not fit. Exit 0 only when the file can be used.",
	examples: {
		"api check bank.yaml": "The file by itself",
		"api check bank.yaml --against openapi.yaml": "And against the service's document",
	},
	input: z.strictObject({
		file: plain("The mapping, YAML or JSON; - for standard input", { positional: true, placeholder: "file|-" }),
		against: z.optional(filePath("The OpenAPI document of the service, up to 20 MB", { placeholder: "file" })),
	}),
	answer: () => withRecords(checked(), lineFault()),
	async run(context, { file, against }): Promise<Answer<z.output<ReturnType<typeof checked>>>> {
		const { mapping, faults } = await readMappingFile(context, file, against);
		const entries = Object.values(mapping?.operations ?? {});
		const absent = entries.filter((one) => one === "none").length;
		return {
			data: { file, mapped: entries.length - absent, absent, faults, against: against ?? null },
			exit: faults.length > 0 ? "validation" : undefined,
			next: faults.length > 0 ? [purser`help mapping`] : [purser`api use ${{ path: file }}`],
			lines: faults,
		};
	},
	text: ({ file, mapped, absent, faults, against }, style) => {
		if (style.cells)
			return style.table(
				["line", "of", "at", "message"],
				faults.map(({ line, of, at, message }) => [String(line ?? ""), of, at, message]),
			);
		const count = `${faults.length} ${faults.length === 1 ? "place is" : "places are"} wrong or open`;
		if (faults.length > 0) return [`${style.bad(count)} in ${file}`, ...linesOf(faults, style)].join("\n");
		const lacking = absent === 0 ? "" : `, and ${absent} that the service does not have`;
		const unchecked = against === null ? "\nWhat only the service's document shows was not checked: --against openapi.yaml" : "";
		return `${style.good("This mapping can be used")}: ${mapped} of ${catalog.length} operations${lacking}.${unchecked}`;
	},
});

function linesOf(found: readonly LineFault[], style: Style): string[] {
	return found.flatMap(({ line, of, at, message }, index) => [
		...(found[index - 1]?.of === of ? [] : [style.accent(of)]),
		`  ${line === null ? "" : `line ${line}  `}${[at, message].filter(Boolean).join(": ")}`,
	]);
}
