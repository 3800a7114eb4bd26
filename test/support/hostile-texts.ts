/**
 * Texts that try to be something else than text in a page: every kind in turn, then bent by chance.
 */
import type { Random } from "../payments/simulation/random.js";

const action = "alert(document.title)";

/** One of each kind; where a text can be both, it can also end what it stands in. */
const kinds: readonly string[] = [
	`<script>${action}</script>`,
	`</script><script src="http://127.0.0.1:9/x.js"></script>`,
	`<SCRIPT/x>${action}//`,
	`<img src=x onerror=${action}>`,
	`<img/src="http://127.0.0.1:9/x.png" onload=${action}>`,
	`" onmouseover="${action}" x="`,
	`' onfocus='${action}' autofocus x='`,
	`\` onclick=${action} `,
	`x onpointerenter=${action} tabindex=0`,
	`</style><script>${action}</script>`,
	"</style><style>@import url(http://127.0.0.1:9/x.css)</style>",
	"*/ } body { display: none } /*",
	"</td></tr></table><h1>Paid</h1>",
	"</textarea></select></xmp></noscript></title><b>bold</b>",
	"</desc></title></text></svg><i>x</i>",
	`<a href="javascript:${action}">here</a>`,
	`data:text/html,<script>${action}</script>`,
	`<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">`,
	'<base href="http://127.0.0.1:9/"><link rel="stylesheet" href="http://127.0.0.1:9/x.css">',
	`<iframe srcdoc="<script>${action}</script>"></iframe>`,
	`<svg><animate onbegin=${action} attributeName=x dur=1s>`,
	`<svg><foreignObject><b>bold</b></foreignObject><use href="http://127.0.0.1:9/x.svg#a"/></svg>`,
	`<math><mtext><table><mglyph><style><img src=x onerror=${action}>`,
	"<form action=http://127.0.0.1:9/><input autofocus><button>Send</button>",
	"<!-- a comment",
	"--!><b>bold</b><!--",
	"<![CDATA[",
	"]]><b>bold</b>",
	"<?xml version='1.0'?><!DOCTYPE html>",
	"<plaintext>",
	"<template><b>bold</b></template>",
	"&lt;script&gt;alert(1)&lt;/script&gt;",
	"&#60;b&#62;&#x3c;b&#x3e;&amp;lt;b&amp;gt;",
	"&quot; onclick=&quot;x",
	"&#0;&#xD800;&#1114112;&nbsp&notit;&",
	"{{constructor.constructor('alert(1)')()}}<%= alert(1) %>",
	"$&$1$`$'",
	"%3Cscript%3E\\u003cscript\\u003e+ADw-script+AD4-",
	"\u202etxt.exe\u2066\u2067\u2068abc\u2069\u200f\u200e\u061c",
	"a\0b<b>\0</b>",
	"\ufeff<b>",
	"\u001b[31mred\u001b[0m\u0085\u2028\u2029<b>",
	"\r\n\r\n\t\v\f<b>",
	"\ud800",
	"\udfff<b>\ufffe\uffff\u{10ffff}\u{e0041}",
	"＜script＞alert(1)＜/script＞",
	"\u0338<b>\u0338>",
	"👩‍👩‍👧‍👦 العربية עברית ﷺ 漢字かな交じり文",
	"Z\u0351\u0352\u0357".repeat(60),
	"",
	"[object Object]",
	"__proto__",
];

/** Longer than a page shows, or than anybody writes. A few of them are enough: a browser takes long for them. */
const huge: readonly string[] = [
	"x".repeat(5_000),
	`<b>${"y".repeat(2_000)}`,
	"<".repeat(1_500),
	"&".repeat(999),
	`${"a".repeat(995)}<b>x</b>`,
	`${"a".repeat(998)}\u{1f600}<b>`,
	" ".repeat(1_200),
	"-".repeat(300),
];

/** So many texts; the first of them are one of each kind. */
export function hostileTexts(random: Random, count: number): string[] {
	return Array.from({ length: count }, (_, at) => [...kinds, ...huge][at] ?? bent(random));
}

/** Changes of a few characters, or of none. */
const bends: readonly ((text: string, random: Random) => string)[] = [
	(text) => text,
	(text) => text.toUpperCase(),
	(text, random) => text.replace(/[<>"'&=]/g, (character) => (random.often(0.2) ? `${character}${character}` : character)),
	(text, random) => text.replaceAll(" ", random.pick(["/", "\t", "\n", "\f", "\u00a0"])),
	(text, random) => random.pick(['"', "'", ">", '">', "'>", "-->", "</p>", "]]>", "`"]) + text,
	(text, random) => text.slice(random.below(12), 1 + random.below(1_200)),
];

/** One or two kinds beside each other, bent. */
function bent(random: Random): string {
	const [first, second] = [random.pick(random.often(0.01) ? huge : kinds), random.often(0.5) ? random.pick(kinds) : ""];
	return random.pick(bends)(random.often(0.5) ? first + second : second.slice(0, random.below(40)) + first, random);
}
