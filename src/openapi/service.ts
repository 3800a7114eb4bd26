/**
 * What holds for the whole of a foreign service: pages of lists, errors, forms of ids.
 */
import { type IdKind, idKindOf, idPatternFault } from "../api/text/ids.js";
import type { BoundErrors, BoundPaging, ServiceBinding } from "../ports/binding.js";
import type { ForeignDocument, ForeignField, ForeignOperation } from "./foreign.js";
import { entriesOf } from "./naming.js";
import type { Fit } from "./score.js";
import { wordsOf } from "./words.js";

const names = {
	page: /^((start|current|from)[_-]?)?page([_-]?(number|no|num|index))?$|^page\[number\]$|^p$/i,
	offset: /^(offset|skip|start|start[_-]?(at|index)|page\[offset\])$/i,
	cursor:
		/^((next|start|from)[_-]?)?cursor$|^(after|starting[_-]?after|page[_-]?token|next[_-]?token|continuation([_-]?token)?|page\[(cursor|after)\])$/i,
	size: /^(page[_-]?(size|length|limit|count)|size|length|limit|per[_-]?page|max([_-]?(results|records|items|rows))?|count|page\[(size|limit)\]|take|top)$/i,
	next: /^(next|next[_-]?(cursor|page[_-]?token|token|page|link|url)|end[_-]?cursor|cursor|after|continuation([_-]?token)?)$/i,
	// A `count` alone may be that of one page: a list that ends too early would prove a record absent.
	total:
		/^((grand|overall)[_-]?)?total([_-]?(elements|count|items|results|records|rows|entries|size|number))?$|^(elements?|items?|results?|records?|rows?|entries)[_-]?total$/i,
	order: /^((sort|order)[_-]?(direction|order|dir)?|direction)$/i,
};

/** What a document does not say of the whole service. */
export interface Unsaid {
	/** The number of the first page; the most records of a page, where the next one is found by counting them. */
	paging: readonly ("first" | "size")[];
	/** Kinds of ids that are any text. */
	ids: readonly IdKind[];
	/** Lists (our operations) that are divided otherwise than the service's paging says. */
	divided: readonly string[];
}

/**
 * @param fits the operation that was chosen for each of ours, where one was
 * @param known how the profile divides its lists already
 */
export function serviceOf(
	document: ForeignDocument,
	fits: readonly Fit[],
	known?: BoundPaging,
): { service: ServiceBinding; unsaid: Unsaid } {
	const lists = fits
		.filter(({ operation }) => "pageSize" in operation.query.shape)
		.flatMap(({ operation, theirs }) => {
			const divided = pagingOfList(theirs);
			return divided === undefined ? [] : [{ id: operation.id, ...divided }];
		});
	// A doubt is settled by the list of payments: where lists differ, its way is the profile's.
	const found = lists.find(({ id }) => id === "transaction.list") ?? lists[0];
	const common = known ?? found?.paging;
	const divided = lists.filter(({ paging }) => common !== undefined && !isDividedAlike(paging, common)).map(({ id }) => id);
	const errors = errorsOf(document.errors);
	const ids = idsOf(fits);
	// What one list says of the pages holds for the others that are divided alike.
	const alike = lists.filter(({ paging }) => found !== undefined && isDividedAlike(paging, found.paging));
	const saying = alike.find(({ unsaid }) => unsaid.length === 0) ?? found;
	return {
		service: {
			...(found === undefined
				? {}
				: { paging: { ...found.paging, ...(saying && { first: saying.paging.first, size: saying.paging.size }) } }),
			...(errors === undefined ? {} : { errors }),
			...(Object.keys(ids.found).length === 0 ? {} : { ids: ids.found }),
		},
		unsaid: { paging: known === undefined ? (saying?.unsaid ?? []) : [], ids: ids.unsaid, divided },
	};
}

/** Whether two lists take their pages in the same way. */
export const isDividedAlike = (one: BoundPaging, other: BoundPaging): boolean =>
	one.style === other.style && one.at === other.at && one.next === other.next && one.size?.at === other.size?.at;

/** How one list is divided; undefined where it does not say. */
function pagingOfList(list: ForeignOperation): { paging: BoundPaging; unsaid: Unsaid["paging"] } | undefined {
	const query = list.parameters.filter(({ place }) => place === "query");
	const asked = (pattern: RegExp) => query.find(({ name }) => pattern.test(name));
	const answer = list.answers.find(({ fields }) => fields.length > 0);
	const fields = answer?.fields ?? [];
	const outside = fields.filter(({ pointer, type }) => !pointer.includes("*") && type !== "object" && type !== "list");
	const told = (pattern: RegExp) => outside.find(({ path }) => path.length <= 3 && pattern.test(path.at(-1) as string));
	const records = answer?.root === "list" ? "" : entriesOf(fields, list.path);
	const size = asked(names.size);
	const total = outside.find(
		({ path, type }) => /^(integer|number|any)$/.test(type) && path.length <= 3 && names.total.test(path.at(-1) as string),
	);
	const order = orderOf(asked(names.order));
	const common = {
		...(order === undefined ? {} : { order }),
		...(size === undefined ? {} : { size: { at: size.name, most: saidMost(size) ?? 50 } }),
		...(records === undefined ? {} : { records }),
		...(total === undefined ? {} : { total: total.pointer }),
	};
	const next = told(names.next);
	const cursor = asked(names.cursor);
	if (cursor !== undefined && next !== undefined)
		return { paging: { style: "cursor", at: cursor.name, next: next.pointer, ...common }, unsaid: [] };
	const page = asked(names.page);
	if (page !== undefined) {
		const first = firstPage(page);
		return { paging: { style: "page", at: page.name, first: first ?? 1, ...common }, unsaid: first === undefined ? ["first"] : [] };
	}
	const offset = asked(names.offset);
	if (offset !== undefined)
		return {
			paging: { style: "offset", at: offset.name, ...common },
			unsaid: size === undefined || saidMost(size) === undefined ? ["size"] : [],
		};
	if (next !== undefined && /url|link|^next$/i.test(next.path.at(-1) as string))
		return { paging: { style: "link", next: next.pointer, ...common }, unsaid: [] };
	return undefined;
}

/** The field of the order, where its two values are told. */
function orderOf(field: (ForeignField & { name: string }) | undefined): BoundPaging["order"] {
	const [ascending] = (field?.values ?? []).filter((value) => /^asc(ending)?$/i.test(value));
	const [descending] = (field?.values ?? []).filter((value) => /^desc(ending)?$/i.test(value));
	return field === undefined || ascending === undefined || descending === undefined ? undefined : { at: field.name, ascending, descending };
}

/** The number of the first page, where the document says it. */
function firstPage({ description, least, fallback }: ForeignField): 0 | 1 | undefined {
	for (const number of [fallback, least]) if (number === "0" || number === "1") return number === "0" ? 0 : 1;
	const told = /\b(?:(0|zero|1|one)[- ]?(?:based|indexed)|(?:from|starts? (?:at|with)|first page is) (0|zero|1|one))\b/i.exec(description);
	const word = (told?.[1] ?? told?.[2])?.toLowerCase();
	return word === undefined ? undefined : word === "0" || word === "zero" ? 0 : 1;
}

/** The most records of a page, where the document says it. */
function saidMost({ description, most }: ForeignField): number | undefined {
	const told = most ?? /(?:max(?:imum)?|at most|up to)\D{0,12}(\d{1,4})/i.exec(description)?.[1];
	return told !== undefined && /^\d{1,9}$/.test(told) ? Math.min(1000, Math.max(1, Number(told))) : undefined;
}

function errorsOf(fields: readonly ForeignField[]): BoundErrors | undefined {
	const single = fields.filter(({ pointer, type }) => !pointer.includes("*") && type !== "object" && type !== "list");
	const told = (pattern: RegExp) => single.find(({ path }) => pattern.test(path.at(-1) as string))?.pointer;
	const code = told(/^(code|error_?code|err_?code|reason_?code)$/i) ?? told(/^(type|error|kind)$/i);
	const message = told(/^(message|error_?message|detail|error_?description)$/i) ?? told(/^(title|description|reason)$/i);
	const list = fields.find(({ type, pointer }) => type === "list" && !pointer.includes("*"));
	const entries =
		list === undefined
			? []
			: fields.filter(({ pointer, type }) => pointer.startsWith(`${list.pointer}/*/`) && type !== "object" && type !== "list");
	const part = (pattern: RegExp) =>
		entries.find(({ path }) => pattern.test(path.at(-1) as string))?.pointer.slice((list?.pointer.length ?? 0) + 2);
	const field = part(/^(field|path|property|param(eter)?|pointer|attribute|name|loc|source)(_?name)?$/i);
	const fault = part(/^(message|detail|error|reason|description|msg|issue|text)$/i);
	const details =
		list !== undefined && field !== undefined && fault !== undefined ? { records: list.pointer, field, message: fault } : undefined;
	if (code === undefined && message === undefined && details === undefined) return undefined;
	return {
		...(code === undefined ? {} : { code }),
		...(message === undefined ? {} : { message }),
		...(details === undefined ? {} : { details }),
	};
}

/** The form of ids that are no UUIDs, where the document tells it. */
function idsOf(fits: readonly Fit[]): { found: Partial<Record<IdKind, string>>; unsaid: IdKind[] } {
	const found: Partial<Record<IdKind, string>> = {};
	const unsaid: IdKind[] = [];
	const all = idFields(fits);
	for (const [kind, fields] of all) {
		if (fields.some(({ format, example = "" }) => format === "uuid" || uuidLike.test(example))) continue;
		const pattern = fields.map(patternOf).find((one) => one !== undefined);
		if (pattern !== undefined) found[kind] = pattern;
		else if (!fields.some(({ description }) => /\b(uuid|guid)/i.test(description))) unsaid.push(kind);
	}
	// An end-user that is named as a company is: what is said of the one holds for the other.
	const named = new Set((all.get("corporate") ?? []).map(({ path }) => path.at(-1)));
	const isCompany = !unsaid.includes("corporate") && (all.get("endUser") ?? []).every(({ path }) => named.has(path.at(-1)));
	return { found, unsaid: unsaid.filter((kind) => kind !== "endUser" || !isCompany) };
}

/** Which kinds of ids some operations send or tell. */
export const idKindsIn = (fits: readonly Fit[]): ReadonlySet<IdKind> => new Set(idFields(fits).keys());

/** The fields in which ids of each kind stand. */
function idFields(fits: readonly Fit[]): Map<IdKind, ForeignField[]> {
	const told = new Map<IdKind, ForeignField[]>();
	const take = (name: string, field: ForeignField): void => {
		const kind = idKindOf[name];
		if (kind !== undefined) told.set(kind, [...(told.get(kind) ?? []), field]);
	};
	for (const fit of fits) {
		for (const { ours, theirs } of fit.request) take(ours.name, theirs);
		if (fit.parties.debit?.is === "ledger") take("ledgerFromId", fit.parties.debit.field);
		for (const { ours, theirs } of fit.answer.matches)
			if (ours.name !== "endUserId") take(ours.name === "id" ? ownIdOf(fit) : ours.name, theirs);
	}
	return told;
}

const uuidLike = /^[0-9a-f]{8}-[0-9a-f]{4}-/i;

const ownIdOf = ({ operation }: Fit): string =>
	({
		corporate: "corporateId",
		related: "corporateRelatedId",
		transaction: "transactionId",
		ledger: "ledgerId",
		beneficiary: "beneficiaryId",
	})[operation.id.split(".")[0] as string] ?? "";

/** A pattern of the bounded language, from a pattern, a number's type, or an example with a prefix. */
function patternOf(field: ForeignField): string | undefined {
	const written = field.pattern
		?.replace(/^\^|\$$/g, "")
		.replace(/\\d/g, "[0-9]")
		.replace(/\(\?:([^()|]*)\)/g, "$1");
	if (written !== undefined && idPatternFault(written) === undefined) return written;
	// A number does not begin with 0.
	if (field.type === "integer") return "[1-9][0-9]{3,17}";
	return idPatternOf(field.example ?? "");
}

/** The form of an id, by an example of one: how it begins and of what it is made, not how long it is. */
export function idPatternOf(example: string): string | undefined {
	if (uuidLike.test(example)) return undefined;
	const prefixed = /^([A-Za-z]{2,10}[_-])([0-9A-Za-z]{6,60})$/.exec(example);
	if (prefixed) return `${prefixed[1]}[0-9A-Za-z]{4,64}`;
	if (/^\d{6,30}$/.test(example)) return "[0-9]{4,30}";
	return /^[0-9A-Za-z]{12,60}$/.test(example) ? "[0-9A-Za-z]{8,64}" : undefined;
}

/** Money operations for which the document names an idempotency key. */
export function idempotencyKeys(fits: readonly Fit[]): string[] {
	return fits
		.filter(({ operation }) => operation.effect === "money")
		.flatMap(({ operation, theirs }) => {
			const key = idempotencyKeyOf(theirs);
			return key === undefined ? [] : [`${operation.id}: ${key}`];
		});
}

/** The name of the idempotency key that an operation of theirs takes, if any. */
export function idempotencyKeyOf({ parameters, body }: Fit["theirs"]): string | undefined {
	const names = [
		...parameters.filter(({ place }) => place === "header").map(({ name }) => name),
		...(body ?? []).map(({ path }) => path.at(-1) as string),
	];
	return names.find((name) => wordsOf(name).some((word) => word.startsWith("idempot")))?.slice(0, 100);
}
