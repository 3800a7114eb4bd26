/**
 * Pages of a list, as a deployment divides it.
 */
import { Decimal } from "../../api/json.js";
import { largestPage } from "../../api/paging.js";
import { isRecord } from "../../api/schema.js";
import { partsOf, put } from "../../binding/pointer.js";
import type { BoundPaging } from "../../ports/binding.js";
import { invalidFields } from "../message.js";

/** The records that a request asks for. */
export interface AskedPage {
	/** How many records come before them; undefined where pages have numbers. */
	from?: number;
	/** Most of them. */
	size: number;
}

/** Records of a page where nobody says how many. */
const usualSize = 20;

/** The query field of a link that says where its page begins. */
const placeIn = (paging: BoundPaging): string => paging.at ?? "cursor";

/**
 * @param asked how many were asked for, under our name
 * @throws HttpError 400, for a place that the sandbox gave nobody
 */
export function askedPage(paging: BoundPaging, query: URLSearchParams, asked: unknown): AskedPage {
	const most = Math.min(paging.size?.most ?? usualSize, largestPage);
	const size = typeof asked === "string" && /^\d{1,9}$/.test(asked) ? Math.min(Number(asked), most) : most;
	if (paging.style === "page") return { size };
	const place = query.get(placeIn(paging));
	if (place === null || place === "") return { from: 0, size };
	const from =
		paging.style === "offset"
			? place
			: Buffer.from(place, "base64url")
					.toString("latin1")
					.replace(/^from:/, "");
	if (!/^\d{1,9}$/.test(from)) throw invalidFields({ field: placeIn(paging), rejectedValue: place, message: "is no place in this list" });
	return { from: Number(from), size };
}

/** Where the page after this one begins; undefined where this is the last. */
export function nextPlace({ from = 0 }: AskedPage, page: unknown): number | undefined {
	const content = isRecord(page) && Array.isArray(page.content) ? page.content : [];
	const total = isRecord(page) && page.totalElements instanceof Decimal ? Number(page.totalElements.text) : 0;
	return from + content.length < total && content.length > 0 ? from + content.length : undefined;
}

/**
 * Says in an answer, or in its headers, where the next page begins.
 * @param target of the request: path and query
 */
export function tellNext(paging: BoundPaging, answer: unknown, next: number | undefined, target: string): Record<string, string> {
	const cursor = next === undefined ? null : Buffer.from(`from:${next}`).toString("base64url");
	const link = cursor === null ? null : linkTo(target, placeIn(paging), cursor);
	if (paging.style === "link" && paging.next === undefined)
		return { link: link === null ? `<${target}>; rel="self"` : `<${target}>; rel="self", <${link}>; rel="next"` };
	if (paging.next !== undefined && isRecord(answer))
		put(answer, partsOf(paging.next) ?? [], [], paging.style === "cursor" ? cursor : paging.style === "link" ? link : null);
	return {};
}

function linkTo(target: string, name: string, value: string): string {
	const [path = "", search] = target.split("?", 2);
	const query = new URLSearchParams(search);
	query.set(name, value);
	return `${path}?${query}`;
}
