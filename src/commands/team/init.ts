import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { optionals } from "../../api/answer.js";
import { flag, plain } from "../../api/fields.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { unlessDryRun } from "../../config/named.js";
import { addressField, withPassword } from "../families/team.js";

export default defineCommand({
	path: "team init",
	summary: "Make the journal of a team in a PostgreSQL database",
	details:
		"Makes a schema with the tables, the triggers that keep what was recorded, and the roles that people are granted. The login of the address owns it and can change everything, so it should be an administrator's, whom nobody pays with. --print-sql changes nothing and prints the statements, for whoever administers the database. What --approval and --cap-per-person-day say holds in the database, whatever the members' profiles say; whoever owns the schema changes it there later: `UPDATE purser.policy SET value = 'above 10000 EUR' WHERE key = 'approval'`. An address has no password in it: it is asked for, or read from the file that PGPASSFILE names. TLS with the server's certificate checked is required, unless the database is on this machine.",
	examples: {
		"team init postgresql://admin@db.example.com/payments": "Asks, then makes it",
		"team init postgresql://admin@db.example.com/payments --print-sql > team.sql": "For the administrator",
		"team init postgresql://admin@db.example.com/payments --approval 'above 10000 EUR'": "A second person approves what is above it",
	},
	input: z.strictObject({
		url: addressField(),
		approval: z.optional(plain("When a second person must approve: always, above 10000 EUR, or above 10000 EUR a day")),
		capPerPersonDay: z.optional(plain("What one person may send on a day (UTC): 50000 EUR")),
		printSql: flag("Print the statements, and change nothing"),
	}),
	answer: () => z.strictObject({ made: z.boolean(), schema: z.string(), ...optionals(["sql"]) }),
	async run(context, { url, printSql, approval, capPerPersonDay }): Promise<Answer<{ made: boolean; schema: string; sql?: string }>> {
		const teams = await context.journal.team();
		const policy = { approval, "cap-per-person-day": capPerPersonDay };
		const sql = await teams.statements(url, policy);
		const schema = new URL(url).searchParams.get("schema") ?? "purser";
		if (printSql) return { data: { made: false, schema, sql }, raw: sql };
		const rules = `a second person approves: ${approval ?? "nothing"}; one person sends on a day: ${capPerPersonDay ?? "without a limit"}`;
		await context.ask.confirm(`Make a team's journal in ${url} (${rules})?`);
		await unlessDryRun(context, () => withPassword(context, (password) => teams.create(url, { policy, password })));
		const made = !context.settings.flags.dryRun;
		return { data: { made, schema }, next: made ? [purser`team join ${url.replace(/\/\/[^@]*@/, "//YOUR-LOGIN@")}`] : [] };
	},
	text: ({ made, schema }, style) =>
		!made
			? "Nothing was changed."
			: [
					style.good("The team's journal is made"),
					"Grant each person's login the roles for what they do, like:",
					`  GRANT ${schema}_planner, ${schema}_sender TO ada;`,
					`  GRANT ${schema}_approver TO ben;`,
					"Then each joins from a machine of their own, a planner or a sender first.",
				].join("\n"),
});
