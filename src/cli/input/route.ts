/**
 * Finds the command by the paths of all commands, without loading any.
 */
import { valuedFlags } from "./options.js";

/** A command line, split into the command's path and the rest. */
export interface Route {
	/** The words of the path as far as they are known: `["corporate"]`. */
	words: string[];
	path?: string;
	rest: string[];
	unknown?: string;
	help: boolean;
	version: boolean;
}

/** Finds the command. Global flags may come before, between or after its words. */
export function route(argv: readonly string[], paths: readonly string[]): Route {
	const words: string[] = [];
	const rest: string[] = [];
	let unknown: string | undefined;
	let at = 0;
	for (; at < argv.length && argv[at] !== "--"; at += 1) {
		const word = argv[at] as string;
		if (word.startsWith("-") && word !== "-") {
			rest.push(word);
			if (takesNext(word, argv[at + 1])) rest.push(argv[++at] as string);
		} else if (isPathStart([...words, word], paths)) words.push(word);
		else {
			if (!paths.includes(words.join(" "))) unknown = word;
			break;
		}
	}
	for (const word of argv.slice(at)) rest.push(word);
	const path = words.join(" ");
	const before = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
	return {
		words,
		path: paths.includes(path) ? path : undefined,
		rest,
		unknown,
		help: before.includes("--help") || before.includes("-h"),
		version: words.length === 0 && ["--version", "-V", "-v"].some((flag) => before.includes(flag)),
	};
}

function takesNext(word: string, next: string | undefined): boolean {
	return next !== undefined && (valuedFlags.includes(word) || (word === "--color" && /^(always|auto|never)$/.test(next)));
}

function isPathStart(words: readonly string[], paths: readonly string[]): boolean {
	const text = words.join(" ");
	return paths.some((path) => path === text || path.startsWith(`${text} `));
}
