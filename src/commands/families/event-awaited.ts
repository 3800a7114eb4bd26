/**
 * The record whose final status ends `events listen` and `events follow`. What the service says decides; an event only makes it be asked at
 * once, because an event may be lost, and the record may be final before anybody listens.
 */
import type { Context } from "../../context.js";
import { endingOf } from "../../events/filter.js";
import type { Confirmed, EventSubject, ServiceEvent } from "../../ports/events.js";
import { type Confirming, found } from "./event-confirm.js";

/** Milliseconds between two looks where no event came. */
const lookAgain = 60_000;

export class Awaited {
	readonly id: string;
	readonly #context: Context;
	readonly #confirming: Confirming | undefined;
	#subject: EventSubject | undefined;
	#status: string | null = null;

	/** @param confirming undefined where the service is not to be asked: then the event's own word counts */
	constructor(context: Context, id: string, confirming: Confirming | undefined) {
		this.id = id;
		this.#context = context;
		this.#confirming = confirming;
	}

	/** The last that is known of it. */
	get status(): string | null {
		return this.#status;
	}

	/** How it ended; undefined where it has not. */
	get ending(): "good" | "bad" | undefined {
		return this.#subject === undefined ? undefined : endingOf(this.#subject.kind, this.#status ?? undefined);
	}

	isSubjectOf({ subject }: ServiceEvent): boolean {
		return subject?.id.toLowerCase() === this.id.toLowerCase();
	}

	/** @param asked what the service says of it; undefined where it is not asked */
	async heard({ subject, to }: ServiceEvent, asked: Promise<Confirmed | null> | undefined): Promise<void> {
		const status = asked === undefined ? to : ((await asked.catch(() => null))?.status ?? null);
		if (subject !== null && status !== null) this.#note(subject, status);
	}

	/**
	 * Looks now, and from time to time.
	 * @returns once it is final, or `isOver`
	 * @throws PurserError as the first look does, other than that the service is unavailable
	 */
	async watch(isOver: () => boolean): Promise<void> {
		if (this.#confirming === undefined) return;
		for (let looks = 0; ; looks += 1) {
			await this.#find(looks === 0);
			if (this.ending !== undefined || isOver()) return;
			await this.#context.clock.sleep(lookAgain).catch(() => {});
			if (isOver()) return;
		}
	}

	/** One more look. @param within what it waits for at most */
	async look(within: (asked: Promise<Confirmed | null>) => Promise<Confirmed | null>): Promise<void> {
		if (this.#confirming === undefined || this.#subject === undefined) return;
		const confirmed = await within(this.#confirming.of(this.#subject));
		if (confirmed !== null) this.#note(this.#subject, confirmed.status);
	}

	async #find(isFirst: boolean): Promise<void> {
		if (this.#subject !== undefined) return this.look((asked) => asked);
		try {
			const record = await found(this.#context, this.id);
			if (record?.confirmed) this.#note(record.subject, record.confirmed.status);
		} catch (error) {
			const { kind } = error as { kind?: string };
			if (isFirst && kind !== "unavailable" && kind !== "interrupted") throw error;
		}
	}

	#note(subject: EventSubject, status: string): void {
		// An answer that was asked for earlier does not undo a final one.
		if (this.ending !== undefined) return;
		this.#subject = subject;
		this.#status = status;
	}
}
