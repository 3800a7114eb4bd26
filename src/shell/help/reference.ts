/**
 * The reference of every command as Markdown, for the README.
 */
import type { CommandSpec, Contract, FlagSpec } from "../contract.js";

/** A table for each noun: how a command is typed, what it does, which flags it takes. */
export function reference({ commands }: Pick<Contract, "commands">): string {
	const nouns = [...new Set(commands.map(({ path }) => path.split(" ")[0] as string))];
	return nouns
		.map((noun) => {
			const rows = commands.filter(({ path }) => path.split(" ")[0] === noun).map(row);
			return `| ${noun} | |\n|---|---|\n${rows.join("\n")}`;
		})
		.join("\n\n");
}

/** What must be given stands with the command, what may be given below what it does. */
function row({ path, summary, effect, operations, flags }: CommandSpec): string {
	const words = flags
		.filter(({ argument }) => argument)
		.map(({ name, repeated, required }) => word(`${name}${repeated ? "…" : ""}`, required));
	const all = flags.filter(({ argument, required }) => !argument && required === "always").map(typed);
	const needed = all.length > 4 ? [...all.slice(0, 2), "…"] : all;
	const others = flags.filter(({ argument, required }) => !argument && required !== "always").map(({ name }) => `\`${name}\``);
	// What asks nothing of the service only says that it may move: an approval.
	const moves = effect === "money" && operations.length > 0 ? " **Moves money.**" : "";
	const counted = others.length > most && moves === "";
	const more = counted ? ` ${others.length} more flags: \`purser ${path} --help\`` : others.map((flag) => ` ${flag}`).join("");
	return `| \`${["purser", path, ...words, ...needed].join(" ")}\` | ${summary.replaceAll("|", "\\|")}.${moves}${more} |`;
}

/** Flags that are listed one by one, but for what sends money: that is listed whole. --help has them all. */
const most = 8;

const word = (text: string, required: FlagSpec["required"]): string => (required === "no" ? `[${text}]` : text);

const typed = ({ name, placeholder }: FlagSpec): string => (placeholder === undefined ? name : `${name} …`);
