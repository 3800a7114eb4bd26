/**
 * What currency an amount is in, as the service tells it: that of the debited ledger, or of the beneficiary's account (2.8). A look-up
 * that fails is said and decides nothing: the currency is then not known, which counts as above every limit that names one.
 */

import { codeOf } from "../../../api/amount.js";
import type { Context } from "../../../context.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Reading } from "../../../ports/service.js";
import { lookUpBeneficiary, lookUpLedger } from "../../single/facts.js";
import type { Balance } from "./totals.js";

/** Ledgers that are looked up; of more than these the file is believed. */
const mostLedgers = 200;
/** Look-ups at once. */
const side = 8;
/** Failures of one kind after which no more is asked: a service that is away would keep the planner waiting for each. */
const mostUnread = 8;

type Kind = "ledger" | "beneficiary";

export class Currencies {
	/** By id in lower case; known while rows are read. */
	readonly balances = new Map<string, Balance & { name?: string }>();
	readonly #found = new Map<string, string>();
	readonly #unread: Record<Kind, number> = { ledger: 0, beneficiary: 0 };
	readonly #said = new Set<Kind>();

	constructor(
		private readonly reporter: Pick<Context["reporter"], "warn">,
		private readonly service: Pick<Reading, "get">,
	) {}

	/** Looks some up. @throws PurserError auth (401) or interrupted */
	async of(ids: readonly string[], kind: Kind): Promise<ReadonlyMap<string, string>> {
		const most = kind === "ledger" ? Math.max(0, mostLedgers - this.balances.size) : ids.length;
		const waiting = ids.filter((id) => /^[0-9a-f-]{36}$/.test(id)).slice(0, most);
		let why: string | undefined;
		const look = async (): Promise<void> => {
			for (let id = waiting.shift(); id !== undefined && this.#unread[kind] < mostUnread; id = waiting.shift()) {
				const unread = kind === "ledger" ? await this.#ledger(id) : await this.#beneficiary(id);
				if (unread === undefined) continue;
				this.#unread[kind] += 1;
				why = unread;
			}
		};
		await Promise.all(Array.from({ length: side }, look));
		if (why !== undefined) this.#tell(kind, why);
		return this.#found;
	}

	/** For the plan: whoever approves it reads the file with the same currencies. Undefined where the service told none. */
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
		return undefined;
	}

	/** A service may answer anything; what is no code of ISO 4217 is no currency that a limit can name. */
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
				: `a beneficiary could not be looked up (${why}): the currency of its rows is what the file says, or is not known`,
		);
	}
}
