/**
 * Looks up the currency of amounts: that of the debited ledger or of the beneficiary's account (specification 2.8). A failed look-up is
 * only a warning; the currency is then unknown and counts against every limit.
 */

import { codeOf } from "../../../api/amount.js";
import { type IdForms, isIdOf } from "../../../api/text/ids.js";
import type { Context } from "../../../context.js";
import type { Reading } from "../../../ports/service.js";
import { lookUpBeneficiary, lookUpLedger } from "../../single/facts.js";
import type { Balance } from "./totals.js";

/** Most ledgers that are looked up where no limit needs their currency; beyond these the file is trusted. */
const maxLedgers = 200;
/** Parallel look-ups. */
const parallel = 8;
/** Failures of one kind in a row after which no more is looked up, so that an unreachable service does not delay the planner for each. */
const maxFailures = 8;

type Kind = "ledger" | "beneficiary";

export class Currencies {
	/** Balances by plain id, filled while rows are read. */
	readonly balances = new Map<string, Balance & { name?: string }>();
	/** Names of beneficiaries by plain id. */
	readonly payees = new Map<string, string>();
	readonly #found = new Map<string, string>();
	/** Failures in a row. */
	readonly #unread: Record<Kind, number> = { ledger: 0, beneficiary: 0 };
	readonly #warned = new Set<Kind>();
	#lookup = 0;

	/**
	 * @param options.every look up every id that is asked for, because a limit needs its currency
	 * @param options.progress is given the number of payees looked up so far
	 */
	constructor(
		private readonly reporter: Pick<Context["report"], "warn">,
		private readonly service: Pick<Reading, "get">,
		private readonly options: { ids?: IdForms; every?: boolean; progress?: (payees: number) => void } = {},
	) {}

	/** Looks up currencies. @throws PurserError auth (401) or interrupted */
	async of(ids: readonly string[], kind: Kind): Promise<ReadonlyMap<string, string>> {
		const most = kind === "ledger" && !this.options.every ? Math.max(0, maxLedgers - this.balances.size) : ids.length;
		const waiting = ids.filter((id) => isIdOf(kind, id, this.options.ids ?? {})).slice(0, most);
		let why: string | undefined;
		const lookup = async (): Promise<void> => {
			for (let id = waiting.shift(); id !== undefined && this.#unread[kind] < maxFailures; id = waiting.shift()) {
				const unread = kind === "ledger" ? await this.#ledger(id) : await this.#beneficiary(id);
				if (kind === "beneficiary") this.options.progress?.(++this.#lookup);
				this.#unread[kind] = unread === undefined ? 0 : this.#unread[kind] + 1;
				why = unread ?? why;
			}
		};
		await Promise.all(Array.from({ length: parallel }, lookup));
		if (why !== undefined) this.#warn(kind, why);
		return this.#found;
	}

	async #ledger(id: string): Promise<string | undefined> {
		const lookup = await lookUpLedger(this.service, id);
		if ("unread" in lookup) return lookup.unread;
		const { available, currency, name } = lookup.found;
		this.balances.set(id, { available, currency: this.#keep(id, currency) ?? currency, name });
		return undefined;
	}

	async #beneficiary(id: string): Promise<string | undefined> {
		const lookup = await lookUpBeneficiary(this.service, id);
		if ("unread" in lookup) return lookup.unread;
		this.#keep(id, lookup.found.currency);
		if (lookup.found.name !== undefined) this.payees.set(id, lookup.found.name);
		return undefined;
	}

	/** Stores a currency if it is an ISO 4217 code; a limit cannot name anything else. */
	#keep(id: string, currency: string | undefined): string | undefined {
		const code = codeOf(currency);
		if (code !== undefined) this.#found.set(id, code);
		return code;
	}

	#warn(kind: Kind, why: string): void {
		if (kind === "beneficiary" && this.#warned.has(kind)) return;
		this.#warned.add(kind);
		this.reporter.warn(
			kind === "ledger"
				? `a debited ledger could not be looked up (${why}): currency and balance of its rows are not checked`
				: `a beneficiary could not be looked up (${why}): the currency of its rows comes from the file, or is unknown`,
		);
	}
}
