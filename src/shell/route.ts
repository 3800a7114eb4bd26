/**
 * Which command is meant. Nothing of the commands is needed for it but their paths.
 */
import { kebab } from "./names.js";
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
		version: words.length === 0 && (before.includes("--version") || before.includes("-V")),
	};
}

function takesNext(word: string, next: string | undefined): boolean {
	return next !== undefined && (valued.has(word) || (word === "--color" && colourWords.has(next)));
}

function leads(words: readonly string[], paths: readonly string[]): boolean {
	const text = words.join(" ");
	return paths.some((path) => path === text || path.startsWith(`${text} `));
}

/** The nearest of the names by edits, where one is near enough to be meant. */
export function nearest(word: string, names: readonly string[]): string | undefined {
	const scored = names.map((name) => ({ name, distance: edits(kebab(word), name) })).sort((one, other) => one.distance - other.distance);
	const best = scored[0];
	return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.name : undefined;
}

/** Levenshtein distance, with a neighbouring swap as one edit. */
function edits(from: string, to: string): number {
	const rows: number[][] = [[...Array(to.length + 1).keys()]];
	for (let i = 1; i <= from.length; i += 1) {
		const row = [i];
		const above = rows[i - 1] as number[];
		for (let j = 1; j <= to.length; j += 1) {
			const same = from[i - 1] === to[j - 1];
			let best = Math.min((above[j] as number) + 1, (row[j - 1] as number) + 1, (above[j - 1] as number) + (same ? 0 : 1));
			if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
				best = Math.min(best, ((rows[i - 2] as number[])[j - 2] as number) + 1);
			row.push(best);
		}
		rows.push(row);
	}
	return (rows[from.length] as number[])[to.length] as number;
}
