import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

/** The words of a text, quotation marks of Markdown and line ends left out. */
const words = (text: string): string => text.replace(/^> /gm, "").replace(/\s+/g, " ");

const promise =
	"Every transfer is sent **at most once per recorded attempt**, and no attempt is repeated unless it is *proven* that the earlier one created nothing. After any crash, kill, power cut, lost reply or full disk, each transfer is in exactly one state: `planned`, `accepted (id)`, `refused`, `in doubt`, `not created (evidence)`; and the tool names each one in doubt, why, and what would settle it.";

const breaks =
	"What breaks it: two machines, or two profiles, that pay from separate journals; a journal deleted, or an old one restored in the place of a newer one; an override (`--despite`, or a person's word in `pay settle`) that was wrong.";

test.each(["README.md", "src/README.md"])("%s says the promise about money in the same words, and what breaks it", (name) => {
	const text = words(read(name));
	expect(text).toContain(promise);
	expect(text.split(breaks).length).toBe(2);
});
