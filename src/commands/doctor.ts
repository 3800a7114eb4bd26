import * as z from "zod/mini";
import { shownIn } from "../api/advice.js";
import { defineCommand } from "../cli/command.js";
import { type Check, reads, type Visit, visit } from "../doctor/doctor.js";
import type { Style } from "../ports/style.js";

export default defineCommand({
	path: "doctor",
	summary: "Check configuration, login and journal, and whether the service answers",
	details:
		"Looks at the configuration and who can change it, the login, the journal, and asks the service once for each list and record that purser reads (GET only). Each line is ok, a warning, or a fault with how to mend it. A change is never tried. Exit 0 also with warnings, 9 with a fault. --json is for a ticket: no secret and nothing of an answer's content is in it.",
	examples: {
		doctor: "What is wrong, and what to do",
		"doctor --json": "For a ticket",
	},
	operations: reads.map(({ operation }) => operation.id),
	answer: () =>
		z.strictObject({
			...{ state: z.string(), purser: z.string(), node: z.string(), platform: z.string() },
			profile: z.nullable(z.strictObject({ name: z.string(), environment: z.string(), baseUrl: z.string() })),
			checks: z.array(z.strictObject({ check: z.string(), state: z.string(), found: z.string(), mend: z.optional(z.string()) })),
		}),
	async run(context) {
		const data = await visit(context);
		const written = { ...data, checks: data.checks.map((one) => shownIn(one, ["mend"], context.report.shown)) };
		return { data, written, exit: data.state === "fault" ? "partial" : undefined };
	},
	text: (data, style) => {
		const { purser, node, platform, profile, checks } = data;
		const head = [
			`purser ${purser}, Node ${node}, ${platform}`,
			...(profile === null ? [] : [`Profile ${style.bold(profile.name)} (${profile.environment}): ${profile.baseUrl}`]),
		];
		const width = checks.reduce((widest, { check }) => Math.max(widest, check.length), 0) + 2;
		return [head.join("\n"), checks.flatMap((one) => linesOf(one, width, style)).join("\n"), closing(data, style)].join("\n\n");
	},
});

/** Columns of the state, before the check's name. */
const stateWidth = 9;

/** A command in the mend is never broken: it is copied from there. */
function linesOf({ check, state, found, mend }: Check, width: number, style: Style): string[] {
	const colour = { ok: style.good, warning: style.warn, fault: style.bad }[state];
	const margin = " ".repeat(stateWidth + width);
	const [first = "", ...more] = style.wrapped(style.localized(found), Math.max(30, style.columns - margin.length));
	return [
		`${colour(state.padEnd(stateWidth))}${style.bold(check.padEnd(width))}${first.trimStart()}`,
		...[...more, ...(mend === undefined ? [] : [style.shown(mend)])].map((line) => margin + line),
	];
}

function closing({ checks }: Visit, style: Style): string {
	const part = (state: Check["state"], colour: (text: string) => string): string => {
		const count = checks.filter((one) => one.state === state).length;
		return count === 0 ? "" : colour(`${count} ${state}${count === 1 ? "" : "s"}`);
	};
	const parts = [part("fault", style.bad), part("warning", style.warn)].filter(Boolean).join(", ");
	return parts === "" ? style.good("No faults.") : `${parts}.`;
}
