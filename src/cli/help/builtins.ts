import * as z from "zod/mini";
import { field } from "../../api/schema.js";
import type { Style } from "../../ports/style.js";
import { defineCommand } from "../command.js";
import { completionScript, type Shell, shells } from "../shipped-page.js";
import { guideText, isReference, references, topicNames } from "./topics.js";

export const help = defineCommand({
	path: "help",
	summary: "Read about a topic, such as payments, scripts or exit-codes",
	examples: {
		"help start": "Two minutes in the sandbox",
		"help exit-codes": "What each exit code means, and whether to run again",
		"help environment": "The variables purser reads",
		help: "The commands and the topics",
	},
	input: z.strictObject({
		topic: field(z.enum(topicNames), { description: topicNames.join(", "), positional: true, placeholder: "topic" }),
	}),
	answer: () => z.strictObject({ topic: z.string(), content: z.array(z.unknown()) }),
	async run(context, { topic }) {
		const content = isReference(topic) ? references[topic].data() : (await guideText(topic, context)).split("\n");
		return { data: { topic, content } };
	},
	text: ({ topic, content }, style) => (isReference(topic) ? references[topic].text(style) : plainText(content as string[], style)),
});

export const completion = defineCommand({
	path: "completion",
	summary: "Print the completion script for a shell",
	details: "It completes commands, flags, values that are known beforehand, paths, and names of profiles.",
	examples: {
		"completion bash > ~/.local/share/bash-completion/completions/purser": "bash, for good; the folder has to be there (mkdir -p)",
		"completion zsh > ~/.zfunc/_purser": "zsh, with ~/.zfunc there and in fpath",
		"completion fish > ~/.config/fish/completions/purser.fish": "fish",
		"completion powershell | Out-String | Invoke-Expression": "PowerShell, this session",
	},
	input: z.strictObject({ shell: field(z.enum(shells), { description: shells.join(", "), positional: true, placeholder: "shell" }) }),
	answer: () => z.strictObject({ shell: z.string(), script: z.string() }),
	async run(context, { shell }) {
		const script = await completionScript(shell as Shell, context);
		return { data: { shell, script }, raw: script };
	},
	text: (data) => data.script,
});

/** Maximum width of prose, in columns: longer lines are hard to read. */
const maxWidth = 80;

/** @returns the text in lines of at most 80 columns; only code may be wider */
export function plainText(markdown: readonly string[], style: Style): string {
	const columns = Math.min(style.columns, maxWidth);
	return blocksOf(markdown.filter((line) => !line.startsWith("<!--")))
		.map(([kind, lines]) => renderers[kind](lines, columns, style))
		.join("\n\n");
}

type Kind = "code" | "heading" | "table" | "list" | "paragraph";

const item = /^\s*(?:[-*]|\d+\.) /;

function kindOf(line: string): Kind {
	if (/^#+ /.test(line)) return "heading";
	if (line.startsWith("|")) return "table";
	return item.test(line) ? "list" : "paragraph";
}

function blocksOf(markdown: readonly string[]): [Kind, string[]][] {
	const parts = markdown.join("\n").split(/^```.*\n?/m);
	// Every second part stands between fences.
	return parts.flatMap((part, at) =>
		at % 2 === 0 ? proseBlocks(part) : [["code", part.trimEnd().split("\n")] satisfies [Kind, string[]]],
	);
}

function proseBlocks(text: string): [Kind, string[]][] {
	const blocks: [Kind, string[]][] = [];
	let open: Kind | undefined;
	for (const line of text.split("\n")) {
		const kind = line.trim() === "" ? undefined : kindOf(line);
		// A line that is indented belongs to the item of the list before it.
		const belongs = kind !== "heading" && (kind === open || (open === "list" && line.startsWith(" ")));
		if (kind !== undefined && belongs) blocks.at(-1)?.[1].push(line);
		else if (kind !== undefined) blocks.push([kind, [line]]);
		if (kind === undefined || !belongs) open = kind;
	}
	return blocks;
}

const renderers: Readonly<Record<Kind, (lines: readonly string[], columns: number, style: Style) => string>> = {
	code: (lines) => lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n"),
	heading: ([line = ""], _, style) => style.bold(inline(line.replace(/^#+ /, ""))),
	paragraph: (lines, columns, style) => style.wrapped(inline(lines.map((line) => line.replace(/^> ?/, "")).join(" ")), columns).join("\n"),
	table: (lines, _, style) => {
		const [names = [], , ...rows] = lines.map(cellsOf);
		return style.table(names, rows);
	},
	list: (lines, columns, style) => {
		const items: string[] = [];
		for (const line of lines) items.push(item.test(line) ? line : `${items.pop()} ${line.trim()}`);
		return items.map((text) => listItem(text, columns, style)).join("\n");
	},
};

function cellsOf(line: string): string[] {
	const cells = line.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/);
	return cells.map((cell) => inline(cell.trim().replaceAll("\\|", "|")));
}

function listItem(text: string, columns: number, style: Style): string {
	const mark = item.exec(text)?.[0] ?? "";
	const lines = style.wrapped(inline(text.slice(mark.length)), columns - mark.length);
	return mark + lines.join(`\n${" ".repeat(mark.length)}`);
}

/** Emphasis and code lose their marks; a link to another page is followed by where it leads. */
function inline(text: string): string {
	const plain = (part: string): string =>
		part
			.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, target: string) =>
				target.startsWith("#") || label === target ? label : `${label} (${target.replace(/^(?:\.\.\/)+/, "")})`,
			)
			.replace(/\*+/g, "");
	// Every second part stands between backquotes.
	const parts = text.split("`");
	return parts.map((part, at) => (at % 2 === 0 ? plain(part) : part)).join("");
}
