/**
 * What the service itself says of the record that an event is about: only that counts.
 */
import type { Received } from "../../api/answer.js";
import { otherRecord } from "../../api/answer.js";
import { getBeneficiary, viewBeneficiary } from "../../api/operations/beneficiary.js";
import { getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { getLedger, viewLedger } from "../../api/operations/ledger.js";
import { getRelated, viewRelated } from "../../api/operations/related.js";
import { getTransaction, viewTransaction } from "../../api/operations/transaction.js";
import { serviceOf } from "../../client/service.js";
import type { Context } from "../../context.js";
import { isNotOffered, PurserError } from "../../errors.js";
import type { Confirmed, EventSubject } from "../../ports/events.js";

/** The kinds in the order in which an id of an unknown one is looked for. */
const kinds = ["transaction", "corporate", "related", "beneficiary", "ledger"] as const;

/** The operations that confirm events. */
export const confirmingOperations = [getTransaction, getCorporate, getRelated, getBeneficiary, getLedger].map(({ id }) => id);

/** Most questions at once. */
const most = 8;

interface Job {
	subject: EventSubject;
	answer: Promise<Confirmed | null>;
	settle(answer: Confirmed | null): void;
}

/** Asks the service for the records of events: a few at once, and once for events of one record that wait together. */
export class Confirming {
	readonly #context: Context;
	readonly #waiting = new Map<string, Job>();
	#running = 0;
	#failing = false;

	constructor(context: Context) {
		this.#context = context;
	}

	/** Null where nothing says what it is about, the service did not answer, or the run is over. Never throws. */
	of(subject: EventSubject | null): Promise<Confirmed | null> {
		if (subject === null || subject.kind === "unknown" || this.#context.signal.aborted) return Promise.resolve(null);
		const key = `${subject.kind} ${subject.id}`;
		const known = this.#waiting.get(key);
		if (known !== undefined) return known.answer;
		let settle = (_: Confirmed | null): void => {};
		const answer = new Promise<Confirmed | null>((resolve) => {
			settle = resolve;
		});
		this.#waiting.set(key, { subject, answer, settle });
		this.#next();
		return answer;
	}

	/** Questions that have not begun are not asked any more. */
	forget(): void {
		for (const { settle } of this.#waiting.values()) settle(null);
		this.#waiting.clear();
	}

	#next(): void {
		if (this.#running >= most) return;
		for (const [key, job] of this.#waiting) {
			this.#waiting.delete(key);
			this.#running += 1;
			void this.#ask(job).finally(() => {
				this.#running -= 1;
				this.#next();
			});
			return;
		}
	}

	async #ask({ subject, settle }: Job): Promise<void> {
		try {
			settle(await confirmedBy(this.#context, subject));
			this.#failing = false;
		} catch (error) {
			settle(null);
			if (!(error instanceof PurserError)) throw error;
			if (error.kind === "interrupted") return;
			// The first of many alike is told.
			if (!this.#failing) this.#context.reporter.warn(`An event could not be confirmed: ${error.message}`);
			this.#failing = true;
		}
	}
}

/**
 * @returns null where the record has no status
 * @throws PurserError as a read does
 */
export async function confirmedBy(context: Context, { kind, id }: EventSubject): Promise<Confirmed | null> {
	const service = serviceOf(context);
	const read = async (): Promise<readonly [Received, string | undefined, string | undefined]> => {
		if (kind === "corporate") {
			const record = (await service.get(getCorporate, { params: { corporateId: id } })) as Received;
			return [record, viewCorporate(record).id, viewCorporate(record).kybStatus];
		}
		if (kind === "related") {
			const record = (await service.get(getRelated, { params: { corporateRelatedId: id } })) as Received;
			return [record, viewRelated(record).id, viewRelated(record).kycStatus];
		}
		if (kind === "beneficiary") {
			const record = (await service.get(getBeneficiary, { params: { beneficiaryId: id } })) as Received;
			return [record, viewBeneficiary(record).id, viewBeneficiary(record).status];
		}
		if (kind === "ledger") {
			const record = (await service.get(getLedger, { params: { ledgerId: id } })) as Received;
			return [record, viewLedger(record).id, viewLedger(record).status];
		}
		const record = (await service.get(getTransaction, { params: { transactionId: id } })) as Received;
		return [record, viewTransaction(record).id, viewTransaction(record).status];
	};
	const [, named, status] = await read();
	if (status === undefined || otherRecord(id, named) !== undefined) return null;
	return { status, at: context.clock.now().toISOString() };
}

/** The kind of the record with this id, and how it stands; undefined where the service knows none. */
export async function found(context: Context, id: string): Promise<{ subject: EventSubject; confirmed: Confirmed | null } | undefined> {
	for (const kind of kinds) {
		try {
			return { subject: { kind, id }, confirmed: await confirmedBy(context, { kind, id }) };
		} catch (error) {
			// Some services answer that an id is unknown with 400 or 409 (operations, section 6).
			if (!isNotOffered(error) && !(error instanceof PurserError && error.kind === "rejected")) throw error;
		}
	}
	return undefined;
}
