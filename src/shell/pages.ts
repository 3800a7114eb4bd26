/**
 * What needs no command to run: the version, help at every level, and a word that names nothing.
 */
import type { Outside } from "../context.js";
import { PurserError } from "../errors.js";
import type { AnyCommand, CommandList, Style } from "./command.js";
import { commandHelp, groupHelp, rootHelp } from "./help.js";
import { nearest, type Route, route } from "./program.js";
import { type Topic, topicNames } from "./topics.js";

/**
 * The page to print, or undefined when a command is to run.
 * @throws PurserError usage, where a word names no command
 */
export async function answerPages(found: Route, commands: CommandList, outside: Outside, style: Style): Promise<string | undefined> {
	if (found.path === "help") return helpWords(found, commands, outside, style);
	if (found.version) return `purser ${outside.version}\n`;
	if (found.stray !== undefined && !found.help) throw unknownCommand(found, Object.keys(commands));
	if (found.path !== undefined && !(found.help && found.stray === undefined)) return undefined;
	if (found.path !== undefined) return `${commandHelp(await load(commands, found.path), style)}\n`;
	const words = found.words;
	if (words.length === 0) return `${rootHelp(await entries(commands), style)}\n`;
	const inside = Object.keys(commands).filter((path) => path.startsWith(`${words.join(" ")} `));
	return `${groupHelp(words, await Promise.all(inside.map((path) => load(commands, path))), style)}\n`;
}

/** `purser help`, `purser help corporate create`; a topic is left to the command. */
async function helpWords(found: Route, commands: CommandList, outside: Outside, style: Style): Promise<string | undefined> {
	const words = found.rest.filter((word) => !word.startsWith("-"));
	if (!found.help && topicNames.includes(words[0] as Topic)) return undefined;
	if (found.help && words.length === 0) return `${commandHelp(await load(commands, "help"), style)}\n`;
	const about = route(words, Object.keys(commands));
	return answerPages({ ...about, help: about.stray === undefined, version: false }, commands, outside, style);
}

async function load(commands: CommandList, path: string): Promise<AnyCommand> {
	return (await (commands[path] as CommandList[string])()).default;
}

async function entries(commands: CommandList): Promise<AnyCommand[]> {
	return Promise.all(Object.keys(commands).map((path) => load(commands, path)));
}

function unknownCommand({ words, stray }: Route, paths: readonly string[]): PurserError {
	const prefix = words.length > 0 ? `${words.join(" ")} ` : "";
	const names = [
		...new Set(paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length).split(" ")[0] as string)),
	];
	const near = nearest(stray as string, names);
	return new PurserError("usage", {
		code: "UNKNOWN_COMMAND",
		message: `There is no command \`purser ${prefix}${stray}\``,
		fix: near ? `Did you mean \`purser ${prefix}${near}\`?` : `See \`purser ${prefix}--help\`.`,
	});
}
