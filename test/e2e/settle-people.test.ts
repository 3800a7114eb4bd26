/**
 * What a person decides about doubts with the built program: contested ids, what fits possibly, what was not created, and refused payments
 * that were made all the same.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Bank, ledgers, type Reply } from "../support/bank.js";
import { type BankDesk, bankDesk, noClock, removeClock } from "../support/bank-desk.js";
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

const because = ["--reason", "Told by the bank"];
const settleWith = (...argv: string[]) => desk.run("pay", "settle", ...argv);
const replies = (...all: Reply[]): void => {
	const before = bank.arrived;
	bank.reply = (_, arrived) => all[arrived - before] ?? "answered";
};
const idOf = (number: number): string => bank.booked[number - 1]?.id as string;
/** How many were made by us with this reference. */
const made = (reference: string): number => bank.booked.filter((one) => !one.foreign && one.reference === reference).length;
/** The number of the check that `pay settle` made. */
const checkOf = async (intent: string): Promise<string> => String((await desk.settle(intent)).said.json()[0].check.number);

/** A person who knows what the bank made settles what is left, a day later. */
async function asKnownToTheBank(): Promise<void> {
	desk.pass(26);
	const { said } = await desk.settle();
	for (const { intent, state, transfer, check, candidates } of said.json()) {
		if (state !== "in-doubt") continue;
		const own = bank.booked.find((one) => !one.foreign && one.reference === transfer.reference);
		const others = candidates.flatMap(({ line }: { line: { id: string } }) => ["--not-this", line.id]);
		const decided = own ? ["--transaction", own.id] : ["--not-created", "--check", String(check.number), ...others, ...because];
		const { code, stderr } = await settleWith(intent, ...decided);
		expect(code, stderr).toBe(0);
	}
}

describe("an id", () => {
	test("of another payment: both are named, nothing is decided; opened again and named, each has its own", async () => {
		replies("lost", "another's id");
		expect((await desk.pay({ reference: "Inv 1" })).code).toBe(7);
		expect((await desk.pay({ reference: "Inv 2" })).code).toBe(0);
		const { code, said } = await desk.settle();
		expect([code, said.json()[0].finding, said.json()[0].holders]).toEqual([7, "contested", ["2"]]);
		const both = (await desk.run("pay", "reconcile")).json();
		expect(both.found.filter(({ intent }: { intent?: string }) => intent !== undefined)).toMatchObject([
			{ list: "different", intent: "2", listed: { id: idOf(1) }, differs: ["reference"] },
			{ list: "inDoubt", intent: "1", listed: { id: idOf(1) } },
		]);
		// The line of the one cannot be given to the other while an answer gave it away.
		expect((await settleWith("1", "--transaction", idOf(1))).code).toBe(10);
		expect((await settleWith("2", "--reopen", ...because)).code).toBe(7);
		// The freed line is given to nobody by itself.
		expect((await desk.settle()).states).toEqual(["in-doubt", "in-doubt"]);
		expect((await settleWith("2", "--transaction", idOf(2))).code).toBe(0);
		expect((await desk.settle()).states).toEqual(["in-doubt"]);
		expect((await settleWith("1", "--transaction", idOf(1))).code).toBe(0);
		const after = await desk.run("pay", "reconcile");
		expect([after.code, after.json().counts.matched]).toEqual([0, 2]);
	});

	test.skipIf(noClock)("of another payment: what was never made is not created only after every line was named", async () => {
		replies("lost");
		await desk.pay({ reference: "Inv 1" });
		bank.reply = () => "another's id";
		await desk.pay({ reference: "Inv 2" });
		bank.booked.pop();
		await settleWith("2", "--reopen", ...because);
		desk.pass(26);
		const check = await checkOf("2");
		const bare = await settleWith("2", "--not-created", "--check", check, ...because);
		expect([bare.code, bare.error]).toEqual([10, "LISTED_MAY_BE_IT"]);
		expect((await settleWith("2", "--not-created", "--check", check, "--not-this", idOf(1), ...because)).code).toBe(0);
		replies();
		expect((await desk.pay({ reference: "Inv 2" })).code).toBe(0);
		expect((await settleWith("1", "--transaction", idOf(1))).code).toBe(0);
		const { code, stdout } = await desk.run("pay", "reconcile", "--since", "3d");
		expect([code, JSON.parse(stdout).counts.matched]).toEqual([0, 2]);
		expect([made("Inv 1"), made("Inv 2")]).toEqual([1, 1]);
	});

	test("is missing in a 202: it waits, and its line is no other's", async () => {
		replies("waiting", "dropped");
		expect((await desk.pay({ reference: "Inv a" })).code).toBe(8);
		expect((await desk.pay({ reference: "INV A" })).code).toBe(7);
		expect(await desk.settle()).toMatchObject({ code: 7, states: ["in-doubt"] });
	});
});

test("a twin that is on its way explains no line, and is decided by nobody", async () => {
	replies("lost", "held");
	expect((await desk.pay({ reference: "Inv a" })).code).toBe(7);
	const other = desk.pay({ reference: "INV A" });
	await bank.until(2);
	expect((await desk.settle()).states).toEqual(["in-doubt"]);
	expect((await settleWith("2")).code).toBe(10);
	expect((await desk.run("pay", "reconcile")).json().found).toMatchObject([
		{ intent: "1", list: "inDoubt" },
		{ intent: "2", list: "inDoubt", state: "sending", next: expect.stringContaining("history show 2") },
	]);
	bank.release();
	expect((await other).code).toBe(0);
	expect(await desk.settle()).toMatchObject({ code: 0, states: ["accepted"], ids: [idOf(1)] });
});

describe("a statement", () => {
	const today = (): string => new Date().toISOString().slice(0, 10);

	test("with dates alone: shown, and taken only where it goes one to one", async () => {
		replies("lost", "lost", "lost");
		await desk.pay({ reference: "Inv 1" });
		await desk.pay({ reference: "Inv 2", amount: "20" });
		await desk.pay({ reference: "INV 2", amount: "20" });
		const lines = [`s-1,${today()},10.10,Inv 1`, `s-2,${today()},20.00,INV 2`].join("\n");
		const file = await desk.file("s.csv", `id,date,amount,reference\n${lines}\n`);
		const shown = await desk.settle("--statement", file);
		expect([shown.code, shown.states]).toEqual([7, ["in-doubt", "in-doubt", "in-doubt"]]);
		expect(shown.said.json()[2].candidates).toMatchObject([{ line: { id: "s-1" }, alone: true }]);
		const taken = await desk.settle("--statement", file, "--accept-listed", ...because);
		expect([taken.code, taken.states, taken.ids[2]]).toEqual([7, ["in-doubt", "in-doubt", "accepted"], "s-1"]);
		expect(await desk.settle("--statement", file, "--accept-listed", ...because)).toMatchObject({ states: ["in-doubt", "in-doubt"] });
	});

	test("that shows nothing of it: not listed, and no ground for not created", async () => {
		replies("dropped");
		await desk.pay({ reference: "Inv 1" });
		const file = await desk.file("s.csv", `id,date,amount,reference\ns-9,${today()},9.00,Inv 1\n`);
		const { said } = await desk.settle("--statement", file);
		expect([said.code, said.json()[0].finding, said.json()[0].check.complete]).toEqual([7, "not-listed", false]);
		const number = String(said.json()[0].check.number);
		const decided = await settleWith("1", "--not-created", "--check", number, ...because);
		expect([decided.code, decided.error]).toEqual([10, "CHECK_NOT_ENOUGH"]);
	});
});

test.skipIf(noClock)("40 rows of codes that differ by case alone, killed once: settled, resumed, each paid once", async () => {
	const codes = Array.from({ length: 40 }, (_, row) => {
		const code = `code${"abcdefghij"[Math.floor(row / 4)]}`;
		return row % 4 === 0
			? code
			: row % 4 === 1
				? code.toUpperCase()
				: row % 4 === 2
					? `C${code.slice(1)}`
					: `${code.slice(0, 4)}${code.slice(4).toUpperCase()}`;
	});
	const rows = codes.map((code) => `${ledgers.main},${ledgers.savings},10.10,${code}`).join("\n");
	const file = await desk.file("codes.csv", `ledgerFromId,ledgerToId,amount,reference\n${rows}\n`);
	expect((await desk.run("pay", "batch", "plan", file)).code).toBe(0);
	bank.reply = (_, arrived) => (arrived < 5 ? "answered" : "held");
	const run = desk.desk.start(["pay", "batch", "send", `${file}.plan.json`, "--yes", "--json"]);
	await bank.until(9);
	run.kill();
	await run.ended;
	bank.reply = () => "answered";
	bank.release();
	await new Promise((resolve) => setTimeout(resolve, 300));
	await desk.settle("--batch", "1");
	await desk.run("pay", "batch", "resume", "1", "--yes");
	await asKnownToTheBank();
	await desk.run("pay", "batch", "resume", "1", "--yes");
	expect((await desk.run("pay", "batch", "status", "1")).json().counts).toMatchObject({ accepted: 40 });
	for (const code of codes) expect(made(code), code).toBe(1);
});

describe.skipIf(noClock)("not created", () => {
	test("needs a check, a complete one, late enough; and then sending again reads once more", async () => {
		replies("answered", "dropped");
		await desk.pay({ reference: "Inv 1" });
		await desk.pay({ reference: "Inv 2" });
		const refused = async (...argv: string[]) => {
			const { code, error, stderr } = await settleWith("2", "--not-created", ...argv, ...because);
			expect([code, error], stderr).toEqual([10, "CHECK_NOT_ENOUGH"]);
			return stderr;
		};
		const early = await checkOf("2");
		expect(await refused()).toContain("name the check");
		expect(await refused("--check", early)).toContain("too early");
		desk.pass(26);
		expect(await refused("--check", early)).toContain("too early");
		bank.lists = (line, one) => (one.reference === "Inv 1" ? undefined : line);
		const partly = await checkOf("2");
		expect(await refused("--check", partly)).toContain("does not show a payment that was accepted");
		bank.lists = (line) => line;
		expect(await refused("--check", partly)).toContain("was not complete");
		bank.announces = 40;
		expect(await refused("--check", await checkOf("2"))).toContain("announces 40");
		bank.announces = undefined;
		const check = await checkOf("2");
		expect((await settleWith("2", "--not-created", "--check", check, "--reason", " ")).code).toBe(3);
		// What the check showed is read once more: the list may show less by now, or the payment.
		bank.announces = 40;
		expect(await refused("--check", check)).toContain("does not show everything now");
		bank.announces = undefined;
		bank.foreign({ ledgerId: ledgers.savings, amount: "10.10", reference: "Inv 2", at: Date.now() });
		const listed = await settleWith("2", "--not-created", "--check", check, ...because);
		expect([listed.code, listed.error, listed.stderr]).toEqual([10, "LISTED_MAY_BE_IT", expect.stringContaining("which is intent 2")]);
		bank.booked.pop();
		expect((await settleWith("2", "--not-created", "--check", check, ...because)).code).toBe(0);
		// It turns up after all: held, and named.
		bank.foreign({ ledgerId: ledgers.savings, amount: "10.10", reference: "Inv 2", at: Date.now() });
		const held = await desk.pay({ reference: "Inv 2" });
		expect([held.code, held.error]).toEqual([10, "LISTED_NOW"]);
		expect((await settleWith("2", "--transaction", idOf(2))).code).toBe(0);
		expect(made("Inv 2")).toBe(0);
	});

	test("with an unnamed line of that amount to another payee: named first, then it may be sent again, once", async () => {
		replies("dropped");
		await desk.pay({ reference: "Inv 2" });
		bank.foreign({ ledgerId: ledgers.other, amount: "10.10", reference: "Other" });
		desk.pass(26);
		const check = await checkOf("1");
		const bare = await settleWith("1", "--not-created", "--check", check, ...because);
		expect([bare.code, bare.error]).toEqual([10, "LISTED_MAY_BE_IT"]);
		expect((await settleWith("1", "--not-created", "--check", check, "--not-this", idOf(1), ...because)).code).toBe(0);
		expect((await desk.pay({ reference: "Inv 2" })).code).toBe(0);
		expect((await desk.pay({ reference: "Inv 2" })).code).toBe(10);
		expect(made("Inv 2")).toBe(1);
	});

	test("for the rows of a batch: those that are listed stay in doubt, the others are sent again", async () => {
		const rows = [1, 2, 3, 4].map((row) => `${ledgers.main},${ledgers.savings},${row}.50,Row ${row}`).join("\n");
		const file = await desk.file("rows.csv", `ledgerFromId,ledgerToId,amount,reference\n${rows}\n`);
		await desk.run("pay", "batch", "plan", file);
		bank.reply = (reference) => (reference === "Row 4" ? "lost" : "dropped");
		bank.lists = (line, one) => ({ ...line, creationDate: new Date(one.at).toISOString().slice(0, 10) });
		await desk.run("pay", "batch", "send", `${file}.plan.json`, "--yes");
		desk.pass(26);
		const { said } = await desk.settle("--batch", "1");
		const check = String(said.json()[0].check.number);
		const decided = await desk.settle("--batch", "1", "--not-created", "--check", check, ...because);
		expect([decided.code, [...decided.states].sort()]).toEqual([7, ["in-doubt", "not-created", "not-created", "not-created"]]);
		bank.reply = () => "answered";
		const resumed = await desk.run("pay", "batch", "resume", "1", "--yes");
		expect(resumed.code, resumed.stderr).toBe(7);
		expect(await desk.settle("--batch", "1", "--accept-listed", ...because)).toMatchObject({ code: 0, states: ["accepted"] });
		for (const row of [1, 2, 3, 4]) expect(made(`Row ${row}`), `row ${row}`).toBe(1);
	});

	test("without a list: a person confirms that separately", async () => {
		replies("dropped");
		await desk.pay({ reference: "Inv 1" });
		bank.listStatus = 404;
		desk.pass(26);
		expect((await desk.settle()).code).toBe(7);
		const bare = await settleWith("1", "--not-created", ...because);
		expect([bare.code, (await desk.run("pay", "doubts")).json().length]).toEqual([2, 1]);
		expect((await settleWith("1", "--not-created", ...because, "--yes")).code).toBe(0);
		expect((await desk.pay({ reference: "Inv 1" })).code).toBe(0);
		expect(made("Inv 1")).toBe(1);
	});
});

describe("refused, and made all the same", () => {
	test("a single payment: held and named; opened again it is found", async () => {
		replies("refused but made");
		expect((await desk.pay({ reference: "Inv 1" })).code).toBe(5);
		replies();
		const held = await desk.pay({ reference: "Inv 1" });
		expect([held.code, held.error]).toEqual([10, "LISTED_NOW"]);
		expect(held.stderr).toContain(idOf(1));
		expect((await settleWith("1", "--reopen", ...because)).code).toBe(7);
		expect(await desk.settle()).toMatchObject({ code: 0, states: ["accepted"], ids: [idOf(1)] });
		expect((await desk.pay({ reference: "Inv 1" })).code).toBe(10);
		expect(made("Inv 1")).toBe(1);
	});

	test("a row: retry-refused is held and names it; opened again it is found, and the others are sent", async () => {
		const rows = [1, 2, 3].map((row) => `${ledgers.main},${ledgers.savings},${row}.50,Row ${row}`).join("\n");
		const file = await desk.file("rows.csv", `ledgerFromId,ledgerToId,amount,reference\n${rows}\n`);
		await desk.run("pay", "batch", "plan", file);
		bank.reply = (reference) => ({ "Row 2": "refused but made" as const, "Row 3": "refused" as const })[reference ?? ""] ?? "answered";
		expect((await desk.run("pay", "batch", "send", `${file}.plan.json`, "--yes")).code).toBe(9);
		bank.reply = () => "answered";
		const held = await desk.run("pay", "batch", "retry-refused", "1", "--yes");
		expect([held.code, held.error]).toEqual([10, "LISTED_NOW"]);
		const [, intent] = /Intent (\d+) was refused/.exec(held.stderr) as RegExpExecArray;
		expect((await settleWith(intent as string, "--reopen", ...because)).code).toBe(7);
		expect(await desk.settle("--batch", "1")).toMatchObject({ code: 0, states: ["accepted"] });
		const retried = await desk.run("pay", "batch", "retry-refused", "1", "--yes");
		expect(retried.code, retried.stderr).toBe(0);
		for (const row of [1, 2, 3]) expect(made(`Row ${row}`), `row ${row}`).toBe(1);
	});
});
