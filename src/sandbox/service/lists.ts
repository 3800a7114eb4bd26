/**
 * What each list holds under its filters, oldest first.
 */
import type { Desk } from "../desk.js";
import { having } from "../lookup.js";
import { invalid, Refusal } from "../message.js";
import type { Beneficiary, Corporate, Ledger, Related, Transaction } from "../state.js";
import { among, choice, moment, several } from "./listing.js";
import { layerOf } from "./ownership.js";

/** Written here once more, so that a mistake in the contract shows as a difference. */
const kybs = ["NOT_STARTED", "COMPLETING", "PENDING_VERIFICATION", "NEED_ADDITIONAL_INFORMATION", "DECLINED", "VALIDATED"];
const ledgerStatuses = ["PENDING", "ACTIVE", "CLOSING", "CLOSED", "SUSPENDED", "FAILED"];
const beneficiaryStatuses = ["VALID", "DECLINED", "PENDING_REVIEW", "PENDING"];
const transactionStatuses = ["PENDING", "APPROVED", "DECLINED", "ABORTED", "RELEASED", "REVERSED"];

/** Corporates by KYB status, part of the name and the account owner's email. @throws Refusal 400 */
export function corporates(desk: Desk, query: URLSearchParams): readonly Corporate[] {
	const statuses = several(query, "kybStatus", kybs);
	const name = query.get("registeredName")?.toLowerCase();
	const mail = query.get("emailAddress")?.toLowerCase();
	const by = choice(query, "sortAttribute", ["UPDATE_DATE", "CREATION_DATE"]) === "UPDATE_DATE" ? "updatedAt" : "createdAt";
	return desk.state.corporates
		.filter(
			(corporate) =>
				among(statuses, corporate.kyb.status) &&
				(name === undefined || String(corporate.fields.corporateName).toLowerCase().includes(name)) &&
				(mail === undefined || ownerOf(desk, corporate)?.email?.address.toLowerCase() === mail),
		)
		.sort((one, other) => (one[by] < other[by] ? -1 : one[by] > other[by] ? 1 : 0));
}

const ownerOf = (desk: Desk, corporate: Corporate): Related | undefined => having(desk.state.related, "id", corporate.accountOwnerId)[0];

/** Related entities of a corporate by layer of ownership. @throws Refusal 400 */
export function relatedOfCorporate(desk: Desk, corporate: Corporate, query: URLSearchParams): readonly Related[] {
	const layer = query.get("layer");
	if (layer !== null && !/^\d{1,9}$/.test(layer))
		throw invalid({ field: "layer", rejectedValue: layer, message: "must be a whole number" });
	const all = having(desk.state.related, "corporateId", corporate.id);
	return layer === null ? all : all.filter((one) => String(layerOf(desk, one)) === layer);
}

/** Ledgers by end-user, status and IBAN. @throws Refusal 400, 409 */
export function ledgers(desk: Desk, query: URLSearchParams): readonly Ledger[] {
	const statuses = several(query, "status", ledgerStatuses);
	const iban = query.get("iban");
	return ofUser(desk, desk.state.ledgers, query).filter((one) => among(statuses, one.status) && (iban === null || one.iban === iban));
}

/** Beneficiaries by end-user and one status. @throws Refusal 400, 409 */
export function beneficiaries(desk: Desk, query: URLSearchParams): readonly Beneficiary[] {
	const status = choice(query, "status", beneficiaryStatuses);
	return ofUser(desk, desk.state.beneficiaries, query).filter((one) => status === undefined || one.status === status);
}

/** Of one end-user; an unknown one is refused with 409 and not 404, as the service does. */
function ofUser<T extends { endUserId: string }>(desk: Desk, list: readonly T[], query: URLSearchParams): readonly T[] {
	const user = query.get("endUserId")?.toLowerCase();
	if (user === undefined) return list;
	if (having(desk.state.corporates, "id", user).length === 0) throw new Refusal(409, "END_USER_NOT_FOUND", `No end-user ${user}`);
	return having(list, "endUserId", user);
}

/** Transactions by ledger (either side), status and time of creation, both ends included. @throws Refusal 400 */
export function transactions(desk: Desk, query: URLSearchParams): readonly Transaction[] {
	const statuses = several(query, "status", transactionStatuses);
	const ledger = query.get("ledgerId")?.toLowerCase();
	const from = moment(query, "startDate") ?? "";
	const to = moment(query, "endDate") ?? "~";
	return desk.state.transactions.filter(
		(one) =>
			(ledger === undefined || one.fromLedgerId === ledger || one.toLedgerId === ledger) &&
			among(statuses, one.status) &&
			one.createdAt >= from &&
			one.createdAt <= to,
	);
}
