/**
 * Simulated faults: which, for which operation, how often.
 */
import { catalog } from "../../api/operations/catalog.js";
import { errorResponse, HttpError, type Response } from "../message.js";

export const faultKinds = ["delay", "404", "429", "500", "drop-before", "drop-after", "cut", "202", "lag", "duplicates"] as const;
export type FaultKind = (typeof faultKinds)[number];

/** How a fault is typed. */
export const faultForm = "OPERATION=KIND[:xTIMES][:MILLISECONDSms]";

export interface SimulatedFault {
	/** An operation's id, or `*`. */
	operation: string;
	kind: FaultKind;
	/** How many more times; undefined: without end. */
	times?: number;
	/** Milliseconds, for a delay and a lag. */
	delay: number;
}

/**
 * `transaction.interLedger=drop-after:x1`, `*=delay:300ms`, `terms.get=500:x2`.
 * @throws RangeError saying what is wrong
 */
export function parseFault(text: string): SimulatedFault {
	const match = /^([\w.*]+)=([\w-]+)((?::[\w.]+)*)$/.exec(text);
	if (!match || !faultKinds.includes(match[2] as FaultKind))
		throw new RangeError(`${JSON.stringify(text)} is not ${faultForm}; kinds: ${faultKinds.join(", ")}`);
	if (match[1] !== "*" && !catalog.some(({ id }) => id === match[1]))
		throw new RangeError(`${JSON.stringify(match[1])} is not an operation; \`purser api list\` shows them, and * stands for all`);
	const fault: SimulatedFault = { operation: match[1] as string, kind: match[2] as FaultKind, delay: 1000 };
	for (const part of (match[3] as string).split(":").filter(Boolean)) {
		if (/^x\d{1,6}$/.test(part)) fault.times = Number(part.slice(1));
		else if (/^\d{1,7}ms$/.test(part)) fault.delay = Number(part.slice(0, -2));
		else throw new RangeError(`${JSON.stringify(part)} is neither a count (x3) nor a time (300ms)`);
	}
	return fault;
}

/** The faults that this request meets; each counts as used. */
export function takeFaults(faults: SimulatedFault[], operation: string): SimulatedFault[] {
	return faults.filter((fault) => {
		if (fault.operation !== "*" && fault.operation !== operation) return false;
		if (fault.times !== undefined && fault.times <= 0) return false;
		if (fault.times !== undefined) fault.times -= 1;
		return true;
	});
}

/** The fault as it is typed, with the remaining number of times. */
export function formatFault({ operation, kind, times, delay }: SimulatedFault): string {
	const parts = [times === undefined ? "" : `x${times}`, kind === "delay" || kind === "lag" ? `${delay}ms` : ""];
	return [`${operation}=${kind}`, ...parts.filter(Boolean)].join(":");
}

/** What faults change in how a request is handled, where its answer is otherwise a good one. */
export interface Changed {
	/** Lists leave out what was created within the last so many milliseconds. */
	lag?: number;
	/** A second record with the same externalId is created. */
	twins: boolean;
}

/** The faults that the handlers themselves simulate. */
export function changedBy(faults: readonly SimulatedFault[]): Changed {
	return { lag: faults.find(({ kind }) => kind === "lag")?.delay, twins: faults.some(({ kind }) => kind === "duplicates") };
}

/**
 * Handles a request with its faults. With `drop-before`, 404, 429 and 500, `process` is not called; `drop-after` and `cut` damage any
 * answer; the others replace a successful answer.
 */
export function withFaults(faults: readonly SimulatedFault[], process: () => Response, now: Date): Response {
	const kinds = new Set(faults.map(({ kind }) => kind));
	const answer = replaced(kinds, now) ?? spoiled(process(), kinds);
	const delay = faults.find(({ kind }) => kind === "delay")?.delay;
	return delay === undefined ? answer : { ...answer, delivery: { ...answer.delivery, delay } };
}

/** The answer of a fault that keeps the request from being handled. */
function replaced(kinds: ReadonlySet<FaultKind>, now: Date): Response | undefined {
	if (kinds.has("drop-before")) return { status: 500, headers: {}, body: new Uint8Array(), delivery: { drop: true } };
	// What a deployment without the operation answers.
	if (kinds.has("404")) return errorResponse(new HttpError(404, "NOT_FOUND", "There is no such path"), now);
	if (kinds.has("429")) return errorResponse(new HttpError(429, "TOO_MANY_REQUESTS", "Slow down", [], { "retry-after": "1" }), now);
	if (kinds.has("500")) return errorResponse(new HttpError(500, "INTERNAL_ERROR", "Something went wrong"), now);
	return undefined;
}

/** The answer after a fault. */
function spoiled(answer: Response, kinds: ReadonlySet<FaultKind>): Response {
	if (kinds.has("drop-after")) return { ...answer, delivery: { drop: true } };
	if (kinds.has("cut")) return { ...answer, delivery: { cut: Math.floor(answer.body.length / 2) } };
	return kinds.has("202") && answer.status >= 200 && answer.status <= 299 ? { ...answer, status: 202 } : answer;
}
