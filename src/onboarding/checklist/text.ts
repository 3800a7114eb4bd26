/**
 * A checklist and an overview for people: at a terminal, and the overview as a page. Pure.
 */
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import type { Advice } from "../../errors.js";
import type { Block, Cell, Page, Tone } from "../../ports/page.js";
import type { Style } from "../../ports/style.js";
import { paragraph, statusWords } from "../records/record.js";
import type { Checklist, Item, ItemState, Step } from "./checklist.js";
import { type CompaniesRead, type Overview, type OverviewRow, unreadWords } from "./overview.js";

type ChecklistStyle = Pick<Style, "bold" | "dim" | "good" | "bad" | "warn" | "now" | "status" | "columns" | "wrapped" | "pairs">;

/** Why each step is there, for --explain. */
const reasons: Readonly<Record<Step, string>> = {
	terms: "The latest terms must be accepted before any financial service, and again after each update.",
	email: "The account owner verifies the email by the link that is sent to it.",
	related: "Every UBO and every director must be declared; a UBO holds at least the threshold of shares through all layers.",
	kyc: "Every UBO and every director does a KYC, at least one director in full with liveness. The KYB can only become VALIDATED once every requested KYC is.",
	kyb: "The compliance team reviews the company once the KYB is requested. It may be requested before the KYCs are done.",
	phone: "Optional: the account owner's phone is verified by a code sent to it.",
};

/** The same checklist with the reason of each step in its items. */
export function explained(checklist: Checklist): Checklist {
	return { ...checklist, items: checklist.items.map((item) => ({ ...item, reason: reasons[item.step] })) };
}

/** The first word is the state: no meaning in colour alone. */
export function checklistText(checklist: Checklist, style: ChecklistStyle): string {
	const { corporateId, name, kybStatus, paymentsStoppedBy: stops, items, complete } = checklist;
	const head = style.pairs([
		["Company", name === undefined ? undefined : style.bold(name)],
		["Id", corporateId],
		["KYB", style.status(kybStatus)],
		["Payments", stops.length > 0 ? style.bad(`stopped: ${stops.join("; ")}`) : undefined],
	]);
	const lines = items.flatMap((item, at) => [
		...itemLines(item, sameHead(items[at - 1], item), style),
		...(item.reason !== undefined && items[at + 1]?.step !== item.step ? paragraph(item.reason, 12, style).map(style.dim) : []),
	]);
	return [head, "", ...lines, ...(complete ? ["", style.good("Everything is done.")] : [])].join("\n");
}

/** Several remarks about the same item are shown below one line. */
const sameHead = (before: Item | undefined, { state, label, why }: Item): boolean =>
	why !== undefined && before?.state === state && before.label === label;

/** How the state of an item is marked, here and on pages. */
export const itemTones = {
	done: "good",
	"to do": "warn",
	waiting: "warn",
	blocked: "bad",
	declined: "bad",
	optional: "quiet",
	unknown: "warn",
} as const satisfies Readonly<Record<ItemState, Tone>>;

function itemLines(item: Item, below: boolean, style: ChecklistStyle): string[] {
	const tone = itemTones[item.state];
	const first = `  ${style[tone === "quiet" ? "dim" : tone](item.state.padEnd(8))}  ${item.label}`;
	const more = remark(item, style);
	return [...(below ? [] : [first]), ...(more === "" ? [] : paragraph(more, 12, style).map(style.dim))];
}

/** Who, since when and why, on one line. */
function remark({ who, since, why, state }: Item, style: ChecklistStyle): string {
	const time = sinceWords(since, style.now);
	return [
		who === undefined ? "" : state === "waiting" ? `for ${who}` : `The ${who} must accept`,
		time === undefined ? "" : `since ${time}`,
		why === undefined ? "" : state === "blocked" ? `by: ${why}` : statusWords(why),
	]
		.filter(Boolean)
		.join("; ");
}

/** The day of a moment, and how many days ago it was: `2026-02-26, 3 days`. Text that is no moment comes back as it is. */
export function sinceWords(since: string | undefined, now: Date): string | undefined {
	const days = Math.floor((now.getTime() - Date.parse(since ?? "")) / 86_400_000);
	if (since === undefined || Number.isNaN(days)) return since;
	const day = new Date(since).toISOString().slice(0, 10);
	return days < 1 ? day : `${day}, ${days} day${days === 1 ? "" : "s"}`;
}

/** `2 companies need something`. */
const companiesText = (count: number): string => (count === 1 ? "1 company needs something" : `${count} companies need something`);

/** `1 to do, 2 waiting`. */
const countsText = (counts: Overview["counts"]): string =>
	Object.entries(counts)
		.flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : []))
		.join(", ");

export function overviewText({ rows, counts }: Pick<Overview, "rows" | "counts">, style: Style): string {
	if (rows.length === 0 && !style.cells) return "No company needs anything.";
	const names = ["id", "name", "KYB", "waiting on", "still needed", "since"];
	const cells = rows.map((row) => [
		row.corporateId ?? "",
		row.name ?? "",
		style.status(row.kybStatus),
		waitingOn(row),
		neededText(row),
		sinceWords(row.since, style.now) ?? "",
	]);
	return [`${style.bold(companiesText(rows.length))}: ${countsText(counts)}`, "", style.table(names, cells)].join("\n");
}

/** Whom a company waits for. */
const waitingOn = ({ blocker }: OverviewRow): string =>
	blocker === undefined ? "" : blocker.state === "waiting" ? (blocker.who ?? "waiting") : blocker.state === "to do" ? "you" : blocker.state;

/** What is still needed, and how much more. @param whole with the reason */
function neededText({ blocker, open }: OverviewRow, whole = false): string {
	if (blocker === undefined) return "nothing left";
	const { step, state, label, why } = blocker;
	const more = open > 1 ? ` (${open - 1} more)` : "";
	if (step === "terms" && state === "to do") return `terms not accepted, no payments until then${more}`;
	return `${label}${whole && why !== undefined ? `: ${statusWords(why)}` : ""}${more}`;
}

/** What to type for a company. */
export const commandOf = ({ corporateId, blocker }: OverviewRow): Advice =>
	blocker?.command ?? purser`corporate status ${typed(corporateId, "CORPORATE")}`;

/** One company of those that wait, on one line: `Example Bakery SAS: terms not accepted, no payments until then`. */
export function waitingText(row: OverviewRow, style: Style): string {
	const { name, corporateId, blocker, since } = row;
	const time = sinceWords(since, style.now);
	const kind = blocker?.state === "optional" ? "optional, " : "";
	return `${style.bold(name ?? corporateId ?? "A company without a name")}: ${kind}${neededText(row, true)}${time === undefined ? "" : `; since ${time}`}`;
}

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
								// By the time of the data.
								sinceWords(since, new Date(at)),
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
