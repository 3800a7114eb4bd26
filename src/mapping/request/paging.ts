/**
 * The pages of a list as a deployment divides it. Ours are numbered from 0 and have a size and an order.
 */
import { largestPage } from "../../api/fields.js";
import type { MappedOperation, Paging } from "../../ports/mapping.js";
import { hasPlace, partsOf, valueAt } from "./places.js";

/** The query fields of every list, under our names. A list is read to its end, so an order that nobody knows leaves nothing out. */
export const pagingFields = ["page", "pageSize", "sortDirection"] as const;

/** The borders of a list's period. */
export const borders: Readonly<Record<string, "start" | "end">> = { startDate: "start", endDate: "end" };

/** Filters of look-ups that sift what comes themselves, and its order. */
const sifted: ReadonlySet<string> = new Set([...Object.keys(borders), "kybStatus", "registeredName", "sortAttribute", "sortDirection"]);

/**
 * The query of a look-up without those filters that have no place at the deployment: more records come then. One that a person gave is
 * refused instead.
 */
export function withoutUnplaced<Q extends Record<string, unknown>>(query: Q, entry: MappedOperation | undefined): Q {
	const isPlaced = ([name]: [string, unknown]): boolean => !sifted.has(name) || entry === undefined || hasPlace(entry, name);
	return Object.fromEntries(Object.entries(query).filter(isPlaced)) as Q;
}

/**
 * The deployment's query fields for a page.
 * @param after where the page before said that this one begins, or where it ended; every page after the first has it, but of a list whose
 * pages have numbers
 */
export function pageQuery(
	paging: Paging,
	asked: Partial<Record<(typeof pagingFields)[number], unknown>>,
	after: string | undefined,
): Record<string, string | string[]> {
	if (paging.style === "link" && after !== undefined) {
		// A name may stand in a query several times.
		const given = new URLSearchParams(after);
		return Object.fromEntries([...given.keys()].map((name) => [name, given.getAll(name)]));
	}
	const query: Record<string, string | string[]> = {};
	const most = paging.size?.most ?? largestPage;
	const size = Math.min(Number(asked.pageSize ?? most), most);
	if (paging.size !== undefined && asked.pageSize !== undefined) query[paging.size.at] = String(size);
	const place = asked.page === undefined ? undefined : placeOf(paging, Number(asked.page), size, after);
	if (paging.at !== undefined && place !== undefined) query[paging.at] = place;
	return query;
}

function placeOf({ style, first = 0 }: Paging, page: number, size: number, after: string | undefined): string | undefined {
	if (style === "page") return String(page + first);
	return style === "offset" ? (after ?? String(page * size)) : after;
}

/** What follows a page: the next one begins at `after`; `end`: the deployment says that it was the last; `silent`: it says nothing. */
export type Following = { after: string } | "end" | "silent";

/**
 * @param headers of the answer, names in lower case
 * @param address of the request; a link to another place is not followed
 * @param page the same answer under our names
 */
export function following(
	paging: Paging,
	data: unknown,
	headers: Readonly<Record<string, string>>,
	address: URL,
	page: unknown,
): Following | undefined {
	if (paging.style === "page") return undefined;
	if (paging.style === "offset") {
		const entries = Array.isArray(page) ? page : valueAt(page, ["content"]);
		const before = Number(address.searchParams.get(paging.at ?? "") ?? 0);
		return { after: String(before + (Array.isArray(entries) ? entries.length : 0)) };
	}
	if (paging.style === "link" && paging.next === undefined) return linked(headers.link, address);
	const next = paging.next === undefined ? undefined : valueAt(data, partsOf(paging.next) ?? []);
	if (next === undefined) return "silent";
	if (next === null || next === "" || next === false) return "end";
	const text = typeof next === "string" ? next : next instanceof Object ? String(next) : "";
	return paging.style === "cursor" ? { after: text } : queryOf(text, address);
}

/** The next page of a Link header (RFC 8288). A service with such headers leaves it out on the last page. */
function linked(header: string | undefined, address: URL): Following {
	if (header === undefined) return "silent";
	for (const [, target = "", parameters = ""] of header.slice(0, 4_000).matchAll(/<([^<>]*)>((?:\s*;\s*[\w*-]+=(?:"[^"]*"|[^",;\s]*))*)/g))
		if (/;\s*rel="?next"?(?![\w-])/i.test(parameters)) return queryOf(target, address);
	return "end";
}

function queryOf(target: string, address: URL): Following {
	try {
		const next = new URL(target, address);
		return next.origin === address.origin && next.pathname === address.pathname ? { after: next.search } : "silent";
	} catch {
		return "silent";
	}
}
