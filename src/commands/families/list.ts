/**
 * What the commands that list records of the service share: filters, a limit, a table, and one record per line for scripts.
 */
import * as z from "zod/mini";
import type { Received } from "../../api/answer.js";
import type { AnyOperation } from "../../api/operation.js";
import { field } from "../../api/schema.js";
import { type Command, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import type { Advice } from "../../errors.js";
import { listAll } from "../../http/pages.js";
import type { Style } from "../../ports/style.js";

/** The --limit of list commands. */
export const limitField = () =>
	z._default(
		field(z.string().check(z.regex(/^[1-9]\d{0,5}$/, "must be a whole number from 1 to 999999")), {
			description: "Maximum number of records",
			placeholder: "number",
		}),
		"100",
	);

/**
 * The records up to a limit, with a warning where there are more.
 * @param found at least one record more than the limit, where there are more
 */
export function firstOf<T>({ report }: Pick<Context, "report">, found: readonly T[], limit: string): T[] {
	if (found.length > limitOf(limit)) report.warn(`There are more than ${limit}; show them with --limit`);
	return found.slice(0, limitOf(limit));
}

/** A checked `limit` as a number. */
export function limitOf(limit: string): number {
	return Number(limit);
}

type Filters<F extends z.core.$ZodShape> = z.output<z.ZodMiniObject<F>>;

interface Described<F extends z.core.$ZodShape, V> extends Pick<Command, "path" | "summary" | "details" | "examples"> {
	operation: AnyOperation;
	filters: F;
	/** The request; by default, every filter is a query parameter. */
	request?(filters: Filters<F>): { params?: Record<string, unknown>; query?: Record<string, unknown> };
	/** What it is sorted by for the newest first, where the service takes that beside the direction. */
	newestBy?: Record<string, string>;
	/** What a record is. */
	record(): z.ZodMiniType;
	/** Reads one record. */
	view(record: Received): V;
	/** Header → cell, in order. */
	columns(style: Style): Readonly<Record<string, (one: V) => string | undefined>>;
	/** The text where there are no records. */
	none: string;
	next(found: readonly V[], filters: Filters<F>): readonly Advice[];
}

/** Defines a command that lists records; its answer is the records as received. */
export function listCommand<F extends z.core.$ZodShape, V>({
	operation,
	filters,
	request,
	newestBy,
	record,
	view,
	columns,
	none,
	next,
	...described
}: Described<F, V>) {
	return defineCommand({
		...described,
		effect: "read",
		operations: [operation.id],
		input: z.strictObject({ ...filters, limit: limitField() }),
		answer: () => z.array(record()),
		async run(context, input) {
			const { limit, given } = separateLimit<F>(input);
			const asked: ReturnType<NonNullable<typeof request>> = request?.(given) ?? { query: given };
			// The newest first, unless another order is asked for.
			const query = { ...newestBy, sortDirection: "DESC", ...asked.query };
			const data = await listAll(context, operation, { ...asked, query }, limitOf(limit));
			return { data, next: next(data.map(view), given) };
		},
		text: (records, style) => {
			if (records.length === 0 && !style.cells) return none;
			const cells = Object.entries(columns(style));
			const rows = records.map(view).map((one) => cells.map(([, cell]) => cell(one) ?? ""));
			return style.table(
				cells.map(([header]) => header),
				rows,
			);
		},
	});
}

/** The filters without the limit. The casts are needed because the compiler does not follow a spread of a generic type. */
function separateLimit<F extends z.core.$ZodShape>(input: object): { limit: string; given: Filters<F> } {
	const { limit, ...given } = input as Filters<F> & { limit: string };
	return { limit, given: given as unknown as Filters<F> };
}
