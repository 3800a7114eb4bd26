/**
 * Who asks: the name that stands in the journal beside each change, for several people may work with one account of the system.
 */
import { userInfo } from "node:os";
import { PurserError } from "../errors.js";

/** Most characters of a name. */
const longest = 64;

/** Control and format characters, line separators, halves of characters: a record is read by people, on terminals. */
const unfit = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * `PURSER_OPERATOR`, else the name of the system's user; of a user without a name the number.
 * @param uid of the process, where the system has one
 * @param system the user's name, as the system tells it
 * @returns undefined where the system tells neither
 * @throws PurserError usage, where the variable is no name: a record of it would be read wrongly
 */
export function operatorOf(
	env: Readonly<Record<string, string | undefined>>,
	uid: number | undefined,
	system: () => string = () => userInfo().username,
): string | undefined {
	const given = env.PURSER_OPERATOR;
	if (given !== undefined && given !== "") return named(given);
	return nameOf(system) ?? (uid === undefined ? undefined : `uid ${uid}`);
}

function named(given: string): string {
	const fault = faultOf(given);
	if (fault === undefined) return given.trim();
	throw new PurserError("usage", {
		code: "OPERATOR_INVALID",
		message: `PURSER_OPERATOR ${fault}; nothing was sent`,
		why: "It stands in the journal beside each change, as who asked for it",
		fix: "Write a name or initials in it, like PURSER_OPERATOR=anna, or leave it unset: the system's user is recorded then.",
	});
}

function faultOf(name: string): string | undefined {
	if (name.trim() === "") return "is blank";
	if (name.search(unfit) !== -1) return "has control characters in it";
	return [...name.trim()].length > longest ? `is longer than ${longest} characters` : undefined;
}

/** A user who is not in the system's list, as in a container that runs under any number, has no name; Node throws then. */
function nameOf(system: () => string): string | undefined {
	try {
		const name = system().replace(unfit, "").trim();
		return [...name].slice(0, longest).join("") || undefined;
	} catch {
		return undefined;
	}
}
