/**
 * What the service itself says of the record that an event is about: only that counts.
 */
import { otherRecord, type Received } from "../api/answer.js";
import type { AnyOperation } from "../api/operation.js";
import { getBeneficiary, listBeneficiaries, viewBeneficiary } from "../api/operations/beneficiary.js";
import { getCorporate, listCorporates, viewCorporate } from "../api/operations/corporate.js";
import { getLedger, listLedgers, viewLedger } from "../api/operations/ledger.js";
import { getRelated, viewRelated } from "../api/operations/related.js";
import { getTransaction, viewTransaction } from "../api/operations/transaction.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Confirmed, EventSubject } from "../ports/events.js";

type Kind = Exclude<EventSubject["kind"], "unknown">;

/** How each kind of record is read: by what, under which name of its id, and what the answer says. */
const reads = {
	transaction: [getTransaction, "transactionId", viewTransaction],
	corporate: [getCorporate, "corporateId", (record) => ({ ...viewCorporate(record), status: viewCorporate(record).kybStatus })],
	related: [getRelated, "corporateRelatedId", (record) => ({ ...viewRelated(record), status: viewRelated(record).kycStatus })],
	beneficiary: [getBeneficiary, "beneficiaryId", viewBeneficiary],
	ledger: [getLedger, "ledgerId", viewLedger],
} as const satisfies Readonly<Record<Kind, readonly [AnyOperation, string, (record: Received) => { id?: string; status?: string }]>>;

export const confirmingOperations = Object.values(reads).map(([{ id }]) => id);

/** The operations that tell what events are about. */
export const namingOperations = [getTransaction, getRelated, listCorporates, listLedgers, listBeneficiaries].map(({ id }) => id);

const most = 8;

const nothing = (): void => {};

/** Asks the service for the records of events, a few at once. */
export class Confirming {
	/** The last question of each of those that are asked at once. */
	readonly #last = Array.from({ length: most }, () => Promise.resolve());
	#asked = 0;
	#isOver = false;
	#isFailing = false;

	constructor(private readonly context: Context) {}

	/** Null where nothing says what it is about, the service did not answer, or the run is over. Rejects only with a bug. */
	async of(subject: EventSubject | null): Promise<Confirmed | null> {
		if (subject === null || subject.kind === "unknown") return null;
		const { kind, id } = subject;
		const turn = this.#asked++ % most;
		const answer = (this.#last[turn] as Promise<void>).then(() => this.#ask(kind, id));
		this.#last[turn] = answer.then(nothing, nothing);
		return answer;
	}

	/** Questions that have not begun are not asked any more. */
	end(): void {
		this.#isOver = true;
	}

	async #ask(kind: Kind, id: string): Promise<Confirmed | null> {
		const { context } = this;
		if (this.#isOver || context.signal.aborted) return null;
		try {
			const [operation, name, view] = reads[kind];
			const { id: named, status } = view((await context.service.get(operation as AnyOperation, { params: { [name]: id } })) as Received);
			this.#isFailing = false;
			return status === undefined || otherRecord(id, named) !== undefined ? null : { status, at: context.clock.now().toISOString() };
		} catch (error) {
			if (!(error instanceof PurserError)) throw error;
			// The first of many alike is reported.
			if (error.kind !== "interrupted" && !this.#isFailing) context.report.warn(`An event could not be confirmed: ${error.message}`);
			this.#isFailing = error.kind !== "interrupted";
			return null;
		}
	}
}
