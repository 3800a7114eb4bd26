/**
 * Whether a text names a record. Pure.
 */
import { isUuid, sameId } from "../api/answer.js";
import { nameKey, sameName } from "../api/names.js";
import { maskedAccount } from "../api/operations/account.js";
import { sameText } from "../api/text/composed.js";
import { differingPoints, looksAlike } from "../api/text/lookalike.js";
import type { MatchedBy } from "../ports/resolver.js";
import type { Entry } from "./entries.js";

/** Fewest characters of an id, and fewest digits at the end of an account number, that name a record. */
const [shortestPrefix, shortestEnd] = [8, 4];

/** Every way in which the text fits the record; none where it is another one. */
export function waysOf(text: string, { id, names, externalId, email, account }: Entry): MatchedBy[] {
	const typed = text.trim();
	if (typed === "") return [];
	return (
		[
			["id", isUuid(typed) && sameId(typed, id)],
			["prefix", isPrefix(typed) && id.toLowerCase().startsWith(typed.toLowerCase())],
			["externalId", sameText(externalId?.trim(), typed)],
			["name", names.some((name) => nameKey(name) !== "" && sameName(name, typed))],
			["email", email?.includes("@") === true && sameName(email, typed)],
			["account", account !== undefined && isAccount(typed, account)],
		] as const
	).flatMap(([by, fits]) => (fits ? [by] : []));
}

const isPrefix = (typed: string): boolean => new RegExp(`^[0-9a-f-]{${shortestPrefix},35}$`, "i").test(typed);

/** An account number, its end with at least four digits, or the form in which a list shows it. */
function isAccount(typed: string, account: string): boolean {
	const [bare, whole] = [typed, account].map((one) => one.replace(/\s/g, "").toUpperCase()) as [string, string];
	if (bare.includes("•")) return bare === maskedAccount(whole);
	return new RegExp(`^[0-9A-Z]*\\d{${shortestEnd}}$`).test(bare) && whole.endsWith(bare);
}

/** Names, at most three, that contain the text or are contained in it, after externalIds that look the same: for whoever mistyped one. */
export function similarTo(text: string, entries: readonly Entry[]): string[] {
	const alike = entries
		.filter(({ externalId }) => looksAlike(externalId, text))
		.map(({ externalId = "" }) => lookalikeText(externalId, text));
	return [...alike, ...similarNames(text, entries)].slice(0, 3);
}

function lookalikeText(externalId: string, text: string): string {
	const [theirs, typed] = differingPoints(externalId, text);
	return `${externalId} (an externalId with ${theirs} where yours has ${typed})`;
}

function similarNames(text: string, entries: readonly Entry[]): string[] {
	const wanted = nameKey(text);
	if (wanted.length < 3) return [];
	const names = new Set(entries.flatMap((one) => one.names));
	return [...names].filter((name) => {
		const key = nameKey(name);
		return (
			key.includes(wanted) || (key.length >= 3 && wanted.includes(key)) || key.split(" ").some((word) => wanted.split(" ").includes(word))
		);
	});
}
