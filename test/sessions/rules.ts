/**
 * What has to be true of every screen, whatever is on it. Each rule returns what breaks it, as text; nothing where it holds.
 */
import type { Screen } from "../support/screen.js";

/** A command to type is one line, which the terminal breaks and the person copies whole; so is an address or a path. */
const isOneThing = (line: string): boolean => /^\s*(Next:\s+)?purser /.test(line) || /^\s*(\S+( \S+)* {2,})?\S+$/.test(line);

/** Whatever the terminal had to break is a command, or one word. */
export const tooWide = ({ broken }: Screen): string[] => broken.filter((line) => !isOneThing(line)).map((line) => `too wide: ${line}`);

/** The form of an id. */
export const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** What a person needs whole: ids, amounts, addresses of email, account numbers, intents. */
const values = new RegExp(`${ids.source}|\\d[\\d ]*\\.\\d\\d [A-Z]{3}|\\S+@example\\.com|XX00\\S+`, "g");

/** The pieces of an id that was cut: its beginning at the end of a line, or its end at a line's beginning. An ellipsis says that more follows. */
export const cutIds = ({ lines }: Screen): string[] =>
	lines
		.map((line) => line.replace(ids, "ID"))
		.filter((line) => /\b[0-9a-f]{8}-[0-9a-f-]*$/.test(line) || /^\s*[0-9a-f]*-?[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/.test(line))
		.map((line) => `cut id: ${line}`);

const valuesOf = ({ lines }: Screen): string[] => lines.join("\n").replace(/\n\s*/g, " ").match(values) ?? [];

/** Each value that a wide screen shows is on the narrow one too, or its beginning with an ellipsis. */
export function lostValues(narrow: Screen, wide: Screen): string[] {
	const there = new Set(valuesOf(narrow));
	return [...new Set(valuesOf(wide))].filter((value) => !there.has(value)).map((value) => `lost: ${value}`);
}

/** The words of a screen; what differs between two runs is the same word. */
const vocabulary = ({ lines }: Screen): string[] =>
	lines
		.flatMap((line) => line.split(/\s+/))
		.map((word) => word.replace(ids, "ID").replace(/\d+/g, "0"))
		.map((word) => word.replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, ""))
		.filter((word) => /[A-Za-z]/.test(word));

/** A word of a narrow screen that no wide one has was cut, unless an ellipsis ends it. */
export function cutWords(narrow: Screen, wide: readonly Screen[]): string[] {
	const known = new Set(wide.flatMap(vocabulary));
	const begins = (word: string) => [...known].some((one) => one.startsWith(word));
	const ended = new Set(narrow.lines.flatMap((line) => line.match(/\S+(?=…|\.\.\.)/g) ?? []).map((word) => word.replace(/\d+/g, "0")));
	return [...new Set(vocabulary(narrow))]
		.filter((word) => !known.has(word) && !([...ended].some((one) => one.endsWith(word)) && begins(word)))
		.map((word) => `cut word: ${word}`);
}

export const colours = (screen: Screen): string[] => screen.colours.map((sequence) => `colour: ${JSON.stringify(sequence)}`);

/** A screen reader reads what is written, once. */
export const redrawn = (screen: Screen): string[] => screen.movements.map((sequence) => `moves the cursor: ${JSON.stringify(sequence)}`);
