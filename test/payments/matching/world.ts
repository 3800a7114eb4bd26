/**
 * A world for matching: who can be paid, payments of ours with what the tool knows of them and what is true, and payments of others.
 */

import { plainId } from "../../../src/api/text/ids.js";
import { folded, type Payee, type Payment, sentKey } from "../../../src/payments/matching/fits.js";
import type { IntentState } from "../../../src/ports/intent.js";
import { Random } from "../simulation/random.js";
import { type Style, styleOf } from "./list.js";

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
/** When the first payment of a world may begin. */
export const beginning = Date.parse("2026-11-20T08:00:00Z");

/** Who can be paid: one of our beneficiaries, or a ledger. */
export interface Account {
	kind: "ledger" | "beneficiary";
	id: string;
	name: string;
	/** Where it is hosted in truth; a ledger hosts itself. */
	ledger?: string;
	currency: string;
	/** What the tool knows of it. */
	payee?: Payee;
}

/** A payment that the service made. */
export interface Made {
	id: string;
	from: string;
	to: Account;
	amount: string;
	currency: string;
	/** What it cost after an exchange, where that is what the service lists. */
	exchanged?: { amount: string; currency: string };
	reference?: string;
	/** By the service's clock. */
	at: number;
	listedFrom: number;
	/** The service omits its id. */
	nameless: boolean;
	/** Undefined: somebody else's. */
	owner?: Ours;
}

/** An attempt of ours with the truth. */
export interface Ours {
	payment: Payment;
	to: Account;
	/** When it was sent, by the service's clock. */
	at: number;
	made?: Made;
	/** It began as a doubt and nobody but the engine has touched it. */
	untouched: boolean;
}

const uuid = (kind: number, number: number): string =>
	`${String(kind).padStart(8, "0")}-0000-4000-8000-${String(number).padStart(10, "0")}a${number % 10}`;

const debited = [uuid(1, 1), uuid(1, 2)] as const;
const names = ["Müller GmbH", "Example Supplies Ltd", "Café Blanc SARL", "Muller GmbH", "Example Supplies  ltd"];
/** References that a list may show alike, in families. */
const families: readonly (readonly (string | undefined)[])[] = [
	["Invoice 12", "invoice 12", "INVOICE 12", "Invoice.12", "Invoice 12 A"],
	["Café 7", "Cafe 7", "CAFÉ 7", "Caf 7", "CAFÈ 7"],
	["Straße 5", "Strasse 5", "STRASSE 5", "Strase 5"],
	["Öl 4", "Oel 4", "Ol 4", "öl 4"],
	["Rent 2026 11 Anna", "Rent 2026 11 Ben", "Rent 2026"],
	["Noël à Évry 3", "Noel a Evry 3"],
	[undefined, "", "..", "Salary 11"],
];

export class World {
	readonly random: Random;
	readonly accounts: Account[] = [];
	readonly ours: Ours[] = [];
	readonly made: Made[] = [];
	readonly style: Style;
	readonly ledgers: readonly string[];
	/** What our clock is ahead of the service's, where nobody knows it. */
	readonly #skew: number;
	readonly #amounts: readonly string[];
	readonly #references: readonly (string | undefined)[];
	#ids = 0;

	constructor(readonly seed: number) {
		this.random = new Random(seed);
		const { random } = this;
		this.style = styleOf(random);
		this.ledgers = random.often(0.2) ? debited : debited.slice(0, 1);
		this.#skew = random.often(0.5) ? 0 : (random.below(28 * 60) - 14 * 60) * minute;
		this.#amounts = random.often(0.6) ? ["10.00", "10"] : ["10.00", "10.5", "99.90"];
		this.#references = [...random.pick(families), ...(random.often(0.4) ? random.pick(families) : [])];
		this.#meet();
		const count = 1 + random.below(random.often(0.1) ? 7 : 4);
		for (let number = 1; number <= count; number++) this.#pay(String(number));
		const others = random.often(0.35) ? 1 + random.below(2) : 0;
		for (let number = 0; number < others; number++) this.#payByOthers();
		this.#mixUpAnAnswer();
	}

	/** A new attempt of an intent, as its answer left it. */
	attempt(before: Pick<Payment, "intent" | "attempt" | "transfer">, to: Account, at: number, state?: IntentState): Ours {
		const { random } = this;
		const timed = random.often(0.85);
		const begun = timed ? at + (random.below(5) - 2) * minute : at + this.#skew;
		const known = state ?? random.pick(afterSending);
		const payment: Payment = { ...before, attempt: before.attempt + 1, state: known, begun, timed, payee: to.payee };
		const one: Ours = { payment, to, at, untouched: known === "in-doubt" };
		this.ours.push(one);
		if (!random.often(chanceMade[known] ?? 0)) return one;
		const delay = random.often(0.9) ? random.below(30_000) : random.below(20 * hour);
		// What was refused is sent again at once, so it is asked of the service that it lists such a payment at once.
		const late = known !== "refused" && random.often(0.15) ? random.below(day - delay) : 0;
		const { ledgerFromId, amount, reference } = payment.transfer;
		one.made = this.#make({ from: ledgerFromId, to, amount, reference, at: at + (known === "refused" ? 0 : delay), owner: one }, late);
		if (known === "accepted" && random.often(0.8)) payment.id = one.made.id;
		return one;
	}

	#meet(): void {
		const { random, accounts } = this;
		for (let number = 0; number < 2; number++)
			accounts.push({ kind: "ledger", id: uuid(2, number), name: random.pick(names), ledger: uuid(2, number), currency: "EUR" });
		const count = 1 + random.below(3);
		const isListKnown = random.often(0.8);
		for (let number = 0; number < count; number++) {
			const host = random.often(0.4) ? random.pick(accounts.slice(0, 2)) : undefined;
			const currency = host === undefined && random.often(0.1) ? "USD" : "EUR";
			const name = host?.name ?? random.pick(names);
			accounts.push({ kind: "beneficiary", id: uuid(3, number), name, ledger: host?.ledger, currency });
		}
		const ofCompany = accounts.filter(({ kind }) => kind === "beneficiary");
		for (const one of ofCompany) {
			const own = folded(one.name);
			const alone = isListKnown && ofCompany.filter(({ name }) => folded(name) === own).length === 1 ? [own] : [];
			const told = { hostedLedgerId: random.often(0.6) ? one.ledger : undefined, currency: random.often(0.7) ? one.currency : undefined };
			if (random.often(0.9)) one.payee = { alone, ...told };
		}
	}

	#pay(intent: string): void {
		const { random } = this;
		const before = random.often(0.4) ? this.ours.at(-1) : undefined;
		const to = before !== undefined && random.often(0.8) ? before.to : random.pick(this.accounts);
		const reference = before !== undefined && random.often(0.5) ? before.payment.transfer.reference : random.pick(this.#references);
		const transfer = {
			kind: to.kind,
			ledgerFromId: random.pick(this.ledgers),
			counterpartyId: to.id,
			amount: random.pick(this.#amounts),
			// Of a payment in a currency that nobody knows, an amount after an exchange is no amount of ours.
			currency: random.often(0.7) || to.currency !== "EUR" ? to.currency : undefined,
			reference,
		};
		const at = beginning + (random.often(0.7) ? random.below(40 * minute) : random.below(20 * hour));
		const isRepeated = random.often(0.15);
		const state = isRepeated ? (random.often(0.5) ? "refused" : "not-created") : random.pick(states);
		const first = this.attempt({ intent, attempt: 0, transfer }, to, at, state);
		if (isRepeated) this.attempt(first.payment, to, at + (random.often(0.6) ? random.below(2 * hour) : random.below(30 * hour)));
	}

	/** Somebody else pays: like one of ours but for something, rarely the very same. */
	#payByOthers(): void {
		const { random } = this;
		const like = random.pick(this.ours);
		const { ledgerFromId: from, amount, reference } = like.payment.transfer;
		const at = (like.made?.at ?? beginning) + random.pick([-30, -6, -1, 0, 0, 1, 5, 30]) * hour + random.below(20) * minute;
		const payment = { from, to: like.to, amount, reference, at };
		if (random.often(0.06)) return void this.#make(payment, 0);
		const other = random.below(4);
		if (other === 3) payment.at = (like.made?.at ?? like.at) + random.pick([-30, -6, 30]) * hour;
		if (other === 0) payment.amount = "10.01";
		if (other === 1) payment.to = random.pick(this.accounts);
		if (other === 2) payment.reference = random.pick(this.#references);
		this.#make(payment, 0);
	}

	/** An answer carried the id of another payment. */
	#mixUpAnAnswer(): void {
		const { random } = this;
		if (!random.often(0.08)) return;
		const one = random.pick(this.ours);
		const other = random.pick(this.made.length === 0 ? [undefined] : this.made);
		if (other === undefined || this.ours.some(({ payment }) => payment.id === plainId(other.id))) return;
		if (one.payment.state !== "accepted" && one.payment.state !== "in-doubt") return;
		Object.assign(one.payment, { state: "accepted", id: other.id });
		one.untouched = false;
	}

	#make(what: Omit<Made, "id" | "listedFrom" | "currency" | "nameless">, late: number): Made {
		const { random } = this;
		this.#ids += 1;
		const { currency } = what.to;
		const isExchanged = currency !== "EUR" && random.often(0.5);
		const made: Made = {
			...what,
			id: uuid(9, this.#ids),
			currency,
			exchanged: isExchanged ? { amount: "8.63", currency: "EUR" } : undefined,
			listedFrom: what.at + late,
			nameless: random.often(0.02),
		};
		this.made.push(made);
		return made;
	}
}

const states: readonly IntentState[] = [
	...(["in-doubt", "in-doubt", "in-doubt", "in-doubt", "in-doubt", "accepted", "accepted", "accepted"] as const),
	...(["waiting", "refused", "refused", "not-created", "sending", "not-sent"] as const),
];
const afterSending: readonly IntentState[] = ["in-doubt", "in-doubt", "in-doubt", "accepted", "accepted", "waiting", "refused"];

/** How often a payment was made of which the tool knows this. */
const chanceMade: Partial<Record<IntentState, number>> = { accepted: 1, waiting: 1, "in-doubt": 0.55, sending: 0.5, refused: 0.2 };

/** Payments of one class differ in nothing that was sent. */
export const classOf = ({ payment }: Ours): string => sentKey(payment);
