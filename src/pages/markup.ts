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

/** The style of pictures: inside one that is a file of its own, and in a page that holds some. A wide one scrolls and stays readable. */
export const pictureStyles = `.drawing { --ink: #1d2733; --quiet: #55616f; --paper: #fff; --card: #f4f6f9; --edge: #8794a3; --strong: #1d2733; --top: #0b5cad; --on: #fff; color-scheme: light dark; display: block; font-family: system-ui, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
@media (prefers-color-scheme: dark) { .drawing { --ink: #e8edf2; --quiet: #a7b3c0; --paper: #161d25; --card: #232d38; --edge: #76838f; --strong: #e8edf2; --top: #6db3f2; --on: #0e1318; } }
@media print { .drawing { --ink: #000; --quiet: #333; --paper: #fff; --card: #fff; --edge: #555; --strong: #000; --top: #fff; --on: #000; } }
.drawing.fit { max-width: max(100%, 57rem); height: auto; } .drawing:root { max-width: 100%; height: auto; }
@media print { .drawing.drawing { width: auto; height: auto; max-width: 100%; max-height: 240mm; } }
.drawing .paper, .drawing .plate { fill: var(--paper); }
.drawing text { fill: var(--ink); font-size: 11px; }
.drawing .box text, .drawing .line text { text-anchor: middle; } .drawing .box .name { font-size: 13px; font-weight: 600; } .drawing .box .detail { fill: var(--quiet); }
.drawing .note { font-size: 12px; font-weight: 600; } .drawing .legend { fill: var(--quiet); }
.drawing .frame { fill: var(--card); stroke: var(--edge); } .drawing .heavy .frame { stroke: var(--strong); stroke-width: 3; } .drawing .undeclared .frame { stroke-dasharray: 2 3; }
.drawing .corporate .frame { fill: var(--top); stroke: var(--strong); } .drawing .corporate .name, .drawing .corporate .detail { fill: var(--on); }
.drawing .way { fill: none; stroke: var(--edge); stroke-width: 1.25; } .drawing .head { fill: var(--edge); } .drawing .dashed .way { stroke-dasharray: 6 4; }
.drawing .line.heavy .way { stroke: var(--strong); stroke-width: 2.75; } .drawing .line.heavy .head { fill: var(--strong); } .drawing .line.heavy text { font-weight: 600; }`;

export const pageStyles = `
:root { color-scheme: light dark; --ink: #1d2733; --quiet: #56636f; --paper: #f4f6f9; --card: #fff; --line: #d5dce4; --accent: #0b5cad; --good: #1b6e3c; --warn: #8a5300; --bad: #b3261e; --wash: #eef3f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --quiet: #9eabb9; --paper: #0e1318; --card: #161d25; --line: #2c3844; --accent: #6db3f2; --good: #7fd19c; --warn: #f0b35e; --bad: #f2938c; --wash: #1d2731; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; padding: clamp(.75rem, 4vw, 2.5rem) clamp(.5rem, 3vw, 2rem); }
header, main, footer { max-width: 64rem; margin: 0 auto; overflow-wrap: anywhere; }
header { padding: 0 .25rem; } footer { padding: 1rem .25rem; font-size: .875rem; color: var(--quiet); }
section { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: clamp(.9rem, 3vw, 1.75rem); margin: 1rem 0; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .4rem; } h2 { font-size: 1.15rem; line-height: 1.3; margin: 0 0 .75rem; }
p { margin: .5rem 0; max-width: 46rem; }
.quiet { color: var(--quiet); } .good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.notice { border-left: .3rem solid currentColor; background: var(--wash); padding: .6rem .9rem; margin: .75rem 0; max-width: none; }
.notice span { color: var(--ink); }
code { font: .875em/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: .3rem 1.25rem; margin: .75rem 0; }
dt { color: var(--quiet); } dd { margin: 0; min-width: 0; }
.scroll { overflow-x: auto; margin: .75rem 0; }
.many table { min-width: 40rem; } .most table { min-width: 52rem; }
.scroll:focus-visible { outline: 2px solid var(--accent); }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem 1rem .4rem 0; border-top: 1px solid var(--line); overflow-wrap: break-word; }
thead th { border-top: 0; color: var(--quiet); font-weight: 600; font-size: .875rem; } td { min-width: 5rem; max-width: 22rem; } td:has(code) { max-width: none; } td:first-child:not(.right) { min-width: 6rem; }
td code { display: inline-block; min-width: 8.5rem; } td time { display: inline-block; min-width: 6.25em; }
th.right, td.right { text-align: right; white-space: nowrap; } th:last-child, td:last-child { padding-right: 0; }
figure { margin: .75rem 0; }
@media (max-width: 34rem) { caption { max-width: calc(100vw - 4rem); position: sticky; left: 0; } td { max-width: 14rem; } dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
@page { size: A4; margin: 16mm 14mm; }
@media print {
:root { --ink: #000; --quiet: #333; --paper: #fff; --card: #fff; --line: #999; --accent: #0b5cad; --good: #145a30; --warn: #6b4100; --bad: #8c1d16; --wash: #fff; color-scheme: light; }
body { font-size: 10pt; padding: 0; } section { border: 0; border-radius: 0; padding: 0; margin: 0 0 8mm; } header, main, footer { max-width: none; padding: 0; }
.scroll, figure { overflow: visible; } .many table, .most table { min-width: 0; } td time { white-space: normal; } th.right, td.right { white-space: normal; }
tr, dt, dd, .notice, figure { break-inside: avoid; } h1, h2, caption, thead { break-after: avoid; } thead { display: table-header-group; }
}
${pictureStyles}`;
