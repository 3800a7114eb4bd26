// The mutations of list.txt.
import { readFileSync } from "node:fs";

const marked = (lines, sign) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));

/** @returns what each is for, its file, what stands there, what is planted in its place, and the tests that must fail then */
export function mutationsOf(text) {
	const [, ...blocks] = text.replaceAll("\r\n", "\n").split(/^# /m);
	return blocks.map((block) => {
		const [what = "", file = "", ...lines] = block.trimEnd().split("\n");
		const [find, replace] = ["-", "+"].map((sign) => marked(lines, sign).join("\n"));
		const tests = marked(lines, "=").flatMap((names) => names.trim().split(" "));
		return {
			what,
			file,
			find,
			replace,
			tests: tests.map((name) => (name.endsWith("/") ? `test/${name.slice(0, -1)}` : `test/${name}.test.ts`)),
		};
	});
}

export const mutations = mutationsOf(readFileSync(new URL("list.txt", import.meta.url), "utf8"));
