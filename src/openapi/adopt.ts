/**
 * Which proposals are stored, and what a person picked.
 */

import { advice, purser } from "../api/advice.js";
import type { AnyOperation } from "../api/operation.js";
import { serviceFaults } from "../binding/faults.js";
import { type Fault, PurserError } from "../errors.js";
import type { OperationBinding, ServiceBinding } from "../ports/binding.js";
import type { ForeignDocument, ForeignOperation } from "./foreign.js";
import { type Candidate, type Matched, proposalFaults, withPages } from "./match.js";
import { presented } from "./naming.js";
import { neededIn } from "./places.js";
import { proposed } from "./proposal.js";
import { fitOf } from "./score.js";
import { voiceOf } from "./voice.js";

/** `OP=POST /path`, read. */
export interface Pick {
	operation: AnyOperation;
	theirs: ForeignOperation;
}

/** @throws PurserError usage, with every pick that names no operation of ours or of the document */
export function picksOf(given: readonly string[], catalog: readonly AnyOperation[], document: ForeignDocument): Pick[] {
	const faults: Fault[] = [];
	const picks = given.flatMap((text): Pick[] => {
		const [, id = "", method = "", path = ""] = /^\s*([A-Za-z.]+)\s*=\s*([A-Za-z]+)\s+(\/\S*)\s*$/.exec(text) ?? [];
		const operation = catalog.find((one) => one.id === id);
		const theirs = document.operations.find((one) => one.method === method.toUpperCase() && one.path === path);
		if (operation === undefined)
			faults.push({
				field: "pick",
				message: `${JSON.stringify(text)} must be OPERATION='METHOD /path', with an operation of \`purser api list\``,
			});
		else if (theirs === undefined) faults.push({ field: "pick", message: `${method.toUpperCase()} ${path} is not in the document` });
		return operation !== undefined && theirs !== undefined ? [{ operation, theirs }] : [];
	});
	if (faults.length === 0) return picks;
	throw new PurserError("usage", {
		code: "PICK_INVALID",
		message: "A pick does not fit; nothing was stored",
		fix: advice`See the candidates: ${purser`api import FILE --dry-run`}`,
		details: faults,
	});
}

/** The proposal of a pick. @throws PurserError validation, where it cannot be that operation at all */
export function pickedCandidate(
	{ operation, theirs }: Pick,
	{ document, server, matched }: { document: ForeignDocument; server?: string; matched: Matched },
): Candidate {
	const fit = fitOf(operation, theirs, presented(theirs, voiceOf(document.operations)), 0);
	if (fit !== undefined) return { fit, proposal: withPages(proposed(fit, document, server), operation, matched.unsaid) };
	throw new PurserError("validation", {
		code: "PICK_INVALID",
		message: `${theirs.method} ${theirs.path} cannot be ${operation.title}: nothing of it was recognised. Nothing was stored`,
		fix: advice`Bind it by hand: ${purser`api set ${operation.id} --help`}`,
	});
}

/** The faults of what would be stored for one operation, open questions included. */
export function adoptionFaults({ fit: { operation }, proposal }: Candidate, baseUrl: string): Fault[] {
	return [
		...proposal.open.map(({ text }) => ({ field: operation.id, message: text })),
		...proposalFaults(operation, proposal.binding, baseUrl).map((message) => ({ field: operation.id, message })),
	];
}

/** What a profile has after an import: what it had stays, unless it was picked. */
export function adopted(
	before: { overrides: Readonly<Record<string, OperationBinding>>; service?: ServiceBinding },
	candidates: readonly Candidate[],
	service: ServiceBinding,
): { overrides: Record<string, OperationBinding>; service?: ServiceBinding } {
	const overrides = { ...before.overrides };
	for (const { fit, proposal } of candidates) overrides[fit.operation.id] = proposal.binding;
	if (candidates.length === 0) return { overrides, service: before.service };
	const isList = candidates.some(({ fit }) => "pageSize" in fit.operation.query.shape);
	// Of a list that does not say how it is divided one answer is read, and a link in its header followed: it is shown, and proves nothing absent.
	const { paging = { style: "link" } as const, errors, ids } = service;
	const offered: ServiceBinding = { ...(isList ? { paging } : {}), ...(errors ? { errors } : {}), ...(ids ? { ids } : {}) };
	const merged: ServiceBinding = {
		...offered,
		...before.service,
		...(offered.ids || before.service?.ids ? { ids: { ...offered.ids, ...before.service?.ids } } : {}),
	};
	const isNothing = Object.keys(merged).length === 0 || serviceFaults(merged).length > 0;
	return { overrides, service: isNothing ? before.service : merged };
}

/**
 * A proposal that nobody looks at before it is stored: without the fields that are not sure, that may be left out, and that nobody is asked
 * about.
 */
export function withoutUnsure({ fit, proposal }: Candidate): Candidate {
	const { binding, fields, open } = proposal;
	const isAsked = (name: string, isAnswer: boolean): boolean =>
		open.some((one) => one.ours === name && (one.isAnswer ?? false) === isAnswer);
	const isNeeded = neededIn(fit.operation);
	const isKept = (name: string, isAnswer: boolean): boolean =>
		isAsked(name, isAnswer) ||
		(!isAnswer && isNeeded(name)) ||
		fields.every(({ ours, place, sure }) => ours !== name || (place === "answer") !== isAnswer || sure);
	const kept = <F>(all: Readonly<Record<string, F>> | undefined, isAnswer: boolean): Record<string, F> =>
		Object.fromEntries(Object.entries(all ?? {}).filter(([name]) => isKept(name, isAnswer)));
	const { request, answer } = binding;
	const changed = {
		...binding,
		...(request && { request: { ...request, fields: kept(request.fields, false) } }),
		...(answer && { answer: { ...answer, fields: kept(answer.fields, true) } }),
	};
	return { fit, proposal: { ...proposal, binding: changed, fields: fields.filter(({ sure }) => sure) } };
}
