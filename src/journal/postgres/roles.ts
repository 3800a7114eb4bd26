/**
 * The group roles of a team's journal, named by its schema, and what each may do. Persons log in as themselves and are granted these roles.
 */
import { sha256 } from "../../api/digest.js";
import { canonicalJson } from "../../api/json.js";
import type { Approval, BatchPlan } from "../../ports/batch-plan.js";
import type { TeamApprovals, TeamPlan } from "../../ports/batches.js";
import type { Login } from "../../ports/team.js";
import type { Connection, Trouble } from "../tables/connection.js";
import { type Reading, raw, type Sql, sql } from "../tables/sql.js";

const names = ["reader", "planner", "approver", "sender"] as const;

const steps =
	"state, attempt, begun, skew, begun_service, changed, sender, sandbox, party, fingerprint, alike, created_id, created, content, result, reopened";

/** Makes the roles where they are missing, and grants each its columns; planner, approver and sender are readers too. */
export function rolesText(schema: string): string {
	const [reader, planner, approver, sender] = names.map((name) => `${schema}_${name}`);
	const made = names.map(
		(name) =>
			`IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${schema}_${name}') THEN CREATE ROLE ${schema}_${name} NOLOGIN; END IF;`,
	);
	return `
DO $$ BEGIN ${made.join(" ")} END $$;
REVOKE ALL ON SCHEMA ${schema} FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM PUBLIC;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC;
GRANT ${reader} TO ${planner}, ${approver}, ${sender};
GRANT USAGE ON SCHEMA ${schema} TO ${reader};
GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${reader};
GRANT EXECUTE ON FUNCTION approval_needed, is_above, is_approved, sent_today TO ${reader};
GRANT INSERT ON event TO ${planner}, ${sender};
GRANT INSERT, UPDATE (value) ON meta TO ${planner}, ${sender};
GRANT INSERT (effect, batch, row, carried, ${steps}), UPDATE (${steps}) ON intent TO ${planner}, ${sender};
GRANT INSERT (number, state, opened, senders, takes, shared), UPDATE (state, senders, first, last, plan, rows_digest) ON batch TO ${planner};
GRANT DELETE ON intent, batch TO ${planner};
GRANT UPDATE (state, begun, begun_service, day, senders, takes) ON batch TO ${sender};
GRANT INSERT, UPDATE (total) ON spent TO ${sender};
GRANT INSERT (digest, approved, reason, key, signed, signature) ON approval TO ${approver};`;
}

/** The logins that may do something, by name; those that may do everything in the whole server are left out, unless the schema is theirs. */
export async function membersOf(reading: Reading, schema: string): Promise<Login[]> {
	const roles = raw(
		names
			.map((name) => `CASE WHEN NOT rolsuper AND pg_has_role(oid, '${schema}_${name}', 'USAGE') THEN '${name} ' ELSE '' END`)
			.join(" || "),
	);
	const found = await reading.all(
		sql`SELECT * FROM (SELECT rolname AS login, CASE WHEN oid = (SELECT nspowner FROM pg_namespace WHERE nspname = ${schema}) THEN 'owner ' ELSE '' END
		|| ${roles} AS roles FROM pg_roles WHERE rolcanlogin) AS logins WHERE roles <> '' ORDER BY login`,
	);
	return found.map(({ login, roles }) => ({ login: String(login), roles: String(roles).trim().split(" ") as Login["roles"] }));
}

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
	const say = (query: Sql): Promise<void> => guarded(() => write(async (transaction) => void (await transaction.run(query))), "approve");
	return {
		waiting: () => guarded(() => read((reading) => plans(reading))),
		of: (batch) => guarded(() => read(async (reading) => (await plans(reading, batch))[0])),
		approve: (plan, { key, at, signature }) =>
			say(
				sql`INSERT INTO approval (digest, approved, key, signed, signature) VALUES (${digestOf(plan)}, true, ${key}, ${at}, ${signature})`,
			),
		reject: (plan, reason) => say(sql`INSERT INTO approval (digest, approved, reason) VALUES (${digestOf(plan)}, false, ${reason})`),
	};
}
