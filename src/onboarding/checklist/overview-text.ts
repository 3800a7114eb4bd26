/**
 * An overview for people, at a terminal.
 */
import type { Style } from "../../ports/style.js";
import type { NotedOverview, OverviewRow } from "./overview.js";
import { sinceWords } from "./since.js";

export function overviewText({ rows, counts, otherCases = [] }: NotedOverview, style: Style): string {
	const others = otherCases.map(({ externalId, file }) => `  ${externalId}  ${style.dim(file)}`);
	const unlisted = others.length === 0 ? [] : ["", "Cases not among them (not created yet, or decided):", ...others];
	if (rows.length === 0) return ["No open companies.", ...unlisted].join("\n");
	const total = Object.entries(counts).flatMap(([state, count]) => (count > 0 ? [`${count} ${state}`] : []));
	const head = `${style.bold(`${rows.length} open compan${rows.length === 1 ? "y" : "ies"}`)}: ${total.join(", ")}`;
	const noted = rows.some(({ file }) => file !== undefined);
	const names = ["id", "name", "KYB", "waiting on", "still needed", "since", ...(noted ? ["assignee", "notes"] : [])];
	const cells = rows.map((row) => [
		row.corporateId ?? "",
		row.name ?? "",
		style.status(row.kybStatus),
		waitingOn(row),
		neededText(row),
		sinceWords(row.since, style) ?? "",
		...(noted ? [row.assignee ?? "", firstLine(row.notes)] : []),
	]);
	return [head, "", style.table(names, cells), ...unlisted].join("\n");
}

/** A table has room for one line; --json has all of it. Line ends are shown as ␊ by now. */
const firstLine = (notes = ""): string => notes.replace(/[\n\u240a].*$/s, " …");

/** Whom a company waits for. */
export const waitingOn = ({ blocker }: Pick<OverviewRow, "blocker">): string =>
	blocker === undefined ? "" : blocker.state === "waiting" ? (blocker.who ?? "waiting") : blocker.state === "to do" ? "you" : blocker.state;

/** What is still needed, and how much more. */
export function neededText({ blocker, open }: Pick<OverviewRow, "blocker" | "open">): string {
	if (blocker === undefined) return "nothing left";
	return `${blocker.label}${open > 1 ? ` (${open - 1} more)` : ""}`;
}
