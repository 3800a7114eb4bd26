/**
 * What a source showed of one ledger, indexed by payee and by id, so that many doubts do not each scan the whole list.
 */

import type { TransactionView } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { Look } from "../../../ports/intent.js";
import { groupBy } from "../../rules/group-by.js";

export class Listing {
	/** By credited ledger; `""` if a line has none. */
	readonly #byPayee: ReadonlyMap<string, number[]>;
	readonly #byId: ReadonlyMap<string, number[]>;
	/** Why absence from it means nothing, for people; undefined if no fault is known. */
	lacks?: string;
	/** Why it does not prove absence by itself although no fault is known; a person may decide. */
	unproven?: string;
	/** Plain ids of lines that surely belong to open doubts. */
	taken: ReadonlySet<string> = new Set();
	/** Lines of known payments, for a source with its own ids (a statement). */
	known: ReadonlySet<TransactionView> = new Set();
	/** Every status in the source, including lines that were dropped; undefined if no line was. */
	statuses?: ReadonlySet<string | undefined>;
	/** How many milliseconds the service's clock was ahead of this machine's; undefined if not known. */
	skew?: number;

	constructor(
		readonly source: Look["source"],
		readonly at: Date,
		/** Whether it covers the whole period. */
		readonly complete: boolean,
		readonly listed: readonly TransactionView[],
	) {
		const lineAt = (place: number): TransactionView => listed[place] as TransactionView;
		const places = [...listed.keys()];
		this.#byPayee = groupBy(places, (place) => plainId(lineAt(place).receiverLedgerId ?? ""));
		this.#byId = groupBy(
			places.filter((place) => lineAt(place).id !== undefined),
			(place) => plainId(lineAt(place).id as string),
		);
	}

	/** The lines with this id. */
	of(id: string): TransactionView[] {
		return (this.#byId.get(plainId(id)) ?? []).map((place) => this.listed[place] as TransactionView);
	}

	/**
	 * The lines that may be this transfer, judged by payee alone, in the order of the list. For a payment to a beneficiary that is every
	 * line, since a credited ledger does not identify the beneficiary.
	 * @param ids further transactions to include, if listed
	 */
	candidates({ kind, counterpartyId }: Transfer, ids: readonly string[]): readonly TransactionView[] {
		if (kind === "beneficiary") return this.listed;
		const [withoutPayee, own] = [this.#byPayee.get("") ?? [], this.#byPayee.get(plainId(counterpartyId)) ?? []];
		const wanted = new Set(ids.flatMap((id) => this.#byId.get(plainId(id)) ?? []));
		for (const place of wanted.size === 0 ? [] : [...withoutPayee, ...own]) wanted.delete(place);
		// `untold` alone is in the order of the list already.
		const places = own.length + wanted.size === 0 ? withoutPayee : [...withoutPayee, ...own, ...wanted].sort((one, other) => one - other);
		return places.map((place) => this.listed[place] as TransactionView);
	}
}
