/**
 * What second persons say of plans, in a team's journal. Who may say it is decided by the rules of its tables.
 */
import { sha256 } from "../../api/digest.js";
import { canonicalJson } from "../../api/json.js";
import type { Approval, BatchPlan } from "../../ports/batch-plan.js";
import type { TeamApprovals, TeamPlan } from "../../ports/batches.js";
import type { Connection, Trouble } from "../tables/connection.js";
import { type Reading, sql } from "../tables/sql.js";
import { membersOf } from "./roles.js";

/** What a second person signs, and what the row of an approval is known by. */
const digestOf = (plan: BatchPlan): string => sha256(canonicalJson(plan));

export function approvalsOver({ read, write }: Connection, { guarded }: Pick<Trouble, "guarded">, schema: string): TeamApprovals {
	const plans = async (reading: Reading, batch?: string): Promise<TeamPlan[]> => {
		const members = await membersOf(reading, schema);
		const approvers = members.filter(({ roles }) => roles.includes("approver")).map(({ login }) => login);
		const found = await reading.all(
			sql`SELECT plan.batch, plan.text, plan.planner, CASE WHEN approval_needed(sums, sums) THEN 1 ELSE 0 END AS needed FROM plan
			JOIN batch ON batch.number = plan.batch WHERE ${batch === undefined ? sql`state = 'planned'` : sql`plan.batch = ${Number(batch) || 0}`}
			ORDER BY plan.batch DESC`,
		);
		const all: TeamPlan[] = [];
		for (const { batch: number, text, planner, needed } of found) {
			const plan = JSON.parse(String(text)) as BatchPlan;
			const said =
				await reading.all(sql`SELECT approver, CASE WHEN approved THEN 1 ELSE 0 END AS approved, reason, key, signed, signature, at
				FROM approval WHERE digest = ${digestOf(plan)} ORDER BY at`);
			all.push({
				batch: String(number),
				plan,
				planner: String(planner),
				needed: needed === 1,
				approvers: approvers.filter((one) => one !== planner),
				approvals: said.flatMap(({ approver, approved, key, signed, signature }) =>
					approved === 1 && key !== null ? [{ approver, key, at: signed, signature } as Approval] : [],
				),
				approvedBy: said.filter(({ approved }) => approved === 1).map(({ approver }) => String(approver)),
				rejected: said
					.filter(({ approved }) => approved === 0)
					.map(({ approver, reason, at }) => ({ by: String(approver), reason: String(reason), at: String(at) }))[0],
			});
		}
		return all;
	};
	return {
		waiting: () => guarded(() => read((reading) => plans(reading))),
		of: (batch) => guarded(() => read(async (reading) => (await plans(reading, batch))[0])),
		approve: (plan, { key, at, signature }) =>
			guarded(
				() =>
					write(async (transaction) => {
						await transaction.run(
							sql`INSERT INTO approval (digest, approved, key, signed, signature) VALUES (${digestOf(plan)}, true, ${key}, ${at}, ${signature})`,
						);
					}),
				"approve",
			),
		reject: (plan, reason) =>
			guarded(
				() =>
					write(async (transaction) => {
						await transaction.run(sql`INSERT INTO approval (digest, approved, reason) VALUES (${digestOf(plan)}, false, ${reason})`);
					}),
				"approve",
			),
	};
}
