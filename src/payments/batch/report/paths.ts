/**
 * Fills in paths in suggested commands: the rules of plans do not know the path that the operator gave.
 */

import { dirname, join, resolve } from "node:path";
import { withPaths } from "../../../api/advice.js";
import { PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";

/**
 * Runs a check of a plan. If it fails, `PLAN` and `FILE` in its advice are replaced by the paths of the plan and of the file beside it;
 * rows from standard input have no file.
 * @throws PurserError from the check
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

/** Whether two paths are the same when resolved; links are not followed. */
export function isSamePath(one: string, other: string): boolean {
	return resolve(one) === resolve(other);
}
