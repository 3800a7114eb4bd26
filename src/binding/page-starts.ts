import { PurserError } from "../errors.js";
import type { BoundPaging } from "../ports/binding.js";
import { type Following, isSequential } from "./paging.js";

/**
 * Where each page of one list begins, at a service whose pages can only be asked for with what the page before said. Other services'
 * pages have numbers.
 */
export class PageStarts {
	readonly #following = new Map<number, Following>();

	note(page: number, following: Following | undefined): void {
		if (following !== undefined) this.#following.set(page, following);
	}

	/** What the page before said of this one, where that is needed. @throws PurserError bug, if it is and that page was not read */
	of(paging: BoundPaging | undefined, page: number): Following | undefined {
		if (paging === undefined || !isSequential(paging)) return undefined;
		const before = this.#following.get(page - 1);
		if (page === 0 || before !== undefined) return before;
		throw new PurserError("bug", {
			code: "PAGE_UNREACHABLE",
			message: "This service's list can only be read page after page, from the first one",
			fix: "Run it again",
		});
	}
}

/** Whether the announced total was reached; undefined where none was announced, or it says nothing. */
export function reached(
	{ total, read, page, found, pageSize }: { total?: number; read: number; page: number; found: number; pageSize: number },
	paging: BoundPaging | undefined,
): boolean | undefined {
	// Ignore a total below the number of records already read, and go on to an empty page.
	if (total === undefined || total < read) return undefined;
	// A deployment's total may turn out to count the records of a page, and a full page says nothing of those behind it.
	const isFull = found >= Math.min(pageSize, paging?.size?.most ?? pageSize);
	return paging?.total !== undefined && page === 0 && isFull ? undefined : read === total;
}
