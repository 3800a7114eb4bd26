/**
 * `purser complete -- WORDS`: what Tab offers for the last of the words. The completion scripts know no commands themselves.
 */
import type { Runtime } from "../../context.js";
import { type CommandSpec, type Contract, type FlagSpec, valuesOf } from "../contract.js";
import { route } from "../input/route.js";

interface Candidate {
	value: string;
	description?: string;
}

interface Line {
	/** The words of a path, as far as they are known: `pay ledger`. */
	path: string;
	command?: CommandSpec;
	flag?: FlagSpec;
	/** The part of the word, or of its value in `--flag=value`, that is typed. */
	typed: string;
	/** `--flag=` where flag and value are one word. */
	before: string;
}

/**
 * @param words `--`, then the words of the command line up to the cursor. Without `--` there is no answer
 * @returns a line for each candidate: what to insert, a tab, its description. `:files` alone where a path is wanted; nothing on any
 * error, because a shell cannot show one while it completes
 */
export async function complete([mark, ...words]: readonly string[], contract: () => Promise<Contract>, runtime: Runtime): Promise<string> {
	if (mark !== "--") return "";
	try {
		const known = await contract();
		const line = readLine(words, known);
		const { command, flag, typed, before, path } = line;
		if (flag === undefined && typed.startsWith("-"))
			return answer([...(command?.flags.filter(({ argument }) => !argument) ?? []), ...known.globalFlags].flatMap(candidatesOf), typed);
		const following = flag === undefined ? wordsAfter(path, known.commands) : [];
		const wanted = flag ?? command?.flags.find(({ argument }) => argument);
		if (following.length > 0 || wanted === undefined) return answer(following, typed);
		if (wanted.ids === "profile") return answer(await profiles(runtime), typed, before);
		if (wanted.file) return ":files\n";
		const values = (valuesOf(wanted, known.lists) ?? []).map((value) => ({ value }));
		return answer(values, typed, before);
	} catch {
		return "";
	}
}

/** By the name of each, with its address. One that a shell would take for something else is not offered. */
async function profiles(runtime: Runtime): Promise<Candidate[]> {
	const known = await (await runtime.config.profiles()).list();
	return known
		.filter(({ name }) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name))
		.map(({ name, baseUrl }) => ({ value: name, description: baseUrl }));
}

function answer(offered: readonly Candidate[], typed: string, before = ""): string {
	const fitting = offered.filter(({ value }) => value.startsWith(typed));
	return fitting.map(({ value, description = "" }) => `${before}${value}\t${description}\n`).join("");
}

const candidatesOf = ({ name, alias, description }: FlagSpec): Candidate[] =>
	(alias === undefined ? [name] : [alias, name]).map((value) => ({ value, description }));

function readLine(words: readonly string[], { commands, globalFlags }: Contract): Line {
	const last = words.at(-1) ?? "";
	// PowerShell 5 cannot send an empty word.
	const current = last === '""' ? "" : last;
	const paths = commands.map(({ path }) => path);
	const found = route(words.slice(0, -1), paths);
	const path = found.words.join(" ");
	const command = commands.find((one) => one.path === path);
	const valuedFlags = [...(command?.flags ?? []), ...globalFlags].filter(({ placeholder }) => placeholder !== undefined);
	const valued = (name: string) => valuedFlags.find((one) => [one.name, one.short, one.alias].includes(name));
	let flag: FlagSpec | undefined;
	for (const word of found.rest) {
		if (flag !== undefined) flag = undefined;
		else if (word.startsWith("-") && !word.includes("=")) flag = valued(word);
	}
	const at = current.startsWith("--") ? current.indexOf("=") : -1;
	const joined = flag === undefined && at > 0 ? valued(current.slice(0, at)) : undefined;
	if (joined === undefined) return { path, command, flag, typed: current, before: "" };
	return { path, command, flag: joined, typed: current.slice(at + 1), before: current.slice(0, at + 1) };
}

/** The words that may follow a path, with the summary of the command where a word ends one. */
function wordsAfter(path: string, commands: readonly CommandSpec[]): Candidate[] {
	const prefix = path === "" ? "" : `${path} `;
	const found = new Map<string, string>();
	for (const command of commands) {
		if (!command.path.startsWith(prefix)) continue;
		const [word = "", ...more] = command.path.slice(prefix.length).split(" ");
		if (!found.has(word)) found.set(word, more.length === 0 ? command.summary : word);
	}
	return [...found].map(([value, description]) => ({ value, description }));
}
