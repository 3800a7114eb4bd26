/**
 * One event as a line, the same wherever events are printed or listed. Pure.
 */
import type { ServiceEvent } from "../ports/events.js";
import type { Called } from "../ports/resolver.js";
import type { Style } from "../ports/style.js";

/**
 * For people: `12:03:11 +00:00  transaction.approved  PENDING → APPROVED  confirmed`, and below what it is about, the record's id and the event's.
 */
export function eventLine(event: ServiceEvent, style: Style, time = style.clock(new Date(event.at))): string {
	const filled = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("  ");
	const what = [style.dim(time), style.bold(event.type), change(event, style), certainty(event, style)];
	// Enough of an id to show the event by.
	const which = style.dim(filled([aboutWords(event), event.id.slice(0, 12)]));
	return [filled(what), aboutName(event, style), which].filter(Boolean).join("\n  ");
}

/** `12.50 EUR to Example Supplies Ltd`, or `Ada Example, Example Bakery SAS`; undefined where nothing told it. */
export function aboutName({ subject }: Pick<ServiceEvent, "subject">, style: Pick<Style, "called">): string | undefined {
	return subject === null || subject.kind === "unknown" ? undefined : style.called(subject.kind, subject.id);
}

export const calledIn = (events: readonly Pick<ServiceEvent, "subject">[]): Called[] =>
	events.flatMap(({ subject }) => (subject === null || subject.kind === "unknown" ? [] : [[subject.kind, subject.id] as const]));

/** `transaction 3f1c9a52-…`; empty where nothing says what it is about. */
export const aboutWords = ({ subject }: Pick<ServiceEvent, "subject">): string =>
	subject === null ? "" : `${subject.kind === "unknown" ? "" : `${subject.kind} `}${subject.id}`;

function change({ from, to }: ServiceEvent, style: Style): string {
	if (to === null) return "";
	return from === null || from === to ? style.status(to) : `${from} → ${style.status(to)}`;
}

function certainty({ to, confirmed, source }: ServiceEvent, style: Style): string {
	if (confirmed === null) return style.dim("not confirmed");
	if (source === "poll") return "";
	return confirmed.status === to ? style.good("confirmed") : `now ${style.status(confirmed.status)}`;
}

/** The same for a program that reads text. */
export const eventColumns = ["time", "type", "kind", "about", "from", "to", "confirmed", "source", "event"];
export const eventCells = ({ id, type, at, subject, from, to, source, confirmed }: ServiceEvent): string[] => [
	at,
	type,
	subject?.kind ?? "",
	subject?.id ?? "",
	from ?? "",
	to ?? "",
	confirmed?.status ?? "",
	source,
	id,
];
