import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox } from "../../src/sandbox/sandbox.js";
import { type Served, serve } from "../../src/sandbox/server.js";
import { longestRun, program, programLine, programTerminal, words } from "../support/built.js";

const main = "aaaaaaaa-0001-4000-8000-000000000001";
const supplier = "bbbbbbbb-0001-4000-8000-000000000001";

let folder: string;
let served: Served;
let payments: () => number;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	const sandbox = createSandbox({ clock: { now: () => new Date() }, random: { uuid: randomUUID, fraction: Math.random } });
	payments = () => sandbox.state.transactions.length;
	served = await serve(sandbox);
});
afterAll(async () => {
	await served.close();
	await rm(folder, { recursive: true, force: true });
});

const environment = (): Record<string, string> => ({
	PATH: process.env.PATH ?? "",
	HOME: folder,
	TERM: "xterm-256color",
	PURSER_CONFIG_DIR: join(folder, "config"),
	PURSER_STATE_DIR: join(folder, "state"),
	PURSER_NO_KEYRING: "1",
});
const session = (...argv: string[]) => programTerminal(argv, environment());

describe("a person at a terminal", () => {
	it("logs in, and the password is never on the screen", async () => {
		expect(await session("profile", "add", "default", "--base-url", served.url).exit).toBe(0);
		const screen = session("auth", "login");
		await screen.sees("User name");
		screen.answer("operator");
		await screen.sees("Partner name");
		screen.answer("example-partner");
		await screen.sees("Password");
		screen.answer("sandbox-password");
		await screen.sees("Logged in");
		expect(await screen.exit).toBe(0);
		expect(screen.screen).not.toContain("sandbox-password");
	});

	it("chooses ledger and beneficiary, sees what would happen, and a plain Enter sends nothing", async () => {
		const screen = programTerminal(["pay", "beneficiary"], environment(), 80);
		await screen.sees("Ledger to debit");
		await screen.sees("Main account of Example Trading SAS · 10 000.00 EUR available");
		screen.type("\r");
		await screen.sees("Beneficiary to credit");
		await screen.sees("Example Supplies Ltd");
		// Beside the label there is no room for it on 80 columns, and an id is never broken.
		await screen.sees(/\n {4}bbbbbbbb-0001-4000-8000-000000000001/);
		screen.type("\r");
		await screen.sees("Amount");
		screen.answer("10,10");
		await screen.sees("Has a comma");
		screen.type("\u0015");
		screen.answer("10.10");
		await screen.sees("(optional)");
		screen.answer("Invoice 2041");
		await screen.sees(/Left after +9 989\.90 EUR/);
		await screen.sees("never paid before");
		await screen.sees("Send 10.10 EUR to Example Supplies Ltd? (y/N)");
		screen.type("\r");
		await screen.sees("Nothing was sent");
		expect(await screen.exit).toBe(10);
		expect(payments()).toBe(0);
	});
});

describe("a script", () => {
	const script = (argv: string[], env: Record<string, string> = {}) =>
		execa(program, words([...argv]), {
			env: { ...environment(), ...env },
			extendEnv: false,
			reject: false,
			stdin: "ignore",
			timeout: longestRun,
		});

	it.each([
		[["pay", "ledger"], 2, "Missing: --from, --to, --amount"],
		[["pay", "beneficiary", "--ledger-from-id", main, "--beneficiary-id", supplier, "--amount", "1.00"], 2, "add --yes"],
	])("%j never hangs: exit %i", async (argv, exit, message) => {
		const ran = await script(argv, { CI: "1" });
		expect([ran.timedOut, ran.exitCode]).toEqual([false, exit]);
		expect(ran.stdout).toBe("");
		expect(ran.stderr).toContain(message);
		expect(payments()).toBe(0);
	});

	it("a closed pipe is quiet, and the payment under way is made", async () => {
		const pay = ["pay", "beneficiary", "--ledger-from-id", main, "--beneficiary-id", supplier, "--amount", "1.00", "--yes", "--json"];
		const ran = await execa("sh", ["-c", `${programLine} ${pay.join(" ")} | true`], {
			env: environment(),
			extendEnv: false,
			reject: false,
		});
		expect(ran.exitCode).toBe(0);
		expect(ran.stderr).not.toMatch(/EPIPE|Error|at /);
		expect(payments()).toBe(1);
	});
});
