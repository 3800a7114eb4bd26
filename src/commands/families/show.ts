import * as z from "zod/mini";
import type { Received } from "../../api/answer.js";
import type { AnyOperation } from "../../api/operation.js";
import { listCorporates } from "../../api/operations/corporate.js";
import { type Command, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import type { Advice } from "../../errors.js";
import type { Called } from "../../ports/resolver.js";
import type { Style } from "../../ports/style.js";

type Params<O extends AnyOperation> = z.output<O["params"]>;

interface Described<O extends AnyOperation> extends Pick<Command, "path" | "summary" | "examples"> {
	operation: O;
	/** The operation that reads the choices for its id, for the reference. */
	choicesFrom?: AnyOperation;
	answer(): z.ZodMiniType;
	read(context: Context, params: Params<O>): Promise<Received>;
	/** The records that the answer names by their ids. */
	called?(record: Received): readonly Called[];
	rows(record: Received, style: Style): Parameters<Style["pairs"]>[0];
	next(record: Received, params: Params<O>): readonly Advice[];
}

/** Defines a command that shows one record; its answer is the record as received. */
export function showCommand<O extends AnyOperation>({ operation, choicesFrom, read, called, rows, next, ...described }: Described<O>) {
	return defineCommand<O["params"], Received>({
		...described,
		operations: [operation, ...(choicesFrom ? [choicesFrom] : []), ...(called ? [listCorporates] : [])].map(({ id }) => id),
		input: z.strictObject(operation.params.shape) as O["params"],
		async run(context, params) {
			const data = await read(context, params);
			if (called !== undefined) await context.names.of(called(data));
			return { data, next: next(data, params) };
		},
		text: (record, style) => style.pairs(rows(record, style)),
	});
}
