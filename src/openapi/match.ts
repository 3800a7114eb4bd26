/**
 * Our operations found in a foreign document: for each the candidates, what was found of its fields, and whether it is sure.
 */
import type { AnyOperation } from "../api/operation.js";
import { operationWords } from "../api/operations/vocabulary.js";
import { idKindOf } from "../api/text/ids.js";
import { bindingFaults } from "../binding/faults.js";
import type { BoundPaging, OperationBinding, ServiceBinding } from "../ports/binding.js";
import type { ForeignDocument, ForeignOperation } from "./foreign.js";
import { sharesByKind } from "./kinds.js";
import { presented } from "./naming.js";
import { neededIn } from "./places.js";
import { type Proposed, proposed } from "./proposal.js";
import { type Fit, fitOf } from "./score.js";
import { secondLook } from "./second-look/look.js";
import { idempotencyKeys, serviceOf, type Unsaid } from "./service.js";
import { voiceOf } from "./voice.js";

export interface Candidate {
	fit: Fit;
	proposal: Proposed;
}

export interface Found {
	operation: AnyOperation;
	state: "sure" | "ask" | "none";
	/** Which one it is, is sure; whether all of it is clear, is the state. */
	isKnown: boolean;
	/** At most three, the best first. */
	candidates: readonly Candidate[];
}

export interface Matched {
	operations: readonly Found[];
	service: ServiceBinding;
	unsaid: Unsaid;
	/** Operations of money with the name of their idempotency key. */
	idempotency: readonly string[];
}

/** What `sure` takes: a score, and how far the second stands behind, in both directions. */
const sureScore = 0.68;
const margin = 0.08;
/** Below this nothing is proposed. */
const leastScore = 0.42;

/** @param place what the binding is for: the profile's address and its pages, and another base address of the same origin */
export function matchDocument(
	document: ForeignDocument,
	catalog: readonly AnyOperation[],
	place: { baseUrl: string; server?: string; paging?: BoundPaging },
): Matched {
	const voice = voiceOf(document.operations);
	const shown = document.operations.map((theirs) => presented(theirs, voice));
	const fits = catalog.flatMap((operation) =>
		document.operations.flatMap((theirs, at) => fitOf(operation, theirs, shown[at] as never) ?? []),
	);
	const byNames = withFamilies(fits);
	byNames.sort((one, other) => other.score - one.score);
	const again = secondLook(catalog, document.operations, shown, voice, assign(byNames));
	const scored = [...byNames, ...again];
	const assigned = assign(scored);
	const isOurs = speaksOfOurs(assigned);
	const chosen = [...assigned.values()];
	const { service, unsaid } = serviceOf(document, chosen, place.paging);
	const propose = (fit: Fit): Candidate => ({ fit, proposal: withPages(proposed(fit, document, place.server), fit.operation, unsaid) });
	const operations = catalog.map((operation): Found => {
		const own = scored.filter((fit) => fit.operation === operation);
		const best = assigned.get(operation.id);
		const others = own.filter(
			(fit) => fit !== best && (best !== undefined || ![...assigned.values()].some((one) => one.theirs === fit.theirs)),
		);
		const candidates = [...(best === undefined ? [] : [best]), ...others]
			.filter(({ score }) => score >= leastScore)
			.slice(0, 3)
			.map(propose);
		const [first] = candidates;
		if (first === undefined) return { operation, state: "none", isKnown: false, candidates };
		const isKnown = isOurs && first.fit === best && isClear(best, own, scored) && !isOfOthers(first, assigned);
		const isSure = isKnown && isWhole(operation, first.proposal, place.baseUrl);
		return { operation, state: isSure ? "sure" : "ask", isKnown, candidates };
	});
	return { operations, service, unsaid, idempotency: idempotencyKeys(chosen) };
}

/** A page that is not read would make a list look whole: what a document leaves unsaid of its pages is open. */
export function withPages(proposal: Proposed, operation: AnyOperation, unsaid: Unsaid): Proposed {
	if (!("pageSize" in operation.query.shape)) return proposal;
	const texts = [
		...unsaid.paging.map((one) =>
			one === "first" ? "pages: is the first one number 0 or 1?" : "pages: how many records has one at most?",
		),
		...(unsaid.divided.includes(operation.id) ? ["pages: it is divided otherwise than the other lists, and a profile has one way"] : []),
	];
	return { ...proposal, open: [...proposal.open, ...texts.map((text) => ({ about: "pages" as const, ours: "pages", text }))] };
}

/** Create, get, update and list of one thing live under one collection: the collection that most of them fit is theirs. */
function withFamilies(fits: readonly Fit[]): Fit[] {
	const sums = new Map<string, Map<string, number>>();
	for (const fit of fits) {
		const family = operationWords[fit.operation.id]?.family;
		if (family === undefined) continue;
		const key = `${family} ${fit.presented.collection}`;
		const members = sums.get(key) ?? new Map<string, number>();
		members.set(fit.operation.id, Math.max(members.get(fit.operation.id) ?? 0, fit.score));
		sums.set(key, members);
	}
	const total = (key: string): number => [...(sums.get(key)?.values() ?? [])].reduce((sum, score) => sum + score, 0);
	return fits.map((fit) => {
		const family = operationWords[fit.operation.id]?.family;
		const key = `${family} ${fit.presented.collection}`;
		if (family === undefined || fit.operation.effect === "money" || (sums.get(key)?.size ?? 0) < 2) return fit;
		const most = [...sums.keys()].filter((one) => one.startsWith(`${family} `)).reduce((most, one) => Math.max(most, total(one)), 0);
		const bonus = 0.08 * (total(key) / most);
		return {
			...fit,
			score: Math.min(1, fit.score + bonus),
			kinds: new Set([...fit.kinds, "family" as const]),
			evidence: [...fit.evidence, `others of its kind live under /${fit.presented.collection}`],
		};
	});
}

/** The best first; one foreign operation serves one of ours, two only where a value tells them apart. */
function assign(scored: readonly Fit[]): Map<string, Fit> {
	const found = new Map<string, Fit>();
	const taken = new Map<ForeignOperation, Fit>();
	for (const fit of scored) {
		if (fit.score < leastScore || found.has(fit.operation.id)) continue;
		const other = taken.get(fit.theirs);
		const shares = other !== undefined && sharesByKind(fit.operation.id, other.operation.id, fit.theirs);
		if (other !== undefined && !shares) continue;
		found.set(fit.operation.id, fit);
		taken.set(fit.theirs, fit);
	}
	return found;
}

/** Whether the document is about a service like ours: otherwise a customer is somebody's customer, and nothing is sure. */
function speaksOfOurs(assigned: ReadonlyMap<string, Fit>): boolean {
	const isFound = (id: string): boolean => (assigned.get(id)?.score ?? 0) >= 0.5;
	// A name that also says what we do not know, such as terms of carriage, may speak of something else.
	const has = (...ids: string[]): boolean => ids.some((id) => isFound(id) && assigned.get(id)?.doubts.length === 0);
	const subjects = [
		has("corporate.create", "corporate.get"),
		has("related.create", "related.get"),
		has("transaction.interLedger", "transaction.beneficiary", "transaction.get"),
		has("ledger.list", "ledger.get"),
		has("beneficiary.list", "beneficiary.get"),
		has("terms.get"),
		has("phone.sendCode", "email.sendLink"),
	];
	return ["kyb.request", "kyc.link", "corporate.diligenceReview"].some(isFound) && subjects.filter(Boolean).length >= 3;
}

/** Two kinds of evidence, the noun itself, nothing that speaks against it, and a margin in both directions. */
function isClear(best: Fit, own: readonly Fit[], all: readonly Fit[]): boolean {
	const { operation, theirs } = best;
	if (operation.effect === "money" || operation.id.startsWith("auth.") || theirs.method === "PUT") return false;
	if (best.score < sureScore || best.doubts.length > 0 || !best.kinds.has("noun")) return false;
	if (!best.kinds.has("fields") && !best.kinds.has("family")) return false;
	if (own.some((fit) => fit !== best && best.score - fit.score < margin)) return false;
	return !all.some((fit) => fit !== best && fit.theirs === theirs && best.score - fit.score < margin);
}

/** Kinds of ids whose records' collection is known, where an operation that makes or gives them was found. */
const families: Readonly<Record<string, string>> = { corporate: "company", related: "person" };

/** Whether its path names a record of another collection than that of our companies or persons: `/users/{ref}/email`, where persons are members. */
function isOfOthers({ fit, proposal }: Candidate, assigned: ReadonlyMap<string, Fit>): boolean {
	const own = operationWords[fit.operation.id]?.family;
	return proposal.fields.some(({ ours, place, theirs }) => {
		const family = families[idKindOf[ours] ?? ""];
		if (place !== "path" || family === undefined || family === own) return false;
		const members = [...assigned.values()].filter((one) => operationWords[one.operation.id]?.family === family);
		const homes = members.map((one) => nameOf(one.presented.collection.split("/").filter((part) => part !== "{}")));
		const [before = ""] = fit.theirs.path.split(`{${theirs}}`);
		const home = nameOf(before.split("/"));
		return home !== "" && homes.length > 0 && !homes.includes(home);
	});
}

/** The last name of a path, in one form. */
const nameOf = (parts: readonly string[]): string => (parts.filter((part) => part !== "").at(-1) ?? "").toLowerCase();

/** Everything that is needed has a place, and nothing about its form is open. */
export function isWhole(operation: AnyOperation, { binding, fields, open }: Proposed, baseUrl: string): boolean {
	if (open.length > 0 || bindingFaults(operation, binding, baseUrl).length > 0) return false;
	const isNeeded = neededIn(operation);
	const ofRequest = fields.filter(({ place }) => place !== "answer");
	if (ofRequest.some(({ ours, sure }) => isNeeded(ours) && !sure)) return false;
	const { created } = operation;
	return created === undefined || fields.some(({ place, ours, sure }) => place === "answer" && created.includes(ours) && sure);
}

/** The faults of a proposal, as people read them. */
export function proposalFaults(operation: AnyOperation, binding: OperationBinding, baseUrl: string): string[] {
	return bindingFaults(operation, binding, baseUrl).map(({ field, message }) => (field === "request" ? message : `${field} ${message}`));
}
