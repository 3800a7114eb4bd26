/**
 * What an import found, as it is told: the same for people, for a script, and in an error.
 */
import type { Fault } from "../errors.js";
import type { BoundPaging, OperationBinding } from "../ports/binding.js";
import type { ForeignAuth, ForeignDocument } from "./foreign.js";
import { type Candidate, type Found, type Matched, proposalFaults } from "./match.js";
import { neededIn } from "./places.js";
import type { ProposedField } from "./proposal.js";

export interface ToldOperation {
	operation: string;
	state: Found["state"] | "bound";
	/** The best first. */
	candidates: { method: string; path: string; score: number; evidence: string[] }[];
	/** Of the first candidate. */
	fields: ProposedField[];
}

export interface ImportReport {
	document: { title: string; version: string; sha256: string };
	/** The address that was given, or else the first that the document offers. */
	server: string | null;
	/** Where the records of the answers stand, as JSON Pointers; null where they stand at the root. */
	envelope: { record: string | null; records: string | null };
	paging: BoundPaging | null;
	auth: ForeignAuth | null;
	operations: ToldOperation[];
}

/** @param bound what the profile has bound already, by operation */
export function reportOf(
	document: ForeignDocument,
	matched: Matched,
	bound: Readonly<Record<string, OperationBinding>>,
	place: { baseUrl: string; server?: string },
): ImportReport {
	const { title, version, sha256, auth, servers } = document;
	const answers = matched.operations
		.map(({ candidates }) => candidates[0]?.proposal.binding.answer)
		.filter((answer) => answer !== undefined);
	return {
		document: { title, version, sha256 },
		server: place.server ?? servers[0] ?? null,
		envelope: {
			record: commonest(answers.filter(({ records }) => records === undefined).map(({ record = "" }) => record)),
			records: commonest(answers.map(({ records }) => records).filter((one) => one !== undefined)),
		},
		paging: matched.service.paging ?? null,
		auth: auth ?? null,
		operations: matched.operations.map((one) => told(one, bound[one.operation.id]?.path !== undefined, place.baseUrl)),
	};
}

function commonest(values: readonly string[]): string | null {
	const counts = new Map<string, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	const [first] = [...counts].sort(([, one], [, other]) => other - one);
	return first === undefined || first[0] === "" ? null : first[0];
}

function told({ operation, state, candidates }: Found, isBound: boolean, baseUrl: string): ToldOperation {
	return {
		operation: operation.id,
		state: isBound ? "bound" : state,
		candidates: candidates.map((one) => ({
			method: one.fit.theirs.method,
			path: one.fit.theirs.path,
			score: Math.round(one.fit.score * 100) / 100,
			evidence: evidenceOf(one, baseUrl),
		})),
		fields: candidates[0]?.proposal.fields ?? [],
	};
}

/** What speaks for a candidate, what speaks against it, and what is to be asked. */
function evidenceOf(candidate: Candidate, baseUrl: string): string[] {
	const { fit, proposal } = candidate;
	const isNeeded = neededIn(fit.operation);
	const unsure = proposal.fields.filter(({ ours, place, sure }) => place !== "answer" && !sure && isNeeded(ours));
	const open = proposal.open.map(({ text }) => `to be asked: ${text}`);
	const places = unsure
		.filter(({ ours }) => !proposal.open.some((one) => one.ours === ours))
		.slice(0, 5)
		.map(({ ours, theirs }) => `not sure: ${ours} at ${theirs}`);
	return [...reasonsOf(candidate, baseUrl), ...[...places, ...open].map((words) => words.slice(0, 300))];
}

/** What speaks for a candidate, and what against it. */
export function reasonsOf({ fit, proposal }: Candidate, baseUrl: string): string[] {
	return [
		...fit.evidence,
		...fit.doubts.map((doubt) =>
			`but it ${/^(the path|its|has|takes|is|also)/.test(doubt) ? "" : "is doubtful: "}${doubt}`
				.replace("but it the path", "but the path")
				.replace("but it its", "but its")
				.replace("but it PUT", "but PUT"),
		),
		...proposalFaults(fit.operation, proposal.binding, baseUrl)
			.slice(0, 5)
			.map((fault) => `not whole: ${fault}`),
	].map((words) => words.slice(0, 300));
}

/** The answer of a script for an operation that the document does not have. */
export const noOperation = "none";

/** The open questions as details of an error. */
export function questionsOf(report: ImportReport): Fault[] {
	return report.operations
		.filter(({ state }) => state === "ask")
		.map(({ operation, candidates }) => ({
			field: operation,
			answers: [...candidates.map(({ method, path }) => `${method} ${path}`), noOperation],
			other: "METHOD /path of another operation of the document",
			message: candidates.map(({ method, path, score, evidence }) => `${method} ${path} (${score}: ${evidence.join("; ")})`).join(" | "),
		}));
}
