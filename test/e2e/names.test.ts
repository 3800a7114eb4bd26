/**
 * Records by their names at a real terminal: lists to search, numbered lists, a choice where a name is ambiguous, and who is removed.
 */
import { beforeAll, describe, it } from "vitest";
import { programTerminal } from "../support/built.js";
import { type Service, startService } from "./service.js";

let service: Service;
beforeAll(async () => {
	service = await startService();
	const several = Array.from({ length: 5 }, (_, at) => `Example Shop ${at + 1}`);
	for (const [code, name] of ["Example Florist", "Example Florist", "Example Bakery", ...several].entries())
		await service.purser([
			...["corporate", "create", "--corporate-name", name, "--incorporation-country", "NLD"],
			...["--incorporation-code", `${code + 1}`, "--external-id", `crm-${code + 1}`],
			...["--industry", "CHARITY_RECOGNIZED", "--registered-address.city", "Exampleville", "--json"],
			...["--expected-monthly-expenses.value", "LESS_THAN_10_000", "--expected-monthly-expenses.currency", "EUR"],
			...["--account-owner-info.first-name", "Grace", "--account-owner-info.last-name", name === "Example Bakery" ? "Baker" : "Florist"],
			...["--account-owner-info.email-address", "grace@example.com", "--account-owner-info.position", "CEO"],
		]);
	return service.stop;
});

const session = (argv: string[]) => programTerminal(argv, service.env);

describe.concurrent("a terminal", () => {
	it("a person is found by typing: the company, then who it is", async ({ expect }) => {
		const screen = session(["related", "show"]);
		await screen.sees("Type a part of the name");
		screen.type("bak");
		await screen.sees(/Company bak[\s\S]*Example Bakery/);
		screen.type("\r");
		await screen.sees("Grace Baker · account owner");
		screen.type("\r");
		await screen.sees("Person");
		expect(await screen.exit).toBe(0);
	});

	it.for([
		["a text and Enter at once", "bakery\r"],
		["as a terminal marks what is pasted", "\u001b[200~bakery\u001b[201~\r"],
		["with Enter in what is pasted", "\u001b[200~bakery\r\u001b[201~"],
	] as const)("pasted: %s; what matches is shown first, and another Enter chooses it", async ([, pasted], { expect }) => {
		const screen = session(["corporate", "show"]);
		await screen.sees("Type a part of the name");
		screen.type(pasted);
		await screen.sees("❯ Example Bakery");
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(screen.screen).not.toContain("Incorporation");
		screen.type("\r");
		expect(await screen.exit).toBe(0);
		expect(screen.screen).toContain("crm-3");
	});

	it("pasted with Enter, a text that fits nothing or several waits for a choice, and keeps what was typed", async ({ expect }) => {
		const screen = session(["corporate", "show"]);
		await screen.sees("Type a part of the name");
		screen.type("nobody\r");
		await screen.sees("? Company nobody");
		await screen.sees("No results found");
		screen.type("\u0015shop\r");
		await screen.sees("? Company shop");
		await screen.sees("❯ Example Shop 5");
		screen.type(" 4");
		await screen.sees("? Company shop 4");
		await new Promise((resolve) => setTimeout(resolve, 200));
		screen.type("\r");
		expect(await screen.exit).toBe(0);
		expect(screen.screen).toContain("crm-7");
	});

	it("for money the only one that is left is shown first, and another Enter chooses it", async ({ expect }) => {
		const screen = session(["pay", "beneficiary", "--amount", "1", "--dry-run"]);
		await screen.sees("❯ Main account");
		screen.type("savings\r");
		await screen.sees("❯ Savings");
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(screen.screen).not.toContain("Beneficiary to credit");
		screen.type("\r");
		await screen.sees("Beneficiary to credit");
		screen.type("nobody at all\r");
		await screen.sees("No results found");
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(screen.screen).not.toContain("beneficiaryId");
		screen.type("\u0003");
		expect(await screen.exit).toBe(130);
	});
});
