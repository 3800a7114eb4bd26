/**
 * The rules that the journal applies to batches. A module of its own, so that a single payment does not load it.
 */
import type { BatchRules } from "../../../ports/batches.js";
import { capsOf } from "../../rules/caps.js";
import { moneyRules } from "../../rules/rules.js";
import { permitBatch, permitDay } from "./permit.js";

/** The rules with a profile's settings: `cap-per-transfer`, `cap-per-day`, `duplicate-days`, `approval`, `approvers`. */
export function batchRules(settings: Readonly<Record<string, string>>): BatchRules {
	const caps = capsOf(settings);
	return {
		...moneyRules(settings),
		permitBatch: (plan, known) => permitBatch(plan, known, caps, settings),
		permitDay: (asked, spent, of) => permitDay(asked, spent, caps, settings, of),
	};
}
