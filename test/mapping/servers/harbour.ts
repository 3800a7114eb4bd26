import { type Call, type Fields, find, json, page, Refusal, type Reply, type Service, serve } from "./strict.js";

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

type Rows = Map<string, Fields>;
const rows = (): Rows => new Map();
const now = () => new Date().toISOString();
const soon = () => new Date(Date.now() + 3_600_000).toISOString();
const data = (status: number, content: unknown) => json(status, { data: content });
const moved: Record<string, string> = { accepted: "on_its_way", on_its_way: "arrived" };
const statuses: Record<string, number> = {
	key_unknown: 401,
	product_disabled: 403,
	not_found: 404,
	already_done: 409,
	idempotency_key_reused: 409,
};
const of = (all: Rows, business?: string): Fields[] => [...all.values()].filter((row) => !business || row.business_id === business);
const needsIdentity = ({ roles }: Fields): boolean => roles.includes("director") || roles.includes("beneficial_owner");
const showPerson = ({ identity, ...person }: Fields): Fields => ({
	...person,
	identity_check: { needed: needsIdentity(person), status: identity },
});

/** One page, newest first. */
function pageOf(all: readonly Fields[], { cursor, limit }: Record<string, string>, show: (row: Fields) => unknown = (row) => row): Reply {
	const newest = [...all].reverse();
	const last = cursor === undefined ? undefined : Buffer.from(cursor, "base64url").toString();
	const from = last === undefined ? 0 : newest.findIndex((row) => row.id === last) + 1;
	if (last !== undefined && from === 0) throw new Refusal("field_invalid", "cursor is not one of ours.", "cursor");
	const part = newest.slice(from, from + Number(limit ?? 25));
	const more = from + part.length < newest.length;
	return json(200, {
		data: part.map(show),
		page: { has_more: more, next_cursor: more ? Buffer.from(part.at(-1)?.id).toString("base64url") : null },
	});
}

/** Starts the service of `documents/harbour.yaml` with its books as new. @param keeps whether it keeps idempotency keys */
export async function harbourServer(keeps: boolean): Promise<Service> {
	const [businesses, people, accounts, payees, booked] = [rows(), rows(), rows(), rows(), rows()];
	const texted = new Map<string, string>();
	const kept = new Map<string, { request: string; reply: Reply }>();
	let count = 1000;
	const fresh = (prefix: string) => `${prefix}_${(++count).toString(36).padStart(12, "0")}`;
	const at = (all: Rows, { ids }: Call): Fields => find(all, ids[0] as string, "not_found");

	function status(business: Fields): string {
		const ready =
			business.requested_at &&
			business.accepted === HARBOUR.agreement &&
			people.get(business.primary_contact_id)?.email_status === "confirmed";
		if (ready && of(people, business.id).every((person) => !needsIdentity(person) || person.identity === "passed")) business.cleared = true;
		return business.cleared ? "cleared" : business.requested_at ? "in_review" : "not_requested";
	}
	function showBusiness(business: Fields): Fields {
		const { accepted, requested_at, cleared: _, ...rest } = business;
		const agreement = { accepted_version: accepted, up_to_date: accepted === HARBOUR.agreement };
		return { ...rest, agreement, business_check: { status: status(business), requested_at } };
	}
	function changeBusiness(business: Fields, { agreement_version, ...rest }: Fields): Fields {
		if (agreement_version !== undefined && agreement_version !== HARBOUR.agreement)
			throw new Refusal("agreement_version_outdated", "agreement_version is not the one in force.", "agreement_version");
		return Object.assign(business, rest, agreement_version === undefined ? {} : { accepted: agreement_version });
	}
	function addPerson(business_id: string, fields: Fields, roles: string[], id = fresh("per")): Fields {
		const start = { email_status: "unconfirmed", identity: "not_started", phone: null, ownership_percent: null };
		const person = { id, business_id, ...start, phone_status: fields.phone ? "unconfirmed" : "none", ...fields, roles };
		people.set(id, person);
		return person;
	}
	function addBusiness({ primary_contact, ...fields }: Fields, id = fresh("biz"), contactId = fresh("per")): Fields {
		const blank = { trading_name: null, your_reference: null, accepted: null, requested_at: null, cleared: false, created_at: now() };
		const business = changeBusiness({ id, primary_contact_id: contactId, ...blank }, fields);
		const { is_director, director_since: _, ...contact } = primary_contact;
		const owner = contact.ownership_percent >= 25 ? ["beneficial_owner"] : [];
		addPerson(id, contact, ["primary_contact", ...(is_director ? ["director"] : []), ...owner], contactId);
		businesses.set(id, business);
		return business;
	}
	function challenge(person: Fields, sentTo: string): Reply {
		const id = fresh("chal");
		if (sentTo === person.phone) texted.set(id, person.id);
		return data(201, { id, person_id: person.id, sent_to: `***${sentTo.slice(-4)}`, expires_at: soon() });
	}
	/** Books a payment; the fields name its payer and where it goes. */
	function book(kind: "book_transfer" | "payout", { amount, currency, statement_text = null, ...body }: Fields, payer: string): Reply {
		const from = find(accounts, body[payer], "unknown_reference", payer);
		const to = body.payee_id
			? find(payees, body.payee_id, "unknown_reference", "payee_id")
			: find(accounts, body.destination_account_id, "unknown_reference", "destination_account_id");
		if (from === to) throw new Refusal("same_account", "destination_account_id must be another account.", "destination_account_id");
		if (status(businesses.get(from.business_id) as Fields) !== "cleared")
			throw new Refusal("business_not_cleared", "The business is not cleared.", payer);
		if (from.currency !== currency || to.currency !== currency)
			throw new Refusal("currency_mismatch", "currency must be that of both sides.", "currency");
		if (from.balance < amount) throw new Refusal("insufficient_funds", "The balance is too low.", "amount");
		from.balance -= amount;
		if (to.balance !== undefined) to.balance += amount;
		const { destination_account_id = null, payee_id = null } = body;
		const sides = { source_account_id: from.id, destination_account_id, payee_id };
		const payment = { id: fresh("pay"), kind, status: "accepted", amount, currency, ...sides, statement_text, created_at: now() };
		booked.set(payment.id, payment);
		return data(201, payment);
	}

	const seat = { line1: "Lampengasse 4", city: "Hamburg", postal_code: "20095", country: "DE" };
	const mira = { first_name: "Mira", last_name: "Sand", email: "mira.sand@example.com", is_director: true, phone: "+441632960123" };
	const lantern = { legal_name: "Lantern Works GmbH", country: "DE", registration_number: "HRB 100001", registered_office: seat };
	const business_id = HARBOUR.business;
	const first = { ...lantern, agreement_version: HARBOUR.agreement, primary_contact: mira };
	Object.assign(addBusiness(first, business_id, HARBOUR.contact), { requested_at: now(), cleared: true });
	Object.assign(people.get(HARBOUR.contact) as Fields, { email_status: "confirmed", identity: "passed", phone_status: "confirmed" });
	for (const [id, name] of [
		[HARBOUR.main, "Main"],
		[HARBOUR.reserve, "Reserve"],
	] as const)
		accounts.set(id, { id, business_id, name, status: "open", currency: "EUR", balance: 1_000_000, iban: "DE00100000000000000001" });
	const mill = { name: "North Mill Ltd", iban: "DE00200000000000000003", currency: "EUR", status: "usable" };
	payees.set(HARBOUR.payee, { id: HARBOUR.payee, business_id, ...mill });

	return serve({
		document: "harbour.yaml",
		base: "/v1",
		key: ["authorization", `Bearer ${HARBOUR.token}`],
		pays: ["createBookTransfer", "createPayout"],
		refused: ({ code, message, field }) =>
			json(statuses[code] ?? (code.startsWith("field_") ? 400 : 422), { error: { type: "refused", code, message, field } }),
		once: ({ method, path, headers, body }, run) => {
			const [key, request] = [headers["idempotency-key"] as string | undefined, `${method} ${path} ${body}`];
			const old = key === undefined || !keeps ? undefined : kept.get(key);
			if (old !== undefined && old.request !== request) throw new Refusal("idempotency_key_reused", "This key came with another request.");
			const reply = old?.reply ?? run();
			if (key !== undefined) kept.set(key, { request, reply });
			return reply;
		},
		payments: () =>
			[...booked.values()].map(({ id, source_account_id, destination_account_id, payee_id, amount }) => {
				return { id, debited: source_account_id, credited: destination_account_id ?? payee_id, cents: amount };
			}),
		handlers: {
			getCurrentAgreement: () =>
				data(200, { version: HARBOUR.agreement, published_at: now(), document_url: "https://docs.harbour.example/a.pdf", language: "en" }),
			createBusiness: ({ body }) => data(201, showBusiness(addBusiness(body))),
			listBusinesses: ({ query }) => {
				const isWanted = (row: Fields): boolean =>
					(!query.check_status || status(row) === query.check_status) &&
					(!query.your_reference || row.your_reference === query.your_reference);
				return pageOf([...businesses.values()].filter(isWanted), query, showBusiness);
			},
			getBusiness: (call) => data(200, showBusiness(at(businesses, call))),
			updateBusiness: (call) => data(200, showBusiness(changeBusiness(at(businesses, call), call.body))),
			getReviewPack: (call) =>
				page(
					"Review pack",
					of(people, at(businesses, call).id).map((one) => `${one.first_name} ${one.last_name}`),
				),
			requestBusinessCheck: (call) => {
				const business = at(businesses, call);
				if (business.requested_at) throw new Refusal("already_done", "The check was requested before.");
				return data(202, showBusiness(Object.assign(business, { requested_at: now() })));
			},
			listPeople: (call) => pageOf(of(people, at(businesses, call).id), call.query, showPerson),
			addPerson: (call) => data(201, showPerson(addPerson(at(businesses, call).id, call.body, call.body.roles))),
			getPerson: (call) => {
				// Whoever was sent a link has used it by now.
				const person = at(people, call);
				if (person.email_status === "link_sent") person.email_status = "confirmed";
				if (person.identity === "link_issued") person.identity = "passed";
				return data(200, showPerson(person));
			},
			updatePerson: (call) => {
				const person = at(people, call);
				for (const name of ["email", "phone"])
					if (call.body[name] !== undefined && call.body[name] !== person[name]) person[`${name}_status`] = "unconfirmed";
				return data(200, showPerson(Object.assign(person, call.body)));
			},
			createEmailChallenge: (call) => {
				const person = at(people, call);
				if (person.email_status === "confirmed") throw new Refusal("already_done", "The address is confirmed.");
				person.email_status = "link_sent";
				return challenge(person, person.email);
			},
			createPhoneChallenge: (call) => {
				const person = at(people, call);
				if (!person.phone) throw new Refusal("phone_missing", "The person has no phone.", "phone");
				return challenge(person, person.phone);
			},
			confirmPhoneChallenge: (call) => {
				const [person, id] = [at(people, call), call.ids[1] as string];
				if (find(texted, id, "not_found") !== person.id) throw new Refusal("not_found", "There is no such record.");
				if (call.body.code !== "123456") throw new Refusal("code_wrong", "code is not the one we sent.", "code");
				texted.delete(id);
				return data(200, showPerson(Object.assign(person, { phone_status: "confirmed" })));
			},
			createIdentitySession: (call) => {
				const person = at(people, call);
				if (person.identity === "passed") throw new Refusal("already_done", "The identity is known.");
				person.identity = "link_issued";
				const url = `https://id.harbour.example/${person.id}`;
				return data(201, { person_id: person.id, url, level: call.body.level, expires_at: soon() });
			},
			getAccount: (call) => data(200, at(accounts, call)),
			getPayee: (call) => data(200, at(payees, call)),
			createBookTransfer: ({ body }) => book("book_transfer", body, "source_account_id"),
			createPayout: ({ body }) => book("payout", body, "account_id"),
			listPayments: ({ query }) => {
				const { account_id, created_from = "1970-01-01T00:00:00Z" } = query;
				const isWanted = (row: Fields): boolean =>
					(account_id === undefined || [row.source_account_id, row.destination_account_id].includes(account_id)) &&
					(!query.status || row.status === query.status) &&
					Date.parse(row.created_at) >= Date.parse(created_from);
				return pageOf([...booked.values()].filter(isWanted), query);
			},
			getPayment: (call) => {
				const payment = at(booked, call);
				payment.status = moved[payment.status] ?? payment.status;
				return data(200, payment);
			},
		},
	});
}
