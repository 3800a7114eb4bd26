/**
 * Learns the service's clock from answers, and warns the operator if this machine's differs.
 */

import { advice, purser } from "../api/advice.js";
import { serviceAddress } from "../api/service-address.js";
import type { Context } from "../context.js";
import type { Advice } from "../errors.js";
import type { Moment, ServiceClock } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import type { WireOutcome } from "../ports/wire.js";
import type { Content } from "./content.js";
import type { Call } from "./job.js";

/** Milliseconds by which the clocks may differ before the operator is warned. */
const tolerated = 5 * 60_000;

/** Of a run: what it heard last, so that the thousand answers of one second are read once; whether the person was told. */
const datesOfRun = new WeakMap<ServiceClock, { date?: string; isWarned?: boolean }>();

/**
 * Takes the time from an answer, where it is the service's own word about now: not from an error of a gateway's, not from a page that is
 * not the service's, not from a cache. The person is told once a run where this machine's clock is wrong.
 * @param asked monotonic milliseconds at which the request began
 */
export function noteServiceTime(
	{ context, profile }: Pick<Call, "context" | "profile">,
	asked: number,
	outcome: WireOutcome,
	content?: Content,
): void {
	if (outcome.kind !== "answer" || outcome.headers.date === undefined) return;
	if (outcome.status >= 500 || outcome.headers.age !== undefined) return;
	if (content?.kind !== "json" && !(content?.kind === "empty" && outcome.status < 300)) return;
	const { clock } = context;
	const run = datesOfRun.get(clock.service) ?? {};
	const date = `${outcome.headers.date} ${profile.baseUrl}`;
	if (run.date === date) return;
	const dated = timeOf(outcome.headers.date);
	if (dated === undefined) return;
	const service = serviceAddress(profile.baseUrl);
	clock.service.noteDate(service, dated, asked);
	const skew = clock.service.skew(service) ?? 0;
	const wrong = Math.abs(skew) > tolerated;
	if (wrong && !run.isWarned) context.report.warn(warningOf(skew, profile));
	datesOfRun.set(clock.service, { date, isWarned: run.isWarned || wrong });
}

/** Milliseconds since 1970 of a `Date` header; undefined if it is not exactly of the form of RFC 9110 (5.6.7). */
function timeOf(header: string | undefined): number | undefined {
	const time = Date.parse(header ?? "");
	return !Number.isNaN(time) && new Date(time).toUTCString() === header ? time : undefined;
}

function warningOf(skew: number, { environment }: Profile): Advice {
	const minutes = Math.round(Math.abs(skew) / 60_000);
	const about = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
	const off = `This machine's clock is ${about} ${skew < 0 ? "ahead of" : "behind"} the service.`;
	const matters = "Limits per day, plans of batches and the search for earlier payments depend on the time";
	return environment === "sandbox"
		? `${off} ${matters}. That is expected in a sandbox whose time was moved; otherwise correct this machine's clock`
		: advice`${off} ${matters}: correct this machine's clock (network time), then run ${purser`pay doubts`}`;
}

/** Whether payments of this profile need the service's time, for a rule per day. */
export function needsTime({ settings }: Profile): boolean {
	return settings["cap-per-day"] !== undefined || / a day$/.test(settings.approval?.trim() ?? "");
}

/** The service's clock minus this machine's in milliseconds, if known in this run. */
export function skewOf({ clock }: Pick<Context, "clock">, { baseUrl }: Profile, moment?: Moment): number | undefined {
	return clock.service.skew(serviceAddress(baseUrl), moment);
}

/** The service's present time, for a `Retry-After` that is a date. */
export function timeAt({ context, profile }: Pick<Call, "context" | "profile">): Date {
	return context.clock.service.now(serviceAddress(profile.baseUrl));
}
