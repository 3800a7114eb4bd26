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
			style.list(members, "No machine has joined yet.", {
				machine: ({ machine }) => machine,
				joined: ({ joined }) => style.moment(joined),
				by: ({ operator }) => operator,
				left: ({ left }) => style.moment(left),
			}),
			"",
			style.list(logins, "No login has a role yet.", { login: ({ login }) => login, roles: ({ roles }) => roles.join(", ") || "none" }),
		].join("\n"),
});
