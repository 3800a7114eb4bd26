import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Service } from "../ports/service.js";
import { serviceOf } from "./service.js";

/**
 * Reads what is only shown, for a limited time: a person does without it rather than wait.
 * @throws PurserError interrupted, where the run was stopped
 */
export async function readSoon(
	context: Context,
	milliseconds: number,
	reads: readonly ((service: Service) => Promise<unknown>)[],
): Promise<void> {
	const signal = AbortSignal.any([context.signal, AbortSignal.timeout(milliseconds)]);
	const service = serviceOf({ ...context, signal });
	const tried = reads.map((read) =>
		read(service).catch((error: unknown) => {
			if (!(error instanceof PurserError) || context.signal.aborted) throw error;
		}),
	);
	await Promise.all(tried);
}
