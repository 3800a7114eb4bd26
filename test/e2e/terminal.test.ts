import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programTerminal } from "../support/built.js";
import { environment, type Service, seeded, startService } from "./service.js";

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.stop());

const session = (argv: string[], env: Record<string, string> = {}) => programTerminal(argv, { ...service.env, ...env });
const down = "\u001b[B";
const clear = "\u0015";
const interrupt = "\u0003";

/** The id that stands behind a label on the screen. */
const idOf = (screen: string, label: string): string => new RegExp(`${label} +([0-9a-f-]{36})`).exec(screen)?.[1] ?? "";

const hiddenAnswers = ["operator", "example-partner", "sandbox-password"];

describe.concurrent("login", () => {
	it("takes the password without showing it, and keeps it in no file", async ({ expect }) => {
		const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
		expect(await programTerminal(["profile", "add", "own", "--base-url", service.url], environment(folder)).exit).toBe(0);
		const screen = programTerminal(["auth", "login"], environment(folder));
		await screen.sees("User name");
		screen.answer("operator");
		await screen.sees("Partner name");
		screen.answer("example-partner");
		await screen.sees("Password");
		screen.type("sandbox-passwordx");
		screen.type("\u007f");
		screen.type("\r");
		await screen.sees("Logged in");
		expect(await screen.exit).toBe(0);
		expect(screen.screen).not.toMatch(/sandbox-pass|\*\*/);
		for (const file of await readdir(folder, { recursive: true, withFileTypes: true }))
			if (file.isFile()) expect(await readFile(join(file.parentPath, file.name), "latin1")).not.toContain("sandbox-password");
		await rm(folder, { recursive: true, force: true });
	});

	it("typed ahead all at once, nothing of the password shows and nothing is taken for an answer to a later question", async ({
		expect,
	}) => {
		const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
		expect(await programTerminal(["profile", "add", "own", "--base-url", service.url], environment(folder)).exit).toBe(0);
		const screen = programTerminal(["auth", "login"], environment(folder));
		await screen.sees("User name");
		screen.type(`${hiddenAnswers.join("\r")}\r`);
		await screen.sees("Partner name");
		expect(screen.screen).not.toContain("sandbox-password");
		screen.type(interrupt);
		expect(await screen.exit).toBe(130);
		await rm(folder, { recursive: true, force: true });
	});

	it("Ctrl-C at the hidden prompt is 130", async ({ expect }) => {
		const screen = session(["auth", "login", "--username", "operator", "--partner-name", "example-partner"]);
		await screen.sees("Password");
		screen.type("sandbox-");
		// Ctrl-T would show it, if the prompt's library were left to itself.
		screen.type("\u0014");
		await new Promise((resolve) => setTimeout(resolve, 100));
		screen.type(interrupt);
		expect(await screen.exit).toBe(130);
		expect(screen.screen).not.toContain("sandbox-");
	});

	it("Ctrl-D, which closes the input, stops it as Ctrl-C does", async ({ expect }) => {
		const screen = session(["auth", "login", "--username", "operator", "--partner-name", "example-partner"]);
		await screen.sees("Password");
		screen.type("\u0004");
		expect(await screen.exit).toBe(130);
		expect(screen.screen).toMatch(/^Stopped$/m);
		expect(screen.screen).not.toMatch(/unsettled|await/);
	});
});

describe.concurrent("onboarding by prompts", () => {
	it("corporate create asks for every field, refuses a wrong answer, finds the country by typing", async ({ expect }) => {
		const screen = session(["corporate", "create"]);
		await screen.sees("(for example a CRM id) (optional)");
		screen.answer("crm-prompted");
		await screen.sees("Official name");
		screen.type("\r");
		await screen.sees("Is required");
		screen.answer("Example Prompted SAS");
		await screen.sees("Country of registration");
		screen.type("cote");
		await screen.sees("Cote d'Ivoire");
		screen.type(clear);
		screen.type("franc");
		await screen.sees("France  FRA");
		screen.type("\r");
		await screen.sees("Official incorporation code");
		// As it is pasted more often than not.
		screen.answer("  123 456 789 ");
		await screen.sees("Date of incorporation (YYYY-MM-DD, optional)");
		screen.answer("2023-02-30");
		await screen.sees("Is not a valid date: 2023-02-30");
		screen.type(clear);
		screen.answer("2999-01-01");
		await screen.sees("Is in the future: 2999-01-01");
		screen.type(clear);
		screen.answer("2023-02-28");
		await screen.sees("Industry (12 of 136 known)");
		await screen.sees("food restaurant catering");
		screen.type("taxi");
		await screen.sees("❯ transport taxi");
		screen.type("\r");
		await screen.sees("Country (registered address)");
		await screen.sees("❯ (skip)");
		screen.type("\r");
		for (const label of ["City", "Postal code", "Street", "House number"]) {
			await screen.sees(`${label} (registered address) (optional)`);
			screen.answer(label === "City" ? "Exampleville" : "");
		}
		await screen.sees("Range of monthly expenses");
		screen.type("from ten");
		await screen.sees("❯ Another value …");
		screen.type("\r");
		await screen.sees("The value, as the service writes it");
		screen.answer("десять");
		await screen.sees("Must be ");
		screen.type(clear);
		screen.answer("FROM_10_TO_20");
		await screen.sees("FROM_10_TO_20 is not among the known values. Send it as FROM_10_TO_20? (y/N)");
		screen.type("\r");
		// Enter alone does not send it.
		await screen.sees("Range of monthly expenses (expected monthly expenses) (1 known)");
		screen.type("another");
		await screen.sees("❯ Another value …");
		screen.type("\r");
		await screen.sees("The value, as the service writes it");
		screen.answer("FROM_10_TO_20");
		await screen.sees("Send it as FROM_10_TO_20? (y/N)");
		screen.type("y\r");
		await screen.sees("Currency of the range");
		screen.type("eur");
		await screen.sees(/eur\n❯ EUR/);
		screen.type("\r");
		await screen.sees("First name (account owner)");
		screen.answer("Ada");
		await screen.sees("Last name (account owner)");
		screen.answer("Prompted");
		await screen.sees("Email (account owner)");
		screen.answer("ada@nowhere");
		await screen.sees("Must be an email address, like ada@example.com");
		screen.type(clear);
		screen.answer("ada@example.com");
		await screen.sees("Position in the company (account owner)");
		screen.answer("CEO");
		await screen.sees("Is the account owner a director?");
		screen.answer("y");
		await screen.sees(/[Pp]hone.*\(y\/N\)/);
		screen.answer("y");
		await screen.sees("Dialling code");
		screen.type("33");
		await screen.sees(/33\n❯ \+33/);
		screen.type("\r");
		await screen.sees("Number without the dialling code");
		screen.answer("+33 6");
		await screen.sees("Must be 1 to 14 digits");
		screen.type(clear);
		screen.answer("639980001");
		await screen.sees(/Corporate name +Example Prompted SAS/);
		await screen.sees(/Create Example Prompted SAS\? \(y\/N\)/);
		screen.answer("y");
		await screen.sees("Company created");
		expect(await screen.exit).toBe(0);
		const { stdout } = await service.purser(["corporate", "show", idOf(screen.screen, "Company"), "--json"]);
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
		await screen.sees("Is required");
		await screen.sees("No usable answer after 10 tries; nothing was sent").finally(() => clearInterval(typing));
		expect(await screen.exit).toBe(2);
		expect(screen.screen).not.toMatch(/\n +at |node:/);
	});

	it("a company is asked for its name and its shares, and nothing of persons; at a No nothing is created", async ({ expect }) => {
		const screen = session(["related", "add", seeded.corporate]);
		await screen.sees("❯ Person");
		screen.type(down);
		await screen.sees("❯ Company");
		screen.type("\r");
		await screen.sees("Official name");
		screen.answer("Example Cancelled BV");
		await screen.sees("Shares held directly (optional)");
		screen.answer("60");
		// Keys before the question stands are thrown away.
		await screen.sees(/Declare Example Cancelled BV for .*\? \(y\/N\)/);
		screen.answer("n");
		await screen.sees("Cancelled. Nothing was sent");
		expect(await screen.exit).toBe(10);
		expect(screen.screen).not.toMatch(/First name|director|beneficial|phone/);
		expect((await service.purser(["related", "list", seeded.corporate, "--json"])).stdout).not.toContain("Example Cancelled BV");
	});

	it("a removal declined changes nothing; Enter alone declines", async ({ expect }) => {
		const who = ["--first-name", "Toby", "--last-name", "Removed", "--json"];
		const { id } = (await service.purser(["related", "add", await secondCorporate(), ...who])).json();
		const screen = session(["related", "remove", id]);
		await screen.sees("Remove Toby Removed? This cannot be undone (y/N)");
		screen.type("\r");
		await screen.sees("Cancelled. Nothing was sent");
		expect(await screen.exit).toBe(10);
		expect((await service.purser(["related", "show", id, "--json"])).json().firstName).toBe("Toby");
		const again = session(["related", "remove", id]);
		await again.sees("(y/N)");
		again.answer("y");
		await again.sees("Related entity removed");
		expect(await again.exit).toBe(0);
		expect((await service.purser(["related", "show", id, "--json"])).exit).toBe(5);
	});
});

/** A corporate whose KYB has not begun. */
async function secondCorporate(): Promise<string> {
	const made = await service.purser([
		...["corporate", "create", "--corporate-name", "Example Second BV", "--incorporation-country", "NLD", "--incorporation-code", "1"],
		...["--industry", "CHARITY_RECOGNIZED", "--registered-address.city", "Exampleville", "--json"],
		...["--expected-monthly-expenses.value", "LESS_THAN_10_000", "--expected-monthly-expenses.currency", "EUR"],
		...["--account-owner-info.first-name", "Ada", "--account-owner-info.last-name", "Second"],
		...["--account-owner-info.email-address", "ada@example.com", "--account-owner-info.position", "CEO"],
	]);
	return made.json().corporateId;
}

const balance = async (): Promise<string> => {
	const { stdout } = await service.purser(["ledger", "show", seeded.main, "--json"]);
	return /"availableAmount": ([\d.]+)/.exec(stdout)?.[1] ?? "";
};
const sent = async (): Promise<number> => (await service.purser(["pay", "list", "--ledger-id", seeded.main, "--json"])).json().length;

describe("money", () => {
	const toSupplier = `pay beneficiary --ledger-from-id ${seeded.main} --beneficiary-id ${seeded.supplier} --amount 10.10`.split(" ");

	it("No: shows both parties, amount, balance and rail, sends nothing, exit 10", async () => {
		const screen = session(toSupplier);
		await screen.sees(/Profile +sandbox +sandbox +127\.0\.0\.1/);
		await screen.sees("Main account");
		await screen.sees("Example Supplies Ltd");
		await screen.sees("10.10 EUR");
		await screen.sees(/10.?000\.00/);
		await screen.sees(/9.?989\.90/);
		await screen.sees(/instant/i);
		await screen.sees("Send 10.10 EUR to Example Supplies Ltd? (y/N)");
		screen.answer("n");
		await screen.sees("Cancelled. Nothing was sent");
		expect(await screen.exit).toBe(10);
		expect(await balance()).toBe("10000.00");
		expect(await sent()).toBe(0);
	});

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

	it("a choice typed faster than the list narrows is asked for again, never another one taken", async () => {
		const screen = session(["pay", "beneficiary"]);
		await screen.sees("Ledger to debit");
		screen.type(`${down}\r`);
		await screen.sees("Beneficiary to credit");
		await screen.sees("Example Supplies Ltd");
		screen.type(interrupt);
		expect(await screen.exit).toBe(130);
		expect(screen.screen).toMatch(/Ledger to debit Savings/);
	});

	it("Yes: the money moves once", async () => {
		const screen = session(toSupplier);
		await screen.sees("(y/N)");
		screen.answer("y");
		await screen.sees("Payment accepted");
		expect(await screen.exit).toBe(0);
		expect(await balance()).toBe("9989.90");
		expect(await sent()).toBe(1);
	});

	it("between ledgers, all by prompts", async () => {
		const screen = session(["pay", "ledger"]);
		await screen.sees("Ledger to debit");
		await screen.sees("Main account · 9 989.90 EUR available");
		screen.type("\r");
		await screen.sees("Ledger to credit");
		await screen.sees("Savings");
		screen.type("\r");
		await screen.sees("Amount");
		screen.answer("0");
		await screen.sees(/[Mm]ore than|greater|zero|0/);
		screen.type(clear);
		screen.answer("1.00");
		await screen.sees("(optional)");
		screen.answer("a/b");
		await screen.sees('Has the character "/"');
		screen.type(clear);
		screen.answer("To savings");
		await screen.sees("(y/N)");
		screen.answer("y");
		await screen.sees("accepted");
		expect(await screen.exit).toBe(0);
		expect(await balance()).toBe("9988.90");
	});
});
