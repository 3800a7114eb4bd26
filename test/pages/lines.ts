/** A page as lines of text, for goldens: a row a line, cells parted by bars, a picture by what it says. */
export function linesOf(page: Uint8Array): string {
	return new TextDecoder()
		.decode(page)
		.replace(/<(style|svg)[^>]*>[\s\S]*?<\/\1>\n?/g, (element) =>
			element.startsWith("<svg") ? `\n${/<desc>(.*?)<\/desc>/.exec(element)?.[1] ?? ""}\n` : "",
		)
		.replace(/<\/(?:dt|td|th)>\n?<(?:dd|td|th)\b[^>]*>/g, " | ")
		.replace(/<[^>]+>/g, (tag) => (/^<\/(span|code|time)|^<(span|code|time)/.test(tag) ? "" : "\n"))
		.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "")
		.join("\n")
		.concat("\n");
}
