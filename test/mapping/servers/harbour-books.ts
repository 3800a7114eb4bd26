import { Refusal } from "./harbour-wire.js";
import type { Fields } from "./strict.js";

/** What stands in the books from the start: a cleared business, its contact, two accounts of 10,000.00 EUR and a payee. */
export const HARBOUR = {
	token: "harbour-example",
	agreement: "2025-04",
	business: "biz_lantern00001",
	contact: "per_lantern0mira",
	main: "acct_lantern0main",
	reserve: "acct_lantern0save",
	payee: "payee_northmill001",
} as const;

/** The records as kept; what the wire shows of them is told by `showPerson` and `showBusiness`. */
export interface Person extends Fields {
	id: string;
	business_id: string;
	roles: string[];
	ownership_percent: number | null;
	email_status: "unconfirmed" | "link_sent" | "confirmed";
	phone: string | null;
	phone_status: "none" | "unconfirmed" | "confirmed";
	identity: "not_started" | "link_issued" | "passed";
}
export interface Business extends Fields {
	id: string;
	primary_contact_id: string;
	accepted: string | null;
	requested_at: string | null;
	cleared: boolean;
}
export interface Account extends Fields {
	id: string;
	business_id: string;
	currency: string;
	balance: number;
}
export interface Booked extends Fields {
	id: string;
	kind: "book_transfer" | "payout";
	status: string;
	amount: number;
	currency: string;
	source_account_id: string;
	destination_account_id: string | null;
	payee_id: string | null;
	statement_text: string | null;
	created_at: string;
}
/** The rows of one business, or all. */
export const of = <T extends { business_id: string }>(rows: Map<string, T>, business?: string): T[] =>
	[...rows.values()].filter((row) => !business || row.business_id === business);
const now = () => new Date().toISOString();
const needsIdentity = (person: Person) => person.roles.includes("director") || person.roles.includes("beneficial_owner");
/** A person as the wire shows it. */
export function showPerson({ identity, ...person }: Person): Fields {
	return { ...person, identity_check: { needed: needsIdentity(person as Person), status: identity } };
}

/** The books of one run, with what is there from the start. */
export function openBooks() {
	const businesses = new Map<string, Business>();
	const people = new Map<string, Person>();
	const entities = new Map<string, Fields & { id: string; business_id: string }>();
	const accounts = new Map<string, Account>();
	const payees = new Map<string, Fields & { id: string; business_id: string }>();
	const booked = new Map<string, Booked>();
	const texted = new Map<string, string>();
	let count = 1000;
	const fresh = (prefix: string) => `${prefix}_${(++count).toString(36).padStart(12, "0")}`;
	function status(business: Business): string {
		const ready =
			business.requested_at &&
			business.accepted === HARBOUR.agreement &&
			people.get(business.primary_contact_id)?.email_status === "confirmed";
		if (ready && of(people, business.id).every((person) => !needsIdentity(person) || person.identity === "passed")) business.cleared = true;
		return business.cleared ? "cleared" : business.requested_at ? "in_review" : "not_requested";
	}
	function showBusiness(business: Business): Fields {
		const { accepted, requested_at, cleared: _, ...rest } = business;
		const agreement = { accepted_version: accepted, up_to_date: accepted === HARBOUR.agreement };
		return { ...rest, agreement, business_check: { status: status(business), requested_at } };
	}
	function changeBusiness(business: Business, { agreement_version, ...rest }: Fields): Business {
		if (agreement_version !== undefined && agreement_version !== HARBOUR.agreement)
			throw new Refusal(422, "refused", "agreement_version_outdated", "agreement_version is not the one in force.", "agreement_version");
		return Object.assign(business, rest, agreement_version === undefined ? {} : { accepted: agreement_version });
	}
	function addPerson(business: string, fields: Fields, personRoles: string[], key = fresh("per")): Person {
		const start = {
			email_status: "unconfirmed",
			identity: "not_started",
			phone: null,
			phone_status: fields.phone ? "unconfirmed" : "none",
			ownership_percent: null,
		} as const;
		const person: Person = { id: key, business_id: business, ...start, ...fields, roles: personRoles };
		people.set(key, person);
		return person;
	}
	function addBusiness({ primary_contact, agreement_version, ...fields }: Fields, key = fresh("biz"), contactKey = fresh("per")): Business {
		const blank = { trading_name: null, your_reference: null, accepted: null, requested_at: null, cleared: false, created_at: now() };
		const business = changeBusiness(
			{ id: key, primary_contact_id: contactKey, ...blank },
			agreement_version === undefined ? fields : { ...fields, agreement_version },
		);
		const { is_director, director_since: _, ...contact } = primary_contact as Fields;
		const owner = typeof contact.ownership_percent === "number" && contact.ownership_percent >= 25 ? ["beneficial_owner"] : [];
		addPerson(key, contact, ["primary_contact", ...(is_director ? ["director"] : []), ...owner], contactKey);
		businesses.set(key, business);
		return business;
	}
	function known<T>(rows: Map<string, T>, key: unknown, field: string): T {
		const row = rows.get(key as string);
		if (!row) throw new Refusal(422, "refused", "unknown_reference", `${field} names nothing we know.`, field);
		return row;
	}
	function book(
		kind: Booked["kind"],
		source: string,
		body: Fields,
		target: { destination_account_id?: string; payee_id?: string },
	): Booked {
		const sourceField = kind === "payout" ? "account_id" : "source_account_id";
		const from = known(accounts, source, sourceField);
		const to =
			target.destination_account_id === undefined ? undefined : known(accounts, target.destination_account_id, "destination_account_id");
		const payee = target.payee_id === undefined ? undefined : known(payees, target.payee_id, "payee_id");
		const amount = body.amount as number;
		if (from === to)
			throw new Refusal(422, "refused", "same_account", "destination_account_id must be another account.", "destination_account_id");
		if (status(businesses.get(from.business_id)!) !== "cleared")
			throw new Refusal(422, "refused", "business_not_cleared", "The business is not cleared.", sourceField);
		if ([from, to ?? payee!].some((side) => side.currency !== body.currency))
			throw new Refusal(422, "refused", "currency_mismatch", "currency must be that of both sides.", "currency");
		if (from.balance < amount) throw new Refusal(422, "refused", "insufficient_funds", "The balance is too low.", "amount");
		from.balance -= amount;
		if (to) to.balance += amount;
		const both = {
			destination_account_id: target.destination_account_id ?? null,
			payee_id: target.payee_id ?? null,
			statement_text: (body.statement_text as string) ?? null,
		};
		const payment: Booked = {
			id: fresh("pay"),
			kind,
			status: "accepted",
			amount,
			currency: from.currency,
			source_account_id: source,
			...both,
			created_at: now(),
		};
		booked.set(payment.id, payment);
		return payment;
	}
	const seat = { line1: "Lampengasse 4", city: "Hamburg", postal_code: "20095", country: "DE" };
	const mira = {
		first_name: "Mira",
		last_name: "Sand",
		email: "mira.sand@example.com",
		job_title: "Managing director",
		is_director: true,
		phone: "+441632960123",
	};
	const lantern = {
		legal_name: "Lantern Works GmbH",
		country: "DE",
		registration_number: "HRB 100001",
		sector: "software",
		registered_office: seat,
		agreement_version: HARBOUR.agreement,
	};
	const owner = addBusiness({ ...lantern, primary_contact: mira }, HARBOUR.business, HARBOUR.contact);
	Object.assign(people.get(HARBOUR.contact)!, { email_status: "confirmed", identity: "passed", phone_status: "confirmed" });
	Object.assign(owner, { requested_at: now(), cleared: true });
	for (const [key, name, iban] of [
		[HARBOUR.main, "Main", "DE00100000000000000001"],
		[HARBOUR.reserve, "Reserve", "DE00100000000000000002"],
	] as const)
		accounts.set(key, { id: key, business_id: owner.id, name, status: "open", currency: "EUR", balance: 1_000_000, iban });
	payees.set(HARBOUR.payee, {
		id: HARBOUR.payee,
		business_id: owner.id,
		name: "North Mill Ltd",
		iban: "DE00200000000000000003",
		currency: "EUR",
		status: "usable",
	});
	return {
		businesses,
		people,
		entities,
		accounts,
		payees,
		booked,
		texted,
		fresh,
		status,
		showBusiness,
		changeBusiness,
		addPerson,
		addBusiness,
		book,
	};
}
