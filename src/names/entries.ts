/**
 * Records as the resolver knows them: what they can be called, whether a text names one, and how a list shows them. Pure.
 */
import { inCurrency } from "../api/amount.js";
import { type Received, sameId, textAt } from "../api/answer.js";
import { nameKey, sameName, sameText } from "../api/names.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { maskedAccount, viewBeneficiary } from "../api/operations/beneficiary.js";
import { viewLedger } from "../api/operations/ledger.js";
import { viewTransaction } from "../api/operations/transaction.js";
import { type IdForms, isIdOf, mayStartId } from "../api/text/ids.js";
import type { Candidate, MatchedBy, RecordKind } from "../ports/resolver.js";

/** A list as entries; `unlisted`: by what it is known that the service has none. */
export interface List {
	entries: readonly Entry[];
	whole: boolean;
	unlisted?: string;
}

export const nothing: List = { entries: [], whole: true };

export interface Listing {
	operation: AnyOperation;
	input: Input;
	entries(records: readonly Received[]): Entry[];
}

export interface Entry {
	kind: Exclude<RecordKind, "batch">;
	id: string;
	names: readonly string[];
	externalId?: string;
	email?: string;
	status?: string;
	label: string;
	/** It cannot be paid or debited now. */
	inactive?: boolean;
	of?: string;
}

/** An entry's label with the company that it belongs to, where its name is known. */
export function labelOf({ kind, names: [name = unnamed], label }: Entry, company: string | undefined): string {
	if (company === undefined) return label;
	return kind === "ledger" ? `${name} of ${company}${label.slice(name.length)}` : `${label} · payee of ${company}`;
}

const unnamed = "without a name";

/** How the records of a kind are read. Those without an id are left out: nothing can be done with them. */
export type EntriesOf<Kind extends Entry["kind"]> = Readonly<Record<Kind, (records: readonly Received[]) => Entry[]>>;

export const entriesOf: EntriesOf<"ledger" | "beneficiary" | "transaction"> = {
	ledger: (records) =>
		records.flatMap((record) => {
			const { id, endUserId: of, name, status, available, currency } = viewLedger(record);
			const balance = available === undefined ? "balance unknown" : `${inCurrency(available, currency)} available`;
			const inactive = status !== undefined && status !== "ACTIVE";
			return entry("ledger", id, [name], [balance, ...(inactive ? [status] : [])], {
				...{ status, inactive, of },
				...externalIn(record),
			});
		}),
	beneficiary: (records) =>
		records.flatMap((record) => {
			const { id, endUserId: of, name, friendlyName, account, currency, status, active } = viewBeneficiary(record);
			const inactive = status !== "VALID" || active === false;
			const shown = [maskedAccount(account), currency, status];
			return entry("beneficiary", id, [name, friendlyName], shown, { status, inactive, of, ...externalIn(record) });
		}),
	transaction: (records) =>
		records.flatMap((record) => {
			const { id, amount, currency, createdAt, status, receiverName, reference } = viewTransaction(record);
			const paid = amount === undefined ? "amount unknown" : inCurrency(amount, currency);
			const to = receiverName === undefined ? undefined : `to ${receiverName}`;
			const label = [paid, to, reference, createdAt?.slice(0, 10), status].filter(Boolean).join(" · ");
			return id === undefined ? [] : [{ kind: "transaction", id, names: [], status, label }];
		}),
};

const externalIn = (record: Received): { externalId?: string } => ({ externalId: textAt(record, "externalId") });

/** A record with an id. @param more what else its label says */
export function entry(
	kind: Entry["kind"],
	id: string | undefined,
	names: readonly (string | undefined)[],
	more: readonly (string | undefined)[],
	rest: Partial<Entry>,
): Entry[] {
	if (id === undefined) return [];
	const known = names.filter((name) => name !== undefined && name.trim() !== "") as string[];
	return [{ ...rest, kind, id, names: known, label: [known[0] ?? unnamed, ...more].filter(Boolean).join(" · ") }];
}

export function candidateOf({ kind, id, names, label }: Entry, by: readonly MatchedBy[], company?: string): Candidate {
	return { kind, id, name: names[0], label: company === undefined ? label : `${label} · ${company}`, by, ...(company && { company }) };
}

/** Every way in which the text fits the record; none where it is another one. @param ids the profile's forms of ids */
export function waysOf(text: string, entry: Entry, ids: IdForms): MatchedBy[] {
	const { kind, id, names, externalId, email } = entry;
	const typed = text.trim();
	if (typed === "") return [];
	return (
		[
			["id", isIdOf(kind, typed, ids) && sameId(typed, id)],
			["prefix", isStart(typed, entry, ids)],
			["externalId", sameText(externalId?.trim(), typed)],
			["name", names.some((name) => nameKey(name) !== "" && sameName(name, typed))],
			["email", email?.includes("@") === true && sameName(email, typed)],
		] as const
	).flatMap(([by, fits]) => (fits ? [by] : []));
}

/** A UUID begins alike in capitals and in small letters; of an id in a deployment's own form each letter counts. */
function isStart(typed: string, { kind, id }: Entry, ids: IdForms): boolean {
	if (!mayStartId(kind, typed, ids)) return false;
	return ids[kind] === undefined ? id.toLowerCase().startsWith(typed.toLowerCase()) : id.startsWith(typed);
}

/** Names, at most three, that contain the text or are contained in it: for whoever mistyped one. */
export function similarTo(text: string, entries: readonly Entry[]): string[] {
	const wanted = nameKey(text);
	if (wanted.length < 3) return [];
	const names = new Set(entries.flatMap((one) => one.names));
	const similar = [...names].filter((name) => {
		const key = nameKey(name);
		return (
			key.includes(wanted) || (key.length >= 3 && wanted.includes(key)) || key.split(" ").some((word) => wanted.split(" ").includes(word))
		);
	});
	return similar.slice(0, 3);
}
