/**
 * Asks the sources of `events follow` again and again. Errors do not end it, except a credential that is refused.
 */
import type { Context } from "../../../context.js";
import { PurserError } from "../../../errors.js";
import { caughtUp, gapSince, pauseOf } from "../../../events/rounds.js";
import type { Confirmed, Heard, Inbox } from "../../../ports/events.js";
import type { EventStream } from "../event-stream.js";

/** Stores and tells an event. @returns whether it is new; undefined where nothing more is taken, so that the next run must bring it */
export type Hear = (heard: Heard, confirmed?: Confirmed) => Promise<boolean | undefined>;

export interface Source {
	/** Under which the inbox keeps its place. */
	readonly name: "svix" | "poll";
	/**
	 * One look for everything that is new. Its place is kept once everything is stored.
	 * @param catchesUp nothing was heard for a while, so that more may have to be read at once
	 * @returns how many new events there were
	 * @throws PurserError
	 */
	look(hear: Hear, catchesUp: boolean): Promise<number>;
}

/** Whether the service was heard. */
export interface Reached {
	/** In any round, by any source. */
	ever: boolean;
	/** Why not. */
	trouble?: PurserError;
}

export interface FollowOptions {
	/** Milliseconds between two rounds. */
	every: number;
	stream: Pick<EventStream, "hear" | "hasRoom" | "isOver">;
	/** Kept up to date. */
	reached: Reached;
}

interface State {
	source: Source;
	/** When everything was last heard. */
	last: Date | undefined;
	failures: number;
}

/** The kinds of failure after which it is tried again. */
const passing: readonly string[] = ["unavailable", "rejected", "bug"];

/** @returns never resolves where it goes on until the run is over; rejects where going on is of no use */
export async function follow(context: Context, inbox: Inbox, sources: readonly Source[], options: FollowOptions): Promise<never> {
	const { clock, random, signal } = context;
	const states: State[] = [];
	for (const source of sources) {
		const at = Date.parse((await inbox.cursor(placeOfTime(source))) ?? "");
		states.push({ source, last: Number.isNaN(at) ? undefined : new Date(at), failures: 0 });
	}
	const isOver = (): boolean => options.stream.isOver || signal.aborted;
	try {
		while (!isOver()) {
			const asked = await round(context, inbox, states, options);
			if (isOver()) break;
			const failures = states.reduce((most, one) => Math.max(most, one.failures), 0);
			await clock.sleep(pauseOf({ every: options.every, failures, asked, fraction: random.fraction() }));
		}
	} catch (error) {
		if (!isOver()) throw error;
	}
	return new Promise<never>(() => {});
}

const placeOfTime = ({ name }: Source): string => `${name}.at`;

/** @returns the milliseconds that were asked for, where they were */
async function round(context: Context, inbox: Inbox, states: readonly State[], options: FollowOptions): Promise<number | undefined> {
	const { stream, every } = options;
	const hear: Hear = async (heard, confirmed) => ((await stream.hasRoom()) ? stream.hear(heard, confirmed) : undefined);
	let asked: number | undefined;
	let longest: number | undefined;
	let events = 0;
	for (const state of states) {
		const { source, last, failures } = state;
		const began = context.clock.now();
		const gap = last === undefined ? undefined : gapSince(last, began, every);
		try {
			events += await source.look(hear, last === undefined || gap !== undefined);
		} catch (error) {
			const wait = passed(context, state, error, options.reached);
			asked = Math.max(asked ?? 0, wait);
			continue;
		}
		options.reached.ever = true;
		if (stream.isOver) return undefined;
		state.last = began;
		state.failures = 0;
		await inbox.setCursor(placeOfTime(source), began.toISOString());
		const silent = failures > 0 && last !== undefined ? began.getTime() - last.getTime() : gap;
		if (silent !== undefined) longest = Math.max(longest ?? 0, silent);
	}
	if (longest !== undefined) context.reporter.announce(caughtUp(longest, events));
	return asked;
}

/** @returns the milliseconds that the service asked to wait. @throws what makes going on of no use */
function passed({ reporter }: Context, state: State, error: unknown, reached: Reached): number {
	// Without room for what is heard there is nothing to wait for: a person has to make some.
	if (!(error instanceof PurserError) || !passing.includes(error.kind) || error.failure.code === "INBOX_FULL") throw error;
	reached.trouble = error;
	// The first of many alike is told; the line for the gap says how it went on.
	if (state.failures === 0) reporter.warn(`${error.message}; it is tried again`);
	state.failures += 1;
	return error.failure.wait ?? 0;
}
