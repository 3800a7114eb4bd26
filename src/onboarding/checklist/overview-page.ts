/**
 * An overview as a page for a team lead: what is open, the most urgent first. Pure.
 */
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import type { Advice } from "../../errors.js";
import type { Block, Cell, Page, Section, Tone } from "../../ports/page.js";
import { statusWords } from "../records/record.js";
import { type OverviewRow, type ReachedOverview, type RowState, unread } from "./overview.js";
import { companiesText, neededText, sinceWords, waitingOn } from "./text.js";

/** Most rows of the page where there is room. */
export const mostRows = 2_000;

interface PageOptions {
	/** Blockers as they may be shown, in the order of the rows; undefined: those of the rows, which hold personal data. */
	masked?: readonly OverviewRow["blocker"][];
	/** The profile and the environment. */
	of: string;
	madeBy: string;
	/** The KYB statuses that were asked for, where not all were. */
	only?: readonly string[];
	shown(advice: Advice): string;
}

export function overviewPage(overview: ReachedOverview, options: PageOptions): Page {
	const { at, rows } = overview;
	return {
		title: "Companies that need something",
		lead: "Until the KYB is decided, and once validated while something is missing. Who cannot pay comes first, then what compliance asked for, what waits for you, and the rest; the oldest first.",
		personalData: rows.length === 0 ? undefined : options.masked === undefined ? "shown" : "masked",
		madeBy: options.madeBy,
		madeAt: at,
		of: options.of,
		sections: [companies(overview, options)],
	};
}

const stateWords: Readonly<Record<RowState | "complete", string>> = {
	"to do": "waiting for you",
	declined: "declined",
	waiting: "waiting for others",
	blocked: "blocked",
	unknown: "not known",
	optional: "with an optional step left",
	complete: "with nothing left to do",
};

const tones: Readonly<Record<RowState, Tone>> = {
	"to do": "warn",
	declined: "bad",
	waiting: "quiet",
	blocked: "quiet",
	unknown: "warn",
	optional: "quiet",
};

function companies(overview: ReachedOverview, options: PageOptions): Section {
	const { at, rows, counts, complete } = overview;
	const states = Object.entries(stateWords).flatMap(([state, words]) => {
		const count = counts[state as RowState | "complete"];
		return count > 0 ? [`${count} ${words}`] : [];
	});
	const only = options.only === undefined ? "" : ` (only ${options.only.map(statusWords).join(", ")})`;
	return {
		title: `${complete ? "" : "At least "}${companiesText(rows.length)}${only}`,
		blocks: [
			...notices(overview).map((text): Block => ({ kind: "notice", tone: "warn", text })),
			...(states.length === 0 ? [] : [{ kind: "text", text: `${states.join(", ")}.` } as const]),
			{
				kind: "table",
				caption: "The most urgent first",
				columns: ["Company", "KYB", "Waiting on", "Still needed", "Since", "Next command"].map((name) => ({ name })),
				rows: rows.slice(0, mostRows).map((row, place): Cell[] => {
					const { name, corporateId, kybStatus, since } = row;
					const blocker = options.masked === undefined ? row.blocker : options.masked[place];
					return [
						name ?? corporateId,
						{
							text: statusWords(kybStatus ?? "the service does not say"),
							tone: kybStatus === "NEED_ADDITIONAL_INFORMATION" ? "bad" : undefined,
						},
						{ text: waitingOn({ blocker }), tone: blocker && tones[blocker.state] },
						needed({ ...row, blocker }, options.masked !== undefined),
						sinceText(since, at),
						{ code: commandOf(row, options) },
					];
				}),
				empty: "No company needs anything.",
				of: rows.length,
				where: options.shown(purser`overview -o ndjson`),
			},
		],
	};
}

/** What was not read. */
function notices({ rows, complete, notChecked, stoppedAfter }: ReachedOverview): string[] {
	const part = rows.filter(({ trouble }) => trouble !== undefined && trouble !== unread).length;
	const found = [
		...(stoppedAfter === undefined
			? []
			: [`Reading stopped after ${stoppedAfter}: ${notChecked} companies were not checked. There may be more.`]),
		...(part > 0 ? [`The persons of ${part === 1 ? "1 company" : `${part} companies`} could not all be read; their rows say so.`] : []),
	];
	return !complete && found.length === 0 ? ["Not all companies were listed: there may be more."] : found;
}

/** What the service said about a failure may name a person. */
function needed(row: OverviewRow, masks: boolean): Cell {
	const { trouble, blocker } = row;
	const why = blocker?.why === undefined ? "" : `: ${statusWords(blocker.why)}`;
	const text = `${neededText(row)}${why}`;
	return trouble === undefined
		? text
		: { text: `${text}. Not all of its persons could be read${masks ? "" : `: ${trouble}`}`, tone: "warn" };
}

function commandOf({ blocker, corporateId }: OverviewRow, { shown }: PageOptions): string {
	return shown(blocker?.command ?? purser`corporate status ${typed(corporateId, "CORPORATE")}`);
}

/** As the terminal says it, `19 Feb, 10 days`: in UTC, and by the time of the data. */
function sinceText(since: string | undefined, at: string): string | undefined {
	const moment = (time: string | undefined): string | undefined =>
		Number.isNaN(Date.parse(time ?? "")) ? time : new Date(time as string).toISOString().slice(0, 16).replace("T", " ");
	return sinceWords(since, { moment, now: new Date(at) });
}
