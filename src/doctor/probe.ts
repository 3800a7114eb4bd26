/**
 * Asks a deployment what it has, with nothing but GET: at most forty requests, two a second.
 */
import { type Look, lookOnce } from "../client/look/look.js";
import { retryAfter } from "../client/retry.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { ProbeAnswer, Profile } from "../ports/profiles.js";
import { type Mistake, mistakeOf, shownAddress } from "./mistake.js";
import { type Knock, type Planned, planOf } from "./plan.js";
import { type Answered, answeredOf, isSame, type Manners, needsControl, verdictOf } from "./verdict.js";

/** Most requests of one probe. */
export const mostLooks = 40;
/** Milliseconds from one request to the next. */
const pace = 500;
/** Requests in a row without a usable answer after which the rest is not asked for. */
const mostTroubles = 3;
/** The longest wait in milliseconds that a service may ask for. */
const longestWait = 20_000;

/** One request that was made. */
export interface Asked {
	/** Its path, with `{named}` ids. */
	path: string;
	status: number | null;
	/** Why there is no status. */
	trouble?: string;
	/** Nothing can be at this path; it was asked for to compare the others with it. */
	control?: true;
	/** Milliseconds that it took. */
	took: number;
}

/** What was found out about one operation. */
export interface FoundOperation {
	operation: string;
	method: string;
	path: string;
	/** One of the specification's sixteen. */
	specified: boolean;
	/** Of the answer to its GET; null where none came, or nothing was asked. */
	status: number | null;
	answer: ProbeAnswer;
	evidence: string[];
}

export interface ProbeReport {
	/** RFC 3339 UTC. */
	at: string;
	/** The base address. */
	service: string;
	requests: Asked[];
	/** Why not everything was asked for. */
	stopped?: string;
	operations: FoundOperation[];
}

/** @param told is called with each request as soon as its answer is known, and its number */
export async function probe(
	context: Context,
	profile: Profile,
	told: (asked: Asked, number: number) => void,
): Promise<{ report: ProbeReport; mistake?: Mistake }> {
	const at = context.clock.now().toISOString();
	const planned = planOf(profile, context.random);
	const round = new Round(context, told);
	for (const one of planned) {
		if (one.knock === undefined) continue;
		const found = await round.ask(one.knock);
		if (found !== undefined && needsControl(found, one) && one.control !== undefined) await round.askControl(one.control);
	}
	const manners = mannersOf(planned, round);
	const operations = planned.map((one): FoundOperation => {
		const { operation, method, path } = one;
		const found = one.knock && round.found(one.knock);
		const verdict = verdictOf(one, found, one.control && round.found(one.control), manners);
		return { operation: operation.id, method, path, specified: operation.specified, status: found?.status ?? null, ...verdict };
	});
	const report = { at, service: shownAddress(profile.baseUrl), requests: round.asked, stopped: round.stopped, operations };
	return { report, mistake: mistakeOf(profile, round.looks) };
}

/** The requests of one probe, each made once. */
class Round {
	readonly asked: Asked[] = [];
	/** Whether one path that cannot exist was answered twice in different words. */
	isFickle = false;
	stopped: string | undefined;
	/** Everything that came back. */
	readonly looks: Look[] = [];
	readonly #answers = new Map<string, Answered>();
	#troubles = 0;
	#last: number | undefined;
	#wait = 0;
	#isRepeated = false;

	constructor(
		private readonly context: Context,
		private readonly told: (asked: Asked, number: number) => void,
	) {}

	found({ key }: Knock): Answered | undefined {
		return this.#answers.get(key);
	}

	async ask(knock: Knock): Promise<Answered | undefined> {
		const held = this.#answers.get(knock.key);
		if (held !== undefined) return held;
		const found = await this.#look(knock);
		if (found !== undefined) this.#answers.set(knock.key, found);
		return found;
	}

	/** The first path that cannot exist is asked for twice: what differs then is of each request, and not of the path. */
	async askControl(control: Knock): Promise<void> {
		const first = await this.ask(control);
		if (this.#isRepeated || first?.status === undefined) return;
		this.#isRepeated = true;
		const second = await this.#look(control);
		if (second?.status !== undefined) this.isFickle = !isSame(first, second, { isFickle: false });
	}

	async #look(knock: Knock): Promise<Answered | undefined> {
		if (this.stopped === undefined && this.asked.length >= mostLooks) this.stopped = `after ${mostLooks} requests`;
		if (this.stopped !== undefined) return undefined;
		const { clock } = this.context;
		const due = this.#last === undefined ? 0 : this.#last + Math.max(pace, this.#wait) - clock.monotonic();
		if (due > 0) await clock.sleep(due);
		this.#last = clock.monotonic();
		const look = await sent(this.context, knock);
		if (look instanceof PurserError) return { trouble: `not tried: ${look.message}` };
		const found = answeredOf(look, wordsOf(knock));
		this.#note(knock, found, clock.monotonic() - this.#last);
		this.looks.push(look);
		this.#judge(look, found);
		return found;
	}

	#note({ path, isControl }: Knock, { status, trouble }: Answered, took: number): void {
		const asked: Asked = {
			path,
			status: status ?? null,
			...(trouble && { trouble }),
			...(isControl && { control: true }),
			took: Math.round(took),
		};
		this.asked.push(asked);
		this.told(asked, this.asked.length);
	}

	/** Whether, and when, the next request may leave. */
	#judge({ outcome }: Look, { status }: Answered): void {
		if (outcome.kind === "not-sent") this.stopped = "because there is no connection";
		const isTrouble = status === undefined || status === 429 || (status >= 502 && status <= 504);
		this.#troubles = isTrouble ? this.#troubles + 1 : 0;
		if (this.#troubles >= mostTroubles) this.stopped ??= `after ${mostTroubles} requests in a row without a usable answer`;
		const wait = outcome.kind === "answer" ? retryAfter(outcome.headers["retry-after"], () => this.context.clock.now()) : undefined;
		this.#wait = isTrouble ? (wait ?? 0) : 0;
		if (this.#wait > longestWait) this.stopped ??= "because the service asks to wait longer than 20 seconds";
	}
}

/** @returns the fault of a request that cannot be made. @throws PurserError interrupted; auth, where nobody is logged in */
async function sent(context: Context, { profile, operation, input }: Knock): Promise<Look | PurserError> {
	try {
		return await lookOnce(context, profile, operation, input);
	} catch (error) {
		if (error instanceof PurserError && ["usage", "validation", "guard"].includes(error.kind)) return error;
		throw error;
	}
}

/** The words of a request's path, with the ids in it. */
const wordsOf = ({ path, input, profile }: Knock): string[] => [
	new URL(profile.baseUrl).host,
	...Object.values((input.params ?? {}) as Record<string, unknown>).map(String),
	...path.split("/").filter((part) => part !== "" && !part.includes("{")),
];

/** What the answers together show of the service. */
function mannersOf(planned: readonly Planned[], round: Round): Manners {
	const manners = { isFickle: round.isFickle };
	const isUnlike = (one: Planned, statuses: readonly number[]): boolean => {
		const found = one.knock && round.found(one.knock);
		const control = one.control && round.found(one.control);
		return (
			found?.status !== undefined && statuses.includes(found.status) && control?.status !== undefined && !isSame(found, control, manners)
		);
	};
	return {
		...manners,
		knows405: planned.some((one) => isUnlike(one, [405])),
		knows404: planned.some((one) => one.isOwn && one.knock?.hasId && isUnlike(one, [404, 410])),
	};
}
