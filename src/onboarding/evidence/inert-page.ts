/** Elements for which a browser connects somewhere before it asks the policy of the page (`preconnect`, frames), or leaves the page. */
const connecting = /<(link|meta|base|i?frame)(?=[\s/>])/gi;

/** Bytes in which a page says how it is written. */
const mostPrelude = 1024;

/**
 * A page of a service as it is shown in a browser: UTF-8, and without elements that act by themselves. What else acts is forbidden by the
 * policy under which it is shown.
 */
export function inertPage(bytes: Uint8Array): Uint8Array {
	return new TextEncoder().encode(decoded(bytes).replace(connecting, "<x-$1"));
}

/** By the byte order mark, else by what the page says, else as UTF-8. */
function decoded(bytes: Uint8Array): string {
	const [first, second] = bytes;
	if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
	if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
	const prelude = new TextDecoder("latin1").decode(bytes.subarray(0, mostPrelude));
	const said = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w-]{1,40})/i.exec(prelude)?.[1] ?? "utf-8";
	try {
		// A page that says UTF-16 in bytes that could be read is none (HTML standard, 13.2.3.2).
		return new TextDecoder(/^utf-16/i.test(said) ? "utf-8" : said).decode(bytes);
	} catch {
		return new TextDecoder().decode(bytes);
	}
}
