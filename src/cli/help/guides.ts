/**
 * Topics of `purser help` that are sections of the Markdown pages installed with the program.
 */
import type { Outside } from "../../context.js";
import { shippedPage } from "../shipped-page.js";

interface Guide {
	/** What the topic is about, for the list of topics. */
	summary: string;
	/** Pages by their path from the root of the package, each whole or one section of it by its heading. */
	sections: readonly (readonly [page: string, heading?: string])[];
}

const readme = "README.md";
const payments = "src/payments/README.md";

export const guides = {
	start: { summary: "Two minutes in the sandbox", sections: [[readme, "Two minutes in the sandbox"]] },
	tasks: { summary: "Ten tasks of a day, each with what to type", sections: [["src/cli/TASKS.md"]] },
	words: { summary: "The terms that you will meet", sections: [[readme, "Words you will meet"]] },
	names: { summary: "Names, externalIds and other words in place of ids", sections: [["src/names/README.md"]] },
	onboarding: {
		summary: "Onboard a company: the wizard, case files, many companies",
		sections: [[readme, "Onboard a company"], ["src/onboarding/README.md"]],
	},
	payments: { summary: "Send a payment, and what to do after exit code 7", sections: [[readme, "Pay"]] },
	doubts: {
		summary: "Settle payments that are in doubt; duplicates, limits, currencies",
		sections: [
			[payments, "Settling a doubt"],
			[payments, "Duplicates, limits and currencies"],
		],
	},
	batches: { summary: "Send a file of payments", sections: [[payments, "Batches"]] },
	approval: { summary: "Approval by a second person", sections: [[payments, "Approval by a second person"]] },
	journal: { summary: "Back up, restore and check the journal", sections: [["src/journal/README.md"]] },
	scripts: { summary: "Use purser in scripts", sections: [[readme, "Use in scripts"]] },
	connect: {
		summary: "Connect your own service: profiles, login, settings",
		sections: [[readme, "Connect your own service"], ["src/config/README.md"]],
	},
	mapping: { summary: "Where your service has other paths, names or forms", sections: [["src/mapping/README.md"]] },
	assumptions: { summary: "What is known and what is assumed of the service", sections: [["src/api/README.md"]] },
	safety: {
		summary: "What is promised about money, and what breaks it",
		sections: [
			[readme, "Safety"],
			[payments, "The promise"],
			[payments, "What breaks it"],
		],
	},
	testing: { summary: "The sandbox: play persons, compliance, time and faults", sections: [["src/sandbox/README.md"]] },
	troubleshooting: { summary: "When something does not work", sections: [[readme, "Troubleshooting"]] },
	commands: { summary: "The reference of all commands", sections: [["src/commands/README.md"]] },
	licences: { summary: "Whose code is inside, and its licences", sections: [["dist/THIRD-PARTY-NOTICES"]] },
} as const satisfies Readonly<Record<string, Guide>>;

export type GuideName = keyof typeof guides;

export const guideNames = Object.keys(guides) as GuideName[];

/**
 * The Markdown of a topic.
 * @throws PurserError usage, where the pages were not installed with the program
 */
export async function guideText(name: GuideName, outside: Pick<Outside, "system">): Promise<string> {
	const { sections }: Guide = guides[name];
	const texts: string[] = [];
	for (const [page, heading] of sections) {
		const text = await shippedPage(page, outside);
		texts.push(heading === undefined ? text : sectionOf(text, heading));
	}
	return texts.map((text) => text.trim()).join("\n\n");
}

/** A section from its heading to the next heading of the same or a higher level. */
function sectionOf(page: string, heading: string): string {
	const lines = page.split("\n");
	const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
	const level = /^#+/.exec(lines[start] ?? "")?.[0].length ?? 0;
	let fenced = false;
	const length = lines.slice(start + 1).findIndex((line) => {
		if (line.startsWith("```")) fenced = !fenced;
		const depth = fenced ? 0 : (/^(#+) /.exec(line)?.[1]?.length ?? 0);
		return depth > 0 && depth <= level;
	});
	return lines.slice(start, length < 0 ? undefined : start + 1 + length).join("\n");
}
