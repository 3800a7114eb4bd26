import { advice } from "../api/advice.js";
import type { AnyOperation, Input } from "../api/operation.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import { type CallOptions, call } from "./call.js";
import type { Reply } from "./content.js";
import { DryRun, type PlannedRequest } from "./dry-run.js";

/**
 * Makes several changes of one kind, one after the other, and stops at the first failure. A dry run shows all of them.
 * @throws PurserError of the failing one, with its number as row and the changes made before it; DryRun
 */
export async function callEach<O extends AnyOperation>(
	context: Context,
	operation: O,
	inputs: readonly Input<O>[],
	options: CallOptions = {},
): Promise<Reply<O>[]> {
	const plans: PlannedRequest[] = [];
	const replies: Reply<O>[] = [];
	for (const [index, input] of inputs.entries()) {
		try {
			replies.push(await call(context, operation, input, options));
		} catch (error) {
			if (error instanceof DryRun) for (const request of error.requests) plans.push(request);
			else throw error instanceof PurserError && inputs.length > 1 ? placedError(error, index, inputs.length, replies) : error;
		}
	}
	if (plans.length > 0) throw new DryRun(plans);
	return replies;
}

function placedError(error: PurserError, index: number, count: number, made: readonly Reply[]): PurserError {
	const ids = made.map((reply) => reply.id).filter((id) => id !== undefined);
	const { why } = error.failure;
	const before =
		made.length === 0 ? "none before it was made" : `${made.length} created before it${ids.length ? `: ${ids.join(", ")}` : ""}`;
	return new PurserError(error.kind, {
		...error.failure,
		message: `${index + 1} of ${count}: ${error.failure.message}`,
		why: advice`${why && advice`${why}; `}${before}; ${count - index - 1} after it were not sent`,
		details: error.failure.details?.map((fault) => ({ row: index + 1, ...fault })),
	});
}
