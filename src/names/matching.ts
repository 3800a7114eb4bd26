/**
 * Whether a text names a record. Pure.
 */
import { sameId } from "../api/answer.js";
import { nameKey, sameName } from "../api/names.js";
import { maskedAccount } from "../api/operations/beneficiary.js";
import { type IdForms, isIdOf, mayStartId } from "../api/text/ids.js";
import { differingPoints, looksAlike, sameText } from "../api/text/lookalike.js";
import type { MatchedBy } from "../ports/resolver.js";
import type { Entry } from "./entries.js";

/** Fewest digits at the end of an account number that name a record. */
const shortestEnd = 4;

/** Every way in which the text fits the record; none where it is another one. @param ids the profile's forms of ids */
export function waysOf(text: string, entry: Entry, ids: IdForms): MatchedBy[] {
	const { kind, id, names, externalId, email, account } = entry;
	const typed = text.trim();
	if (typed === "") return [];
	return (
		[
			["id", isIdOf(kind, typed, ids) && sameId(typed, id)],
			["prefix", isStart(typed, entry, ids)],
			["externalId", sameText(externalId?.trim(), typed)],
			["name", names.some((name) => nameKey(name) !== "" && sameName(name, typed))],
			["email", email?.includes("@") === true && sameName(email, typed)],
			["account", account !== undefined && isAccount(typed, account)],
		] as const
	).flatMap(([by, fits]) => (fits ? [by] : []));
}

/** A UUID begins alike in capitals and in small letters; of an id in a deployment's own form each letter counts. */
function isStart(typed: string, { kind, id }: Entry, ids: IdForms): boolean {
	if (!mayStartId(kind, typed, ids)) return false;
	return ids[kind] === undefined ? id.toLowerCase().startsWith(typed.toLowerCase()) : id.startsWith(typed);
}

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
