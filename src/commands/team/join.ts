import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { storedProfile, unlessDryRun } from "../../config/named.js";
import { addressField, withPassword } from "../families/team.js";

export default defineCommand({
	path: "team join",
	summary: "Pay by a team's journal from this machine",
	details:
		"Carries over what this machine's own journal holds (payments, doubts, creations; a change keeps its number as MACHINE:17), and makes the team's journal the profile's. The own journal pays no more until this machine leaves the team. Not while a batch is under way. From then on every command shows what the whole team did, with person and machine. Interrupted, it can be run again.",
	examples: {
		"team join postgresql://ada@db.example.com/payments": "The profile in use; asks for the password",
		"team join postgresql://ada@db.example.com/payments --yes": "In a script; PGPASSFILE names the file with the password",
	},
	input: z.strictObject({ url: addressField() }),
	answer: () => z.strictObject({ profile: z.string(), machine: z.nullable(z.string()), carried: z.number() }),
	async run(context, { url }): Promise<Answer<{ profile: string; machine: string | null; carried: number }>> {
		const teams = await context.journal.team();
		await teams.statements(url);
		const profile = await storedProfile(context);
		await context.ask.confirm(
			`Pay by the team's journal at ${url} with the profile ${profile.name}? What this machine has on record is carried over, and its own journal pays no more`,
		);
		const operator = await context.config.operator();
		const join = (password?: string) =>
			context.report.during("Carrying over", (update) =>
				teams.join(profile, url, { password, operator, progress: (count) => update(`Carrying over: ${count} changes`) }),
			);
		const joined = await unlessDryRun(context, () => withPassword(context, join), "changed");
		if (joined?.warning !== undefined) context.report.warn(joined.warning);
		const { machine = null, carried = 0 } = joined ?? {};
		return { data: { profile: profile.name, machine, carried }, next: joined && [purser`team status`] };
	},
	text: ({ profile, machine, carried }, style) =>
		machine === null
			? "Nothing was changed."
			: style.done(`The profile ${profile} pays by the team's journal`, {
					"This machine": machine,
					"Carried over": `${carried} ${carried === 1 ? "change" : "changes"}${carried === 0 ? "" : `, known as ${machine}:NUMBER too`}`,
				}),
});
