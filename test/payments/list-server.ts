/**
 * A service's list of transactions, correct or wrong in one way, for tests that read it page by page.
 */
import type { WireRequest } from "../../src/ports/wire.js";
import { answered, type SmallContext, type SmallOptions, smallContext } from "../support/context.js";

export interface Line {
	id?: string;
	creationDate?: string;
	amount?: number;
	information?: { reference: string };
	sender?: { ledgerId: string };
	receiver?: { ledgerId: string };
}

/** In which way it is not as the specification's neighbours describe it. */
export interface Wrong {
	/** What it announces instead of the number of lines that fit. */
	total?: (fitting: number) => number | undefined;
	/** Maximum number of lines in a page, whatever is requested. */
	cap?: number;
	/** Which page it gives, of the one asked for. */
	page?: (asked: number) => number;
	/** Query parameters that it ignores. */
	ignores?: readonly ("startDate" | "sortDirection")[];
	/** Answers 400 to pages from this record on. */
	deepest?: number;
	/** Gives only so many lines of this page, and the rest nowhere: a page that is shorter in the middle. */
	short?: { page: number; lines: number };
	/** A list without a page around it. */
	bare?: true;
	/** Called with each request before its answer, to insert lines meanwhile. */
	before?: (lines: Line[], request: number) => void;
}

/** Ids that count up, as UUIDs. */
export const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Lines with an id each, a fixed time apart; oldest first. @param every milliseconds */
export function linesFrom(start: string, count: number, every: number, more: (number: number) => Partial<Line> = () => ({})): Line[] {
	return Array.from({ length: count }, (_, number) => ({
		id: idOf(number),
		creationDate: new Date(Date.parse(start) + number * every).toISOString(),
		amount: 1,
		...more(number),
	}));
}

/** A context in front of such a service. @param lines oldest first; inserted ones are put in their place by the test */
export function listServer(lines: Line[], wrong: Wrong = {}, options: SmallOptions = {}): SmallContext {
	let requests = 0;
	return smallContext({
		...options,
		answers: [
			(request) => {
				wrong.before?.(lines, requests++);
				return answerOf(request, lines, wrong);
			},
		],
	});
}

function answerOf(request: WireRequest, lines: readonly Line[], wrong: Wrong) {
	const { pathname, searchParams } = new URL(request.url);
	if (!pathname.endsWith("/transactions")) return answered(200, { id: pathname.split("/").at(-1) });
	const from = wrong.ignores?.includes("startDate") ? undefined : searchParams.get("startDate");
	const fitting = lines.filter(({ creationDate: at = "" }) => at === "" || from == null || at >= from);
	if (wrong.ignores?.includes("sortDirection")) fitting.reverse();
	const size = Math.min(Number(searchParams.get("pageSize")), wrong.cap ?? 100);
	const asked = Number(searchParams.get("page"));
	const page = wrong.page?.(asked) ?? asked;
	if (wrong.deepest !== undefined && page * size >= wrong.deepest) return answered(400, { message: "too far into the list" });
	const whole = fitting.slice(page * size, (page + 1) * size);
	const content = wrong.short?.page === page ? whole.slice(0, wrong.short.lines) : whole;
	const total = wrong.total ? wrong.total(fitting.length) : fitting.length;
	return answered(200, wrong.bare ? content : { content, totalElements: total, page, pageSize: size });
}
