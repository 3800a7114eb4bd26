/**
 * An overview as a page for a team lead: what is open, the most urgent first. Pure.
 */
import { purser } from "../../api/advice.js";
import type { Advice } from "../../errors.js";
import type { Block, Cell, Page } from "../../ports/page.js";
import { statusWords } from "../records/record.js";
import { type CompaniesRead, unreadWords } from "./overview.js";
import { commandOf, companiesText, countsText, itemTones, neededText, sinceWords, waitingOn } from "./text.js";

/** Most rows of the page where there is room. */
export const mostRows = 2_000;

interface PageOptions {
	/** Whether the rows hold no personal data. */
	masked: boolean;
	/** The profile and the environment. */
	of: string;
	madeBy: string;
	/** The KYB statuses that were asked for, where not all were. */
	only?: readonly string[];
	shown(advice: Advice): string;
}

export function overviewPage(overview: CompaniesRead, { masked, of, madeBy, only, shown }: PageOptions): Page {
	const { at, rows, counts, complete } = overview;
	const moment = (time: string | undefined): string | undefined =>
		Number.isNaN(Date.parse(time ?? "")) ? time : new Date(time as string).toISOString().slice(0, 16).replace("T", " ");
	const asked = only === undefined ? "" : ` (only ${only.map(statusWords).join(", ")})`;
	return {
		title: "Companies that need something",
		lead: "Until the KYB is decided, and once validated while something is missing. Who cannot pay comes first, then what compliance asked for, what waits for you, and the rest; the oldest first.",
		personalData: rows.length === 0 ? undefined : masked ? "masked" : "shown",
		madeBy,
		madeAt: at,
		of,
		sections: [
			{
				title: `${complete ? "" : "At least "}${companiesText(rows.length)}${asked}`,
				blocks: [
					...unreadWords(overview, masked).map((text): Block => ({ kind: "notice", tone: "warn", text: `${text}.` })),
					...(rows.length === 0 ? [] : [{ kind: "text", text: `${countsText(counts)}.` } as const]),
					{
						kind: "table",
						caption: "The most urgent first",
						columns: ["Company", "KYB", "Waiting on", "Still needed", "Since", "Next command"].map((name) => ({ name })),
						rows: rows.slice(0, mostRows).map((row): Cell[] => {
							const { name, corporateId, kybStatus, since, trouble, blocker } = row;
							const isAsked = kybStatus === "NEED_ADDITIONAL_INFORMATION";
							// What the service said about a failure may name a person.
							const lacking = trouble && `. Not all of its persons could be read${masked ? "" : `: ${trouble}`}`;
							return [
								name ?? corporateId,
								{ text: statusWords(kybStatus ?? "the service does not say"), tone: isAsked ? "bad" : undefined },
								{ text: waitingOn(row), tone: blocker && itemTones[blocker.state] },
								{ text: `${neededText(row, true)}${lacking ?? ""}`, tone: trouble === undefined ? undefined : "warn" },
								// As the terminal says it, in UTC, and by the time of the data.
								sinceWords(since, { moment, now: new Date(at) }),
								{ code: shown(commandOf(row)) },
							];
						}),
						empty: "No company needs anything.",
						of: rows.length,
						where: shown(purser`overview -o ndjson`),
					},
				],
			},
		],
	};
}
