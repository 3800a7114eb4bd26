/**
 * Kills while everything else runs beside on the same journal: settling, the control, the account of a batch. The service keeps and lists
 * what it made, so that every doubt is settled, or is one of a payment that was never made, which a person decides.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { type Bank, ledgers, type Reply } from "../support/bank.js";
import { type BankDesk, bankDesk, noClock, payArgv, removeClock, type Said } from "../support/bank-desk.js";
import { faultyProgram, type Program } from "../support/driver.js";
import { programsOfFile } from "../support/programs.js";
import { seedOfRun } from "../support/seed.js";

const isLong = process.env.PURSER_TORTURE === "1";
const [singles, kills, rows] = isLong ? [300, 60, 500] : [24, 4, 500];
const seed = seedOfRun("kill-beside");
const programs = programsOfFile();
removeClock();

let desk: BankDesk;
let bank: Bank;
let random: Random;
beforeEach(async () => {
	random = new Random(seed);
	await freshDesk(programs.built);
});
afterEach(() => desk.remove());

/** A service and an operator; 3 of 100 answers are lost or odd. */
async function freshDesk(program: Program): Promise<void> {
	desk = await bankDesk(program);
	bank = desk.bank;
	const odd: readonly Reply[] = ["lost", "dropped", "refused"];
	bank.reply = () => (random.often(0.03) ? random.pick(odd) : "answered");
}

/** Runs these in turn until it is told to end. @returns how to end it: gives the exit codes that none of them may have */
function beside(...all: readonly (readonly string[])[]): () => Promise<string[]> {
	let over = false;
	const wrong: string[] = [];
	const turns = (async () => {
		for (let turn = 0; !over; turn += 1) {
			const argv = all[turn % all.length] as readonly string[];
			const { code, stderr } = await desk.run(...argv);
			if (![0, 5, 7, 8, 9].includes(code as number)) wrong.push(`${argv.join(" ")}: ${code} ${stderr}`);
		}
	})();
	return async () => {
		over = true;
		await turns;
		return wrong;
	};
}

const madeOf = (reference: string) => bank.booked.filter((one) => one.reference === reference);

interface Recorded {
	state: string;
	id?: string;
	why?: string;
	transfer: { reference: string };
}

/** What of the record contradicts what the service made. @param settled whether every doubt was looked into */
async function faults(references: readonly string[]): Promise<string[]> {
	const recorded: Recorded[] = (await desk.run("history", "list", "--effect", "money", "--limit", "100000")).json();
	const records = new Map(recorded.map((one) => [one.transfer.reference, one]));
	return references.flatMap((reference) => {
		const [made, second] = madeOf(reference);
		const { state, id, why } = records.get(reference) ?? { state: "never begun" };
		const found: string[] = [];
		if (second !== undefined) found.push("made twice");
		if (made !== undefined && (state !== "accepted" || id !== made.id)) found.push(`made as ${made.id}, and it is ${state} ${id}`);
		if (made === undefined && state === "accepted") found.push("accepted, and it was never made");
		if (state === "in-doubt" && !why) found.push("in doubt, and nothing says why");
		return found.map((one) => `${reference}: ${one}`);
	});
}

/** Settles what is listed; each doubt that is left says what was seen. */
async function settled(): Promise<Said> {
	const { said } = await desk.settle();
	const left = said.json().filter(({ state }: { state: string }) => state === "in-doubt");
	expect(left.filter(({ finding }: { finding: string }) => finding !== "not-listed")).toEqual([]);
	return said;
}

test(`${singles} single payments killed at any moment, with settling and the control beside: none double, none lost`, async () => {
	const end = beside(["pay", "settle"], ["pay", "reconcile"], ["pay", "doubts"], ["history", "list", "--limit", "5"]);
	const references = Array.from({ length: singles }, (_, number) => `single ${String(number).padStart(4, "0")}`);
	const left = [...references];
	let [killed, length] = [0, 600];
	const lane = async (): Promise<void> => {
		for (let reference = left.pop(); reference !== undefined; reference = left.pop()) {
			const started = Date.now();
			const run = desk.desk.start([...payArgv({ reference }), "--yes", "--json"]);
			const timer = setTimeout(() => run.kill(), random.fraction() * length);
			const { code } = await run.ended;
			clearTimeout(timer);
			if (code === "killed") killed += 1;
			else length = length * 0.7 + (Date.now() - started) * 0.3;
		}
	};
	await Promise.all([lane(), lane(), lane()]);
	expect(await end()).toEqual([]);
	await settled();
	expect(await faults(references)).toEqual([]);
	expect(killed).toBeGreaterThan(singles / 4);
	expect((await desk.run("history", "verify")).code).toBe(0);
});

const references = Array.from({ length: rows }, (_, row) => `row ${String(row).padStart(4, "0")}`);

/** One batch, killed up to so often, and gone on with after each. @returns how often */
async function killedBatch(most: number): Promise<number> {
	const lines = references.map((reference) => `${ledgers.main},${ledgers.savings},1.10,${reference}`).join("\n");
	const file = await desk.file("rows.csv", `ledgerFromId,ledgerToId,amount,reference\n${lines}\n`);
	const plan = `${file}.plan.json`;
	expect((await desk.run("pay", "batch", "plan", file)).code).toBe(0);
	const end = beside(["pay", "settle", "--batch", "1"], ["pay", "reconcile"], ["pay", "batch", "status", "1"], ["pay", "settle"]);
	let [killed, begun] = [0, false];
	for (let runs = 0; killed < most && bank.booked.length < rows * 0.9 && runs < 100; runs += 1) {
		const run = desk.desk.start(["pay", "batch", begun ? "resume" : "send", plan, "--yes", "--json"]);
		const goal = bank.until(bank.arrived + 1 + random.below(60));
		await Promise.race([goal.then(() => run.kill()), run.ended]);
		if ((await run.ended).code === "killed") killed += 1;
		begun ||= bank.arrived > 0;
	}
	expect(await end()).toEqual([]);
	return killed;
}

test(`${kills} kills in batches of ${rows} rows, with settling, the control and the account beside: each row is paid once`, async () => {
	for (let killed = 0; killed < kills; ) {
		killed += await killedBatch(kills - killed);
		await goneOnWith();
		expect(await faults(references)).toEqual([]);
		expect((await desk.run("history", "verify")).code).toBe(0);
		if (noClock === undefined) for (const reference of references) expect(madeOf(reference), reference).toHaveLength(1);
		await desk.remove();
		await freshDesk(programs.built);
	}
});

test("control: a recovery that sends again what was on its way is caught", async () => {
	const faulty = await faultyProgram("src/journal/batches/begin.ts", "SET state = 'in-doubt', changed", "SET state = 'planned', changed");
	programs.keep(faulty);
	let twice = 0;
	for (let batch = 0; batch < 6 && twice === 0; batch += 1) {
		await desk.remove();
		await freshDesk(faulty);
		await killedBatch(4);
		twice = references.filter((reference) => madeOf(reference).length > 1).length;
	}
	expect(twice).toBeGreaterThan(0);
});

/** A person goes on until every row is paid, and says of what was never made that it was not. */
async function goneOnWith(): Promise<void> {
	bank.reply = () => "answered";
	for (let runs = 0; runs < 10; runs += 1) {
		await desk.run("pay", "batch", "resume", "1", "--yes");
		await settled();
		await desk.run("pay", "batch", "retry-refused", "1", "--yes");
		const { counts } = (await desk.run("pay", "batch", "status", "1")).json();
		if (counts.accepted === rows) return;
		if (noClock !== undefined || counts["in-doubt"] === 0) continue;
		if (bank.ahead === 0) desk.pass(26);
		const check = (await settled()).json()[0]?.check.number;
		await desk.run("pay", "settle", "--batch", "1", "--not-created", "--check", String(check), "--reason", "Told by the bank");
	}
}
