import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, type TestContext } from "vitest";
import { environment, programTerminal } from "../support/built.js";
import type { Session } from "../support/terminal.js";
import { type Service, seeded, startService } from "./service.js";

let service: Service;
beforeAll(async () => {
	service = await startService();
	return service.stop;
});

const session = (argv: string[], env: Record<string, string> = {}) => programTerminal(argv, { ...service.env, ...env });
const down = "\u001b[B";
const clear = "\u0015";
const interrupt = "\u0003";

/** Waits for each text in its turn, and types what stands beside it. */
async function talk(screen: Session, ...steps: (readonly [sees: string | RegExp, ...types: string[]])[]): Promise<void> {
	for (const [text, ...types] of steps) {
		await screen.sees(text);
		for (const typed of types) screen.type(typed);
	}
}

/** The id that stands behind a label on the screen. */
const idOf = (screen: string, label: string): string => new RegExp(`${label} +([0-9a-f-]{36})`).exec(screen)?.[1] ?? "";

describe.concurrent("login", () => {
	/** A folder with a profile in which nobody is logged in, and the login there. */
	async function loginIn({ expect, onTestFinished }: TestContext) {
		const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
		onTestFinished(() => rm(folder, { recursive: true, force: true }));
		expect(await programTerminal(["profile", "add", "own", "--base-url", service.url], environment(folder)).exit).toBe(0);
		return { folder, screen: programTerminal(["auth", "login"], environment(folder)) };
	}

	it("takes the password without showing it, and keeps it in no file", async (test) => {
		const { expect } = test;
		const { folder, screen } = await loginIn(test);
		await talk(
			screen,
			["User name", "operator\r"],
			["Partner name", "example-partner\r"],
			["Password", "sandbox-passwordx", "\u007f", "\r"],
			["Logged in"],
		);
		expect(await screen.exit).toBe(0);
		expect(screen.screen).not.toMatch(/sandbox-pass|\*\*/);
		for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
			if (file.isFile()) expect(await readFile(join(file.parentPath, file.name), "latin1")).not.toContain("sandbox-password");
	});

	it("typed ahead all at once, nothing of the password shows and nothing is taken for an answer to a later question", async (test) => {
		const { expect } = test;
		const { screen } = await loginIn(test);
		await talk(screen, ["User name", "operator\rexample-partner\rsandbox-password\r"], ["Partner name"]);
		expect(screen.screen).not.toContain("sandbox-password");
		screen.type(interrupt);
		expect(await screen.exit).toBe(130);
	});

	it.for([
		// Ctrl-T would show it, if the prompt's library were left to itself.
		["Ctrl-C, after a part of it and Ctrl-T", ["sandbox-", "\u0014"], interrupt],
		["Ctrl-D, which closes the input", [], "\u0004"],
	] as const)("at the hidden prompt %s is 130", async ([, before, end], { expect }) => {
		const screen = session(["auth", "login"]);
		await talk(screen, ["Password", ...before]);
		await new Promise((resolve) => setTimeout(resolve, 100));
		screen.type(end);
		expect(await screen.exit).toBe(130);
		expect(screen.screen).toMatch(/^Stopped$/m);
		expect(screen.screen).not.toMatch(/sandbox-|unsettled|await/);
	});
});

describe.concurrent("onboarding by prompts", () => {
	it("corporate create asks for every field, refuses a wrong answer, finds the country by typing", async ({ expect }) => {
		const screen = session(["corporate", "create"]);
		await talk(
			screen,
			["(for example a CRM id) (optional)", "crm-prompted\r"],
			["Official name", "\r"],
			["Is required", "Example Prompted SAS\r"],
			["Country of registration", "cote"],
			["Côte d’Ivoire", clear, "franc"],
			["France  FR FRA", "\r"],
			// As it is pasted more often than not.
			["Official incorporation code", "  123 456 789 \r"],
			["Date of incorporation (YYYY-MM-DD, optional)", "2023-02-30\r"],
			["Is not a valid date: 2023-02-30", clear, "2023-02-28\r"],
			["Industry"],
			["food restaurant catering", "taxi"],
			["❯ transport taxi", "\r"],
			["Country (registered address)"],
			["❯ (skip)", "\r"],
			["City (registered address) (optional)", "Exampleville\r"],
			["Postal code (registered address) (optional)", "\r"],
			["Street (registered address) (optional)", "\r"],
			["House number (registered address) (optional)", "\r"],
			["Range of monthly expenses", "from ten"],
			["❯ Another value …", "\r"],
			["The value, as the service writes it", "десять\r"],
			["Must be ", clear, "FROM_10_TO_20\r"],
			// Enter alone does not send it.
			["FROM_10_TO_20 is not among the known values. Send it as FROM_10_TO_20? (y/N)", "\r"],
			["Range of monthly expenses (expected monthly expenses)", "another"],
			["❯ Another value …", "\r"],
			["The value, as the service writes it", "FROM_10_TO_20\r"],
			["Send it as FROM_10_TO_20? (y/N)", "y\r"],
			["Currency of the range", "eur"],
			[/eur\n❯ EUR/, "\r"],
			["First name (account owner)", "Ada\r"],
			["Last name (account owner)", "Prompted\r"],
			["Email (account owner)", "ada@nowhere\r"],
			["Must be an email address, like ada@example.com", clear, "ada@example.com\r"],
			["Position in the company (account owner)", "CEO\r"],
			["Is the account owner a director?", "y\r"],
			["Phone (account owner) (like +33 639980001, optional)", "+33 06 39 98 00 01\r"],
			["write +33 639980001", clear, "0033 639.98.00.01\r"],
			[/Corporate name +Example Prompted SAS/],
			[/Create Example Prompted SAS\? \(y\/N\)/, "y\r"],
			["Company created"],
		);
		expect(await screen.exit).toBe(0);
		const { stdout } = await service.purser(["corporate", "show", idOf(screen.screen, "Id"), "--json"]);
		expect(JSON.parse(stdout)).toMatchObject({
			externalId: "crm-prompted",
			corporateName: "Example Prompted SAS",
			incorporationCountry: "FRA",
			incorporationCode: "123 456 789",
			incorporationDate: "2023-02-28",
			industry: "TRANSPORT_TAXI_SERVICES_CHAUFFEUR",
			registeredAddress: { city: "Exampleville" },
			expectedMonthlyExpenses: { value: "FROM_10_TO_20", currency: "EUR" },
		});
		const owner = await service.purser(["related", "show", idOf(screen.screen, "Account owner"), "--json"]);
		expect(owner.json()).toMatchObject({
			firstName: "Ada",
			lastName: "Prompted",
			isDirector: true,
			phone: { countryCode: expect.stringMatching(/^\+?33$/), number: "639980001" },
		});
	});

	it("ten wrong answers end it, without a trace of the program", async ({ expect }) => {
		const screen = session(["related", "add", seeded.corporate, "--type", "COMPANY"]);
		await screen.sees("Official name");
		// What is typed while an answer is looked at counts for nothing.
		const typing = setInterval(() => screen.type("\r"), 30);
		await talk(screen, ["Is required"], ["No usable answer after 10 tries; nothing was sent"]).finally(() => clearInterval(typing));
		expect(await screen.exit).toBe(2);
		expect(screen.screen).not.toMatch(/\n +at |node:/);
	});
});

describe("purser alone", () => {
	it("a service that never answers: the rest is there at once, and within seconds that it did not; Ctrl-C ends without an error", async () => {
		const silent = createServer(() => {});
		await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
		const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
		const env = { PURSER_BASE_URL: url, PURSER_TOKEN: "a-token", PURSER_TOKEN_ORIGIN: url };
		const home = session([], env);
		await talk(home, ["Profile "], ["The service did not answer within"]);
		expect(await home.exit).toBe(0);
		const early = session([], env);
		await talk(early, ["Looking for companies", interrupt]);
		expect(await early.exit).toBe(130);
		expect(early.screen).not.toMatch(/rror/);
		silent.closeAllConnections();
		silent.close();
	});
});

const balance = async (): Promise<string> => {
	const { stdout } = await service.purser(["ledger", "show", seeded.main, "--json"]);
	return /"availableAmount": ([\d.]+)/.exec(stdout)?.[1] ?? "";
};
const sent = async (): Promise<number> => (await service.purser(["pay", "list", "--ledger-id", seeded.main, "--json"])).json().length;

describe("money", () => {
	const toSupplier = `pay beneficiary --ledger-from-id ${seeded.main} --beneficiary-id ${seeded.supplier} --amount 10.10`.split(" ");

	it("a yes typed before the question stands there is no yes", async () => {
		const screen = session(toSupplier);
		screen.type("y\ry\ry\r");
		await screen.sees("(y/N)");
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(await sent()).toBe(0);
		screen.type(interrupt);
		expect(await screen.exit).toBe(130);
		expect(await sent()).toBe(0);
	});

	it("chooses ledger and beneficiary, refuses a comma, shows what would happen, and a plain Enter sends nothing", async () => {
		const screen = programTerminal(["pay", "beneficiary"], service.env, 80);
		await talk(
			screen,
			["Main account of Example Trading SAS · 10 000.00 EUR available", "\r"],
			// Beside the label there is no room for it on 80 columns, and an id is never broken.
			[new RegExp(`\\n {4}${seeded.supplier}`), "\r"],
			["Amount", "10,10\r"],
			["Has a comma", clear, "10.10\r"],
			["(optional)", "Invoice 2041\r"],
			[/Left after +9 989\.90 EUR/],
			["Send 10.10 EUR to Example Supplies Ltd? (y/N)", "\r"],
			["Nothing was sent"],
		);
		expect([await screen.exit, await sent()]).toEqual([10, 0]);
	});

	it("a choice typed faster than the list narrows is asked for again, never another one taken", async () => {
		const screen = session(["pay", "beneficiary"]);
		await talk(screen, ["Ledger to debit", `${down}\r`], ["Beneficiary to credit"], ["Example Supplies Ltd", interrupt]);
		expect(await screen.exit).toBe(130);
		expect(screen.screen).toMatch(/Ledger to debit Savings/);
	});

	it("Yes: the money moves once", async () => {
		const screen = session(toSupplier);
		await talk(screen, ["(y/N)", "y\r"], ["Payment accepted"]);
		expect(await screen.exit).toBe(0);
		expect(await balance()).toBe("9989.90");
		expect(await sent()).toBe(1);
	});
});
