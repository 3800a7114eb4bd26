import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { flag } from "../../api/fields.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { unlessDryRun } from "../../config/named.js";
import { addressField, withPassword } from "../families/team.js";

export default defineCommand({
	path: "team init",
	summary: "Make the journal of a team in a PostgreSQL database",
	details:
		"Makes a schema with the tables, the triggers that keep what was recorded, and the roles that people are granted. The login of the address owns it and can change everything, so it should be an administrator's, whom nobody pays with. --print-sql changes nothing and prints the statements, for whoever administers the database. An address has no password in it: it is asked for, or read from the file that PGPASSFILE names. TLS with the server's certificate checked is required, unless the database is on this machine.",
	examples: [
		{ run: "team init postgresql://admin@db.example.com/payments", note: "Asks, then makes it" },
		{ run: "team init postgresql://admin@db.example.com/payments --print-sql > team.sql", note: "For the administrator" },
	],
	effect: "read",
	operations: [],
	input: z.strictObject({ url: addressField(), printSql: flag("Print the statements, and change nothing") }),
	answer: () => z.strictObject({ made: z.boolean(), sql: z.optional(z.string()) }),
	async run(context, { url, printSql }): Promise<Answer<{ made: boolean; sql?: string }>> {
		const teams = await context.journal.team();
		const sql = await teams.statements(url);
		if (printSql) return { data: { made: false, sql } };
		await context.ask.confirm(`Make a team's journal in ${url}?`);
		const made = await unlessDryRun(context, () => withPassword(context, async (password) => teams.create(url, password).then(() => true)));
		return { data: { made: made ?? false }, next: [purser`team join ${url.replace(/\/\/[^@]*@/, "//YOUR-LOGIN@")}`] };
	},
	text: ({ made, sql }, style) =>
		sql?.trimEnd() ??
		(made
			? [
					style.good("The team's journal is made"),
					"Let the administrator give each person a login of their own, and the roles for what they do:",
					"  GRANT purser_planner, purser_sender TO ada;",
					"  GRANT purser_approver TO ben;",
				].join("\n")
			: "Nothing was made."),
});
