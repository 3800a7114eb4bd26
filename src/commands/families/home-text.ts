/**
 * The home as text: what waits, each with the command to type.
 */
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import type { Advice } from "../../errors.js";
import type { OverviewRow, WaitingCases } from "../../onboarding/checklist/overview.js";
import { sinceWords } from "../../onboarding/checklist/text.js";
import type { DraftRow } from "../../onboarding/wizard/draft.js";
import { countRows, standing } from "../../payments/batch/send/text.js";
import { subject } from "../../payments/rules/intent-text.js";
import type { Parties } from "../../payments/rules/parties.js";
import type { BatchRecord } from "../../ports/batches.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Profile } from "../../ports/profiles.js";
import type { Style } from "../../ports/style.js";

/** Maximum number of entries under one heading. */
export const maxShown = 5;

/** What could not be looked at. */
export interface Unread {
	what: string;
	why: string;
	fix?: Advice;
}

export interface Local {
	profile: Pick<Profile, "name" | "environment"> & { host: string };
	doubts: (IntentRecord & Parties)[];
	batches: BatchRecord[];
	drafts: DraftRow[];
	unread: Unread[];
}

export interface Home extends Partial<Local> {
	/** Absent where the service could not be asked, and where nothing is set up. */
	cases?: WaitingCases;
	/** Ctrl-C while it was read. */
	left?: true;
}

/** The part that is known at once. */
export function localText({ profile, doubts, batches, drafts, unread }: Local, style: Style): string {
	const kind = profile.environment === "live" ? style.bad("LIVE") : style.good(profile.environment);
	const parts = [
		`${style.dim("Profile")} ${profile.name}  ${kind}  ${style.dim(profile.host)}`,
		...listed(
			style,
			"In doubt",
			doubts,
			(one) => [`Intent ${one.intent}: ${subject(one, style)}`, purser`pay settle ${one.intent}`],
			purser`pay doubts`,
		),
		...listed(
			style,
			"Batches not finished",
			batches,
			(one) => [`Batch ${one.batch}: ${standing(one)}; ${rowsOf(one)}`, purser`pay batch status ${one.batch}`],
			purser`pay batch list`,
		),
		...listed(
			style,
			"Onboardings not finished",
			drafts,
			(one) => [
				`${one.company ?? one.name}: ${one.trouble ?? `next: ${one.nextQuestion ?? "review and send"}`}`,
				purser`onboard resume ${one.name}`,
			],
			purser`onboard list`,
		),
		...unreadText(unread, style),
	];
	return parts.join("\n");
}

const rowsOf = (batch: BatchRecord): string =>
	countRows(batch)
		.map(([words, rows]) => `${words.toLowerCase()} ${rows}`)
		.join(", ");

/** A heading with entries, each with its command on a line of its own. */
function listed<T>(style: Style, title: string, all: readonly T[], entry: (one: T) => [string, Advice], rest: Advice): string[] {
	if (all.length === 0) return [];
	const rows = all.slice(0, maxShown).map(entry);
	const lines = rows.flatMap(([text, command]) => [`  ${text}`, `    ${style.accent(style.shown(command))}`]);
	return ["", style.bold(title), ...lines, ...(all.length > maxShown ? [`  More: ${style.shown(rest)}`] : [])];
}

const unreadText = (unread: readonly Unread[], style: Style): string[] =>
	unread.flatMap(({ what, why, fix }) => [
		"",
		`${style.warn("Not checked:")} ${what}`,
		`  ${why.charAt(0).toUpperCase()}${why.slice(1)}`,
		...(fix === undefined
			? []
			: style
					.shown(fix)
					.split("\n")
					.map((line) => `  ${line}`)),
	]);

/** The part that the service was asked for. */
export function casesText({ profile, cases, doubts = [], batches = [], drafts = [], unread = [] }: Home, style: Style): string {
	if (profile === undefined) return "";
	if (cases === undefined) return unreadText(unread.slice(-1), style).join("\n");
	const { yours, others, looked, open, more, incomplete } = cases;
	const nothing = yours.length + doubts.length + batches.length + drafts.length === 0;
	const remarks = [
		others > 0 ? `${countOf(others)} for somebody else` : "",
		open > looked || more ? `${looked} of ${more ? "more than " : ""}${open} open companies were checked, longest unchanged first` : "",
		incomplete > 0 ? `the persons of ${incomplete} could not be read` : "",
	].filter(Boolean);
	return [
		...listed(style, "Companies that wait for you", yours, (row) => [caseLine(row, style), commandOf(row)], purser`overview`),
		...(nothing ? ["", "Nothing waits for you."] : []),
		...(remarks.length > 0
			? ["", `${remarks.join("; ")}: ${style.shown(purser`overview`)}`.replace(/^./, (first) => first.toUpperCase())]
			: []),
	].join("\n");
}

const countOf = (count: number): string => (count === 1 ? "1 company waits" : `${count} companies wait`);

function caseLine({ name, corporateId, blocker, since, open }: OverviewRow, style: Style): string {
	const time = sinceWords(since, style);
	const needed = `${blocker?.label}${blocker?.why === undefined ? "" : ` (${blocker.why})`}`;
	const facts = [`still needed: ${needed}`, open > 1 ? `${open - 1} more` : "", time === undefined ? "" : `since ${time}`];
	return `${style.bold(name ?? corporateId ?? "A company without a name")}: ${facts.filter(Boolean).join("; ")}`;
}

const commandOf = ({ corporateId, blocker }: OverviewRow): Advice =>
	blocker?.command ?? purser`corporate status ${typed(corporateId, "CORPORATE")}`;
