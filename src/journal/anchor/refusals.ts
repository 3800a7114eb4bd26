/**
 * The errors for a journal from which money must not be sent.
 */
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { Anchor, AnchorPlace, Standing } from "../../ports/anchor.js";
import type { Profile } from "../../ports/profiles.js";

interface JournalIdentity {
	profile: Pick<Profile, "name" | "environment">;
	place: AnchorPlace;
	/** The journal's file. */
	file: string;
}

const compareAdvice = advice`Compare them first: ${purser`history verify`}, ${purser`pay list`}`;
const adoptAdvice = advice`Only where you are sure that this is the journal, say so, with your reason: ${purser`history adopt --reason TEXT`}`;

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
				message: `What is kept of the journal of profile ${journal.profile.name} was changed from outside; nothing was sent`,
				why: `${journal.place.file} does not bear this installation's signature: it was edited, or the key beside the logins is gone`,
				fix: advice`Check the journal, and put the file back where you have it: ${purser`history verify`}\n${adoptAdvice}`,
			});
		case "held":
		case "unanchored":
			throw new RangeError(`a journal that is ${standing.kind} is refused`);
		default:
			return another(standing, journal);
	}
}

function another(
	{ kind, anchor }: { kind: "other" | "behind" | "changed"; anchor?: Anchor },
	{ profile, file }: JournalIdentity,
): PurserError {
	const reasons = {
		other: `${file} is another journal than the one that money left by before (installation ${anchor?.installation}, event ${anchor?.seq})`,
		behind: `${file} ends before event ${anchor?.seq}, at which money left last (${anchor?.at}): it is an older copy, or was cut off`,
		changed: `Event ${anchor?.seq} of ${file} is not the one at which money left last (${anchor?.at}): the journal was changed`,
	};
	return new PurserError("guard", {
		code: "JOURNAL_NOT_THE_ONE",
		message: `This is not the journal that profile ${profile.name} paid by before; nothing was sent`,
		why: `${reasons[kind]}. What it does not know could be paid a second time`,
		fix: advice`Put the right journal back, or point to it: PURSER_STATE_DIR, XDG_STATE_HOME and HOME say where it is looked for\n${compareAdvice}\n${adoptAdvice}`,
	});
}

function second(other: Anchor, { profile, place }: JournalIdentity): PurserError {
	return new PurserError("guard", {
		code: "SECOND_JOURNAL",
		message: `Profile ${other.profile} pays at ${place.service} too, from a journal of its own; nothing was sent`,
		why: `A payment of one journal holds back none of the other: the same one could leave twice, and each would count its own day`,
		fix: advice`Pay by the profile that has the earlier payments: --profile ${other.profile}\nIf ${profile.name} is to have a journal beside it, say so, with your reason: ${purser`history adopt --reason TEXT`}`,
	});
}

function newJournal({ profile, file }: JournalIdentity): PurserError {
	return new PurserError("guard", {
		code: "NEW_JOURNAL",
		message: `The journal of profile ${profile.name} is new: no earlier payment is known; nothing was sent`,
		why: `${file} holds no payment, and nothing is kept of another one. What was paid before, from another place, could be paid again`,
		fix: "If payments were made before, point to their journal: PURSER_STATE_DIR, XDG_STATE_HOME and HOME say where it is looked for\nIf this is the first payment, say so: add --new-journal",
	});
}

/** The error for a journal that needs no anchor. */
export function notGuarded(): PurserError {
	return new PurserError("guard", {
		code: "NOT_GUARDED",
		message: "The journal of a sandbox is not held against an anchor, so there is nothing to adopt",
		fix: "Choose the live profile with --profile NAME.",
	});
}
