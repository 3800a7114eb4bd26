/**
 * One event as a line for people. Pure.
 */
import type { ServiceEvent } from "../ports/events.js";
import type { Style } from "../ports/style.js";

/** Columns from which one line has room for everything. */
const wide = 118;

/** `12:03:11 +00:00  transaction.approved  PENDING → APPROVED  confirmed`, and the record's id behind it or, where that is too long, below. */
export function eventLine(event: ServiceEvent, style: Style): string {
	const { subject } = event;
	const time = style.dim(style.clock(new Date(event.at)));
	const parts = [time, style.bold(event.type), change(event, style), certainty(event, style)].filter((part) => part !== "");
	const about = subject === null ? "" : `${subject.kind === "unknown" ? "" : `${subject.kind} `}${subject.id}`;
	if (style.columns >= wide) return [...parts.slice(0, 2), about, ...parts.slice(2)].filter((part) => part !== "").join("  ");
	return about === "" ? parts.join("  ") : `${parts.join("  ")}\n  ${style.dim(about)}`;
}

function change({ from, to, missed }: ServiceEvent, style: Style): string {
	if (to === null) return "";
	const arrow = missed ? "→ … →" : "→";
	return from === null || from === to ? style.status(to) : `${from} ${arrow} ${style.status(to)}`;
}

function certainty({ to, confirmed, source }: ServiceEvent, style: Style): string {
	if (confirmed === null) return style.dim("not confirmed");
	if (source === "poll") return "";
	return confirmed.status === to ? style.good("confirmed") : `now ${style.status(confirmed.status)}`;
}

/** The same for a program that reads text: one record a line, its cells after tabs. */
export function eventCells({ id, type, at, subject, from, to, source, confirmed }: ServiceEvent): string {
	return [at, type, subject?.kind ?? "", subject?.id ?? "", from ?? "", to ?? "", confirmed?.status ?? "", source, id].join("\t");
}
