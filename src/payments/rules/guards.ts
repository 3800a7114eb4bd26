/**
 * The settings that decide what money may be sent, and what is believed of it, in the form in which they go on record. Pure.
 */
import { approversOf } from "./approvers.js";

const written = (value: string): string => value.trim();

/**
 * Public keys alone, each in one way of writing, sorted. The names beside them are those of people, and the journal holds nothing personal;
 * nothing is decided by them, so a change of names alone is no change here.
 */
const keysIn = (value: string): string =>
	[...approversOf(value).keys()]
		.map((key) => Buffer.from(key, "base64url").toString("base64url"))
		.sort()
		.join(",");

const guards: Readonly<Record<string, (value: string) => string>> = {
	"cap-per-transfer": written,
	"cap-per-day": written,
	approval: written,
	approvers: keysIn,
	planners: keysIn,
	absence: written,
	"refusing-statuses": written,
	"duplicate-days": written,
	"settle-after": written,
};

/** Those of a profile's settings that guard money; what is not set, or empty, is absent. */
export function guardsOf(settings: Readonly<Record<string, string>>): Record<string, string> {
	const set = Object.entries(guards).map(([key, form]) => [key, form(settings[key] ?? "")] as const);
	return Object.fromEntries(set.filter(([, value]) => value !== ""));
}
