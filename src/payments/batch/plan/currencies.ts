/**
 * Looks up the currency of amounts: that of the debited ledger or of the beneficiary's account (specification 2.8). A failed look-up is
 * only a
 * warning; the currency is then unknown and counts as above every limit that names one.
 */

import { codeOf } from "../../../api/amount.js";
import { type IdForms, isIdOf } from "../../../api/text/ids.js";
import type { Context } from "../../../context.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Reading } from "../../../ports/service.js";
import { lookUpBeneficiary, lookUpLedger } from "../../single/facts.js";
import type { Balance } from "./totals.js";

/** Most ledgers that are looked up; beyond these the file is trusted. */
const maxLedgers = 200;
/** Parallel look-ups. */
const parallel = 8;
/** Failures of one kind after which no more is looked up, so that an unreachable service does not delay the planner for each. */
const maxFailures = 8;

type Kind = "ledger" | "beneficiary";

export class Currencies {
	/** Balances by plain id, filled while rows are read. */
	readonly balances = new Map<string, Balance & { name?: string }>();
	/** Names of beneficiaries by plain id. */
	readonly payees = new Map<string, string>();
	readonly #found = new Map<string, string>();
	readonly #unread: Record<Kind, number> = { ledger: 0, beneficiary: 0 };
	readonly #said = new Set<Kind>();

	constructor(
		private readonly reporter: Pick<Context["reporter"], "warn">,
		private readonly service: Pick<Reading, "get">,
		private readonly ids: IdForms = {},
	) {}

	/** Looks up currencies. @throws PurserError auth (401) or interrupted */
	async of(ids: readonly string[], kind: Kind): Promise<ReadonlyMap<string, string>> {
		const most = kind === "ledger" ? Math.max(0, maxLedgers - this.balances.size) : ids.length;
		const waiting = ids.filter((id) => isIdOf(kind, id, this.ids)).slice(0, most);
		let why: string | undefined;
		const look = async (): Promise<void> => {
			for (let id = waiting.shift(); id !== undefined && this.#unread[kind] < maxFailures; id = waiting.shift()) {
				const unread = kind === "ledger" ? await this.#ledger(id) : await this.#beneficiary(id);
				if (unread === undefined) continue;
				this.#unread[kind] += 1;
				why = unread;
			}
		};
		await Promise.all(Array.from({ length: parallel }, look));
		if (why !== undefined) this.#tell(kind, why);
		return this.#found;
	}

	/** The currencies found, for the plan, so that an approver checks the file with the same ones. Undefined if there are none. */
	get told(): BatchPlan["currencies"] {
		const by = new Map<string, string[]>();
		for (const [id, currency] of this.#found) by.set(currency, [...(by.get(currency) ?? []), id]);
		return by.size === 0 ? undefined : [...by].map(([currency, ids]) => ({ currency, ids }));
	}

	async #ledger(id: string): Promise<string | undefined> {
		const looked = await lookUpLedger(this.service, id);
		if ("unread" in looked) return looked.unread;
		const { available, currency, name } = looked.found;
		this.balances.set(id, { available, currency: this.#keep(id, currency) ?? currency, name });
		return undefined;
	}

	async #beneficiary(id: string): Promise<string | undefined> {
		const looked = await lookUpBeneficiary(this.service, id);
		if ("unread" in looked) return looked.unread;
		this.#keep(id, looked.found.currency);
		if (looked.found.name !== undefined) this.payees.set(id, looked.found.name);
		return undefined;
	}

	/** Stores a currency if it is an ISO 4217 code; a limit cannot name anything else. */
	#keep(id: string, currency: string | undefined): string | undefined {
		const code = codeOf(currency);
		if (code !== undefined) this.#found.set(id, code);
		return code;
	}

	#tell(kind: Kind, why: string): void {
		if (kind === "beneficiary" && this.#said.has(kind)) return;
		this.#said.add(kind);
		this.reporter.warn(
			kind === "ledger"
				? `a debited ledger could not be looked up (${why}): currency and balance of its rows are not checked`
				: `a beneficiary could not be looked up (${why}): the currency of its rows comes from the file, or is unknown`,
		);
	}
}
