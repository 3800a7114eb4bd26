/**
 * What is wrong with a JSON text, in our words: the parser's are for programmers.
 */

/** That a text is no JSON; the message is for people. */
export class NotJson extends SyntaxError {}

/** How each message of the parser begins, and what it means. */
const meanings: readonly (readonly [begins: RegExp, words: string])[] = [
	[/^Comma/, "a comma is missing"],
	[/^Colon/, "a colon is missing after a key"],
	[/^(JSON|Object) value expected/, "a value is missing"],
	[/^Array item expected/, "an entry is missing"],
	[/^Expected end of input/, "something stands after the end"],
	[/^Invalid number/, "a number is not complete"],
	[/^End of string/, "a text has no closing quote"],
	[/^Quoted object key/, "a key in double quotes is missing"],
	[/^Array item or end/, "an entry or a closing ] is missing"],
	[/^Duplicate key/, "a key appears twice with different values"],
	[/^Invalid character/, "a text has a control character, which must be written as an escape"],
	[/^Invalid escape/, "a text has a backslash before a character that it cannot stand before"],
	[/^Invalid unicode/, "a text has \\u without four hexadecimal digits after it"],
];

/** The parser's error in our words, with the place. @param text what was parsed */
export function notJson(text: string, cause: SyntaxError): NotJson {
	const words = meanings.find(([begins]) => begins.test(cause.message))?.[1] ?? "it cannot be read";
	const position = /at position (\d+)$/.exec(cause.message)?.[1];
	return new NotJson(
		`${words} ${position === undefined || Number(position) >= text.trimEnd().length ? "at its end" : placeIn(text, Number(position))}`,
		{ cause },
	);
}

/** `at line 3, column 7` */
function placeIn(text: string, position: number): string {
	const before = text.slice(0, position).split("\n");
	return `at line ${before.length}, column ${(before.at(-1) as string).length + 1}`;
}
