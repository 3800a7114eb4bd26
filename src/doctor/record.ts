/**
 * The journal, its anchor, and the clock by which both are written.
 */
import { advice, purser } from "../api/advice.js";
import { serviceAddress } from "../api/service-address.js";
import type { Context } from "../context.js";
import type { Journal, Verification } from "../ports/journal.js";
import type { Profile } from "../ports/profiles.js";
import { type Check, checked, fault, ok, warning } from "./check.js";

/** Milliseconds by which clocks may differ. */
const tolerated = 5 * 60_000;

/** The checks of journal, anchor and clock; the journal is read once for all of them. A journal that is not there yet is not made. */
export async function checkRecord(context: Context, profile: Profile): Promise<Check[]> {
	if (!(await context.hasJournal(profile)))
		return [
			ok("journal", "None yet: it is made with the first change"),
			anchorOf(profile, undefined),
			await checkClock(context, undefined, profile),
		];
	let read: { journal: Journal; verified: Verification } | undefined;
	const journal = await checked("journal", async () => {
		const open = await context.journal(profile);
		const verified = await context.reporter.during("Checking the journal", () => open.verify());
		read = { journal: open, verified };
		return journalOf(open.file, verified);
	});
	const newest = await newestMoment(read);
	return [journal, anchorOf(profile, read?.verified), await checkClock(context, newest, profile)];
}

function journalOf(file: string, { faults, events, intents, restored }: Verification): Check {
	if (restored !== undefined)
		return fault(
			"journal",
			`${file} is a restored backup of ${restored.copied}, so no payment leaves from it`,
			advice`If the journal from before is still there, put it back. Otherwise compare this one with the service: ${purser`history adopt --reason TEXT`}`,
		);
	const counts = `${file}: ${events} ${events === 1 ? "event" : "events"}, ${intents} ${intents === 1 ? "change" : "changes"}`;
	if (faults.length === 0) return ok("journal", `${counts}, not altered`);
	return fault(
		"journal",
		`${file} is not as purser left it: ${faults[0]}${faults.length > 1 ? `; and ${faults.length - 1} more` : ""}`,
		advice`Send no payment before this is clear. See all of it: ${purser`history verify`}`,
	);
}

function anchorOf({ environment }: Profile, verified: Verification | undefined): Check {
	const check = "anchor";
	if (environment !== "live") return ok(check, "Not needed: a sandbox's journal has none");
	const { anchor, restored, faults = [] } = verified ?? {};
	if (anchor === undefined && faults.length === 0) return ok(check, "None yet: it is made with the first payment");
	if (anchor?.holds && restored === undefined)
		return ok(check, `The journal is the one that paid last (event ${anchor.seq} of ${anchor.at})`);
	return fault(
		check,
		"This journal is not known to be the one that paid last, so no payment leaves from it",
		advice`Put the right journal back. If this is the right one: ${purser`history adopt --reason TEXT`}`,
	);
}

/** The moment of the newest event. */
async function newestMoment(read: { journal: Journal; verified: Verification } | undefined): Promise<Date | undefined> {
	if (read === undefined || read.verified.head.seq === 0) return undefined;
	for await (const { at } of read.journal.events(read.verified.head.seq - 1)) return new Date(at);
	return undefined;
}

/**
 * This machine's clock against the journal's newest event and, once a service has answered, against the service.
 * @param newest of the journal
 */
export async function checkClock(context: Context, newest: Date | undefined, profile: Profile | undefined): Promise<Check> {
	const check = "clock";
	const mend = "Correct this machine's clock (network time), then run this again.";
	const now = context.clock.now();
	const behind = newest === undefined ? 0 : newest.getTime() - now.getTime();
	if (behind > tolerated)
		return fault(check, `It is ${now.toISOString()}, before the newest entry of the journal (${newest?.toISOString()})`, mend);
	const skew = profile === undefined ? undefined : context.serviceClock.skew(serviceAddress(profile.baseUrl));
	if (skew === undefined) return ok(check, now.toISOString());
	const off = Math.round(Math.abs(skew) / 1000);
	if (Math.abs(skew) <= tolerated) return ok(check, `${now.toISOString()}, as the service's within ${Math.max(1, off)} s`);
	return warning(
		check,
		`${now.toISOString()}, ${off} s ${skew < 0 ? "ahead of" : "behind"} the service: limits per day depend on it`,
		mend,
	);
}
