/**
 * Moments typed as a span back, a named day or a day of the calendar: commands get them as RFC 3339, and the person sees how they were
 * understood.
 */

import { describe } from "../../api/schema.js";
import { readMoment } from "../../api/typed.js";
import type { Style } from "../../ports/style.js";
import type { AnyCommand } from "../command.js";
import { flagOf } from "../names.js";
import type { Global } from "./options.js";

/** The checked input with its moments as times. People see what became of those that were typed in another form, on standard error. */
export function readMoments(
	{ input }: Pick<AnyCommand, "input">,
	data: Record<string, unknown>,
	now: Date,
	{ global: { utc, format }, line, style }: { global: Pick<Global, "utc" | "format">; line(text: string): void; style: Style },
): Record<string, unknown> {
	const read = { ...data };
	for (const { name, meta } of describe(input).fields ?? []) {
		const given = read[name];
		if (meta.moment === undefined || typeof given !== "string") continue;
		const at = readMoment(given, { now, utc, end: meta.moment === "end" });
		read[name] = at;
		if (at !== given && format.people) line(style.dim(`${flagOf(meta.alias ?? name)} ${given}: ${style.moment(at)}`));
	}
	return read;
}
