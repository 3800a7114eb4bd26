import { type Fields, find, json, page, Refusal, type Reply, type Service, serve } from "./strict.js";

/** What stands in the books from the start: an approved company, its manager, two wallets of 10,000.00 EUR and a creditor. */
export const QUAY = {
	key: "quay-example",
	terms: "T7",
	company: 70211,
	manager: 90311,
	main: 880001,
	reserve: 880002,
	creditor: 4410,
} as const;

type Rows = Map<number, Fields>;
const rows = (): Rows => new Map();
/** The status that goes with a number; 400 with all others. */
const statuses: Record<number, number> = { 1101: 401, 1404: 404, 1409: 409, 1501: 422, 1601: 422, 1602: 422, 1701: 403 };
const done = (result: unknown) => json(200, { ok: true, result });
/** Cents as this service writes money. */
const money = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
const seconds = () => Math.floor(Date.now() / 1000);
/** The day of a stamp or of a filter, in an order that compares. */
const dayOf = (written: string) => written.split("/").reverse().join("-").slice(0, 10);
const kycNeeded = ({ kind, capacity }: Fields): boolean =>
	kind === "NATURAL" && (capacity.includes("DIRECTOR") || capacity.includes("UBO"));
const showParty = ({ email_sent: _, texted: __, ...rest }: Fields): Fields => ({ ...rest, kyc_needed: kycNeeded(rest) ? 1 : 0 });
const showWallet = ({ cents, ...wallet }: Fields): Fields => ({ ...wallet, balance: money(cents) });
const showOrder = ({ cents, ...order }: Fields): Fields => ({ ...order, amount: money(cents) });

/** One page, oldest first. */
function pageOf(all: readonly Fields[], given: Record<string, string>, show: (row: Fields) => Fields = (row) => row): Reply {
	const offset = Number(given.offset ?? 0);
	const part = all.slice(offset, offset + Number(given.limit ?? 20));
	return done({ total: all.length, offset, rows: part.map(show) });
}

/** Starts the service of `documents/quay.yaml` with its books as new. It pays no heed to `dedupe_key`. */
export async function quayServer(): Promise<Service> {
	const [companies, parties, wallets, creditors] = [rows(), rows(), rows(), rows()];
	const orders = new Map<string, Fields>();
	let count = 100_500;
	const at = (all: Rows, given: Fields, parameter: string): Fields => find(all, Number(given[parameter]), 1404, parameter);
	const of = (all: Rows, company?: unknown): Fields[] =>
		[...all.values()].filter((row) => company === undefined || row.company_id === Number(company));

	function showCompany(company: Fields): Fields {
		const manager = parties.get(company.manager_party_id) as Fields;
		const ready = company.kyb_state === "SUBMITTED" && company.terms_version === QUAY.terms && manager.email_checked === 1;
		if (ready && of(parties, company.company_id).every((party) => !kycNeeded(party) || party.kyc_state === "OK"))
			company.kyb_state = "APPROVED";
		return { ...company, terms_ok: company.terms_version === QUAY.terms ? 1 : 0 };
	}
	function checkTerms(version: unknown): void {
		if (version !== undefined && version !== QUAY.terms) throw new Refusal(1409, "These terms are not in force.", "terms_version");
	}
	function addParty(company_id: number, { "capacity[]": capacity, ...fields }: Fields, party_id = ++count): Fields {
		const blank = { given_name: null, surname: null, legal_name: null, email: null, dial_code: null, phone_no: null, shares: null };
		const start = { email_checked: 0, phone_checked: 0, kyc_state: "NONE", email_sent: false, texted: false };
		const party = { party_id, kind: "NATURAL", ...blank, ...start, ...fields, company_id, capacity };
		parties.set(party_id, party);
		return party;
	}
	function addCompany({ manager, ...fields }: Fields, company_id = ++count, manager_party_id = ++count): Fields {
		checkTerms(fields.terms_version);
		const blank = { brand: null, own_ref: null, terms_version: null, kyb_state: "DRAFT" };
		const company: Fields = { company_id, ...blank, ...fields, manager_party_id, created: seconds() };
		const { director, director_since: _, ...person } = manager;
		const capacity = ["MANAGER", ...(director === "1" ? ["DIRECTOR"] : []), ...(Number(person.shares ?? 0) >= 25 ? ["UBO"] : [])];
		companies.set(company_id, company);
		addParty(company_id, { ...person, "capacity[]": capacity }, manager_party_id);
		return company;
	}
	function place(type: "MOVE" | "SEND", given: Fields, payer: string, payee: string): Reply {
		const from = at(wallets, given, payer);
		const to = at(type === "MOVE" ? wallets : creditors, given, payee);
		const cents = Number(given.amount.replace(".", ""));
		if (cents === 0) throw new Refusal(1002, "amount must be above zero.", "amount");
		if (from === to) throw new Refusal(1002, `${payee} must be another wallet.`, payee);
		if (showCompany(companies.get(from.company_id) as Fields).kyb_state !== "APPROVED")
			throw new Refusal(1602, "The company is not approved.", payer);
		if (from.ccy !== given.ccy || to.ccy !== given.ccy) throw new Refusal(1002, "ccy must be that of both sides.", "ccy");
		if (from.cents < cents) throw new Refusal(1601, "The wallet does not hold enough.", "amount");
		from.cents -= cents;
		if (to.cents !== undefined) to.cents += cents;
		const order_no = `Q${String(++count).padStart(8, "0")}`;
		const sides = { dr_wallet_id: from.wallet_id, cr_wallet_id: to.wallet_id ?? null, cr_creditor_id: to.creditor_id ?? null };
		const placed_at = new Date().toISOString().slice(0, 19).replace("T", " ");
		orders.set(order_no, { order_no, type, state: "N", ...sides, ccy: from.ccy, remittance: given.remittance ?? null, placed_at, cents });
		return done({ order_no, state: "N" });
	}
	const edit = (row: Fields, { company_id: _, party_id: __, "capacity[]": capacity = row.capacity, ...fields }: Fields): Fields =>
		Object.assign(row, fields, capacity && { capacity });

	const tilda = { given_name: "Tilda", surname: "Moor", email: "tilda.moor@example.com", position: "CEO", director: "1" };
	const harrow = { name: "Harrow Boats GmbH", country: "DE", registry_no: "HRB 200002", trade: "TRN", terms_version: QUAY.terms };
	addCompany({ ...harrow, manager: tilda }, QUAY.company, QUAY.manager).kyb_state = "APPROVED";
	Object.assign(parties.get(QUAY.manager) as Fields, { email_checked: 1, phone_checked: 1, kyc_state: "OK" });
	const wallet = { company_id: QUAY.company, state: "OPEN", ccy: "EUR", cents: 1_000_000, iban: "DE00300000000000000001" };
	wallets.set(QUAY.main, { wallet_id: QUAY.main, ...wallet, label: "Main" });
	wallets.set(QUAY.reserve, { wallet_id: QUAY.reserve, ...wallet, label: "Reserve" });
	const payee = { company_id: QUAY.company, name: "Sailcloth Ltd", iban: "DE00400000000000000003", ccy: "EUR", blocked: 0 };
	creditors.set(QUAY.creditor, { creditor_id: QUAY.creditor, ...payee });

	return serve({
		document: "quay.yaml",
		base: "/gate/2",
		key: ["x-quay-key", QUAY.key],
		pays: ["wallet.move", "payment.send"],
		codes: { key: 1101, absent: 1404, plan: 1701, missing: 1001, malformed: 1002, unknown: 1003 },
		refused: ({ code, message, field }) =>
			json(statuses[Number(code)] ?? 400, { ok: false, fault: { number: code, text: message, parameter: field } }),
		payments: () =>
			[...orders.values()].map(({ order_no, dr_wallet_id, cr_wallet_id, cr_creditor_id, cents }) => {
				return { id: order_no, debited: String(dr_wallet_id), credited: String(cr_wallet_id ?? cr_creditor_id), cents };
			}),
		handlers: {
			"terms.latest": () => done({ terms_version: QUAY.terms, valid_since: "01/03/2025", text: "Be fair to each other." }),
			"terms.accept": ({ body }) => {
				checkTerms(body.terms_version);
				return done(showCompany(Object.assign(at(companies, body, "company_id"), { terms_version: body.terms_version })));
			},
			"company.create": ({ body }) => {
				const { company_id, manager_party_id } = addCompany(body);
				return done({ company_id, manager_party_id });
			},
			"company.get": ({ query }) => done(showCompany(at(companies, query, "company_id"))),
			"company.list": ({ query }) => {
				const isWanted = (row: Fields): boolean => ["kyb_state", "own_ref"].every((name) => !query[name] || row[name] === query[name]);
				return pageOf(of(companies).map(showCompany).filter(isWanted), query);
			},
			"company.dossier": ({ query }) => {
				const { company_id, name } = at(companies, query, "company_id");
				const people = of(parties, company_id).map((one) => `${one.legal_name ?? `${one.given_name} ${one.surname}`}: ${one.kyc_state}`);
				return page("Dossier", [name, ...people]);
			},
			"company.submit": ({ body }) => {
				const company = at(companies, body, "company_id");
				if (company.kyb_state !== "DRAFT") throw new Refusal(1409, "The file was submitted before.", "company_id");
				company.kyb_state = "SUBMITTED";
				return done({ ...company, terms_ok: company.terms_version === QUAY.terms ? 1 : 0 });
			},
			"party.add": ({ body }) => {
				// The two kinds share one form in the document, and its description says what each must have.
				const needed = body.kind === "LEGAL" ? ["legal_name", "registry_no", "country"] : ["given_name", "surname", "email", "born_on"];
				const missing = needed.find((name) => body[name] === undefined);
				if (missing !== undefined) throw new Refusal(1001, `${missing} is required.`, missing);
				return done(showParty(addParty(at(companies, body, "company_id").company_id, body)));
			},
			"party.edit": ({ body }) => {
				const party = at(parties, body, "party_id");
				if (body.email !== undefined && body.email !== party.email) Object.assign(party, { email_checked: 0, email_sent: false });
				const { dial_code = party.dial_code, phone_no = party.phone_no } = body;
				if (dial_code !== party.dial_code || phone_no !== party.phone_no) Object.assign(party, { phone_checked: 0, texted: false });
				return done(showParty(edit(party, body)));
			},
			"party.get": ({ query }) => {
				// Whoever was sent a link has used it by now.
				const party = at(parties, query, "party_id");
				if (party.email_sent) Object.assign(party, { email_checked: 1, email_sent: false });
				if (party.kyc_state === "OPEN") party.kyc_state = "OK";
				return done(showParty(party));
			},
			"party.list": ({ query }) => pageOf(of(parties, at(companies, query, "company_id").company_id), query, showParty),
			"contact.challenge": ({ body: { channel, ...given } }) => {
				const [party, isMail] = [at(parties, given, "party_id"), channel === "EMAIL"];
				if (isMail ? !party.email : !party.phone_no || !party.dial_code) throw new Refusal(1409, "There is nothing to send to.", "channel");
				if (isMail ? party.email_checked : party.phone_checked) throw new Refusal(1409, "This was checked before.", "channel");
				Object.assign(party, isMail ? { email_sent: true } : { texted: true });
				return done({ party_id: party.party_id, channel, valid_until: seconds() + 3600 });
			},
			"contact.confirm": ({ body }) => {
				const party = at(parties, body, "party_id");
				if (!party.texted) throw new Refusal(1409, "No digits were sent.", "party_id");
				if (body.digits !== "123456") throw new Refusal(1501, "These are not the digits we sent.", "digits");
				return done(showParty(Object.assign(party, { phone_checked: 1, texted: false })));
			},
			"kyc.link": ({ body }) => {
				const party = at(parties, body, "party_id");
				if (party.kind !== "NATURAL" || party.kyc_state === "OK") throw new Refusal(1409, "Nobody is left to be identified.", "party_id");
				party.kyc_state = "OPEN";
				return done({ party_id: party.party_id, link: `https://kyc.quay.example/${party.party_id}`, valid_until: seconds() + 3600 });
			},
			"wallet.get": ({ query }) => done(showWallet(at(wallets, query, "wallet_id"))),
			"creditor.get": ({ query }) => done(at(creditors, query, "creditor_id")),
			"wallet.move": ({ body }) => place("MOVE", body, "debtor_wallet_id", "creditor_wallet_id"),
			"payment.send": ({ body }) => place("SEND", body, "ordering_wallet_id", "creditor_id"),
			"payment.get": ({ query }) => {
				const order = find(orders, query.order_no as string, 1404, "order_no");
				order.state = ({ N: "W", W: "D" } as Record<string, string>)[order.state] ?? order.state;
				return done(showOrder(order));
			},
			"payment.list": ({ query }) => {
				const { wallet_id, state, from_day = "01/01/0001", to_day = "31/12/9999" } = query;
				const isWanted = (row: Fields): boolean =>
					(!wallet_id || [row.dr_wallet_id, row.cr_wallet_id].includes(Number(wallet_id))) &&
					(!state || row.state === state) &&
					dayOf(row.placed_at) >= dayOf(from_day) &&
					dayOf(row.placed_at) <= dayOf(to_day);
				return pageOf([...orders.values()].filter(isWanted), query, showOrder);
			},
		},
	});
}
