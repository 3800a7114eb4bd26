import { money, Refusal, seconds } from "./quay-wire.js";
import type { Fields } from "./strict.js";

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

/** The records as kept; the wire sees what the functions named `show` make of them. */
export interface Company extends Fields {
	company_id: number;
	manager_party_id: number;
	terms_version: string | null;
	kyb_state: string;
}
export interface Party extends Fields {
	party_id: number;
	company_id: number;
	kind: string;
	capacity: string[];
	email_checked: 0 | 1;
	phone_checked: 0 | 1;
	kyc_state: string;
}
export interface Wallet extends Fields {
	wallet_id: number;
	company_id: number;
	ccy: string;
	cents: number;
}
export interface Order extends Fields {
	order_no: string;
	type: "MOVE" | "SEND";
	state: string;
	dr_wallet_id: number;
	cr_wallet_id: number | null;
	cr_creditor_id: number | null;
	ccy: string;
	remittance: string | null;
	placed_at: string;
	cents: number;
}
const kycNeeded = (party: Party) => party.kind === "NATURAL" && (party.capacity.includes("DIRECTOR") || party.capacity.includes("UBO"));
/** A record as the wire shows it. */
export const showParty = (party: Party) => {
	const { email_sent: _, texted: __, ...rest } = party;
	return { ...rest, kyc_needed: kycNeeded(party) ? 1 : 0 };
};
/** A record as the wire shows it. */
export const showWallet = ({ cents, ...wallet }: Wallet) => ({ ...wallet, balance: money(cents) });
/** A record as the wire shows it. */
export const showOrder = ({ cents, ...order }: Order) => ({ ...order, amount: money(cents) });

/** The books of one run, with what is there from the start. */
export function openBooks() {
	const companies = new Map<number, Company>();
	const parties = new Map<number, Party>();
	const wallets = new Map<number, Wallet>();
	const creditors = new Map<number, Fields & { company_id: number; ccy: string }>();
	const orders = new Map<string, Order>();
	let count = 100_500;

	function find<T>(all: Map<number, T>, given: Record<string, string>, parameter: string): T {
		const row = all.get(Number(given[parameter]));
		if (!row) throw new Refusal(1404, "There is no such record.", parameter);
		return row;
	}
	const of = <T extends { company_id: number }>(all: Map<number, T>, company?: string | number) =>
		[...all.values()].filter((row) => company === undefined || row.company_id === Number(company));

	function showCompany(company: Company): Fields {
		const manager = parties.get(company.manager_party_id)!;
		const ready = company.kyb_state === "SUBMITTED" && company.terms_version === QUAY.terms && manager.email_checked === 1;
		if (ready && of(parties, company.company_id).every((party) => !kycNeeded(party) || party.kyc_state === "OK"))
			company.kyb_state = "APPROVED";
		return { ...company, terms_ok: company.terms_version === QUAY.terms ? 1 : 0 };
	}
	function checkTerms(version: unknown): void {
		if (version !== undefined && version !== QUAY.terms) throw new Refusal(1409, "These terms are not in force.", "terms_version");
	}
	function addParty(company_id: number, { "capacity[]": capacity, ...fields }: Fields, party_id = ++count): Party {
		const blank = { given_name: null, surname: null, legal_name: null, email: null, dial_code: null, phone_no: null, shares: null };
		const start = { email_checked: 0, phone_checked: 0, kyc_state: "NONE", email_sent: false, texted: false } as const;
		const party: Party = { party_id, kind: "NATURAL", ...blank, ...start, ...fields, company_id, capacity: capacity as string[] };
		parties.set(party_id, party);
		return party;
	}
	function addCompany({ manager, ...fields }: Fields, company_id = ++count, manager_party_id = ++count): Company {
		checkTerms(fields.terms_version);
		const company: Company = {
			company_id,
			brand: null,
			own_ref: null,
			terms_version: null,
			kyb_state: "DRAFT",
			...fields,
			manager_party_id,
			created: seconds(),
		};
		const { director, director_since: _, ...person } = manager as Fields;
		const capacity = ["MANAGER", ...(director === "1" ? ["DIRECTOR"] : []), ...(Number(person.shares ?? 0) >= 25 ? ["UBO"] : [])];
		companies.set(company_id, company);
		addParty(company_id, { ...person, "capacity[]": capacity }, manager_party_id);
		return company;
	}
	function place(type: Order["type"], given: Record<string, string>, payer: string, payee: string): Pick<Order, "order_no" | "state"> {
		const from = find(wallets, given, payer);
		const wallet = type === "MOVE" ? find(wallets, given, payee) : undefined;
		const to = wallet ?? find(creditors, given, payee);
		const cents = Number(given.amount!.replace(".", ""));
		if (cents === 0) throw new Refusal(1002, "amount must be above zero.", "amount");
		if (from === to) throw new Refusal(1002, `${payee} must be another wallet.`, payee);
		if (showCompany(companies.get(from.company_id)!).kyb_state !== "APPROVED")
			throw new Refusal(1602, "The company is not approved.", payer);
		if (from.ccy !== given.ccy || to.ccy !== given.ccy) throw new Refusal(1002, "ccy must be that of both sides.", "ccy");
		if (from.cents < cents) throw new Refusal(1601, "The wallet does not hold enough.", "amount");
		from.cents -= cents;
		if (wallet) wallet.cents += cents;
		const sides = {
			dr_wallet_id: from.wallet_id,
			cr_wallet_id: wallet?.wallet_id ?? null,
			cr_creditor_id: wallet ? null : Number(given[payee]),
		};
		const order_no = `Q${String(++count).padStart(8, "0")}`;
		const placed_at = new Date().toISOString().slice(0, 19).replace("T", " ");
		orders.set(order_no, { order_no, type, state: "N", ...sides, ccy: from.ccy, remittance: given.remittance ?? null, placed_at, cents });
		return { order_no, state: "N" };
	}
	function edit<T extends Fields>(row: T, { company_id: _, party_id: __, "capacity[]": capacity, ...fields }: Fields): T {
		return Object.assign(row, fields, capacity === undefined ? {} : { capacity });
	}

	const seat = { street: "Kranweg", house_no: "9", town: "Bremen", postcode: "28195", country: "DE" };
	const tilda = {
		given_name: "Tilda",
		surname: "Moor",
		email: "tilda.moor@example.com",
		position: "CEO",
		director: "1",
		dial_code: "44",
		phone_no: "1632960124",
	};
	const harrow = {
		name: "Harrow Boats GmbH",
		country: "DE",
		registry_no: "HRB 200002",
		trade: "TRN",
		seat,
		spend: { band: "B", ccy: "EUR" },
	};
	addCompany({ ...harrow, terms_version: QUAY.terms, manager: tilda }, QUAY.company, QUAY.manager).kyb_state = "APPROVED";
	Object.assign(parties.get(QUAY.manager)!, { email_checked: 1, phone_checked: 1, kyc_state: "OK" });
	const wallet = { company_id: QUAY.company, state: "OPEN", ccy: "EUR", cents: 1_000_000 };
	wallets.set(QUAY.main, { wallet_id: QUAY.main, ...wallet, label: "Main", iban: "DE00300000000000000001" });
	wallets.set(QUAY.reserve, { wallet_id: QUAY.reserve, ...wallet, label: "Reserve", iban: "DE00300000000000000002" });
	const payee = { company_id: QUAY.company, name: "Sailcloth Ltd", iban: "DE00400000000000000003", ccy: "EUR", blocked: 0 };
	creditors.set(QUAY.creditor, { creditor_id: QUAY.creditor, ...payee });

	return { companies, parties, wallets, creditors, orders, find, of, showCompany, checkTerms, addParty, addCompany, place, edit };
}
