/**
 * The errors for a journal from which money must not be sent.
 */
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { Anchor, AnchorPlace, Restored, Standing } from "../../ports/anchor.js";
import type { Profile } from "../../ports/profiles.js";

interface JournalIdentity {
	profile: Pick<Profile, "name" | "environment">;
	place: AnchorPlace;
	/** The journal's file. */
	file: string;
	/** What the log of this machine has and the team's database lacks: payments that were marked, and outcomes. */
	lacking?: { marks: number; outcomes: number };
}

const compareAdvice = advice`Compare them first: ${purser`history verify`}, ${purser`pay list`}`;
const fillAdvice = advice`Only if this is the database to use from now on, fill it from the log, on this machine and on each other one: ${purser`team recover --reason TEXT`}`;
const adoptAdvice = advice`Only if you are sure that this is the right journal, confirm it, with your reason: ${purser`history adopt --reason TEXT`}`;

/** The error for a journal that does not match its anchor. */
export function wrongJournal(standing: Standing, journal: JournalIdentity): PurserError {
	switch (standing.kind) {
		case "new":
			return newJournal(journal);
		case "second":
			return second(standing.other, journal);
		case "broken":
			return new PurserError("guard", {
				code: "ANCHOR_BROKEN",
				message: `The anchor of the journal of profile ${journal.profile.name} was changed from outside; nothing was sent`,
				why: mismatch(standing, journal),
				fix: advice`Check the journal, and put the file back where you have it: ${purser`history verify`}\n${adoptAdvice}`,
			});
		case "restored":
			return restoredBackup(standing);
		default:
			return another(standing, journal);
	}
}

/** How a journal differs from its anchor, as a sentence without a full stop; undefined where it does not. */
export function mismatch(standing: Standing, { file, place }: Pick<JournalIdentity, "file" | "place">): string | undefined {
	const anchor = "anchor" in standing ? standing.anchor : undefined;
	const reasons: Partial<Record<Standing["kind"], string>> = {
		broken: `${place.file} is not signed by this installation: it was edited, or the key kept with the logins is gone`,
		other: `${file} is another journal than the one that money left by before (installation ${anchor?.installation}, event ${anchor?.seq})`,
		behind: `${file} ends before event ${anchor?.seq}, at which money left last (${anchor?.at}): it is an older copy, or was cut off`,
		elsewhere: `${file} is not the database by which money left last (${anchor?.at}), or a standby has taken over, or it was restored since: what was sent last may be missing`,
		changed: `Event ${anchor?.seq} of ${file} is not the one at which money left last (${anchor?.at}): the journal was changed`,
	};
	return reasons[standing.kind];
}

function another(standing: Standing, { lacking, ...journal }: JournalIdentity): PurserError {
	return new PurserError("guard", {
		code: "JOURNAL_NOT_THE_ONE",
		message: `This is not the journal that profile ${journal.profile.name} used for payments before; nothing was sent`,
		why: `${mismatch(standing, journal)}. ${lacking ? lackingText(lacking) : "What it does not know could be paid a second time"}`,
		fix: lacking
			? advice`Use the database of the team that was paid by last, and ask its administrator what was restored\n${compareAdvice}\n${fillAdvice}`
			: advice`Put the right journal back, or point to it: PURSER_STATE_DIR, XDG_STATE_HOME and HOME set where purser looks for it\n${compareAdvice}\n${adoptAdvice}`,
	});
}

/** The error for a team's database that lacks what this machine has sent. */
export function wentBack(lacking: NonNullable<JournalIdentity["lacking"]>): PurserError {
	return new PurserError("guard", {
		code: "JOURNAL_NOT_THE_ONE",
		message: "The team's database went back, or is a copy: it does not know what was sent from this machine; nothing was sent",
		why: lackingText(lacking),
		fix: advice`Ask its administrator what was restored\n${fillAdvice}`,
	});
}

const lackingText = ({ marks, outcomes }: NonNullable<JournalIdentity["lacking"]>): string =>
	`This machine's log has ${countOf(marks, "payment")} and ${countOf(outcomes, "outcome")} that it lacks: they could be paid a second time`;

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

function second(other: Anchor, { profile, place }: JournalIdentity): PurserError {
	return new PurserError("guard", {
		code: "SECOND_JOURNAL",
		message: `Profile ${other.profile} pays at ${place.service} too, from a journal of its own; nothing was sent`,
		why: `A payment in one journal does not block the same payment in the other: it could be sent twice, and each journal counts its own daily limit`,
		fix: advice`Pay with the profile that has the earlier payments: --profile ${other.profile}\nIf ${profile.name} should have a journal of its own, confirm it, with your reason: ${purser`history adopt --reason TEXT`}`,
	});
}

function newJournal({ profile, file }: JournalIdentity): PurserError {
	return new PurserError("guard", {
		code: "NEW_JOURNAL",
		message: `The journal of profile ${profile.name} is new: no earlier payment is known; nothing was sent`,
		why: `${file} has no payment, and no other journal is known. What was paid before, from another place, could be paid again`,
		fix: "If payments were made before, point to their journal: PURSER_STATE_DIR, XDG_STATE_HOME and HOME set where purser looks for it\nIf this is the first payment, confirm it: add --new-journal",
	});
}

/** The error for a restored backup that nobody has adopted. */
export function restoredBackup({ copied }: Pick<Restored, "copied">): PurserError {
	return new PurserError("guard", {
		code: "JOURNAL_RESTORED",
		message: `This journal is a restored backup of ${copied}; nothing was sent`,
		why: "It does not know what was sent after the backup, and would send it a second time",
		fix: advice`If the journal from before is still there, put it back\nOtherwise compare this one with the service, and use it from now on: ${purser`history adopt --reason TEXT`}`,
	});
}

/** The error for a journal that needs no anchor. */
export function notGuarded(): PurserError {
	return new PurserError("guard", {
		code: "NOT_GUARDED",
		message: "The journal of a sandbox is not checked against an anchor, so there is nothing to adopt",
		fix: "Choose the live profile with --profile NAME.",
	});
}
