/**
 * Settling at a terminal: what may be a payment is shown side by side, ours above what is listed, and confirmed once; at any width.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { ledgers } from "../support/bank.js";
import { type BankDesk, bankDesk, removeClock } from "../support/bank-desk.js";
import { programsOfFile } from "../support/programs.js";
import { screenOf } from "../support/screen.js";
import { terminal } from "../support/terminal.js";

const programs = programsOfFile();
removeClock();

let desk: BankDesk;
beforeEach(async () => {
	desk = await bankDesk(programs.built);
	desk.bank.reply = () => "lost";
	desk.bank.lists = (line) => ({ ...line, creationDate: String(line.creationDate).slice(0, 10) });
	for (const [at, amount] of ["10.10", "20.20"].entries())
		expect((await desk.pay({ reference: `Invoice spring ${at + 1}`, amount })).code).toBe(7);
});
afterEach(() => desk.remove());

const session = (cols: number, ...argv: string[]) =>
	terminal(process.execPath, [programs.built.script, "pay", "settle", ...argv], { ...desk.desk.env, TERM: "xterm-256color" }, cols);

test.each([60, 80, 120])("%i columns: both are shown side by side, one Yes settles them", async (cols) => {
	const screen = session(cols);
	await screen.sees("Are the 2 listed transactions these payments?");
	const shown = screen.screen;
	for (const [at, amount] of ["10.10", "20.20"].entries()) {
		const block = shown.slice(shown.indexOf(`Intent ${at + 1}\n`));
		const [ours, listed] = [block.indexOf("ours"), block.indexOf("listed")];
		expect(ours).toBeGreaterThan(0);
		expect(listed).toBeGreaterThan(ours);
		expect(block.slice(ours, listed).replace(/\s+/g, " ")).toContain(`${amount} EUR to ledger ${ledgers.savings}`);
		expect(block).toContain(desk.bank.booked[at]?.id);
	}
	expect(shown).toContain("not comparable: time");
	screen.answer("y");
	expect(await screen.exit).toBe(0);
	const { broken } = await screenOf(screen.raw, cols);
	// Ids and commands are never cut.
	expect(broken.filter((line) => !/purser |[\w-]{36}/.test(line))).toEqual([]);
	expect((await desk.run("pay", "doubts")).json()).toEqual([]);
	expect(desk.bank.arrived).toBe(2);
});

test("Enter alone settles nothing, and --yes confirms nothing that nobody read", async () => {
	const screen = session(80);
	await screen.sees("Are the 2 listed transactions these payments?");
	screen.type("\r");
	expect(await screen.exit).toBe(7);
	const unread = session(80, "--yes");
	expect(await unread.exit).toBe(7);
	expect(unread.screen).not.toContain("these payments?");
	expect((await desk.run("pay", "doubts")).json()).toHaveLength(2);
});
