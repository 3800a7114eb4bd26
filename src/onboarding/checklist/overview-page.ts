/**
 * An overview as a page for a team lead: what is open, the most urgent first. Pure.
 */
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import type { Advice } from "../../errors.js";
import type { Block, Cell, Page, Section, Tone } from "../../ports/page.js";
import { statusWords } from "../records/status-words.js";
import type { OpenState } from "./checklist.js";
import type { NotedOverview, OverviewRow } from "./overview.js";
import { neededText, sinceWords, waitingOn } from "./text.js";

/** Most rows of the page where there is room. */
export const mostRows = 2_000;
/** Most characters of a cell. */
const mostText = 300;

interface Looks {
	/** Blockers as they may be shown, in the order of the rows; undefined: those of the rows, which hold personal data. */
	masked?: readonly OverviewRow["blocker"][];
	/** The profile and the environment. */
	of: string;
	madeBy: string;
	/** The KYB statuses that were asked for, where not all were. */
	only?: readonly string[];
	shown(advice: Advice): string;
}

/**
 * The page.
 * @param most rows of a table
 */
export function overviewPage(overview: NotedOverview, looks: Looks, most = mostRows): Page {
	const { at, rows } = overview;
	return {
		title: "Open companies",
		lead: "A company is open until its KYB is decided. What compliance asked for comes first, then what waits for you, then the rest; the oldest first.",
		personalData: rows.length === 0 ? undefined : looks.masked === undefined ? "shown" : "masked",
		madeBy: looks.madeBy,
		madeAt: at,
		of: looks.of,
		sections: [glance(overview, looks), companies(overview, looks, most), ...otherCases(overview, most)].filter(
			({ blocks }) => blocks.length > 0 || rows.length === 0,
		),
	};
}

const stateWords: Readonly<Record<OpenState | "complete", string>> = {
	"to do": "waiting for you",
	declined: "declined",
	waiting: "waiting for others",
	blocked: "blocked",
	unknown: "not known",
	complete: "nothing left to do",
};

function glance({ at, rows, counts, complete, notLookedAt, stoppedAfter }: NotedOverview, { only, masked }: Looks): Section {
	const notices: string[] = [];
	const part = rows.filter(({ trouble }) => trouble !== undefined).length - notLookedAt;
	if (stoppedAfter !== undefined)
		notices.push(
			`Reading stopped after ${stoppedAfter}: ${rows.length} companies were listed and ${notLookedAt} of them not checked. There may be more.`,
		);
	if (part > 0) notices.push(`The persons of ${part === 1 ? "1 company" : `${part} companies`} could not all be read; their rows say so.`);
	if (!complete && notices.length === 0) notices.push("Not all companies were listed: there may be more.");
	const bars = Object.entries(stateWords)
		.map(([state, label]) => ({ label, count: counts[state as OpenState | "complete"] }))
		.filter(({ count }) => count > 0);
	const notes = rows.some(({ notes: text }) => text !== undefined);
	const blocks: Block[] = [
		...notices.map((text): Block => ({ kind: "notice", tone: "warn", text })),
		{
			kind: "facts",
			rows: [
				["Read at", { time: at }],
				["Open companies", `${rows.length}${complete ? "" : " or more"}`],
				["KYB status", only === undefined ? undefined : `only ${only.map(statusWords).join(", ")}`],
			],
		},
		...(rows.length === 0 ? [] : [{ kind: "histogram", caption: "What they wait for", bars } as const]),
		...(notes && masked !== undefined
			? [{ kind: "text", tone: "quiet", text: "Notes of case files are not shown: a free text cannot be masked." } as const]
			: []),
	];
	return { title: "At a glance", blocks };
}

const tones: Readonly<Record<OpenState, Tone>> = { "to do": "warn", declined: "bad", waiting: "quiet", blocked: "quiet", unknown: "warn" };

function companies({ at, rows }: NotedOverview, looks: Looks, most: number): Section {
	const cased = rows.some(({ file }) => file !== undefined);
	const noted = cased && looks.masked === undefined;
	const names = ["Company", "KYB", "Waiting on", ...(cased ? ["Assignee"] : []), "Still needed", "Since", "Next command"];
	return {
		title: "Companies",
		blocks: [
			{
				kind: "table",
				caption: "The most urgent first",
				columns: [...names, ...(noted ? ["Notes"] : [])].map((name) => ({ name })),
				rows: rows.slice(0, most).map((row, place): Cell[] => {
					const { name, corporateId, kybStatus, since, assignee, notes } = row;
					const blocker = looks.masked === undefined ? row.blocker : looks.masked[place];
					return [
						short(name ?? corporateId ?? ""),
						{
							text: statusWords(kybStatus ?? "the service does not say"),
							tone: kybStatus === "NEED_ADDITIONAL_INFORMATION" ? "bad" : undefined,
						},
						{ text: short(waitingOn({ blocker })), tone: blocker && tones[blocker.state] },
						...(cased ? [assignee && short(assignee)] : []),
						needed({ ...row, blocker }, looks.masked !== undefined),
						sinceText(since, at),
						{ code: commandOf(row, looks) },
						...(noted ? [notes && short(notes)] : []),
					];
				}),
				empty: "No open companies.",
				more:
					rows.length > most
						? `The first ${most} of ${rows.length} companies. All of them: ${looks.shown(purser`overview -o ndjson`)}`
						: undefined,
			},
		],
	};
}

/** What the service said about a failure may name a person. */
function needed(row: OverviewRow, masks: boolean): Cell {
	const { trouble, blocker } = row;
	const why = blocker?.why === undefined ? "" : `: ${statusWords(blocker.why)}`;
	const text = short(`${neededText(row)}${why}`);
	return trouble === undefined
		? text
		: { text: `${text}. Not all of its persons could be read${masks ? "" : `: ${short(trouble)}`}`, tone: "warn" };
}

function commandOf({ blocker, corporateId }: OverviewRow, { shown }: Looks): string {
	return shown(blocker?.command ?? purser`corporate status ${typed(corporateId, "CORPORATE")}`);
}

/** As the terminal says it, `19 Feb, 10 days`: in UTC, and by the time of the data. */
function sinceText(since: string | undefined, at: string): string | undefined {
	const moment = (time: string | undefined): string | undefined =>
		Number.isNaN(Date.parse(time ?? "")) ? time : new Date(time as string).toISOString().slice(0, 16).replace("T", " ");
	return sinceWords(since && short(since), { moment, now: new Date(at) });
}

const short = (text: string): string => (text.length > mostText ? `${text.slice(0, mostText)}…` : text);

function otherCases({ otherCases: cases = [] }: NotedOverview, most: number): Section[] {
	if (cases.length === 0) return [];
	return [
		{
			title: "Case files without an open company",
			blocks: [
				{ kind: "text", text: "These companies are not created yet, or their KYB is decided." },
				{
					kind: "table",
					caption: "Case files",
					columns: [{ name: "Your reference" }, { name: "File" }],
					rows: cases.slice(0, most).map(({ externalId, file }) => [short(externalId), { code: short(file) }]),
					empty: "",
					more: cases.length > most ? `The first ${most} of ${cases.length}.` : undefined,
				},
			],
		},
	];
}
