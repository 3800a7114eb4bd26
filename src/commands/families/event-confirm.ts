/**
 * What the service itself says of the record that an event is about: only that counts.
 */
import { otherRecord, type Received } from "../../api/answer.js";
import { getBeneficiary, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { getLedger, viewLedger } from "../../api/operations/ledger.js";
import { getRelated, viewRelated } from "../../api/operations/related.js";
import { getTransaction, viewTransaction } from "../../api/operations/transaction.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { serviceOf } from "../../http/service.js";
import type { Confirmed, EventSubject } from "../../ports/events.js";

type Kind = Exclude<EventSubject["kind"], "unknown">;
type Service = ReturnType<typeof serviceOf>;

/** How each kind of record is read. */
const reads: Readonly<Record<Kind, (service: Service, id: string) => Promise<{ id?: string; status?: string }>>> = {
	transaction: async (service, transactionId) =>
		viewTransaction((await service.get(getTransaction, { params: { transactionId } })) as Received),
	corporate: async (service, corporateId) => {
		const { id, kybStatus } = viewCorporate((await service.get(getCorporate, { params: { corporateId } })) as Received);
		return { id, status: kybStatus };
	},
	related: async (service, corporateRelatedId) => {
		const { id, kycStatus } = viewRelated((await service.get(getRelated, { params: { corporateRelatedId } })) as Received);
		return { id, status: kycStatus };
	},
	beneficiary: async (service, beneficiaryId) =>
		viewBeneficiary((await service.get(getBeneficiary, { params: { beneficiaryId } })) as Received),
	ledger: async (service, ledgerId) => viewLedger((await service.get(getLedger, { params: { ledgerId } })) as Received),
};

/** The operations that confirm events. */
export const confirmingOperations = [getTransaction, getCorporate, getRelated, getBeneficiary, getLedger].map(({ id }) => id);

/** Most questions at once. */
const most = 8;

/** Asks the service for the records of events: a few at once, and once for events of one record that wait together. */
export class Confirming {
	readonly #waiting = new Map<string, Promise<Confirmed | null>>();
	/** Each waits for one that is under way to end; false where it is not asked any more. */
	readonly #turns: ((goes: boolean) => void)[] = [];
	#running = 0;
	#failing = false;

	constructor(private readonly context: Context) {}

	/** Null where nothing says what it is about, the service did not answer, or the run is over. Never throws. */
	async of(subject: EventSubject | null): Promise<Confirmed | null> {
		if (subject === null || subject.kind === "unknown" || this.context.signal.aborted) return null;
		const key = `${subject.kind} ${subject.id}`;
		const known = this.#waiting.get(key);
		if (known !== undefined) return known;
		const answer = this.#turn().then(async (goes) => {
			this.#waiting.delete(key);
			if (!goes) return null;
			try {
				return await this.#ask(subject.kind as Kind, subject.id);
			} finally {
				this.#end();
			}
		});
		this.#waiting.set(key, answer);
		return answer;
	}

	/** Questions that have not begun are not asked any more. */
	forget(): void {
		for (const turn of this.#turns.splice(0)) turn(false);
	}

	#turn(): Promise<boolean> {
		if (this.#running >= most) return new Promise((resolve) => this.#turns.push(resolve));
		this.#running += 1;
		return Promise.resolve(true);
	}

	/** The next one takes the place of one that ended. */
	#end(): void {
		const next = this.#turns.shift();
		if (next === undefined) this.#running -= 1;
		else next(true);
	}

	async #ask(kind: Kind, id: string): Promise<Confirmed | null> {
		try {
			const confirmed = await confirmedBy(this.context, kind, id);
			this.#failing = false;
			return confirmed;
		} catch (error) {
			if (!(error instanceof PurserError)) throw error;
			if (error.kind === "interrupted") return null;
			// The first of many alike is told.
			if (!this.#failing) this.context.report.warn(`An event could not be confirmed: ${error.message}`);
			this.#failing = true;
			return null;
		}
	}
}

/** @returns null where the record has no status. @throws PurserError as a read does */
async function confirmedBy(context: Context, kind: Kind, id: string): Promise<Confirmed | null> {
	const { id: named, status } = await reads[kind](serviceOf(context), id);
	if (status === undefined || otherRecord(id, named) !== undefined) return null;
	return { status, at: context.clock.now().toISOString() };
}
