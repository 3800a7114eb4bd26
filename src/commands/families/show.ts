/**
 * What the commands that show one record of the service by its id share.
 */
import * as z from "zod/mini";
import type { Received } from "../../api/answer.js";
import type { AnyOperation } from "../../api/operation.js";
import { type Command, defineHooked, type Hooked } from "../../cli/command.js";
import type { Context } from "../../context.js";
import type { Style } from "../../ports/style.js";

type Params<O extends AnyOperation> = z.output<O["params"]>;

interface Described<O extends AnyOperation> extends Pick<Command, "path" | "summary" | "examples" | "choices"> {
	operation: O;
	/** The operation that reads the choices for its id, for the reference. */
	choicesFrom?: AnyOperation;
	read(context: Context, params: Params<O>): Promise<Received>;
	rows(record: Received, style: Style): Parameters<Style["pairs"]>[0];
	next: NonNullable<Hooked<O["params"], Received>["next"]>;
}

/** Defines a command that shows one record; its answer is the record as received. */
export function showCommand<O extends AnyOperation>({ operation, choicesFrom, read, rows, next, ...described }: Described<O>) {
	return defineHooked<O["params"], Received>({
		...described,
		effect: "read",
		operations: [operation.id, ...(choicesFrom ? [choicesFrom.id] : [])],
		input: z.strictObject(operation.params.shape) as O["params"],
		run: read,
		text: (record, style) => style.pairs(rows(record, style)),
		next,
	});
}
