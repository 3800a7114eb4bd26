/**
 * What the service itself says of the record that an event is about: only that counts.
 */
import { otherRecord, type Received } from "../api/answer.js";
import { getBeneficiary, listBeneficiaries, viewBeneficiary } from "../api/operations/beneficiary.js";
import { getCorporate, listCorporates, viewCorporate } from "../api/operations/corporate.js";
import { getLedger, listLedgers, viewLedger } from "../api/operations/ledger.js";
import { getRelated, viewRelated } from "../api/operations/related.js";
import { getTransaction, viewTransaction } from "../api/operations/transaction.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Confirmed, EventSubject } from "../ports/events.js";
import type { Service } from "../ports/service.js";

type Kind = Exclude<EventSubject["kind"], "unknown">;

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

/** The operations that tell what events are about. */
export const namingOperations = [getTransaction, getRelated, listCorporates, listLedgers, listBeneficiaries].map(({ id }) => id);

/** Most questions at once. */
const most = 8;

/** Asks the service for the records of events: a few at once, and once for events of one record that wait together. */
export class Confirming {
	/** The questions that were not asked yet, by record. */
	readonly #waiting = new Map<string, Promise<Confirmed | null>>();
	readonly #turns: (() => void)[] = [];
	#running = 0;
	#isOver = false;
	#isFailing = false;

	constructor(private readonly context: Context) {}

	/** Null where nothing says what it is about, the service did not answer, or the run is over. Rejects only with a bug. */
	async of(subject: EventSubject | null): Promise<Confirmed | null> {
		if (subject === null || subject.kind === "unknown") return null;
		const key = `${subject.kind} ${subject.id}`;
		const known = this.#waiting.get(key);
		if (known !== undefined) return known;
		const asked = this.#ask(key, subject.kind, subject.id);
		this.#waiting.set(key, asked);
		return asked;
	}

	/** Questions that have not begun are not asked any more. */
	end(): void {
		this.#isOver = true;
	}

	async #ask(key: string, kind: Kind, id: string): Promise<Confirmed | null> {
		await this.#turn();
		// An event that comes from now on may be newer than the answer.
		this.#waiting.delete(key);
		const { context } = this;
		try {
			if (this.#isOver || context.signal.aborted) return null;
			const { id: named, status } = await reads[kind](context.service, id);
			this.#isFailing = false;
			return status === undefined || otherRecord(id, named) !== undefined ? null : { status, at: context.clock.now().toISOString() };
		} catch (error) {
			if (!(error instanceof PurserError)) throw error;
			// The first of many alike is reported.
			if (error.kind !== "interrupted" && !this.#isFailing) context.report.warn(`An event could not be confirmed: ${error.message}`);
			this.#isFailing = error.kind !== "interrupted";
			return null;
		} finally {
			const next = this.#turns.shift();
			if (next === undefined) this.#running -= 1;
			else next();
		}
	}

	/** Waits for one that is under way to end, whose place it takes. */
	async #turn(): Promise<void> {
		if (this.#running >= most) return new Promise((resolve) => this.#turns.push(resolve));
		this.#running += 1;
	}
}

/** Waits for something, but no longer than so many milliseconds. @throws what it rejects with */
export async function within(milliseconds: number, awaited: Promise<unknown>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const over = new Promise<void>((resolve) => {
		timer = setTimeout(resolve, milliseconds);
	});
	try {
		await Promise.race([awaited, over]);
	} finally {
		clearTimeout(timer);
	}
}
