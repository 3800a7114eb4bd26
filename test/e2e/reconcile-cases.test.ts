/**
 * The control of a day by the built program: each of the lists, its exit code, the same columns whatever was found, commands that run, and
 * a journal that is as it was.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Bank, ledgers, type Reply } from "../support/bank.js";
import { type BankDesk, bankDesk, noClock, removeClock, type Said, type Sent } from "../support/bank-desk.js";
import { programsOfFile } from "../support/programs.js";

const programs = programsOfFile();
removeClock();

let desk: BankDesk;
let bank: Bank;
beforeEach(async () => {
	desk = await bankDesk(programs.built);
	bank = desk.bank;
});
afterEach(() => desk.remove());

const columns =
	"list,ledgerId,intent,batch,row,state,sentAt,sentAmount,sentCurrency,sentReference,counterpartyId,transactionId,status,listedAt,listedAmount,listedCurrency,listedReference,receiver,differs";
const since = ["--since", "3d"];
const none = { matched: 0, different: 0, notListed: 0, notYetListed: 0, notOurs: 0, inDoubt: 0, notMadeButListed: 0 };

async function send(...all: (Sent & { reply: Reply })[]): Promise<void> {
	const before = bank.arrived;
	bank.reply = (_, arrived) => all[arrived - before]?.reply ?? "answered";
	for (const one of all) await desk.pay(one);
	bank.reply = () => "answered";
}
const paid = (reference: string, more: Partial<Sent> = {}) => ({ reference, reply: "answered" as const, ...more });
const head = async (): Promise<string> => (await desk.run("history", "verify")).json().head?.hash;

/** Reconciles, and holds what is true of every control. */
async function control(...argv: string[]): Promise<Said> {
	const before = await head();
	const said = await desk.run("pay", "reconcile", ...(argv.length > 0 ? argv : since));
	const csv = await desk.desk.start(["pay", "reconcile", ...(argv.length > 0 ? argv : since), "--output", "csv"], { env: desk.env() })
		.ended;
	const found = said.json().found.length;
	expect([csv.code, csv.stdout.split(/\r?\n/)[0]], csv.stderr).toEqual([said.code, found === 0 ? "" : columns]);
	expect(csv.stdout.trim().split("\n")).toHaveLength(found === 0 ? 1 : found + 1);
	expect(await head()).toBe(before);
	return said;
}

/** Every command that the answer names can be run: it is neither unknown nor wrongly put, and it ends as it should. */
async function runNext({ json }: Said): Promise<void> {
	const named: string[] = json().found.flatMap(({ next }: { next?: string }) => next ?? []);
	for (const command of new Set(named)) {
		const words = command
			.replace(/^purser /, "")
			.replace("TEXT", "because")
			.split(" ");
		const { code, stderr } = await desk.run(...words);
		expect([0, 5, 7, 8], `${command}\n${stderr}`).toContain(code);
	}
}

const listsOf = ({ json }: Said): string[] => json().found.map(({ list }: { list: string }) => list);

interface Case {
	name: string;
	act: () => Promise<void>;
	code: number;
	counts: Partial<typeof none>;
	ledgers?: object[];
	/** It needs a day to pass. */
	later?: true;
}

const cases: Case[] = [
	{ name: "nothing was sent", act: async () => {}, code: 0, counts: {}, ledgers: [] },
	{ name: "all matched", act: () => send(paid("Inv 1"), paid("Inv 2")), code: 0, counts: { matched: 2 } },
	{
		name: "credits, fees and reversals are counted apart",
		act: async () => {
			await send(paid("Inv 1"));
			bank.foreign({ from: ledgers.other, ledgerId: ledgers.main, amount: "3" });
			bank.foreign({ amount: "0.10", type: "TRANSFER_FEE" });
			bank.foreign({ amount: "0.20", type: "FEE" });
			bank.foreign({ amount: "5", type: "REVERSAL", ledgerId: ledgers.savings });
		},
		code: 0,
		counts: { matched: 1 },
		ledgers: [{ ledgerId: ledgers.main, credits: 1, fees: 2, reversals: 1 }],
	},
	{
		name: "different: the reference of the line that has the id",
		act: async () => {
			await send(paid("Inv 1"));
			bank.lists = (line) => ({ ...line, information: { reference: "Other" } });
		},
		code: 9,
		counts: { different: 1 },
	},
	{
		name: "different: the payment was declined",
		act: async () => {
			await send(paid("Inv 1"));
			bank.lists = (line) => ({ ...line, status: "DECLINED" });
		},
		code: 9,
		counts: { different: 1 },
	},
	{
		name: "not yet listed",
		act: async () => {
			await send(paid("Inv 1"), paid("Inv 2"));
			bank.lists = (line, one) => (one.reference === "Inv 2" ? undefined : line);
		},
		code: 8,
		counts: { matched: 1, notYetListed: 1 },
	},
	{
		name: "not listed, a day later",
		act: async () => {
			await send(paid("Inv 1"), paid("Inv 2"));
			bank.lists = (line, one) => (one.reference === "Inv 2" ? undefined : line);
			desk.pass(26);
		},
		...{ code: 9, counts: { matched: 1, notListed: 1 }, later: true },
	},
	{
		name: "listed and not ours",
		act: async () => {
			await send(paid("Inv 1"));
			bank.foreign({ ledgerId: ledgers.other, amount: "3", reference: "Theirs" });
		},
		...{ code: 9, counts: { matched: 1, notOurs: 1 } },
	},
	{ name: "in doubt", act: () => send(paid("Inv 1"), { reference: "Inv 2", reply: "lost" }), code: 7, counts: { matched: 1, inDoubt: 1 } },
	{
		name: "a doubt counts more than a difference",
		act: async () => {
			await send({ reference: "Inv 2", reply: "dropped" });
			bank.foreign({ ledgerId: ledgers.other, amount: "3", reference: "Theirs" });
		},
		...{ code: 7, counts: { inDoubt: 1, notOurs: 1 } },
	},
	{
		name: "refused, and listed all the same",
		act: () => send(paid("Inv 1"), { reference: "Inv 2", reply: "refused but made" }),
		...{ code: 9, counts: { matched: 1, notMadeButListed: 1 } },
	},
	{
		name: "refused, and not listed",
		act: () => send(paid("Inv 1"), { reference: "Inv 2", reply: "refused" }),
		code: 0,
		counts: { matched: 1 },
	},
	{
		name: "not created, and listed all the same",
		act: async () => {
			await send({ reference: "Inv 1", reply: "dropped" });
			desk.pass(26);
			const { said } = await desk.settle("1");
			await desk.run("pay", "settle", "1", "--not-created", "--check", String(said.json()[0].check.number), "--reason", "asked");
			bank.foreign({ ledgerId: ledgers.savings, amount: "10.10", reference: "Inv 1", at: Date.now() });
		},
		...{ code: 9, counts: { notMadeButListed: 1 }, later: true },
	},
	{
		name: "two ledgers, one of which cannot be read",
		act: async () => {
			await send(paid("Inv 1"));
			await desk.run("pay", "ledger", "--from", ledgers.other, "--to", ledgers.savings, "--amount", "1", "--yes");
			bank.unreadable.add(ledgers.other);
		},
		code: 9,
		counts: { matched: 1 },
		ledgers: [{ ledgerId: ledgers.other, unread: expect.stringContaining("500") }, { ledgerId: ledgers.main }],
	},
	{
		name: "a list that announces more than it shows",
		act: async () => {
			await send(paid("Inv 1"));
			bank.announces = 9;
		},
		code: 9,
		counts: { matched: 1 },
		ledgers: [{ ledgerId: ledgers.main, lacks: "the list announces 9 transactions and shows 1" }],
	},
	{
		name: "a service whose clock is two hours ahead",
		act: async () => {
			bank.clockFault = 7_200;
			await send(paid("Inv 1"));
		},
		...{ code: 0, counts: { matched: 1 } },
	},
	{
		name: "twins by case, both made and answered",
		act: () => send(paid("Inv a"), paid("INV A")),
		...{ code: 0, counts: { matched: 2 } },
	},
	{
		name: "twins by case, one made",
		act: () => send({ reference: "Inv a", reply: "lost" }, { reference: "INV A", reply: "dropped" }),
		...{ code: 7, counts: { inDoubt: 2 } },
	},
];

describe("pay reconcile", () => {
	test.each(cases)("$name: exit $code", async ({ act, code, counts, ledgers: told, later }) => {
		if (later && noClock !== undefined) return;
		await act();
		const said = await control();
		expect([said.code, said.json().counts], said.stdout).toEqual([code, { ...none, ...counts }]);
		expect(listsOf(said)).toHaveLength(Object.values(counts).reduce((sum, count) => sum + count, 0));
		if (told !== undefined) expect(said.json().ledgers).toMatchObject(told);
		await runNext(said);
	});

	test("against a statement: dates without times, and a line that is nobody's", async () => {
		await send(paid("Inv 1"), { reference: "Inv 2", amount: "20", reply: "lost" });
		const day = new Date().toISOString().slice(0, 10);
		const lines = [`${bank.booked[0]?.id},${day},10.10,Inv 1`, `s-2,${day},20.00,Inv 2`, `s-3,${day},3.00,Theirs`].join("\n");
		const file = await desk.file("s.csv", `id,date,amount,reference\n${lines}\n`);
		const said = await control("--ledger", ledgers.main, "--statement", file, ...since);
		expect([said.code, said.json().counts], said.stdout).toEqual([7, { ...none, matched: 1, inDoubt: 1, notOurs: 1 }]);
	});

	test("a statement without its ledger, and a day that is none, are refused", async () => {
		const file = await desk.file("s.csv", "id,date,amount\n");
		expect((await desk.run("pay", "reconcile", "--statement", file)).code).toBe(2);
		expect((await desk.run("pay", "reconcile", "--since", "2026-02-30")).code).toBe(3);
		expect((await desk.run("pay", "reconcile", "--since", "2026-02-03", "--until", "2026-02-01")).code).toBe(3);
	});
});
