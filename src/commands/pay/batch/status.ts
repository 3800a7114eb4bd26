import * as z from "zod/mini";
import { flag } from "../../../api/fields.js";
import { listCorporates } from "../../../api/operations/corporate.js";
import { listLedgers } from "../../../api/operations/ledger.js";
import { defineCommand } from "../../../cli/command.js";
import { withNames } from "../../../payments/batch/approval/approval.js";
import { batchField, batchNamed, planPathOf } from "../../../payments/batch/send/named.js";
import { batchText, isOver, outcomeOfStatus } from "../../../payments/batch/send/text.js";
import { batch } from "../../families/answers.js";

export default defineCommand({
	path: "pay batch status",
	summary: "Show how a batch stands, and what to do next",
	details:
		"From the journal on this machine; names are asked of the service, for at most a few seconds. With --watch it ends once every row was sent and no process sends the batch any more. The exit code is that of the worst row: 0 all accepted, or planned and not begun, 7 any doubt, 8 under way or waiting for strong authentication, 9 some refused or not sent, 10 nothing sent.",
	examples: {
		"pay batch status 7": "By its number; see `purser pay batch list`",
		"pay batch status payroll.csv.plan.json": "By its plan",
		"pay batch status 7 --watch": "Kept up to date while it is being sent elsewhere",
	},
	operations: [listLedgers, listCorporates].map(({ id }) => id),
	input: z.strictObject({ batch: batchField(), watch: flag("Refresh until every row was sent or Ctrl-C") }),
	answer: () =>
		z.extend(batch(), {
			ledgers: z.array(z.strictObject({ id: z.string(), name: z.optional(z.string()) })),
			planPath: z.optional(z.string()),
			watched: z.optional(z.boolean()),
			inTeam: z.optional(z.boolean()),
		}),
	async run(context, { batch, watch }) {
		const { profile } = await context.settings.read();
		const record = withNames(await batchNamed(context, batch), profile.settings);
		const ids = [...new Set(record.plan.totals.map(({ ledgerFromId }) => ledgerFromId))];
		const nameOf = await context.names.of(ids.map((id) => ["ledger", id]));
		const ledgers = ids.map((id) => ({ id, name: nameOf("ledger", id) }));
		const data = {
			...{ ...record, ledgers },
			...(await planPathOf(context, record, batch)),
			...(profile.team !== undefined && { inTeam: true as const }),
			...(watch && { watched: true as const }),
		};
		const again = watch && !isOver(data) ? 5_000 : undefined;
		return { data, again, exit: outcomeOfStatus(data) };
	},
	text: batchText,
});
