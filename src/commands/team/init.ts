import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { optionals } from "../../api/answer.js";
import { flag, plain } from "../../api/fields.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import { unlessDryRun } from "../../config/named.js";
import { addressField, withPassword } from "../families/team.js";

interface Made {
	made: boolean;
	schema: string;
	sql?: string;
	/** What holds from now on, where only that was changed. */
	policy?: string;
}

export default defineCommand({
	path: "team init",
	summary: "Make the journal of a team in a PostgreSQL database",
	details:
		"Makes a schema with the tables, the triggers that keep what was recorded, and the roles that people are granted. The login of the address owns it and can change everything, so it should be an administrator's, whom nobody pays with. --print-sql changes nothing and prints the statements, for whoever administers the database. What --approval and --cap-per-person-day say holds in the database, whatever the members' profiles say; --change-policy puts them in the place of what is there. An address has no password in it: it is asked for, or read from the file that PGPASSFILE names. TLS with the server's certificate checked is required, unless the database is on this machine.",
	examples: [
		{ run: "team init postgresql://admin@db.example.com/payments", note: "Asks, then makes it" },
		{ run: "team init postgresql://admin@db.example.com/payments --print-sql > team.sql", note: "For the administrator" },
		{
			run: "team init postgresql://admin@db.example.com/payments --approval 'above 10000 EUR' --change-policy",
			note: "From now on a second person approves what is above it",
		},
	],
	effect: "read",
	operations: [],
	input: z.strictObject({
		url: addressField(),
		approval: z.optional(plain("When a second person must approve: always, above 10000 EUR, or above 10000 EUR a day")),
		capPerPersonDay: z.optional(plain("What one person may send on a day (UTC): 50000 EUR")),
		changePolicy: flag("Change only this policy of a journal that is there"),
		printSql: flag("Print the statements, and change nothing"),
	}),
	answer: () => z.strictObject({ made: z.boolean(), schema: z.string(), ...optionals(["sql", "policy"]) }),
	async run(context, { url, printSql, changePolicy, approval, capPerPersonDay }): Promise<Answer<Made>> {
		const teams = await context.journal.team();
		const policy = { approval, "cap-per-person-day": capPerPersonDay };
		const sql = await teams.statements(url, policy);
		const schema = new URL(url).searchParams.get("schema") ?? "purser";
		if (printSql) return { data: { made: false, schema, sql }, raw: sql };
		const rules = `a second person approves: ${approval ?? "nothing"}; one person sends on a day: ${capPerPersonDay ?? "without a limit"}`;
		await context.ask.confirm(
			changePolicy ? `Change the policy of the team at ${url}: ${rules}?` : `Make a team's journal in ${url} (${rules})?`,
		);
		const made = await unlessDryRun(context, () =>
			withPassword(context, (password) => teams[changePolicy ? "change" : "create"](url, { policy, password }).then(() => true)),
		);
		const isMade = made ?? false;
		const next = changePolicy || !isMade ? [] : [purser`team join ${url.replace(/\/\/[^@]*@/, "//YOUR-LOGIN@")}`];
		return { data: { made: isMade, schema, ...(changePolicy && isMade && { policy: rules }) }, next };
	},
	text: ({ made, schema, policy }, style) =>
		!made
			? "Nothing was changed."
			: policy !== undefined
				? [style.good("The policy of the team is changed"), `From now on ${policy}`].join("\n")
				: [
						style.good("The team's journal is made"),
						"Grant each person's login the roles for what they do, like:",
						`  GRANT ${schema}_planner, ${schema}_sender TO ada;`,
						`  GRANT ${schema}_approver TO ben;`,
						"Then each joins from a machine of their own, a planner or a sender first.",
					].join("\n"),
});
