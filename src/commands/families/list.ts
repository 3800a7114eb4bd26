/**
 * What the commands that list records of the service share: filters, a limit, a table, and one record per line for scripts.
 */
import * as z from "zod/mini";
import type { Received } from "../../api/answer.js";
import { formed } from "../../api/fields.js";
import type { AnyOperation } from "../../api/operation.js";
import { listCorporates } from "../../api/operations/corporate.js";
import { listLedgers } from "../../api/operations/ledger.js";
import { type Command, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import type { Advice } from "../../errors.js";
import { listAll } from "../../http/pages.js";
import { entryOf } from "../../mapping/request/applied.js";
import { withoutUnplaced } from "../../mapping/request/paging.js";
import { nameRecords } from "../../onboarding/records/reading.js";
import type { Called } from "../../ports/resolver.js";
import type { Style } from "../../ports/style.js";

const limitOption = (otherwise = "") =>
	formed(/^[1-9]\d{0,5}$/, "a whole number from 1 to 999999", `Maximum number of records${otherwise}`, { placeholder: "number" });

export const limitField = () => z._default(limitOption(), "100");

/**
 * The records up to a limit; says where there are more.
 * @param found at least one record more than the limit, where there are more
 */
export function firstOf<T>(context: Pick<Context, "report" | "system">, found: readonly T[], limit: string): T[] {
	if (found.length > limitOf(limit)) tellOfMore(context, limit);
	return found.slice(0, limitOf(limit));
}

function tellOfMore({ report, system }: Pick<Context, "report" | "system">, limit: string): void {
	if (!system.terminal.stdout.isTerminal) report.warn(`There are more than ${limit}; show them with --limit`);
	else report.afterAnswer(async () => report.step(`The first ${limit} are shown. More: add --limit ${limitOf(limit) * 5}`));
}

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
	/** Which records are meant, where the service cannot be asked for those alone. */
	meant?(filters: Filters<F>): ((record: Received) => boolean) | undefined;
	/** How many a person is shown who did not say it; a program gets as many as of every list. */
	newest?: number;
	record(): z.ZodMiniType;
	view(record: Received): V;
	called?(one: V): readonly Called[];
	columns(style: Style): Readonly<Record<string, (one: V) => string | undefined>>;
	none: string;
	next(found: readonly V[], filters: Filters<F>): readonly Advice[];
}

/** Defines a command that lists records; its answer is the records as received. */
export function listCommand<F extends z.core.$ZodShape, V extends { id?: string; name?: string }>({
	operation,
	filters,
	request,
	newestBy,
	meant,
	newest,
	record,
	view,
	called,
	columns,
	none,
	next,
	...described
}: Described<F, V>) {
	return defineCommand({
		...described,
		operations: [...new Set([operation, ...(called === undefined ? [] : [listLedgers, listCorporates])].map(({ id }) => id))],
		input: z.strictObject({
			...filters,
			limit: newest === undefined ? limitField() : z.optional(limitOption(`; without it ${newest}, for a program 100`)),
		}),
		answer: () => z.array(record()),
		async run(context, input) {
			const { isTerminal } = context.system.terminal.stdout;
			const { limit = isTerminal ? String(newest) : "100", given } = separateLimit<F>(input);
			const asked: ReturnType<NonNullable<typeof request>> = request?.(given) ?? { query: given };
			// The newest first, unless another order is asked for.
			const { mapping } = (await context.settings.read()).profile;
			const order = withoutUnplaced({ ...newestBy, sortDirection: "DESC" }, entryOf(operation, mapping));
			const query = { ...order, ...asked.query };
			const { records: data, more } = await listAll(context, operation, { ...asked, query }, limitOf(limit), meant?.(given));
			if (more) tellOfMore(context, limit);
			const found = data.map(view);
			const nameOf = await context.names.of(called === undefined ? [] : found.flatMap(called));
			// Where only some are listed, another may have the same name: then they are named with their company.
			const isWhole = !more && Object.entries(given).every(([name, value]) => value === undefined || name === "sortDirection");
			nameRecords(context, isWhole ? found : found.map(({ id }) => ({ id, name: nameOf("ledger", id) })));
			return { data, next: next(found, given) };
		},
		text: (records, style) => style.list(records.map(view), none, columns(style)),
	});
}

/** The filters without the limit. The casts are needed because the compiler does not follow a spread of a generic type. */
function separateLimit<F extends z.core.$ZodShape>(input: object): { limit?: string; given: Filters<F> } {
	const { limit, ...given } = input as Filters<F> & { limit?: string };
	return { limit, given: given as unknown as Filters<F> };
}
