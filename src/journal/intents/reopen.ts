/**
 * Opens again what was decided: the payment is in doubt, and the id that it held is free, but stays named with it.
 */
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { Tables } from "../sqlite/tables.js";
import { recordOf, resultAfterReopening } from "./record.js";
import { notDecided } from "./refusals.js";
import { changeState, type Dependencies, intentNamed, refusing } from "./write.js";

/**
 * @param seen the attempt that the person was shown
 * @throws RefusedJob, if the intent changed since, or nothing about it is decided
 */
export function reopenIntent(
	tables: Tables,
	{ rules, lives }: Pick<Dependencies, "rules" | "lives">,
	name: string,
	{ reason, attempt: seen }: { reason: string; attempt: number },
): void {
	const stored = intentNamed(tables, name);
	const { number, attempt, batch, createdId, intent } = stored;
	const decided = ["accepted", "waiting", "refused", "not-created"].includes(stored.state);
	if (intent.effect !== "money" || !decided || attempt !== seen) throw new RefusedJob(notDecided(recordOf(stored, lives)));
	const step = { kind: "reopened", reason, id: createdId } as const;
	const state = refusing(() => rules.next(stored.state, step));
	tables.append("reopened", number, { attempt, reason, id: createdId }, batch);
	changeState(
		tables,
		rules,
		{ ...stored, createdId: undefined },
		state,
		resultAfterReopening(stored.result, step),
		undefined,
		stored.state,
	);
}
