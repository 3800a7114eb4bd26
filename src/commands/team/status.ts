import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { optionals } from "../../api/answer.js";
import { defineCommand } from "../../cli/command.js";
import { storedProfile } from "../../config/named.js";
import { keepingText } from "../../config/team.js";

export default defineCommand({
	path: "team status",
	summary: "Show who pays by the team's journal now, what is open, and how it is kept",
	details:
		"Sessions of purser in the database, with who writes or may have payments on their way, since when; payments in doubt by machine; batches under way; whether the database keeps what it has confirmed, and which standbys follow it.",
	examples: { "team status": "Who, what, since when" },
	answer: () =>
		z.strictObject({
			...{ address: z.string(), machine: z.string(), machines: z.array(z.string()) },
			sessions: z.array(z.strictObject({ who: z.string(), login: z.string(), since: z.optional(z.string()), holds: z.array(z.string()) })),
			doubts: z.array(z.strictObject({ intent: z.string(), machine: z.optional(z.string()), begun: z.string() })),
			batches: z.array(z.strictObject({ batch: z.string(), state: z.string(), sending: z.boolean(), planned: z.number() })),
			policy: z.strictObject(optionals(["approval", "cap-per-person-day"])),
			keeping: z.strictObject({
				...{ fsync: z.string(), synchronousCommit: z.string() },
				standbys: z.array(z.strictObject({ name: z.string(), sync: z.string() })),
			}),
		}),
	async run(context) {
		const profile = await storedProfile(context);
		const { address, members, sessions, keeping, policy } = await (await context.journal.team()).status(profile);
		const doubts = await (await context.journal.of(profile)).list({ states: ["in-doubt"], effect: "money" });
		const batches = (await (await context.journal.batches(profile)).list()).filter(
			({ state, counts }) => state === "begun" && counts.planned + counts.sending > 0,
		);
		const data = {
			address,
			machine: profile.team?.machine ?? "",
			machines: members.filter(({ left }) => left === undefined).map(({ machine }) => machine),
			sessions: sessions.map((one) => ({ ...one, holds: [...one.holds] })),
			doubts: doubts.map(({ intent, machine, begun }) => ({ intent, machine, begun })),
			batches: batches.map(({ batch, state, sending, counts }) => ({ batch, state, sending, planned: counts.planned })),
			policy,
			keeping: { ...keeping, standbys: [...keeping.standbys] },
		};
		return { data, next: doubts.length > 0 ? [purser`pay doubts`] : [] };
	},
	text: ({ address, machine, machines, sessions, doubts, batches, keeping, policy }, style) =>
		[
			style.pairs({
				Journal: address,
				Machines: [
					...machines.map((one) => (one === machine ? `${one} (this one)` : one)),
					...(machines.includes(machine) ? [] : [`${machine} (this one; it reads and approves only)`]),
				].join(", "),
				"In doubt": doubts.length === 0 ? "none" : doubtsText(doubts),
				Batches: batches.length === 0 ? "none under way" : batches.map(batchText).join(", "),
				"Second person": policy.approval ?? "needed by no rule of the team",
				"Cap a person, a day": policy["cap-per-person-day"],
				Kept: keepingText(keeping),
			}),
			"",
			style.list(sessions, "Nobody else uses it now.", {
				who: ({ who }) => who.replace(/^purser: /, ""),
				login: ({ login }) => login,
				since: ({ since }) => style.moment(since),
				does: ({ holds }) => holds.join(", ") || "reads",
			}),
		].join("\n"),
});

function doubtsText(doubts: readonly { machine?: string }[]): string {
	const machines = [...new Set(doubts.map(({ machine = "unknown" }) => machine))];
	return machines.map((name) => `${doubts.filter(({ machine = "unknown" }) => machine === name).length} of ${name}`).join(", ");
}

const batchText = ({ batch, sending, planned }: { batch: string; sending: boolean; planned: number }): string =>
	`${batch} (${sending ? "being sent" : "stopped"}, ${planned} to send)`;
