/**
 * Corrects the id of an accepted payment: takes away one that proved to be another payment's, or assigns one that was missing. The payment
 * stays in a state that counts as made, so that it is never sent again.
 */
import { isPaid } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import type { JournalStep } from "../../ports/intent.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { Tables } from "../sqlite/tables.js";
import { recordOf, resultAfter } from "./record.js";
import { idChanged, idHeldByOther } from "./refusals.js";
import { type Dependencies, intentNamed, otherHolder, refusing } from "./write.js";

/**
 * @param seen the attempt that the evidence is about
 * @throws RefusedJob, if the intent changed since it was looked at, or another one holds the id
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
	const id = plainId(step.id);
	const expected = step.kind === "unnamed" ? id : undefined;
	if (!isPaid(stored.state) || attempt !== seen || createdId !== expected) throw new RefusedJob(idChanged(recordOf(stored, lives), id));
	const holder = step.kind === "named" ? otherHolder(tables, stored, id) : undefined;
	if (holder !== undefined) throw new RefusedJob(idHeldByOther(name, holder, id));
	refusing(() => rules.next(stored.state, step));
	tables.append(step.kind, number, { attempt, id, evidence: step.evidence }, batch);
	// Keep the time of the last change: it is the answer's, by which the payment was made, whatever its id.
	tables.change({ ...stored, createdId: step.kind === "unnamed" ? undefined : id, result: resultAfter(stored.result, step) });
}
