/**
 * A sentence broken between words where the terminal ends, each line with the same indentation.
 * @param first stands before the first line in the place of its indentation
 */
export function paragraph(text: string, indent: number, columns: number, first = " ".repeat(indent)): string[] {
	const room = Math.max(20, columns - indent);
	const lines: string[] = [];
	let line = "";
	for (const word of text.split(" ")) {
		const joined = line === "" ? word : `${line} ${word}`;
		if (joined.length > room && line !== "") {
			lines.push(line);
			line = word;
		} else line = joined;
	}
	lines.push(line);
	return lines.map((part, at) => `${at === 0 ? first : " ".repeat(indent)}${part}`);
}
