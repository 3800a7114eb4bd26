/**
 * A list that is written once, with numbers to type: for whoever hears a screen line by line (ACCESSIBLE).
 */
import type { Choice, Prompts } from "../../ports/terminal.js";
import { fold, narrowed, type Option } from "./narrowing.js";

/** Most choices that are listed at once; of more, a part of a name is asked for first. */
const most = 20;

interface Means {
	text: Prompts["text"];
	option: (choice: Choice) => Option;
	show: (lines: string) => void;
	/** Most answers before it is given up. */
	tries: number;
}

/**
 * Asks for one of the choices by its number, its name or a part of its name; a part that fits lists what is meant, and is asked about again.
 * @returns the value; undefined where no try led to one
 */
export async function chosenByNumber(
	{ message, choices, other, fallback, check }: Parameters<Prompts["choose"]>[0],
	{ text, option, show, tries }: Means,
): Promise<string | undefined> {
	const accepted = other === true ? (check ?? (() => undefined)) : undefined;
	let listed = choices.length <= most ? choices.map(option) : [];
	// Of two that are called alike neither is meant by the name: both are listed.
	const byName = (typed: string): Choice | undefined => {
		const [named, ...more] = choices.filter(({ label }) => fold(label) === fold(typed));
		return choices.find(({ value }) => value === typed) ?? (more.length === 0 ? named : undefined);
	};
	// Beside numbers, digits are one: as a part of an id they would be too many things.
	const meant = (typed: string): Option[] =>
		typed === "" || (accepted === undefined && listed.length > 0 && /^\d+$/.test(typed)) ? [] : narrowed(choices, typed, accepted, option);
	for (let asked = 0; asked < tries; asked++) {
		show(listed.map(({ name, description }, at) => `${at + 1}. ${name}${description ? ` (${description})` : ""}\n`).join(""));
		const typed = await text({
			message: `${message} (${listed.length > 0 ? `1 to ${listed.length}, or ` : ""}a part of the name)`,
			fallback: choices.find(({ value }) => value === fallback)?.label,
			check: (answer) => {
				if (listed[Number(answer) - 1] !== undefined || byName(answer) !== undefined || meant(answer).length > 0) return undefined;
				return answer === "" ? "choose one" : (accepted?.(answer) ?? "nothing in the list is called so");
			},
		});
		const chosen = listed[Number(typed) - 1] ?? byName(typed);
		if (chosen !== undefined) return chosen.value;
		listed = meant(typed).slice(0, most);
		// Nothing in the list is called so: it is an answer as it was typed.
		const [only] = listed;
		if (listed.length === 1 && only !== undefined && !choices.some(({ value }) => value === only.value)) return only.value;
	}
	return undefined;
}
