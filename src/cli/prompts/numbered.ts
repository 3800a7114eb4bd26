/**
 * A list that is written once, with numbers to type: for screen readers, which read line by line (ACCESSIBLE).
 */
import type { Choice, Prompts } from "../../ports/terminal.js";
import { foldCase, matchingOptions, type Option } from "./narrowing.js";

/** A longer list is not shown: a part of the name is asked for first. */
const maxListed = 20;

interface NumberedList {
	text: Prompts["text"];
	option: (choice: Choice) => Option;
	show: (lines: string) => void;
	/** Maximum number of answers. */
	tries: number;
}

/**
 * Asks for one of the choices by its number, its name or a part of its name; a part lists the matches and asks again.
 * @returns the value; undefined after too many tries
 */
export async function chooseByNumber(
	{ message, choices, allowOther, fallback, check }: Parameters<Prompts["choose"]>[0],
	{ text, option, show, tries }: NumberedList,
): Promise<string | undefined> {
	const checkOther = allowOther === true ? (check ?? (() => undefined)) : undefined;
	let listed = choices.length <= maxListed ? choices.map(option) : [];
	// A name that two choices share selects neither: both are listed.
	const byName = (typed: string): Choice | undefined => {
		const [named, ...more] = choices.filter(({ label }) => foldCase(label) === foldCase(typed));
		return choices.find(({ value }) => value === typed) ?? (more.length === 0 ? named : undefined);
	};
	// While numbers are listed, digits are a number and never a part of an id.
	const matchesOf = (typed: string): Option[] =>
		typed === "" || (checkOther === undefined && listed.length > 0 && /^\d+$/.test(typed))
			? []
			: matchingOptions(choices, typed, checkOther, option);
	for (let tried = 0; tried < tries; tried++) {
		show(listed.map(({ name, description }, at) => `${at + 1}. ${name}${description ? ` (${description})` : ""}\n`).join(""));
		const typed = await text({
			message: `${message} (${listed.length > 0 ? `1 to ${listed.length}, or ` : ""}a part of the name)`,
			fallback: choices.find(({ value }) => value === fallback)?.label,
			check: (answer) => {
				if (listed[Number(answer) - 1] !== undefined || byName(answer) !== undefined || matchesOf(answer).length > 0) return undefined;
				return answer === "" ? "choose one" : (checkOther?.(answer) ?? "nothing in the list has this name");
			},
		});
		const chosen = listed[Number(typed) - 1] ?? byName(typed);
		if (chosen !== undefined) return chosen.value;
		listed = matchesOf(typed).slice(0, maxListed);
		// An answer outside the list, used as typed.
		const [only] = listed;
		if (listed.length === 1 && only !== undefined && !choices.some(({ value }) => value === only.value)) return only.value;
	}
	return undefined;
}
