/**
 * What each list holds under its filters, oldest first.
 */

import { plainId } from "../../api/text/ids.js";
import type { Backend } from "../backend.js";
import { recordsWith } from "../lookup.js";
import { HttpError, invalidFields } from "../message.js";
import type { Beneficiary, Corporate, Ledger, LedgerTransaction, Related } from "../state.js";
import { choiceFilter, filterValues, passesFilter, timeFilter } from "./listing.js";
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

const ownerOf = (backend: Backend, corporate: Corporate): Related | undefined =>
	recordsWith(backend.state.related, "id", corporate.accountOwnerId)[0];

/** Related entities of a corporate by layer of ownership. @throws HttpError 400 */
export function relatedOfCorporate(backend: Backend, corporate: Corporate, query: URLSearchParams): readonly Related[] {
	const layer = query.get("layer");
	if (layer !== null && !/^\d{1,9}$/.test(layer))
		throw invalidFields({ field: "layer", rejectedValue: layer, message: "must be a whole number" });
	const all = recordsWith(backend.state.related, "corporateId", corporate.id);
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
	const user = plainId(asked);
	const corporate = backend.state.corporates.find(({ id }) => id === user);
	if (corporate === undefined) throw new HttpError(409, "END_USER_NOT_FOUND", `No end-user ${user}`);
	return recordsWith(list, "endUserId", corporate.id);
}

/** Transactions by ledger (either side), status and time of creation, both ends included. @throws HttpError 400 */
export function transactions(backend: Backend, query: URLSearchParams): readonly LedgerTransaction[] {
	const statuses = filterValues(query, "status", transactionStatuses);
	const asked = query.get("ledgerId");
	const ledger = asked === null ? undefined : plainId(asked);
	const from = timeFilter(query, "startDate") ?? "";
	const to = timeFilter(query, "endDate") ?? "~";
	const now = backend.now().toISOString();
	return backend.state.transactions.filter(
		(one) =>
			(ledger === undefined || one.fromLedgerId === ledger || one.toLedgerId === ledger) &&
			passesFilter(statuses, one.status) &&
			one.createdAt >= from &&
			one.createdAt <= to &&
			(one.listedFrom === undefined || one.listedFrom <= now),
	);
}
