/**
 * Pieces of HTML. A template escapes every value that is not a piece itself, so that foreign text cannot become HTML.
 */
import { sanitizeLine } from "../api/text/sanitize.js";

/** How our files begin: by this a page or a picture is known to be one of ours, which a later one may replace. */
export const pageMark = '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><meta name="generator" content="purser">';
export const pictureMark = '<svg xmlns="http://www.w3.org/2000/svg" data-generator="purser"';

/** XML allows neither of them, so that a picture would not open (XML 1.0, 2.2). */
const noCharacters = /[\ufffe\uffff]/g;

/** HTML that `html` has made. */
export class Markup {
	constructor(readonly text: string) {}
}

/** Text safe inside HTML and SVG, in an attribute too; what a reader would not see, or see turned round, becomes visible. */
export function escaped(text: string): string {
	return sanitizeLine(text)
		.replace(noCharacters, "\ufffd")
		.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A template: values are escaped, pieces and lists of them are kept, undefined values are left out. */
export function html(
	strings: TemplateStringsArray,
	...values: readonly (string | number | Markup | readonly Markup[] | undefined)[]
): Markup {
	return new Markup(strings.map((part, at) => (at === 0 ? part : `${rendered(values[at - 1])}${part}`)).join(""));
}

function rendered(value: string | number | Markup | readonly Markup[] | undefined): string {
	if (value === undefined) return "";
	if (value instanceof Markup) return value.text;
	return typeof value === "object" ? value.map(({ text }) => text).join("\n") : escaped(String(value));
}
