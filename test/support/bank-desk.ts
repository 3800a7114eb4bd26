/**
 * Operators of a {@link Bank} with the built program: what they type, and what is said.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type Bank, ledgers, startBank } from "./bank.js";
import { clockShift } from "./clock-shift.js";
import { type Desk, newDesk, type Program } from "./driver.js";

/** What one run said. */
export interface Said {
	code: number | "killed";
	stdout: string;
	stderr: string;
	// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
	json(): any;
	/** The error's code, where there is one. */
	error: string | undefined;
}

export interface BankDesk {
	bank: Bank;
	desk: Desk;
	/** What makes a run go by the clock of the bank. */
	env(): Record<string, string>;
	/** Runs it with `--json`, by the clock of the bank. */
	run(...argv: string[]): Promise<Said>;
	/** Pays 10.10 to a ledger, or to a beneficiary. */
	pay(sent: Sent): Promise<Said>;
	/** Settles, and says of each intent its state, in order. */
	settle(...argv: string[]): Promise<{ code: number | "killed"; states: string[]; ids: (string | undefined)[]; said: Said }>;
	/** Lets hours pass for both. */
	pass(hours: number): void;
	file(name: string, text: string): Promise<string>;
	remove(): Promise<void>;
}

export interface Sent {
	reference?: string;
	amount?: string;
	to?: string;
	beneficiary?: string;
	more?: readonly string[];
}

const shift = clockShift();
/** Why no time can pass here, in words; undefined where it can. */
export const noClock = typeof shift === "string" ? shift : undefined;
if (noClock !== undefined) process.stdout.write(`${noClock}; what needs a day to pass is skipped\n`);

export function removeClock(): void {
	afterAll(() => typeof shift !== "string" && shift.remove());
}

export async function bankDesk(program: Program): Promise<BankDesk> {
	const bank = await startBank();
	const desk = await newDesk(program, bank.url);
	const env = (): Record<string, string> => (typeof shift === "string" || bank.ahead === 0 ? {} : shift.env(bank.ahead));
	const run = async (...argv: string[]): Promise<Said> => {
		const ended = await desk.start([...argv, "--json"], { env: env() }).ended;
		const last = ended.stderr.trim().split("\n").at(-1) ?? "";
		return { ...ended, json: () => JSON.parse(ended.stdout), error: last.startsWith("{") ? JSON.parse(last).error?.code : undefined };
	};
	return {
		bank,
		desk,
		env,
		run,
		pay: (sent) => run(...payArgv(sent), "--yes"),
		settle: async (...argv) => {
			const said = await run("pay", "settle", ...argv);
			const found: { state: string; id?: string }[] = said.stdout === "" ? [] : said.json();
			return { code: said.code, states: found.map(({ state }) => state), ids: found.map(({ id }) => id), said };
		},
		pass: (hours) => {
			bank.ahead += hours * 3_600;
		},
		file: async (name, text) => {
			const path = join(desk.folder, name);
			await writeFile(path, text);
			return path;
		},
		remove: async () => {
			await bank.stop();
			await desk.remove();
		},
	};
}

export function payArgv({ reference, amount = "10.10", to = ledgers.savings, beneficiary, more = [] }: Sent): string[] {
	return [
		...["pay", beneficiary === undefined ? "ledger" : "beneficiary", "--ledger-from-id", ledgers.main],
		...(beneficiary === undefined ? ["--ledger-to-id", to] : ["--beneficiary-id", beneficiary]),
		...["--amount", amount, ...(reference === undefined ? [] : ["--reference", reference]), ...more],
	];
}
