/**
 * One import: a document read, matched, and told.
 */

import { catalog } from "../api/operations/catalog.js";
import { isUrl } from "../api/text/url.js";
import { PurserError } from "../errors.js";
import type { OperationBinding, ServiceBinding } from "../ports/binding.js";
import { pickedCandidate, picksOf } from "./adopt.js";
import { readOpenApi } from "./document.js";
import type { ForeignDocument } from "./foreign.js";
import { type Candidate, type Matched, matchDocument } from "./match.js";
import { type ImportReport, reportOf } from "./report.js";

export { adopted, adoptionFaults } from "./adopt.js";
export { type Candidate, proposalFaults } from "./match.js";
export { type ImportReport, noOperation, questionsOf } from "./report.js";

/** What a profile has bound already. */
interface Bound {
	overrides: Record<string, OperationBinding>;
	service?: ServiceBinding;
}

export interface Imports {
	document: ForeignDocument;
	matched: Matched;
	report: ImportReport;
	/** Another base address than the profile's. */
	server?: string;
	/** What a person should know beside it. */
	remarks: readonly string[];
}

/**
 * @param value the parsed document
 * @param sha256 of its bytes
 * @throws PurserError validation, where it is no OpenAPI document that can be read; usage, for a server elsewhere
 */
export function documentMatch(
	value: unknown,
	sha256: string,
	options: { only?: string; server?: string; profile?: Bound & { baseUrl: string } },
): Imports {
	const document = readOpenApi(value, sha256);
	const offers = options.server === undefined ? document.servers : [options.server];
	const baseUrl = options.profile?.baseUrl ?? absolute(offers) ?? "https://service.invalid";
	const { server, isElsewhere } = serverOf(offers, baseUrl);
	if (isElsewhere && options.server !== undefined)
		throw new PurserError("usage", {
			code: "SERVER_ELSEWHERE",
			message: `${options.server.slice(0, 200)} is not at the profile's own address, ${new URL(baseUrl).origin}; nothing was stored`,
			fix: "Give an address of the same origin, or use a profile whose base address it is.",
		});
	const asked = options.only === undefined ? catalog : catalog.filter(({ id }) => id === options.only);
	const whole = matchDocument(document, catalog, { baseUrl, server, paging: options.profile?.service?.paging });
	const matched = {
		...whole,
		operations: whole.operations.filter(({ operation }) => asked.includes(operation as never)),
		idempotency: whole.idempotency.filter((one) => asked.some(({ id }) => one.startsWith(`${id}: `))),
	};
	const report = reportOf(document, matched, options.profile?.overrides ?? {}, { baseUrl, server: options.server });
	const remarks = [
		...(isElsewhere ? [`The document's servers are elsewhere (${document.servers[0]}); its paths are taken below ${baseUrl}`] : []),
		...matched.idempotency.map((one) => `The document names an idempotency key, which is not sent: ${one}`),
	];
	return { document, matched, report, server, remarks };
}

function absolute(offers: readonly string[]): string | undefined {
	return offers.find((one) => /^https?:\/\/[^{}\s]+$/.test(one) && isUrl(one));
}

/** The proposals that a person picked. @throws PurserError, where one does not fit */
export function picked(given: readonly string[], imports: Imports): Candidate[] {
	return picksOf(given, catalog, imports.document).map((pick) => pickedCandidate(pick, imports));
}

/**
 * The base address that a document's paths are below. Its servers are an offer; nothing there is contacted.
 * @param offers the address that a person gave, or else those of the document
 * @returns the address where it is another one than the profile's own and of the same origin; `isElsewhere` where no offer has that origin
 */
function serverOf(offers: readonly string[], baseUrl: string): { server?: string; isElsewhere: boolean } {
	const base = addressOf(baseUrl, baseUrl);
	const found = offers.map((one) => addressOf(one, baseUrl)).filter((one) => one !== undefined);
	const own = found.find(({ origin }) => origin === base?.origin);
	if (own === undefined) return { isElsewhere: found.length > 0 };
	return own.path === base?.path ? { isElsewhere: false } : { server: `${own.origin}${own.path}`, isElsewhere: false };
}

function addressOf(text: string, base: string): { origin: string; path: string } | undefined {
	if (text.includes("{")) return undefined;
	try {
		const url = new URL(text, base.endsWith("/") ? base : `${base}/`);
		if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
		return { origin: url.origin, path: url.pathname.replace(/\/+$/, "") };
	} catch {
		return undefined;
	}
}
