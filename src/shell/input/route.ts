/**
 * Which command is meant. Nothing of the commands is needed for it but their paths.
 */
import { suggestionFor } from "../../api/suggest.js";
import { kebab } from "../names.js";
import { globalFlags } from "./options.js";

/** A command line taken apart as far as the command's path. */
export interface Route {
	/** The words of the path as far as they are known: `["corporate"]`. */
	words: string[];
	/** The command's path, where the words name one. */
	path?: string;
	/** What is left for the command: flags and arguments. */
	rest: string[];
	/** The first word that names nothing. */
	stray?: string;
	help: boolean;
	version: boolean;
}

const valued = new Set(globalFlags.filter((flag) => flag.takesValue && flag.name !== "color").map((flag) => `--${flag.name}`));

const colourWords = new Set(["always", "auto", "never"]);

/** Finds the command that is meant. Global flags may stand before, between or after its words. */
export function route(argv: readonly string[], paths: readonly string[]): Route {
	const words: string[] = [];
	const rest: string[] = [];
	let stray: string | undefined;
	let at = 0;
	for (; at < argv.length && argv[at] !== "--"; at += 1) {
		const word = argv[at] as string;
		if (word.startsWith("-") && word !== "-") {
			rest.push(word);
			if (takesNext(word, argv[at + 1])) rest.push(argv[++at] as string);
		} else if (leads([...words, word], paths)) words.push(word);
		else {
			if (!paths.includes(words.join(" "))) stray = word;
			break;
		}
	}
	rest.push(...argv.slice(at));
	const path = words.join(" ");
	const before = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
	return {
		words,
		path: paths.includes(path) ? path : undefined,
		rest,
		stray,
		help: before.includes("--help") || before.includes("-h"),
		version: words.length === 0 && ["--version", "-V", "-v"].some((flag) => before.includes(flag)),
	};
}

function takesNext(word: string, next: string | undefined): boolean {
	return next !== undefined && (valued.has(word) || (word === "--color" && colourWords.has(next)));
}

function leads(words: readonly string[], paths: readonly string[]): boolean {
	const text = words.join(" ");
	return paths.some((path) => path === text || path.startsWith(`${text} `));
}

/** The nearest of the names, where one is near enough to be meant; flags and commands are written with hyphens. */
export const nearest = (word: string, names: readonly string[]): string | undefined => suggestionFor(kebab(word), names);
