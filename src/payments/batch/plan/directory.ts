/**
 * What the service tells of the ledgers and payees of a batch: statuses, balances, and currencies (specification 2.8). The
 * lists are those in which names are looked for, read once; what they do not show is looked up by itself. What cannot be read is said and stops nothing: a currency is
 * then unknown and counts against every limit.
 */

import { codeOf } from "../../../api/amount.js";
import { type BeneficiaryView, getBeneficiary, listBeneficiaries, viewBeneficiary } from "../../../api/operations/beneficiary.js";
import { listCorporates } from "../../../api/operations/corporate.js";
import { getLedger, type LedgerView, listLedgers, viewLedger } from "../../../api/operations/ledger.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { type IdForms, isIdOf, plainId } from "../../../api/text/ids.js";
import type { Context } from "../../../context.js";
import type { Resolver } from "../../../ports/resolver.js";
import type { Reading } from "../../../ports/service.js";
import { unlessUnreadable } from "../../rules/failed-look.js";
import { lookUpBeneficiary, lookUpLedger } from "../../single/facts.js";

const parallel = 8;
/** Failures of one kind in a row after which no more is looked up, so that an unreachable service does not delay the planner for each. */
const maxFailures = 8;

/** What a command must be able to read for it. */
export const directoryReads = [listLedgers, getLedger, listBeneficiaries, getBeneficiary, listCorporates].map(({ id }) => id);

type Kind = Transfer["kind"];

/** Who is paid, and why they cannot be paid now. */
type Unpayable = Pick<Transfer, "kind" | "counterpartyId"> & { status: string };

export class Directory {
	/** By plain id. */
	readonly ledgers = new Map<string, LedgerView>();
	readonly payees = new Map<string, BeneficiaryView>();
	/** Failures in a row. */
	readonly #unread: Record<Kind, number> = { ledger: 0, beneficiary: 0 };
	readonly #warned = new Set<Kind>();
	#lists: Promise<unknown> | undefined;
	readonly #lookedUp = new Set<string>();

	/** @param options.every look up each payee that the lists do not tell the currency of, because a limit needs it */
	constructor(
		private readonly reporter: Pick<Context["report"], "warn">,
		private readonly service: Pick<Reading, "get">,
		private readonly resolver: () => Promise<Pick<Resolver, "records">>,
		private readonly options: { ids?: IdForms; every?: boolean; progress?: (lookedUp: number) => void } = {},
	) {}

	/** Reads what is not known yet of these ids. @returns the currencies that are known, by plain id @throws PurserError auth (401) or interrupted */
	async of(ids: readonly string[], kind: Kind): Promise<ReadonlyMap<string, string>> {
		this.#lists ??= this.#readLists();
		await this.#lists;
		const known = kind === "ledger" ? this.ledgers : this.payees;
		const plain = [...new Set(ids.map((id) => plainId(id)))];
		const lacking = plain.filter((id) => known.get(id)?.currency === undefined && !this.#lookedUp.has(`${kind} ${id}`));
		const wanted = lacking.filter((id) => isIdOf(kind, id, this.options.ids ?? {}));
		const waiting = kind === "ledger" || this.options.every ? wanted : [];
		const lookup = async (): Promise<void> => {
			for (let id = waiting.shift(); id !== undefined && this.#unread[kind] < maxFailures; id = waiting.shift()) {
				const unread = await this.#lookUp(id, kind);
				this.#unread[kind] = unread === undefined ? 0 : this.#unread[kind] + 1;
				if (unread !== undefined) this.#warn(kind, unread);
			}
		};
		await Promise.all(Array.from({ length: parallel }, lookup));
		return new Map(
			plain.flatMap((id): [string, string][] => {
				const currency = known.get(id)?.currency;
				return currency === undefined ? [] : [[id, currency]];
			}),
		);
	}

	/** Everybody known who cannot be paid now, by the status that the service gives. */
	get unpayable(): Unpayable[] {
		return [
			...[...this.payees].flatMap(([counterpartyId, { status = "VALID", active }]): Unpayable[] =>
				status === "VALID" && active !== false
					? []
					: [{ kind: "beneficiary", counterpartyId, status: status === "VALID" ? "inactive" : status }],
			),
			...[...this.ledgers].flatMap(([counterpartyId, { status = "ACTIVE" }]): Unpayable[] =>
				status === "ACTIVE" ? [] : [{ kind: "ledger", counterpartyId, status }],
			),
		];
	}

	/** A list that cannot be read loses nothing by itself: what is needed of it is looked up. */
	async #readLists(): Promise<void> {
		const resolver = await this.resolver();
		const read = (kind: Kind) => unlessUnreadable(() => resolver.records(kind));
		const [ledgers, payees] = await Promise.all([read("ledger"), read("beneficiary")]);
		for (const record of ledgers ?? []) this.#keep(this.ledgers, viewLedger(record));
		for (const record of payees ?? []) {
			const view = viewBeneficiary(record);
			this.#keep(this.payees, { ...view, currency: view.currency ?? this.ledgers.get(plainId(view.hostedLedgerId ?? ""))?.currency });
		}
	}

	/** A currency is kept if it is an ISO 4217 code; a limit cannot name anything else. */
	#keep<T extends { id?: string; currency?: string }>(known: Map<string, T>, view: T, id = view.id): void {
		if (id !== undefined) known.set(plainId(id), { ...view, currency: codeOf(view.currency) });
	}

	async #lookUp(id: string, kind: Kind): Promise<string | undefined> {
		this.#lookedUp.add(`${kind} ${id}`);
		const lookup = kind === "ledger" ? await lookUpLedger(this.service, id) : await lookUpBeneficiary(this.service, id);
		this.options.progress?.(this.#lookedUp.size);
		if ("unread" in lookup) return lookup.unread;
		const known: Map<string, LedgerView & BeneficiaryView> = kind === "ledger" ? this.ledgers : this.payees;
		this.#keep(known, lookup.found, id);
		return undefined;
	}

	/** Once of each kind. */
	#warn(kind: Kind, why: string): void {
		if (this.#warned.has(kind)) return;
		this.#warned.add(kind);
		this.reporter.warn(
			kind === "ledger"
				? `a debited ledger could not be looked up (${why}): currency and balance of its rows are not checked`
				: `a beneficiary could not be looked up (${why}): the currency of its rows comes from the file, or is unknown`,
		);
	}
}
