/**
 * Text for a terminal that shows nothing but ASCII, as the locales C and POSIX say.
 */

/** Signs of ours and of the libraries that ask and wait. */
const signs: Readonly<Record<string, string>> = {
	"…": "...",
	"·": "-",
	"•": "*",
	"–": "-",
	"—": "-",
	"─": "-",
	"│": "|",
	"├": "|",
	"└": "`",
	"’": "'",
	"‘": "'",
	"“": '"',
	"”": '"',
	"→": "->",
	"↑": "^",
	"↓": "v",
	"⏎": "Enter",
	"❯": ">",
	"✔": "+",
	"✓": "+",
	"✖": "x",
	"✗": "x",
	"█": "#",
	"░": "-",
	"▀": '"',
	"▄": "_",
	ß: "ss",
	æ: "ae",
	Æ: "AE",
	ø: "o",
	Ø: "O",
	ł: "l",
	Ł: "L",
};

/** Whether the locale of the terminal has no characters beyond ASCII. Where none is set, the terminal is taken to show UTF-8. */
export function isAsciiLocale(env: Readonly<Record<string, string | undefined>>): boolean {
	return /^(C|POSIX)$/.test(env.LC_ALL || env.LC_CTYPE || env.LANG || "");
}

/** The text with every other character replaced: letters lose their accents, spinners turn into a dot, what is left becomes "?". */
export function asciiText(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII, and that begins with a control character
	return text.replace(/[^\u0000-\u007f]/gu, (sign) => {
		if (signs[sign] !== undefined) return signs[sign];
		if (/[\u2800-\u28ff]/u.test(sign)) return ".";
		if (/\s/u.test(sign)) return " ";
		// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
		const bare = sign.normalize("NFKD").replace(/[^\u0000-\u007f]/gu, "");
		return bare === "" ? (/\p{M}/u.test(sign) ? "" : "?") : bare;
	});
}

/** The same stream, writing ASCII only where the terminal needs that. Whoever writes to it, such as a prompt, is included. */
export function asciiWhereNeeded(stream: NodeJS.WriteStream, env: Readonly<Record<string, string | undefined>>): NodeJS.WriteStream {
	if (stream.isTTY !== true || !isAsciiLocale(env)) return stream;
	const write = stream.write.bind(stream) as (chunk: unknown, ...more: unknown[]) => boolean;
	stream.write = (chunk: unknown, ...more: unknown[]) => write(typeof chunk === "string" ? asciiText(chunk) : chunk, ...more);
	return stream;
}
