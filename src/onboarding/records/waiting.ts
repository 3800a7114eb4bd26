/**
 * `--wait` of the commands that show a status.
 */

import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import type { Received } from "../../api/answer.js";
import { flag, span } from "../../api/fields.js";
import { secondsOf } from "../../api/quantity.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";

/** The input fields of every command that can wait. */
export const waitFields = () => ({
	wait: flag("Wait until the status is final"),
	waitTimeout: z._default(span("Longest time to wait, in seconds or like 5m", 999_999, "120"), "300"),
});

/** Statuses of a KYB that end waiting: two are final, one needs somebody to act. */
export const kybSettled: readonly (string | undefined)[] = ["VALIDATED", "DECLINED", "NEED_ADDITIONAL_INFORMATION"];

/**
 * Warns that a record lacks the status.
 * @param of "the transaction", "the KYB"
 */
export function warnWithoutStatus(context: Context, of: string, status: string | undefined): void {
	if (!status) context.report.warn(`The service's answer has no status of ${of}, so it is unknown`);
}

/**
 * Refuses a record without the status.
 * @throws PurserError bug; it shows the record
 */
export function requireStatus(of: string, status: string | undefined, record: Received): void {
	if (status) return;
	throw new PurserError("bug", {
		code: "STATUS_MISSING",
		message: `The service's answer has no status of ${of}, so it is unknown`,
		fix: advice`Check the answer. If the status has another name there, say so in the mapping: ${purser`help mapping`}`,
		answer: record,
	});
}

/** Milliseconds of a `waitTimeout` that passed its check. */
export function timeoutOf(waitTimeout: string): number {
	return (secondsOf(waitTimeout) as number) * 1000;
}
