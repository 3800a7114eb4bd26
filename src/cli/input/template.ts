import { describe, type Field, placeholder } from "../../api/schema.js";
import type { AnyCommand } from "../command.js";

/** Required fields are ready to fill in, the others are commented out. */
export function template(command: AnyCommand): string {
	const shape = describe(command.input);
	const fields = (shape.fields ?? []).filter(
		(field) => !field.meta.positional && !field.meta.flagOnly && !(field.kind === "list" && field.element?.kind === "object"),
	);
	return [
		`# purser ${command.path} --file FILE`,
		`# ${command.summary}. Lines after "# " are optional: delete the "# " to give them.`,
		`# ${placeholder} stands where you write a value of your own; a file with one left is refused.`,
		...fields.flatMap((field) => lines(field, 0, field.required)),
		"",
	].join("\n");
}

function lines(field: Field, depth: number, live: boolean): string[] {
	const indent = "  ".repeat(depth);
	const mark = live ? "" : "# ";
	if (field.kind !== "object") return [`${indent}${mark}${field.name}: ${sample(field)}  # ${remark(field)}`];
	const parts = field.fields ?? [];
	// A required object without required fields: those that the prompts offer are ready to fill in.
	const ready = parts.some((part) => part.required) ? (part: Field) => part.required : (part: Field) => part.meta.offer === true;
	return [
		"",
		`${indent}# ${remark(field)}`,
		`${indent}${mark}${field.name}:`,
		...parts.flatMap((part) => (live ? lines(part, depth + 1, ready(part)) : commentedLines(part, depth))),
	];
}

/** Inside an optional object every line is commented out, and indented after the `# `. */
function commentedLines(part: Field, depth: number, deeper = ""): string[] {
	const start = `${"  ".repeat(depth)}#   ${deeper}`;
	if (part.kind !== "object") return [`${start}${part.name}: ${sample(part)}  # ${remark(part)}`];
	return [`${start}${part.name}:`, ...(part.fields ?? []).flatMap((inner) => commentedLines(inner, depth, `${deeper}  `))];
}

function remark(field: Field): string {
	const inner = field.kind === "list" && field.element ? field.element : field;
	const values = inner.choices ?? inner.meta.known;
	return [
		field.required ? `${field.meta.description} (required)` : field.meta.description,
		values ? `one of ${values.slice(0, 4).join(", ")}${values.length > 4 ? ", …" : ""}` : "",
		values || sample(field) !== placeholder || field.meta.example === undefined ? "" : `like ${field.meta.example}`,
	]
		.filter(Boolean)
		.join("; ");
}

/** The value that is used when the line is left out, where there is one; nothing else can be right without an edit. */
function sample(field: Field): string {
	if (field.fallback !== undefined && typeof field.fallback !== "object") return String(field.fallback);
	return field.kind === "boolean" ? "false" : placeholder;
}
