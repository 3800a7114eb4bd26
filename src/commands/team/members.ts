import * as z from "zod/mini";
import { optionals } from "../../api/answer.js";
import { defineCommand } from "../../cli/command.js";
import { storedProfile } from "../../config/named.js";

export default defineCommand({
	path: "team members",
	summary: "List the machines of the team, and who may do what",
	details:
		"Machines as they joined and left; logins with the roles that the administrator of the database has granted them: reader, planner, approver, sender.",
	examples: { "team members": "Machines and logins" },
	answer: () =>
		z.strictObject({
			members: z.array(
				z.strictObject({
					...{ machine: z.string(), installation: z.string(), joined: z.string() },
					...optionals(["operator", "left"]),
				}),
			),
			logins: z.array(z.strictObject({ login: z.string(), roles: z.array(z.string()) })),
		}),
	async run(context) {
		const profile = await storedProfile(context);
		const { members, logins } = await (await context.journal.team()).status(profile);
		return { data: { members: [...members], logins: logins.map(({ login, roles }) => ({ login, roles: [...roles] })) } };
	},
	text: ({ members, logins }, style) =>
		[
			style.table(
				["machine", "joined", "by", "left"],
				members.map(({ machine, joined, operator, left }) => [
					machine,
					style.moment(joined) ?? "",
					operator ?? "",
					style.moment(left) ?? "",
				]),
			),
			"",
			style.table(
				["login", "roles"],
				logins.map(({ login, roles }) => [login, roles.join(", ") || "none"]),
			),
		].join("\n"),
});
