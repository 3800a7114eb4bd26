/**
 * The operator, whose name the journal records with each change: several people may work with one account of the system.
 */
import { hostname, userInfo } from "node:os";
import { PurserError } from "../errors.js";

/** Maximum length of a name, in characters. */
const longest = 64;

/** Control and format characters, line separators, lone surrogates: people read the record on terminals. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * `PURSER_OPERATOR`, else the name of the system's user, or the number of one without a name.
 * @param uid of the process, where the system has one
 * @param system the system's name of the user
 * @returns undefined where the system has neither
 * @throws PurserError usage, where the variable is no name
 */
export function currentOperator(
	env: Readonly<Record<string, string | undefined>>,
	uid: number | undefined,
	system: () => string = () => userInfo().username,
): string | undefined {
	const given = env.PURSER_OPERATOR;
	if (given !== undefined && given !== "") return named(given);
	return nameOf(system) ?? (uid === undefined ? undefined : `uid ${uid}`);
}

/** What this machine is called, for a team's journal: its name in the network without the domain, in letters, digits and hyphens. */
export function machineName(): string {
	return (
		hostname()
			.split(".", 1)[0]
			?.toLowerCase()
			.replace(/[^a-z0-9-]/g, "-")
			.slice(0, 40) || "machine"
	);
}

function named(given: string): string {
	const name = given.trim();
	const tooLong = [...name].length > longest && `is longer than ${longest} characters`;
	const fault = name === "" ? "is blank" : given.search(unprintable) !== -1 ? "has control characters in it" : tooLong;
	if (!fault) return name;
	throw new PurserError("usage", {
		code: "OPERATOR_INVALID",
		message: `PURSER_OPERATOR ${fault}; nothing was sent`,
		why: "It is recorded in the journal with each change",
		fix: "Write a name or initials in it, like PURSER_OPERATOR=anna, or leave it unset: the system's user is recorded then.",
	});
}

/** Node throws for a user without a name, such as that of a container which runs under any number. */
function nameOf(system: () => string): string | undefined {
	try {
		const name = system().replace(unprintable, "").trim();
		return [...name].slice(0, longest).join("") || undefined;
	} catch {
		return undefined;
	}
}
