/** The base address that a document's paths are below. Its servers are an offer; nothing there is contacted. */

/**
 * @param offers the address that a person gave, or else those of the document
 * @returns the address where it is another one than the profile's own and of the same origin; `isElsewhere` where no offer has that origin
 */
export function serverOf(offers: readonly string[], baseUrl: string): { server?: string; isElsewhere: boolean } {
	const base = addressOf(baseUrl, baseUrl);
	const found = offers.map((one) => addressOf(one, baseUrl)).filter((one) => one !== undefined);
	const own = found.find(({ origin }) => origin === base?.origin);
	if (own === undefined) return { isElsewhere: found.length > 0 };
	return own.path === base?.path ? { isElsewhere: false } : { server: `${own.origin}${own.path}`, isElsewhere: false };
}

function addressOf(text: string, base: string): { origin: string; path: string } | undefined {
	if (text.includes("{")) return undefined;
	try {
		const url = new URL(text, base.endsWith("/") ? base : `${base}/`);
		if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
		return { origin: url.origin, path: url.pathname.replace(/\/+$/, "") };
	} catch {
		return undefined;
	}
}
