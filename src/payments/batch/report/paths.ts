/**
 * The rules of plans know no paths; whoever was handed one names it in what they say to type.
 */

import { dirname, join, resolve } from "node:path";
import { withPaths } from "../../../api/advice.js";
import { PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";

/**
 * Runs a check of a plan. Where it fails, `PLAN` and `FILE` of its advice become the plan's path and that of the file, which stands beside
 * the plan under its own name; rows of standard input have none.
 * @throws PurserError what the check throws
 */
export function namingPaths<T>(path: string, { source }: Pick<BatchPlan, "source">, check: () => T): T {
	try {
		return check();
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		const { failure } = error;
		const paths = { PLAN: path, ...(source === "-" ? {} : { FILE: join(dirname(path), source) }) };
		throw new PurserError(error.kind, { ...failure, fix: withPaths(failure.fix, paths), cause: error });
	}
}

/** Whether two paths name one place, however they are written; links are not followed. */
export function isSamePath(one: string, other: string): boolean {
	return resolve(one) === resolve(other);
}
