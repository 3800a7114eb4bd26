/**
 * What each list holds under its filters (operations 3), oldest first.
 */
import type { Desk } from "./desk.js";
import { among, choice, moment, several } from "./listing.js";
import { having } from "./lookup.js";
import { layerOf } from "./ownership.js";
import type { Beneficiary, Corporate, Ledger, Related, Transaction } from "./state.js";

/** Corporates by KYB status, part of the name and the account owner's email. @throws Refusal 400 */
export function corporates(desk: Desk, query: URLSearchParams): readonly Corporate[] {
	const statuses = several(query, "kybStatus");
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

/** Related entities of a corporate by layer of ownership. */
export function relatedOfCorporate(desk: Desk, corporate: Corporate, query: URLSearchParams): readonly Related[] {
	const layer = query.get("layer");
	const all = having(desk.state.related, "corporateId", corporate.id);
	return layer === null ? all : all.filter((one) => String(layerOf(desk, one)) === layer);
}

/** Ledgers by end-user, status and IBAN. */
export function ledgers(desk: Desk, query: URLSearchParams): readonly Ledger[] {
	const statuses = several(query, "status");
	const iban = query.get("iban");
	return ofUser(desk.state.ledgers, query).filter((one) => among(statuses, one.status) && (iban === null || one.iban === iban));
}

/** Beneficiaries by end-user and status. */
export function beneficiaries(desk: Desk, query: URLSearchParams): readonly Beneficiary[] {
	const statuses = several(query, "status");
	return ofUser(desk.state.beneficiaries, query).filter((one) => among(statuses, one.status));
}

function ofUser<T extends { endUserId: string }>(list: readonly T[], query: URLSearchParams): readonly T[] {
	const user = query.get("endUserId");
	return user === null ? list : having(list, "endUserId", user.toLowerCase());
}

/** Transactions by ledger (either side), status and time of creation, both ends included. @throws Refusal 400 */
export function transactions(desk: Desk, query: URLSearchParams): readonly Transaction[] {
	const statuses = several(query, "status");
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
