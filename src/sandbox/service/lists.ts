/**
 * What each list holds under its filters, oldest first, and its pages.
 */
import { Decimal } from "../../api/json.js";
import { plainId } from "../../api/text/ids.js";
import { type Backend, byId, relatedOf } from "../backend.js";
import { HttpError, invalidFields } from "../message.js";
import type { Beneficiary, Corporate, Ledger, LedgerTransaction, Related } from "../state.js";
import { layersOf } from "./ownership.js";

/** Repeated here on purpose, so that a mistake in the contract shows as a difference. */
const kybs = ["NOT_STARTED", "COMPLETING", "PENDING_VERIFICATION", "NEED_ADDITIONAL_INFORMATION", "DECLINED", "VALIDATED"];
const ledgerStatuses = ["PENDING", "ACTIVE", "CLOSING", "CLOSED", "SUSPENDED", "FAILED"];
const beneficiaryStatuses = ["VALID", "DECLINED", "PENDING_REVIEW", "PENDING"];
const transactionStatuses = ["PENDING", "APPROVED", "DECLINED", "ABORTED", "RELEASED", "REVERSED"];

/** Corporates by KYB status, part of the name and the account owner's email. @throws HttpError 400 */
export function corporates(backend: Backend, query: URLSearchParams): readonly Corporate[] {
	const statuses = filterValues(query, "kybStatus", kybs);
	const name = query.get("registeredName")?.toLowerCase();
	const mail = query.get("emailAddress")?.toLowerCase();
	const by = choiceFilter(query, "sortAttribute", ["UPDATE_DATE", "CREATION_DATE"]) === "UPDATE_DATE" ? "updatedAt" : "createdAt";
	return backend.state.corporates
		.filter(
			(corporate) =>
				passesFilter(statuses, corporate.kyb.status) &&
				(name === undefined || String(corporate.fields.corporateName).toLowerCase().includes(name)) &&
				(mail === undefined || ownerOf(backend, corporate)?.email?.address.toLowerCase() === mail),
		)
		.sort((one, other) => (one[by] < other[by] ? -1 : one[by] > other[by] ? 1 : 0));
}

const ownerOf = (backend: Backend, corporate: Corporate): Related | undefined => byId(backend.state.related, corporate.accountOwnerId);

/** Related entities of a corporate by layer of ownership. @throws HttpError 400 */
export function relatedOfCorporate(backend: Backend, corporate: Corporate, query: URLSearchParams): readonly Related[] {
	const layer = query.get("layer");
	if (layer !== null && !/^\d{1,9}$/.test(layer))
		throw invalidFields({ field: "layer", rejectedValue: layer, message: "must be a whole number" });
	const all = relatedOf(backend, corporate.id);
	return layer === null ? all : all.filter((one) => layersOf(backend, one).some((number) => String(number) === layer));
}

/** Ledgers by end-user, status and IBAN. @throws HttpError 400, 409 */
export function ledgers(backend: Backend, query: URLSearchParams): readonly Ledger[] {
	const statuses = filterValues(query, "status", ledgerStatuses);
	const iban = query.get("iban");
	return ofUser(backend, backend.state.ledgers, query).filter(
		(one) => passesFilter(statuses, one.status) && (iban === null || one.iban === iban),
	);
}

/** Beneficiaries by end-user and one status. @throws HttpError 400, 409 */
export function beneficiaries(backend: Backend, query: URLSearchParams): readonly Beneficiary[] {
	const status = choiceFilter(query, "status", beneficiaryStatuses);
	return ofUser(backend, backend.state.beneficiaries, query).filter((one) => status === undefined || one.status === status);
}

/** Those of one end-user; an unknown one is refused with 409 and not 404, as the service does. */
function ofUser<T extends { endUserId: string }>(backend: Backend, list: readonly T[], query: URLSearchParams): readonly T[] {
	const asked = query.get("endUserId");
	if (asked === null) return list;
	const corporate = byId(backend.state.corporates, asked);
	if (corporate === undefined) throw new HttpError(409, "END_USER_NOT_FOUND", `No end-user ${asked}`);
	return list.filter(({ endUserId }) => endUserId === corporate.id);
}

/** Transactions by ledger (either side), status and time of creation, both ends included. @throws HttpError 400 */
export function transactions(backend: Backend, query: URLSearchParams): readonly LedgerTransaction[] {
	const statuses = filterValues(query, "status", transactionStatuses);
	const asked = query.get("ledgerId");
	const ledger = asked === null ? undefined : plainId(asked);
	const from = timeFilter(query, "startDate") ?? "";
	const to = timeFilter(query, "endDate") ?? "~";
	return backend.state.transactions.filter(
		(one) =>
			(ledger === undefined || one.fromLedgerId === ledger || one.toLedgerId === ledger) &&
			passesFilter(statuses, one.status) &&
			one.createdAt >= from &&
			one.createdAt <= to,
	);
}

const whole = (query: URLSearchParams, field: string, fallback: number, least: number, most: number): number => {
	const value = query.get(field);
	if (value === null) return fallback;
	const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
	if (!(number >= least && number <= most))
		throw invalidFields({ field, rejectedValue: value, message: `must be between ${least} and ${most}` });
	return number;
};

/** One page of records. @throws HttpError 400 for a page or an order that cannot be */
export function page<T>(records: readonly T[], query: URLSearchParams, show: (record: T) => unknown): unknown {
	const pageSize = whole(query, "pageSize", 20, 1, 100);
	const number = whole(query, "page", 0, 0, 999_999_999);
	const descending = choiceFilter(query, "sortDirection", ["ASC", "DESC"]) === "DESC";
	const start = number * pageSize;
	const shown = descending
		? records.slice(Math.max(0, records.length - start - pageSize), Math.max(0, records.length - start)).reverse()
		: records.slice(start, start + pageSize);
	return {
		content: shown.map(show),
		totalElements: new Decimal(String(records.length)),
		page: new Decimal(String(number)),
		pageSize: new Decimal(String(pageSize)),
	};
}

/** A query field that is one of a few values, or absent. @throws HttpError 400 */
function choiceFilter(query: URLSearchParams, field: string, values: readonly string[]): string | undefined {
	const value = query.get(field) ?? undefined;
	if (value === undefined || values.includes(value)) return value;
	throw invalidFields({ field, rejectedValue: value, message: `must be one of ${values.join(", ")}` });
}

/** A moment in a query as RFC 3339 UTC with milliseconds: such texts compare as the moments do. @throws HttpError 400 */
function timeFilter(query: URLSearchParams, field: string): string | undefined {
	const value = query.get(field);
	if (value === null) return undefined;
	const at = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
	if (Number.isNaN(at)) throw invalidFields({ field, rejectedValue: value, message: "must be a time (RFC 3339)" });
	return new Date(at).toISOString();
}

/** The values of a filter that may be repeated, as `status=A&status=B`, `status[]=A` or `status=A,B`. @throws HttpError 400 */
function filterValues(query: URLSearchParams, name: string, values: readonly string[]): string[] {
	const given = [...query.getAll(name), ...query.getAll(`${name}[]`)].flatMap((value) => value.split(",")).filter(Boolean);
	const odd = given.find((value) => !values.includes(value));
	if (odd === undefined) return given;
	throw invalidFields({ field: name, rejectedValue: odd, message: `must be one of ${values.join(", ")}` });
}

/** True where no filter is given, or the value is among those asked for. */
function passesFilter(values: readonly string[], value: string): boolean {
	return values.length === 0 || values.includes(value);
}
