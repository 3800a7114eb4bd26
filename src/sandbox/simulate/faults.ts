/**
 * Simulated faults: which, for which operation, how often. Reproducible by a seed.
 */
import { catalog } from "../../api/operations/catalog.js";
import { errorResponse, HttpError, jsonResponse, type Response } from "../message.js";
import type { TransactionForm } from "../service/transaction-record.js";

export const faultKinds = [
	"delay",
	"404",
	"429",
	"500",
	"503",
	"drop-before",
	"drop-after",
	"cut",
	"html",
	"nonsense",
	"no-id",
	"202",
	"sca",
	"lag",
	"late",
	"duplicates",
	"payee-ids",
	"names-only",
	"reference-upper",
	"reference-ascii",
	"reference-cut",
	"reference-dropped",
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** How a fault is typed. */
export const faultForm = "OPERATION=KIND[:PROBABILITY][:xTIMES][:MILLISECONDSms][:LENGTHchars]";

export interface SimulatedFault {
	/** An operation's id, or `*`. */
	operation: string;
	kind: FaultKind;
	/** Probability, from 0 to 1. */
	probability: number;
	/** How many more times; undefined: without end. */
	times?: number;
	/** Milliseconds, for a delay, a lag and what is listed late. */
	delay: number;
	/** Characters that are left, for a reference that is cut. */
	length: number;
}

/**
 * `transaction.interLedger=drop-after:0.5`, `*=delay:300ms`, `terms.get=500:x2`, `transaction.list=reference-cut:8chars`.
 * @throws RangeError saying what is wrong
 */
export function parseFault(text: string): SimulatedFault {
	const match = /^([\w.*]+)=([\w-]+)((?::[\w.]+)*)$/.exec(text);
	if (!match || !faultKinds.includes(match[2] as FaultKind))
		throw new RangeError(`${JSON.stringify(text)} is not ${faultForm}; kinds: ${faultKinds.join(", ")}`);
	if (match[1] !== "*" && !catalog.some(({ id }) => id === match[1]))
		throw new RangeError(`${JSON.stringify(match[1])} is not an operation; \`purser api list\` shows them, and * stands for all`);
	const fault: SimulatedFault = { operation: match[1] as string, kind: match[2] as FaultKind, probability: 1, delay: 1000, length: 10 };
	for (const part of (match[3] as string).split(":").filter(Boolean)) {
		if (/^x\d{1,6}$/.test(part)) fault.times = Number(part.slice(1));
		else if (/^\d{1,7}ms$/.test(part)) fault.delay = Number(part.slice(0, -2));
		else if (/^\d{1,3}chars$/.test(part)) fault.length = Number(part.slice(0, -5));
		else if (/^(0(\.\d+)?|1(\.0+)?)$/.test(part)) fault.probability = Number(part);
		else throw new RangeError(`${JSON.stringify(part)} is neither a probability (0.5), a count (x3), a time (300ms) nor a length (8chars)`);
	}
	return fault;
}

/** Random fractions from a seed (mulberry32). */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** The faults that this request meets; each counts as used. */
export function takeFaults(faults: SimulatedFault[], operation: string, fraction: () => number): SimulatedFault[] {
	return faults.filter((fault) => {
		if (fault.operation !== "*" && fault.operation !== operation) return false;
		if (fault.times !== undefined && fault.times <= 0) return false;
		if (fraction() >= fault.probability) return false;
		if (fault.times !== undefined) fault.times -= 1;
		return true;
	});
}

/** The fault as it is typed, with the remaining number of times. */
export function formatFault({ operation, kind, probability, times, delay, length }: SimulatedFault): string {
	const parts = [
		probability === 1 ? "" : String(probability),
		times === undefined ? "" : `x${times}`,
		kind === "delay" || kind === "lag" || kind === "late" ? `${delay}ms` : "",
		kind === "reference-cut" ? `${length}chars` : "",
	];
	return [`${operation}=${kind}`, ...parts.filter(Boolean)].join(":");
}

/** What faults change in how a request is handled, where its answer is otherwise a good one. */
export interface Changed {
	/** Lists leave out what was created within the last so many milliseconds. */
	lag?: number;
	/** The transaction that is created is listed only after so many milliseconds. */
	late?: number;
	/** A second record with the same externalId is created. */
	twins: boolean;
	/** How transactions are shown. */
	form: TransactionForm;
}

/** The faults that the handlers themselves simulate. */
export function changedBy(faults: readonly SimulatedFault[]): Changed {
	const of = (kind: FaultKind): SimulatedFault | undefined => faults.find((fault) => fault.kind === kind);
	const cut = of("reference-cut")?.length;
	return {
		lag: of("lag")?.delay,
		late: of("late")?.delay,
		twins: of("duplicates") !== undefined,
		form: {
			payeeIds: of("payee-ids") !== undefined,
			namesOnly: of("names-only") !== undefined,
			reference: (sent) => {
				if (of("reference-dropped")) return undefined;
				const plain = of("reference-ascii") ? asciiOf(sent) : sent;
				const cased = of("reference-upper") ? plain.toUpperCase() : plain;
				return cut === undefined ? cased : [...cased].slice(0, cut).join("");
			},
		},
	};
}

/** Letters of a reference (specification 2.7) that do not consist of a plain one and an accent. */
const plainLetters: Readonly<Record<string, string>> = { Æ: "AE", æ: "ae", Ø: "O", ø: "o", ß: "ss", Ð: "D", ð: "d", Þ: "TH", þ: "th" };

/** As rails without accents transcribe it: `é` is `e`. */
const asciiOf = (text: string): string =>
	text
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replace(/[^ -~]/gu, (letter) => plainLetters[letter] ?? "?");

/**
 * Handles a request with its faults. With `drop-before`, 404, 429, 500, 503 and `sca`, `process` is not called; `drop-after` and `cut` damage any
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
	if (kinds.has("503")) return errorResponse(new HttpError(503, "UNAVAILABLE", "Out of service"), now);
	// What newer deployments answer when they want the holder's strong authentication.
	if (kinds.has("sca")) return errorResponse(new HttpError(409, "SCA_REQUIRED", "Strong customer authentication is required"), now);
	return undefined;
}

/** The answer after a fault. A 204 has no content that could be wrong, so it becomes a 200. */
function spoiled(answer: Response, kinds: ReadonlySet<FaultKind>): Response {
	if (kinds.has("drop-after")) return { ...answer, delivery: { drop: true } };
	if (kinds.has("cut")) return { ...answer, delivery: { cut: Math.floor(answer.body.length / 2) } };
	if (answer.status < 200 || answer.status > 299) return answer;
	const status = answer.status === 204 ? 200 : answer.status;
	const as = (type: string, body: string): Response => ({
		status,
		headers: { "content-type": type },
		body: new TextEncoder().encode(body),
	});
	if (kinds.has("html")) return as("text/html", "<html><body>A gateway was here</body></html>");
	if (kinds.has("nonsense")) return as("application/json", '{"id": nonsense');
	if (kinds.has("no-id")) return jsonResponse(status, {});
	return kinds.has("202") ? { ...answer, status: 202 } : answer;
}
