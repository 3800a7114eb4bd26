import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { plain } from "../../api/fields.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { storedProfile, unlessDryRun } from "../../config/named.js";
import type { Recovered } from "../../ports/team.js";

export default defineCommand({
	path: "team recover",
	summary: "Fill a database that went back from what this machine has on record",
	details:
		"For when the team's database was restored from a backup, or a standby took over that was behind: money is refused then (exit 10). Each machine keeps a log of its own of what it sent. What the database does not know is entered from it, in doubt where no outcome is known, and nothing of it is sent again. Every machine of the team does this once; then the database is the team's again, with your reason on record.",
	examples: { "team recover --reason 'restored from the backup of last night'": "On each machine of the team" },
	input: z.strictObject({ reason: plain("Why this database is the one to pay by, for the record") }),
	answer: () =>
		z.strictObject({
			...{ carried: z.number(), restored: z.number(), unreadable: z.number(), recovered: z.boolean() },
			...{ contested: z.array(z.string()), doubts: z.array(z.string()) },
		}),
	async run(context, { reason }): Promise<Answer<Recovered & { recovered: boolean }>> {
		const profile = await storedProfile(context);
		const teams = await context.journal.team();
		await context.ask.confirm(
			`Fill the team's database from this machine's log, and pay by it from now on? Payments that no machine's log has could be sent a second time`,
		);
		const filled = await unlessDryRun(context, () => teams.recover(profile, reason), "changed");
		if (filled === undefined) return { data: { carried: 0, restored: 0, unreadable: 0, contested: [], doubts: [], recovered: false } };
		const open = filled.doubts.length + filled.contested.length > 0;
		return { data: { ...filled, recovered: true }, next: [open ? purser`pay settle` : purser`history verify`] };
	},
	text: ({ carried, restored, contested, doubts, unreadable, recovered }, style) =>
		!recovered
			? "Nothing was changed."
			: style.done("The team's database has what this machine knows", {
					"Not known there": String(restored),
					"Outcomes entered": String(carried),
					"In doubt": doubts.length === 0 ? "none" : doubts.join(", "),
					"Decided otherwise there": contested.length === 0 ? undefined : `${contested.join(", ")}: in doubt again`,
					"Unreadable lines": unreadable === 0 ? undefined : String(unreadable),
				}),
});
