/**
 * Puts ids in the place of what rows call ledgers and payees. Exact names and externalIds only: a batch is money, and nobody is asked. Each list is
 * read once, and each name looked up once.
 */
import { payeeField, type Transfer } from "../../../api/operations/transfer.js";
import { type IdForms, isIdOf } from "../../../api/text/ids.js";
import type { Candidate, Findings, Resolver } from "../../../ports/resolver.js";
import type { RawRow } from "./columns.js";

type Kind = Transfer["kind"];

const parties = ["ledgerFromId", "ledgerToId", "beneficiaryId", "to"] as const;
const nouns: Readonly<Record<Kind, string>> = { ledger: "ledger", beneficiary: "payee" };

const maxCandidates = 5;
/** Names that were not found after which no other is looked up, so that a wrong column of a million rows does not take hours. */
const maxUnknown = 1_000;

type Found = Candidate | { fault: string };

export class Naming {
	readonly #found = new Map<string, Promise<Found>>();
	#unknown = 0;

	constructor(
		private readonly resolver: () => Promise<Pick<Resolver, "find">>,
		private readonly ids: IdForms = {},
	) {}

	/** Writes ids into the row, and faults where a name is not certain. @throws PurserError as the service does, unless it has no such list */
	async name(raw: RawRow): Promise<void> {
		for (const field of parties) {
			const text = raw.values[field];
			if (text === undefined) continue;
			const kinds = kindsOf[field];
			const fitting = kinds.filter((kind) => isIdOf(kind, text, this.ids));
			let kind = fitting.length === 1 ? fitting[0] : undefined;
			let id = text;
			if (kind === undefined) {
				const found = await this.#find(kinds, text, raw.values.ledgerFromId);
				if ("fault" in found) raw.faults.push({ field, message: found.fault });
				else ({ kind, id } = found as Candidate & { kind: Kind });
			}
			if (field !== "to") raw.values[field] = id;
			// What is wrong with the row besides is told too, whichever it is.
			else raw.values[payeeField[kind ?? "beneficiary"]] = id;
		}
		delete raw.values.to;
	}

	/** @param ledgerId the debited ledger: of payees with one name, that of its company is meant */
	#find(kinds: readonly Kind[], text: string, ledgerId: string | undefined): Promise<Found> {
		const scope = kinds.includes("beneficiary") && ledgerId !== undefined && isIdOf("ledger", ledgerId, this.ids) ? { ledgerId } : {};
		const key = `${kinds} ${scope.ledgerId ?? ""} ${text}`;
		const known = this.#found.get(key) ?? this.#lookUp(kinds, text, scope);
		this.#found.set(key, known);
		return known;
	}

	async #lookUp(kinds: readonly Kind[], text: string, scope: { ledgerId?: string }): Promise<Found> {
		if (this.#unknown >= maxUnknown)
			return { fault: `${JSON.stringify(text)} was not looked up: ${maxUnknown} other names were not found. Is it the right column?` };
		const resolver = await this.resolver();
		const findings: Findings[] = [];
		for (const kind of kinds) findings.push(await resolver.find(kind, text, kind === "beneficiary" ? scope : {}));
		const found = certain(kinds, text, findings);
		if ("fault" in found) this.#unknown += 1;
		return found;
	}
}

const kindsOf: Readonly<Record<(typeof parties)[number], readonly Kind[]>> = {
	ledgerFromId: ["ledger"],
	ledgerToId: ["ledger"],
	beneficiaryId: ["beneficiary"],
	to: ["ledger", "beneficiary"],
};

/** The one record that the text means exactly, where all were listed that it might mean; else what to write. */
function certain(kinds: readonly Kind[], text: string, findings: readonly Findings[]): Found {
	const shown = JSON.stringify(text);
	const noun = kinds.map((kind) => nouns[kind]).join(" or ");
	const unlisted = findings.find((one) => one.unlisted)?.unlisted;
	if (unlisted !== undefined)
		return {
			fault: `${shown} cannot be looked up: this service does not list ${nouns[unlisted.kind as Kind]}s (${unlisted.by}); write an id, in a column ${kinds.length > 1 ? "ledgerToId or beneficiaryId" : "of ids"}`,
		};
	const candidates = findings.flatMap((one) => one.candidates);
	const isWhole = findings.every(({ whole }) => whole);
	const [only, ...more] = candidates;
	if (only === undefined) {
		const similar = [...new Set(findings.flatMap((one) => one.similar))].slice(0, 3);
		const where = isWhole ? "" : " that the service listed";
		return { fault: `${shown} is no ${noun}${where}${similar.length > 0 ? `; similar: ${similar.join(", ")}` : ""}` };
	}
	const named = candidates.slice(0, maxCandidates).map(({ label, id }) => `${label} (${id})`);
	const others = candidates.length > maxCandidates ? ` and ${candidates.length - maxCandidates} more` : "";
	if (more.length > 0) {
		const what = [...new Set(candidates.map(({ kind }) => kind as Kind))].map((kind) => `${nouns[kind]}s`).join(" and ");
		return { fault: `${shown} fits ${candidates.length} ${what}: ${named.join("; ")}${others}. Write the id of the right one` };
	}
	if (!isWhole) return { fault: `${shown} may be another ${noun} than ${named}: the service did not list all. Write the id` };
	if (only.by.every((way) => way === "prefix")) return { fault: `${shown} is only part of an id: ${named}. Write the whole id` };
	return only;
}
