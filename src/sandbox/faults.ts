/**
 * Faults on request: what shall go wrong, for which operation, how often. Reproducible by a seed.
 */
import { type Answer, json, Refusal, refused } from "./message.js";

export const faultKinds = ["delay", "429", "500", "503", "drop-before", "drop-after", "cut", "html", "nonsense", "no-id", "202"] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
	/** An operation's id, or `*`. */
	operation: string;
	kind: FaultKind;
	/** From 0 to 1. */
	probability: number;
	/** How many more times; undefined: without end. */
	times?: number;
	/** Milliseconds, for a delay. */
	delay: number;
}

/**
 * `transaction.interLedger=drop-after:0.5`, `*=delay:300ms`, `terms.get=500:x2`.
 * @throws RangeError saying what is wrong
 */
export function parseFault(text: string): Fault {
	const match = /^([\w.*]+)=([\w-]+)((?::[\w.]+)*)$/.exec(text);
	if (!match || !faultKinds.includes(match[2] as FaultKind))
		throw new RangeError(
			`${JSON.stringify(text)} is not OPERATION=KIND[:PROBABILITY][:xTIMES][:MILLISECONDSms]; kinds: ${faultKinds.join(", ")}`,
		);
	const fault: Fault = { operation: match[1] as string, kind: match[2] as FaultKind, probability: 1, delay: 1000 };
	for (const part of (match[3] as string).split(":").filter(Boolean)) {
		if (/^x\d{1,6}$/.test(part)) fault.times = Number(part.slice(1));
		else if (/^\d{1,7}ms$/.test(part)) fault.delay = Number(part.slice(0, -2));
		else if (/^(0(\.\d+)?|1(\.0+)?)$/.test(part)) fault.probability = Number(part);
		else throw new RangeError(`${JSON.stringify(part)} is neither a probability (0.5), a count (x3) nor a time (300ms)`);
	}
	return fault;
}

/** Random fractions from a seed (mulberry32). */
export function seeded(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** Takes the faults that strike this call. */
export function struck(faults: Fault[], operation: string, fraction: () => number): Fault[] {
	return faults.filter((fault) => {
		if (fault.operation !== "*" && fault.operation !== operation) return false;
		if (fault.times !== undefined && fault.times <= 0) return false;
		if (fraction() >= fault.probability) return false;
		if (fault.times !== undefined) fault.times -= 1;
		return true;
	});
}

/**
 * Runs a call under its faults. Those that strike before processing keep `process` from being called.
 * @param money whether a 202 makes sense for the call
 */
export function underFaults(faults: readonly Fault[], process: () => Answer, now: Date): Answer {
	const kinds = new Set(faults.map(({ kind }) => kind));
	const delay = faults.find(({ kind }) => kind === "delay")?.delay;
	const delivered = (answer: Answer): Answer => (delay === undefined ? answer : { ...answer, delivery: { ...answer.delivery, delay } });
	if (kinds.has("drop-before")) return delivered({ status: 500, headers: {}, body: new Uint8Array(), delivery: { drop: true } });
	if (kinds.has("429")) return delivered(refused(new Refusal(429, "TOO_MANY_REQUESTS", "Slow down"), now, { "retry-after": "1" }));
	if (kinds.has("500")) return delivered(refused(new Refusal(500, "INTERNAL_ERROR", "Something went wrong"), now));
	if (kinds.has("503")) return delivered(refused(new Refusal(503, "UNAVAILABLE", "Out of service"), now));
	const answer = process();
	if (kinds.has("drop-after")) return delivered({ ...answer, delivery: { drop: true } });
	const success = answer.status >= 200 && answer.status < 300;
	if (kinds.has("cut")) return delivered({ ...answer, delivery: { cut: Math.floor(answer.body.length / 2) } });
	if (!success) return delivered(answer);
	if (kinds.has("html"))
		return delivered({
			status: answer.status,
			headers: { "content-type": "text/html" },
			body: new TextEncoder().encode("<html><body>A gateway was here</body></html>"),
		});
	if (kinds.has("nonsense"))
		return delivered({
			status: answer.status,
			headers: { "content-type": "application/json" },
			body: new TextEncoder().encode('{"id": nonsense'),
		});
	if (kinds.has("no-id")) return delivered(json(answer.status, {}));
	if (kinds.has("202")) return delivered({ ...answer, status: 202 });
	return delivered(answer);
}
