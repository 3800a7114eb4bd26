/**
 * The id of an accepted payment, corrected: taken away where it is found to be another payment's, given where it was not known. In one
 * transaction, and never from the state in which a payment counts as made: whoever was accepted is not sent again.
 */
import { isPaid } from "../../api/operations/transfer.js";
import type { JournalStep } from "../../ports/intent.js";
import type { Tables } from "../sqlite/tables.js";
import { RefusedJob } from "./queue.js";
import { recordOf, resultAfter } from "./record.js";
import { idIsHeld, otherId } from "./refusals.js";
import { asRefusal, type Dependencies, intentNamed, otherHolder } from "./write.js";

/**
 * @param seen the attempt that was looked at
 * @throws Refusal, where the intent is not as it was when it was looked at, or another one holds the id
 */
export function correctId(
	tables: Tables,
	{ rules, lives }: Pick<Dependencies, "rules" | "lives">,
	name: string,
	step: JournalStep & { kind: "unnamed" | "named" },
	seen: number,
): void {
	const stored = intentNamed(tables, name);
	const { number, attempt, batch, createdId } = stored;
	const id = step.id.toLowerCase();
	const expected = step.kind === "unnamed" ? id : undefined;
	if (!isPaid(stored.state) || attempt !== seen || createdId !== expected) throw new RefusedJob(otherId(recordOf(stored, lives), id));
	const holder = step.kind === "named" ? otherHolder(tables, stored, id) : undefined;
	if (holder !== undefined) throw new RefusedJob(idIsHeld(name, holder, id));
	asRefusal(() => rules.next(stored.state, step));
	tables.append(step.kind, number, { attempt, id, evidence: step.evidence }, batch);
	// The time of the last change stays that of the answer: until then it was made, if it was, whatever its id is found to be later.
	tables.change({ ...stored, createdId: step.kind === "unnamed" ? undefined : id, result: resultAfter(stored.result, step) });
}
