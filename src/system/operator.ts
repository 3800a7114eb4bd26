/**
 * The operator, whose name the journal records with each change: several people may work with one account of the system.
 */
import { hostname, userInfo } from "node:os";

/** Maximum length of a name, in characters. */
const longest = 64;

/** Control and format characters, line separators, lone surrogates: people read the record on terminals. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * `PURSER_OPERATOR`, else the name of the system's user, or the number of one without a name.
 * @param uid of the process, where the system has one
 * @param system the system's name of the user
 * @returns undefined where the system has neither
 */
export function currentOperator(
	env: Readonly<Record<string, string | undefined>>,
	uid: number | undefined,
	system: () => string = () => userInfo().username,
): string | undefined {
	return nameOf(() => env.PURSER_OPERATOR) ?? nameOf(system) ?? (uid === undefined ? undefined : `uid ${uid}`);
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

/** What can be read of a name. Node throws for a user without one, such as that of a container which runs under any number. */
function nameOf(given: () => string | undefined): string | undefined {
	try {
		const name = (given() ?? "").replace(unprintable, "").trim();
		return [...name].slice(0, longest).join("") || undefined;
	} catch {
		return undefined;
	}
}
