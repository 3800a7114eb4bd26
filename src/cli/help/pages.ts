/**
 * What is answered without loading a command: help at every level, topics, completion, and words that name no command.
 */

import { advice, purser } from "../../api/advice.js";
import { shortened, suggestionFor } from "../../api/suggest.js";
import type { Runtime } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import type { CommandList } from "../command.js";
import { complete } from "../completion/complete.js";
import type { Contract, FlagSpec } from "../contract.js";
import { colourLevel, type Global, globalFlags } from "../input/options.js";
import { type Route, route } from "../input/route.js";
import { kebab } from "../names.js";
import { makeStyle, paintOf } from "../output/style.js";
import { completionScript, shells } from "../shipped-page.js";

/** Adds `completion` and `help`, which are about the other commands, to a list of commands. */
export function withBuiltins(commands: CommandList): CommandList {
	return {
		...commands,
		completion: async () => ({ default: (await import("./builtins.js")).completion }),
		help: async () => ({ default: (await import("./builtins.js")).help }),
	};
}

export interface Asking {
	paths: readonly string[];
	contract(): Promise<Contract>;
	runtime: Runtime;
	global: Global;
}

/**
 * The page to print, or undefined when a command is to run.
 * @throws PurserError usage, where a word names no command
 */
export async function answerPages(found: Route, asking: Asking): Promise<string | undefined> {
	const { paths, contract, runtime } = asking;
	if (found.version)
		return asking.global.format.people ? `purser ${runtime.system.version}\n` : `${JSON.stringify({ version: runtime.system.version })}\n`;
	if (found.unknown === "complete" && found.words.length === 0) return complete(found.rest.slice(1), contract, runtime);
	if (found.path === "help") return answerHelp(found, asking);
	const shell = found.path === "completion" && found.rest.length === 1 ? shells.find((name) => name === found.rest[0]) : undefined;
	if (shell !== undefined) return completionScript(shell, runtime);
	if (found.unknown !== undefined && !found.help) throw unknownCommand(found, paths);
	if (found.path !== undefined && !(found.help && found.unknown === undefined)) return undefined;
	const own = found.path === undefined ? undefined : (await contract()).commands.find(({ path }) => path === found.path);
	refuseUnknownFlags(found, own?.flags);
	return page(found, asking);
}

const knownFlags = new Set([...globalFlags.flatMap(({ name, short }) => [`--${name}`, short]), "--help", "-h", "--version", "-V"]);

/**
 * Refuses unknown flags of a help page: no command is loaded that would check them.
 * @param own the flags of the command itself, since `--help` may end a line that was begun
 */
function refuseUnknownFlags({ rest, words }: Route, own: readonly FlagSpec[] = []): void {
	const known = new Set([...knownFlags, ...own.flatMap(({ name, short, alias }) => [name, short, alias])]);
	const unknown = rest.find((word) => word.startsWith("-") && !known.has(word.split("=", 1)[0] as string));
	if (unknown === undefined) return;
	const fix = advice`See \`${purser`${words} --help`}\`.`;
	throw new PurserError("usage", { code: "USAGE", message: `Unknown option '${shortened(unknown)}'`, fix });
}

/** The page of the program, of a noun, or of a command; for programs the data it is made of. */
async function page({ path, words }: Route, { contract, global, runtime }: Asking): Promise<string> {
	if (global.format.people && path === undefined && words.length === 0)
		return `${(await import("./help.js")).rootHelp(await styleFor(runtime, global))}\n`;
	const described = await contract();
	const listed = described.commands.filter((one) => one.path.startsWith(`${words.join(" ")} `));
	const own = described.commands.find((one) => one.path === path);
	if (!global.format.people) return `${JSON.stringify(own ?? (words.length === 0 ? described : listed), undefined, 2)}\n`;
	const { commandHelp, groupHelp } = await import("./help.js");
	const style = await styleFor(runtime, global);
	return `${own === undefined ? groupHelp(words, listed, style) : commandHelp(own, style)}\n`;
}

/** `purser help`, `purser help corporate create`; a topic is left to the command `help`. */
async function answerHelp(found: Route, asking: Asking): Promise<string | undefined> {
	const { paths, global, runtime } = asking;
	const words = found.rest.filter((word) => !word.startsWith("-"));
	if (found.help && words.length === 0) return page({ ...found, path: "help" }, asking);
	const { topicNames, everydayTopics } = await import("./topics.js");
	if (topicNames.some((name) => name === words[0]) && !found.help) return undefined;
	refuseUnknownFlags({ ...found, words: ["help"] });
	const about = route(words, paths);
	if (about.path === undefined && isAboutTakingBack(about)) throw cannotTakeBack();
	if (about.unknown !== undefined && about.words.length === 0) throw unknownTopic(about.unknown, [...topicNames, ...nounsOf(paths)]);
	if (about.unknown !== undefined) throw unknownCommand(about, paths);
	const text = await page(about, asking);
	if (words.length > 0 || !global.format.people) return text;
	return `${text}\n${(await import("./help.js")).topicList(everydayTopics(), await styleFor(runtime, global))}\n`;
}

/** What people type when money went to the wrong payee. */
const takingBack = /^(wrong|cancel|undo|recall|refund|revoke|revers|return|retract|stop|mistake|chargeback)/;

const isAboutTakingBack = ({ words, unknown = "" }: Route): boolean =>
	["", "pay"].includes(words.join(" ")) && takingBack.test(kebab(unknown));

const cannotTakeBack = (): PurserError =>
	new PurserError("usage", {
		code: "UNKNOWN_COMMAND",
		message: "A sent payment cannot be taken back from here",
		fix: advice`Contact your banking service with its transaction id (${purser`pay list`}). What can be done: ${purser`help wrong-payment`}`,
	});

const nounsOf = (paths: readonly string[]): string[] => [...new Set(paths.map((path) => path.split(" ")[0] as string))];

function unknownTopic(word: string, names: readonly string[]): PurserError {
	const suggestion = suggestionFor(kebab(word), names);
	const message = `There is no help about ${JSON.stringify(shortened(word))}: it is neither a topic nor a command`;
	return unknown(message, suggestion ? [`help ${suggestion}`] : [], advice`See \`${purser`--help`}\` and \`${purser`help --help`}\`.`);
}

function unknown(message: string, meant: readonly string[], otherwise: Advice): PurserError {
	const named = meant.map((path, at) => advice`${at > 0 ? " or " : ""}\`${purser`${path.split(" ")}`}\``);
	return new PurserError("usage", { code: "UNKNOWN_COMMAND", message, fix: named.length > 0 ? advice`Did you mean ${named}?` : otherwise });
}

async function styleFor({ system, clock }: Runtime, { colour }: Global): Promise<Style> {
	const { stdout } = system.terminal;
	const colours = colourLevel(colour, system.env, stdout.isTerminal ? stdout.colours : 0);
	return makeStyle({ paint: await paintOf(colours), columns: stdout.columns, now: clock.now() });
}

function unknownCommand(found: Route, paths: readonly string[]): PurserError {
	const { words, unknown: word = "" } = found;
	if (isAboutTakingBack(found)) return cannotTakeBack();
	const prefix = words.length > 0 ? `${words.join(" ")} ` : "";
	const below = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
	const suggestion = suggestionFor(kebab(word), nounsOf(below));
	const similar = suggestion ? [`${prefix}${suggestion}`] : deeper(prefix, word, paths);
	const meant = prefix === "pay batch " && takingBack.test(word) ? ["pay batch abandon"] : similar;
	return unknown(`There is no command \`purser ${prefix}${shortened(word)}\``, meant, advice`See \`${purser`${words} --help`}\`.`);
}

/** Maximum number of commands that are suggested where the first word was left out: `purser login`. */
const maxSuggested = 3;

/** Commands of which the word is a later part of the path, where they are few. */
function deeper(prefix: string, word: string, paths: readonly string[]): string[] {
	const below = paths.filter((path) => path.startsWith(prefix)).map((path) => path.split(" "));
	const found = below.filter((words) => words.includes(word)).map((words) => words.slice(0, words.indexOf(word) + 1).join(" "));
	const meant = [...new Set(found)];
	return meant.length > maxSuggested ? [] : meant;
}
