// The reference of every command as Markdown, for src/commands/README.md, from `purser --help --json`.

/** A table for each noun: how a command is typed, what it does, which flags it takes. */
export function commandReference({ commands }) {
	const nouns = [...new Set(commands.map(({ path }) => path.split(" ")[0]))];
	return nouns
		.map((noun) => {
			const rows = commands.filter(({ path }) => path.split(" ")[0] === noun).map(row);
			return `| ${noun} | |\n|---|---|\n${rows.join("\n")}`;
		})
		.join("\n\n");
}

/** Required flags are shown with the command, the others after its summary. */
function row({ path, summary, effect, operations, flags }) {
	const words = flags
		.filter(({ argument }) => argument)
		.map(({ name, repeated, required }) => word(`${name}${repeated ? "…" : ""}`, required));
	const all = flags.filter(({ argument, required }) => !argument && required === "always").map(typed);
	const needed = all.length > 4 ? [...all.slice(0, 2), "…"] : all;
	// A required flag is listed once more only where it has another name.
	const others = flags
		.filter(({ argument, required, alias }) => !argument && (required !== "always" || alias !== undefined))
		.map(({ name, short, alias }) => `\`${[short, alias, name].filter(Boolean).join(", ")}\``);
	// A command that sends no transaction, such as an approval, moves no money by itself.
	const moves = effect === "money" && operations.some((id) => id.startsWith("transaction.")) ? " **Moves money.**" : "";
	const counted = others.length > maxListed && moves === "";
	const more = counted ? ` ${others.length} more flags: \`purser ${path} --help\`` : others.map((flag) => ` ${flag}`).join("");
	return `| \`${["purser", path, ...words, ...needed].join(" ")}\` | ${summary.replaceAll("|", "\\|")}.${moves}${more} |`;
}

/** Maximum number of optional flags that are listed; more are counted, unless the command moves money. */
const maxListed = 8;

const word = (text, required) => (required === "no" ? `[${text}]` : text);

const typed = ({ name, alias = name, placeholder }) => (placeholder === undefined ? alias : `${alias} …`);
