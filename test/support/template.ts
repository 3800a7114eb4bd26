/**
 * A template with its own examples written in.
 */

/** Each placeholder becomes the example of its line: what stands behind `like`, else the first value of `one of`. */
export function filledIn(template: string): string {
	return template
		.split("\n")
		.map((line) => {
			const [, example] = /[#;] like ([^;]+?)(?:;|$)/.exec(line) ?? /; one of ([^,\s]+)/.exec(line) ?? [];
			if (example === undefined || !line.includes(": CHANGE-ME")) return line;
			return line.replace("CHANGE-ME", () => (/^[{[]/.test(example) ? example : JSON.stringify(example)));
		})
		.join("\n");
}
