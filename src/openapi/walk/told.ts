/**
 * What an import takes over for the whole of a service, told in words: a guess that nobody hears of is found out by a list that lacks records.
 */
import { catalog } from "../../api/operations/catalog.js";
import type { IdKind } from "../../api/text/ids.js";
import { wantedTexts } from "../../binding/wanted.js";
import type { BoundPaging, OperationBinding, ServiceBinding, Wanted } from "../../ports/binding.js";
import type { Auth } from "../../ports/profiles.js";
import type { ForeignAuth, ForeignOperation } from "../foreign.js";
import type { Candidate, Imports } from "../import.js";
import { unfilled } from "../places.js";
import { formWords, idWords } from "./words.js";

interface Bindings {
	overrides: Readonly<Record<string, OperationBinding>>;
	service?: ServiceBinding;
}

/**
 * @param stored what is bound by this import
 * @returns sentences without a full stop
 */
export function toldOf(
	{ document, matched }: Imports,
	stored: readonly Candidate[],
	before: Bindings & { auth: Auth },
	after: Bindings,
): string[] {
	const lines: string[] = [...new Set(stored.flatMap(statusLines))];
	const { paging, ids = {} } = after.service ?? {};
	if (paging !== undefined && before.service?.paging === undefined) {
		const unbound = catalog
			.filter(({ id, query }) => "pageSize" in query.shape && after.overrides[id]?.path === undefined)
			.map(({ id }) => id);
		const also = unbound.length === 0 ? "" : `, also those that are not bound (${unbound.join(", ")})`;
		lines.push(`Every list of this profile is now read ${pagingWords(paging)}${also}`);
	}
	const added = (Object.keys(ids) as IdKind[]).filter((kind) => before.service?.ids?.[kind] === undefined);
	for (const [pattern, kinds] of grouped(added, (kind) => ids[kind] as string))
		lines.push(`Ids of ${kinds.map((kind) => idWords[kind]).join(", ")} look like ${pattern}: no other is taken for one`);
	const unsaid = matched.unsaid.ids.filter((kind) => ids[kind] === undefined);
	if (unsaid.length > 0)
		lines.push(
			`Ids of ${unsaid.map((kind) => idWords[kind]).join(", ")} are taken to be UUIDs; the document does not say what they look like`,
		);
	const { auth } = document;
	const isSame = auth === undefined || auth.kind === before.auth.kind || (auth.kind === "bearer" && before.auth.kind === "login");
	if (!isSame)
		lines.push(
			`The document says that one logs in ${authWords[auth.kind]}${auth.kind === "header" ? ` ${auth.header}` : ""}, and this profile does not`,
		);
	return lines;
}

/** The candidates with what the document requires of each beside our fields, so that it is told again before anything is sent. */
export function withWanted(chosen: readonly Candidate[], { document }: Imports): Candidate[] {
	return chosen.map(({ fit, proposal }) => {
		const { source, ...binding } = proposal.binding;
		const wants = wantedOf(fit.theirs, binding, document.auth).slice(0, mostKept);
		if (source === undefined || wants.length === 0) return { fit, proposal };
		return { fit, proposal: { ...proposal, binding: { ...binding, source: { ...source, wants } } } };
	});
}

/** The same in sentences without a full stop. */
export const wantedLines = (chosen: readonly Candidate[]): string[] =>
	chosen.flatMap(({ fit: { operation }, proposal: { binding } }) => wantedTexts(operation, binding));

const mostKept = 50;

/** What purser sends with each request itself. */
const own = /^(accept|accept-encoding|authorization|content-length|content-type|host|user-agent|connection)$/i;

/** Required values without a place, and required headers that no value of ours is ever looked for in: keys, signatures, numbers of requests. */
function wantedOf(theirs: ForeignOperation, binding: OperationBinding, auth: ForeignAuth | undefined): Wanted[] {
	const isSent = (name: string): boolean =>
		own.test(name) ||
		(auth?.kind === "header" && auth.header.toLowerCase() === name.toLowerCase()) ||
		Object.values(binding.request?.fields ?? {}).some(({ place, at }) => place === "header" && at.toLowerCase() === name.toLowerCase());
	const headers = theirs.parameters.filter(
		({ place, required, fallback, name }) => place === "header" && required && fallback === undefined && !isSent(name),
	);
	const others = unfilled(theirs, binding).filter(({ place }) => place !== "header");
	const all = [
		...headers.map(({ name }): Wanted => ({ place: "header", at: name })),
		...others.map(({ place, at }) => ({ place, at }) as Wanted),
	];
	return all.filter(({ at }) => at.length <= longestKept);
}

/** As the file of bindings has it. */
const longestKept = 400;

/** What each status of theirs is taken for: a payment is called final by it. */
function statusLines({ fit, proposal }: Candidate): string[] {
	return Object.entries(proposal.binding.answer?.fields ?? {}).flatMap(([ours, { values }]) => {
		if (values === undefined) return [];
		const theirs = fit.answer.matches.find((one) => one.ours.name === ours)?.theirs.values ?? [];
		const unknown = theirs.filter((one) => !Object.values(values).includes(one));
		const whose = ours === "kybStatus" ? "a verification (KYB)" : "a payment";
		return [
			`Statuses of ${whose}: ${formWords({ values })}${unknown.length === 0 ? "" : `; ${unknown.slice(0, 10).join(", ")} mean nothing to purser yet`}`,
		];
	});
}

const authWords = {
	bearer: "with a bearer token",
	basic: "with a user name and a password (HTTP Basic)",
	header: "with a key in the header",
};

function pagingWords({ style, at, first, size, next }: BoundPaging): string {
	const most = size === undefined ? "" : `, at most ${size.most} records at once (${size.at})`;
	if (style === "page") return `in pages (${at}) from number ${first ?? 0} on${most}`;
	if (style === "offset") return `by counting records (${at})${most}`;
	if (style === "cursor") return `from cursor to cursor (${at})${most}`;
	return next === undefined
		? "as one answer, or from one Link header to the next, and is no proof that a payment is absent: the document does not say how it is divided"
		: `from link to link${most}`;
}

function grouped<T>(all: readonly T[], by: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of all) groups.set(by(one), [...(groups.get(by(one)) ?? []), one]);
	return groups;
}
