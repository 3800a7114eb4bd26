/**
 * A page that is as long as a page may be.
 */
import type { Page } from "../../ports/page.js";
import { pageBytes } from "./page.js";

/** Most bytes of a page: what a mail and a slow machine take. */
const mostBytes = 1024 * 1024;

/**
 * The page with as many rows as fit: half as many, and again, until it does. The same data gives the same bytes.
 * @param build the page whose tables have at most so many rows, and say how many there are
 * @param rows where it begins
 */
export function fittingPage(build: (rows: number) => Page, rows: number): Uint8Array {
	for (let left = rows; ; left = Math.floor(left / 2)) {
		const bytes = pageBytes(build(left));
		if (bytes.length <= mostBytes || left === 0) return bytes;
	}
}
