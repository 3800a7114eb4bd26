/**
 * Which payment a line of the service's list is, told by the built program: what is sent, what the service does and lists, and what is said
 * of it. After each case a person takes every "not created" that is permitted, a day later, and sends again: nothing is paid twice.
 */
import { describe, expect, test } from "vitest";
import { type Bank, type Booked, type Listed, ledgers, type Payee, type Reply } from "../support/bank.js";
import { type BankDesk, bankDesk, noClock, removeClock, type Sent } from "../support/bank-desk.js";
import { programsOfFile } from "../support/programs.js";

const programs = programsOfFile();
removeClock();

const supplier = "bbbbbbbb-0001-4000-8000-000000000001";
const namesake = "bbbbbbbb-0002-4000-8000-000000000002";
const hosted: Payee = { id: supplier, name: "Example Supplies Ltd", hostedLedgerId: ledgers.savings };
const twoOfOneName: Payee[] = [
	{ id: supplier, name: "Example Supplies Ltd" },
	{ id: namesake, name: "EXAMPLE  Supplies ltd" },
];
const hour = 3_600_000;

interface Case {
	name: string;
	payees?: readonly Payee[];
	/** In order, each with what the service does. */
	sends: readonly (Sent & { reply: Reply })[];
	/** What others made beside. */
	others?: (bank: Bank) => void;
	lists?: (line: Listed, one: Booked) => Listed | undefined;
	/** Of `pay settle`: the exit code, each payment's state in the order in which they were sent, and which transactions (by number) they are. */
	code: number;
	states: readonly string[];
	are?: readonly (number | undefined)[];
	finding?: string;
}

const lost = (reference: string, more: Partial<Sent> = {}) => ({ reference, reply: "lost" as const, ...more });
const dropped = (reference: string, more: Partial<Sent> = {}) => ({ reference, reply: "dropped" as const, ...more });
const reference = (change: (sent: string) => string | undefined) => (line: Listed, one: Booked) => ({
	...line,
	information: one.reference === undefined ? {} : { reference: change(one.reference) },
});
const [created, doubt] = ["accepted", "in-doubt"];
const upper = reference((sent) => sent.toUpperCase());
const datesOnly = (line: Listed): Listed => ({ ...line, creationDate: String(line.creationDate).slice(0, 10) });
const toLedger = { to: ledgers.savings };
const toHosted = { beneficiary: supplier };

const cases: Case[] = [
	{ name: "one payment, its answer lost", sends: [lost("Inv 1")], code: 0, states: [created], are: [1] },
	{ name: "one payment that never arrived", sends: [dropped("Inv 1")], code: 7, states: [doubt], finding: "not-listed" },
	{ name: "twins by case, both made", sends: [lost("Inv a"), lost("INV A")], code: 0, states: [created, created], are: [1, 2] },
	{
		name: "twins by case, both made and dated alike, the later one listed first",
		sends: [lost("Inv a"), lost("INV A")],
		lists: (line, one) => ({ ...line, creationDate: new Date(one.at - (one.reference === "INV A" ? 5_000 : 0)).toISOString() }),
		...{ code: 0, states: [created, created], are: [1, 2] },
	},
	{
		name: "twins by case, the first made",
		sends: [lost("Inv a"), dropped("INV A")],
		...{ code: 7, states: [doubt, doubt], finding: "unknown-which" },
	},
	{
		name: "twins by case, the second made",
		sends: [dropped("Inv a"), lost("INV A")],
		...{ code: 7, states: [doubt, doubt], finding: "unknown-which" },
	},
	{ name: "twins by case, none made", sends: [dropped("Inv a"), dropped("INV A")], code: 7, states: [doubt, doubt], finding: "not-listed" },
	{
		name: "twins by case in a list that upper-cases, both made",
		...{ sends: [lost("Inv a"), lost("INV A")], lists: upper, code: 0, states: [created, created] },
	},
	{
		name: "twins by case in a list that upper-cases, the first made",
		...{ sends: [lost("Inv a"), dropped("INV A")], lists: upper, code: 7, states: [doubt, doubt], finding: "unknown-which" },
	},
	{
		name: "three by case, two made",
		sends: [lost("Inv a"), dropped("INV A"), lost("inv a")],
		...{ code: 7, states: [doubt, doubt, doubt], finding: "unknown-which" },
	},
	{
		name: "a twin that was answered, and one that never arrived",
		sends: [{ reference: "Inv a", reply: "answered" }, dropped("INV A")],
		// The answer may have had the other one's id, so its line is shown with both.
		...{ code: 7, states: [doubt], finding: "unknown-which" },
	},
	{
		name: "a ledger and a beneficiary hosted there, both made",
		payees: [hosted],
		sends: [lost("Rent", toLedger), lost("Rent", toHosted)],
		...{ code: 0, states: [created, created] },
	},
	{
		name: "a ledger and a beneficiary hosted there, the beneficiary's made",
		payees: [hosted],
		sends: [dropped("Rent", toLedger), lost("Rent", toHosted)],
		...{ code: 7, states: [doubt, doubt], finding: "unknown-which" },
	},
	{
		name: "a ledger and a beneficiary hosted there, the ledger's made",
		payees: [hosted],
		sends: [lost("Rent", toLedger), dropped("Rent", toHosted)],
		...{ code: 7, states: [doubt, doubt], finding: "unknown-which" },
	},
	{
		name: "an external payee, known by name and reference",
		payees: [{ id: supplier, name: "Example Supplies Ltd" }],
		...{ sends: [lost("Inv 7", toHosted)], code: 0, states: [created], are: [1] },
	},
	{
		name: "an external payee, and no reference",
		payees: [{ id: supplier, name: "Example Supplies Ltd" }],
		sends: [{ ...toHosted, reply: "lost" }],
		...{ code: 7, states: [doubt], finding: "possible" },
	},
	{
		name: "two payees of one name, one paid",
		payees: twoOfOneName,
		sends: [lost("Inv 7", { beneficiary: supplier }), dropped("Inv 7", { beneficiary: namesake })],
		...{ code: 7, states: [doubt, doubt] },
	},
	{
		name: "two payees of one name, both paid",
		payees: twoOfOneName,
		sends: [lost("Inv 7", { beneficiary: supplier }), lost("Inv 7", { beneficiary: namesake })],
		...{ code: 7, states: [doubt, doubt] },
	},
	{
		name: "a list with dates and no times",
		...{ sends: [lost("Inv 1")], lists: datesOnly, code: 7, states: [doubt], finding: "possible" },
	},
	...[6, 10].map((hours) => ({
		name: `somebody else's like it ${hours} hours before, and ours never arrived`,
		sends: [dropped("Inv 1")],
		others: (bank: Bank) =>
			void bank.foreign({ ledgerId: ledgers.savings, amount: "10.10", reference: "Inv 1", at: Date.now() - hours * hour }),
		...{ code: 7, states: [doubt], finding: "not-listed" },
	})),
	{
		name: "somebody else's like it 6 hours before, and ours made",
		sends: [lost("Inv 1")],
		others: (bank) => void bank.foreign({ ledgerId: ledgers.savings, amount: "10.10", reference: "Inv 1", at: Date.now() - 6 * hour }),
		...{ code: 0, states: [created], are: [1] },
	},
	{
		name: "somebody else's like it 30 hours after, and ours never arrived",
		sends: [dropped("Inv 1")],
		others: (bank) => void bank.foreign({ ledgerId: ledgers.savings, amount: "10.10", reference: "Inv 1", at: Date.now() + 30 * hour }),
		...{ code: 7, states: [doubt], finding: "possible" },
	},
	...(["E", "?", ""] as const).map((written) => ({
		name: `a list that writes é as ${JSON.stringify(written)}`,
		sends: [lost("Café bé")],
		lists: reference((sent) => sent.replaceAll("é", written)),
		// An accent that is lost leaves the same letters; everything else a person compares.
		...(written === "E" ? { code: 0, states: [created], are: [1] } : { code: 7, states: [doubt], finding: "possible" }),
	})),
	{
		name: "a list that writes ß as SS",
		sends: [lost("Straße 7")],
		...{ lists: reference((sent) => sent.replace("ß", "SS").toUpperCase()), code: 0, states: [created] },
	},
	{
		name: "a list that writes ö as OE",
		sends: [lost("Möbel 7")],
		...{ lists: reference((sent) => sent.replace("ö", "oe").toUpperCase()), code: 7, states: [doubt], finding: "possible" },
	},
	{
		name: "a list that leaves out Ø and what follows it",
		sends: [lost("Køb 7")],
		...{ lists: reference(() => "K"), code: 7, states: [doubt], finding: "possible" },
	},
	{
		name: "a list that leaves references out",
		...{ sends: [lost("Inv 1")], lists: reference(() => undefined), code: 7, states: [doubt], finding: "possible" },
	},
	{
		name: "a list that cuts references, and two payments that begin alike",
		sends: [lost("Invoice 1001"), dropped("Invoice 1002")],
		...{ lists: reference((sent) => sent.slice(0, 9)), code: 7, states: [doubt, doubt] },
	},
	{
		name: "a list of names alone",
		payees: [hosted],
		sends: [lost("Rent", toHosted)],
		lists: (line) => ({ ...line, sender: { ledgerId: ledgers.main }, receiver: { name: "Example Supplies Ltd" } }),
		...{ code: 0, states: [created], are: [1] },
	},
	...(["DECLINED", "ABORTED", "RELEASED", "REVERSED"] as const).map((status) => ({
		name: `a payment that was made and is ${status}`,
		sends: [lost("Inv 1")],
		...{ lists: (line: Listed) => ({ ...line, status }), code: 5, states: [created], are: [1] },
	})),
];

/** Sends them, one after the other. @returns which intent each is */
async function send({ bank, pay }: BankDesk, { payees = [], sends, others, lists }: Pick<Case, "payees" | "sends" | "others" | "lists">) {
	bank.payees.push(...payees);
	bank.reply = (_, arrived) => sends[arrived]?.reply ?? "answered";
	if (lists) bank.lists = lists;
	for (const one of sends) {
		const { code, stderr } = await pay(one);
		expect(code, stderr).toBe(one.reply === "answered" ? 0 : 7);
	}
	others?.(bank);
}

/** A day later a person takes every "not created" that is permitted without naming a line, and sends that payment again. */
async function exhaust({ bank, run, pay, pass, settle }: BankDesk, sends: Case["sends"]): Promise<void> {
	pass(26);
	bank.reply = () => "answered";
	await settle();
	for (const [at, one] of sends.entries()) {
		const intent = String(at + 1);
		const { code, said } = await settle(intent);
		if (code !== 7) continue;
		const check = String(said.json()[0].check.number);
		const decided = await run("pay", "settle", intent, "--not-created", "--check", check, "--reason", "Told by the bank");
		if (decided.code === 0) await pay(one);
	}
}

function expectOnce({ bank }: BankDesk, sends: Case["sends"]): void {
	for (const sent of sends) {
		const own = bank.booked.filter(
			(one) =>
				!one.foreign &&
				one.reference === sent.reference &&
				one.beneficiaryId === sent.beneficiary &&
				one.amount === (sent.amount ?? "10.10"),
		);
		expect(own.length, `${sent.reference} was made ${own.length} times`).toBeLessThanOrEqual(1);
	}
}

describe("pay settle", () => {
	test.each(cases)("$name", async (one) => {
		const desk = await bankDesk(programs.built);
		try {
			await send(desk, one);
			const { code, said } = await desk.settle();
			const found = [...said.json()].reverse();
			expect([code, found.map(({ state }) => state)]).toEqual([one.code, one.states]);
			if (one.finding !== undefined) expect(new Set(found.map(({ finding }) => finding))).toEqual(new Set([one.finding]));
			const ids = one.are?.map((number) => number && desk.bank.booked[number - 1]?.id);
			if (ids !== undefined) expect(found.map(({ id }) => id)).toEqual(ids);
			if (noClock === undefined && code !== 0) await exhaust(desk, one.sends);
			expectOnce(desk, one.sends);
		} finally {
			await desk.remove();
		}
	});
});
