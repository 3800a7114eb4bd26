/**
 * What a probe means for the profile: in one line, and as what is kept with each operation.
 */

import { advice, purser } from "../api/advice.js";
import { serviceAddress } from "../api/service-address.js";
import { isUrl } from "../api/text/url.js";
import type { ProbeAnswer, Probed, Profile } from "../ports/profiles.js";
import { type Check, fault, ok, warning } from "./check.js";
import type { Mistake } from "./mistake.js";
import type { FoundOperation, ProbeReport } from "./probe.js";
import { notAsDescribed } from "./verdict.js";

/** Method and address of an operation as the profile has it: what was found for another one says nothing of it. */
export const addressProbed = ({ baseUrl }: Profile, { method, path }: { method: string; path: string }): string =>
	`${method} ${isUrl(baseUrl) ? serviceAddress(baseUrl) : baseUrl}${path}`;

/** What the profile keeps after a probe: of what was answered. @param profile that was probed */
export function probedOf(profile: Profile, { at, operations }: ProbeReport): Record<string, Probed> {
	const answered = operations.filter(({ status }) => status !== null);
	return Object.fromEntries(
		answered.map(({ operation, answer, evidence, ...known }) => [operation, { at, answer, evidence, of: addressProbed(profile, known) }]),
	);
}

export const answerWords: Readonly<Record<ProbeAnswer, string>> = {
	"as-described": "answers as described",
	exists: "exists",
	"not-there": "not there",
	"cannot-be-told": "cannot be told",
};

/** The probe as one check. */
export function serviceCheck({ stopped, operations }: ProbeReport, mistake: Mistake | undefined): Check {
	const check = "service";
	if (mistake !== undefined) return fault(check, mistake.found, mistake.mend);
	const named = (answer: ProbeAnswer): FoundOperation[] => operations.filter((one) => one.answer === answer);
	const counts = (["as-described", "exists", "not-there", "cannot-be-told"] as const)
		.map((answer) => ({ answer, count: named(answer).length }))
		.filter(({ count }) => count > 0)
		.map(({ answer, count }) => `${count} ${count === 1 ? answerWords[answer] : plural[answer]}`)
		.join(", ");
	const found = `${counts}${stopped === undefined ? "" : `; it stopped ${stopped}`}`;
	const [missing] = named("not-there");
	if (missing !== undefined)
		return warning(check, found, advice`Say in the mapping where ${missing.operation} is, or that it is none: ${purser`help mapping`}`);
	const odd = operations.find(({ evidence }) => evidence.some((words) => words.includes(notAsDescribed)));
	if (odd !== undefined)
		return warning(check, found, advice`Say in the mapping where the answer of ${odd.operation} has its fields: ${purser`help mapping`}`);
	if (stopped !== undefined) return warning(check, found, "Run it again later.");
	if (operations.every(({ answer }) => answer === "cannot-be-told"))
		return warning(
			check,
			`${found}: no answer says what is there`,
			advice`Check the address (${purser`config explain base-url`}) and the login (${purser`auth status`})`,
		);
	return ok(check, found);
}

const plural: Readonly<Record<ProbeAnswer, string>> = {
	"as-described": "answer as described",
	exists: "exist",
	"not-there": "not there",
	"cannot-be-told": "cannot be told",
};
