/**
 * What people call records: ledgers, payees and persons with the company that they belong to. Names come from answers of the service; the
 * text is for people to read, and no decision depends on it.
 */
import { plainId } from "../api/text/ids.js";
import type { Called, NameOf, SeenName } from "../ports/resolver.js";

const placeOf = (kind: SeenName["kind"], id: string): string => `${kind} ${plainId(id)}`;

/** @param seen the latest last */
export function calledBy(seen: readonly SeenName[]): { nameOf: NameOf; unnamed(wanted: readonly Called[]): Called[] } {
	const known = new Map<string, SeenName>();
	for (const one of seen) known.set(placeOf(one.kind, one.id), { ...known.get(placeOf(one.kind, one.id)), ...one });
	const companyOf = ({ of }: SeenName): string | undefined => (of === undefined ? undefined : known.get(placeOf("corporate", of))?.name);
	const counts = new Map<string, number>();
	for (const one of known.values())
		for (const text of new Set([one.name, textOf(one, companyOf(one))])) {
			const place = `${one.kind} ${text}`;
			counts.set(place, (counts.get(place) ?? 0) + 1);
		}
	return {
		nameOf: (kind, id) => {
			const one = id === undefined ? undefined : known.get(placeOf(kind, id));
			if (one === undefined) return undefined;
			const isAlone = (text: string): boolean => text !== "" && counts.get(`${kind} ${text}`) === 1;
			// Most payees need no more than their name.
			if (kind === "beneficiary" && isAlone(one.name)) return one.name;
			const text = textOf(one, companyOf(one));
			return isAlone(text) || (text !== "" && kind !== "ledger" && kind !== "beneficiary") ? text : undefined;
		},
		unnamed: (wanted) => {
			const found = wanted.flatMap(([kind, id]): Called[] => {
				const one = id === undefined ? undefined : known.get(placeOf(kind, id));
				const isOwnerUnknown = one?.of !== undefined && !known.has(placeOf("corporate", one.of));
				return [
					...(one?.name || id === undefined ? [] : [[kind, id] as const]),
					...(isOwnerUnknown ? [["corporate", one.of] as const] : []),
				];
			});
			return [...new Map(found.map((one) => [one.join(" "), one])).values()];
		},
	};
}

function textOf({ kind, name }: SeenName, company: string | undefined): string {
	if (company === undefined || kind === "corporate" || kind === "transaction") return name;
	if (kind === "related") return name === "" ? `a person of ${company}` : `${name}, ${company}`;
	if (name === "") return "";
	return kind === "ledger" ? `${name} of ${company}` : `${name} (payee of ${company})`;
}
