/**
 * Flags by which a test that is about something else passes the gates of a KYB request.
 */
import type { Gate } from "../../src/onboarding/kyb/gates.js";

/** Passes these gates. */
export const despite = (...gates: readonly Gate[]): string[] => [
	...gates.flatMap((gate) => ["--despite", gate]),
	"--reason",
	"the test is about something else",
];

/** Passes every gate. */
export const everyGate = despite("no-director", "shares-over-100", "owner-missing", "review-not-seen");
/** The same in a line. */
export const gatesLine = everyGate.map((word) => (word.includes(" ") ? `"${word}"` : word)).join(" ");
