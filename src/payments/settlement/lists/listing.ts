/**
 * What a source showed of one ledger, once for all doubts of that ledger: found by payee and by id, so that many doubts do not each go
 * through the whole list.
 */

import type { TransactionView } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import type { Look } from "../../../ports/intent.js";
import { groupBy } from "../../rules/group-by.js";

export class Listing {
	/** By the credited ledger that is told; `""` where none is. */
	readonly #byPayee: ReadonlyMap<string, number[]>;
	readonly #byId: ReadonlyMap<string, number[]>;
	/** Why what it does not show may have been made all the same, in words; of a complete list undefined where nothing speaks for that. */
	lacks?: string;
	/** Why it proves no absence by itself, although nothing in it speaks against that; a person may decide on it. */
	unproven?: string;
	/** Ids of lines, in lower case, that surely are other open doubts: they may be no other transfer. */
	taken: ReadonlySet<string> = new Set();
	/** Lines of payments that are known to be made, where a source has ids of its own. */
	known: ReadonlySet<TransactionView> = new Set();
	/** Every status that its lines show, those that are not kept among them; of a source that was kept whole undefined. */
	statuses?: ReadonlySet<string | undefined>;
	/** Milliseconds that the service's clock was ahead of this machine's; undefined where it is not known. */
	skew?: number;

	constructor(
		readonly source: Look["source"],
		readonly at: Date,
		/** Whether it is everything there was in the time concerned. */
		readonly complete: boolean,
		readonly listed: readonly TransactionView[],
	) {
		const lineAt = (place: number): TransactionView => listed[place] as TransactionView;
		const places = [...listed.keys()];
		this.#byPayee = groupBy(places, (place) => lineAt(place).receiverLedgerId?.toLowerCase() ?? "");
		this.#byId = groupBy(
			places.filter((place) => lineAt(place).id !== undefined),
			(place) => (lineAt(place).id as string).toLowerCase(),
		);
	}

	/** The lines of one id. */
	of(id: string): TransactionView[] {
		return (this.#byId.get(id.toLowerCase()) ?? []).map((place) => this.listed[place] as TransactionView);
	}

	/**
	 * All that may be this transfer as far as the payee tells, in the order of the list. What the list tells of a beneficiary's ledger
	 * does not say whose it is.
	 * @param ids of transactions that are wanted beside them, if they are listed
	 */
	candidates({ kind, counterpartyId }: Transfer, ids: readonly string[]): readonly TransactionView[] {
		if (kind === "beneficiary") return this.listed;
		const [untold, own] = [this.#byPayee.get("") ?? [], this.#byPayee.get(counterpartyId.toLowerCase()) ?? []];
		const wanted = new Set(ids.flatMap((id) => this.#byId.get(id.toLowerCase()) ?? []));
		for (const place of wanted.size === 0 ? [] : [...untold, ...own]) wanted.delete(place);
		// Each is in the order of the list already.
		const places = own.length + wanted.size === 0 ? untold : [...untold, ...own, ...wanted].sort((one, other) => one - other);
		return places.map((place) => this.listed[place] as TransactionView);
	}
}
