import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programTerminal } from "../support/built.js";
import { type Service, startService } from "./service.js";

let service: Service;
beforeAll(async () => {
	service = await startService();
	const cases = ["sole-owner", "british"].map((name) => `test/cases/${name}.yaml`);
	expect((await service.purser(["onboard", "apply", ...cases, "--yes", "--confirmed-by", "operator"])).exit).toBe(0);
});
afterAll(() => service.stop());

const interrupt = "\u0003";

describe("purser alone in a terminal", () => {
	it.each([60, 80, 120])("%i columns: what waits, the tasks, a search that runs one, and nothing is wider", async (columns) => {
		const home = programTerminal([], service.env, columns);
		await home.sees("Companies that wait for you");
		await home.sees("Example Solo SARL");
		await home.sees("purser email send-link ");
		await home.sees("What would you like to do?");
		const lines = home.screen.split("\n").filter((line) => !/purser |Looking for/.test(line));
		expect(lines.filter((line) => line.length > columns)).toEqual([]);
		home.type("look at bal");
		await home.sees("Look at balances");
		home.type("\r");
		await home.sees("Next time: purser ledger list");
		await home.sees("Savings");
		expect(await home.exit).toBe(0);
	});

	it("the C locale sees ASCII only, NO_COLOR no colours, and Ctrl-C ends without a word", async () => {
		const home = programTerminal([], { ...service.env, LC_ALL: "C", NO_COLOR: "1" }, 80);
		await home.sees("What would you like to do?");
		await home.sees("Type a part of the name");
		expect(home.screen).toMatch(/^[\n\t -~]*$/);
		const before = home.screen;
		home.type(interrupt);
		expect(await home.exit).toBe(130);
		expect(home.screen.slice(before.length)).not.toMatch(/rror|Stopped/);
	});

	it("ACCESSIBLE: written once, chosen by a part of the name and a number", async () => {
		const home = programTerminal([], { ...service.env, ACCESSIBLE: "1" }, 80);
		await home.sees("What would you like to do? (a part of the name)");
		home.answer("resend");
		await home.sees("1. Resend a link: the email's");
		await home.sees("2. Resend a link: the KYC's");
		home.type(interrupt);
		expect(await home.exit).toBe(130);
	});

	it("a service that never answers: the rest is there at once, and the tasks follow within seconds", async () => {
		const silent = createServer(() => {});
		await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
		const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
		const home = programTerminal([], { ...service.env, PURSER_BASE_URL: url, PURSER_TOKEN: "a-token", PURSER_TOKEN_ORIGIN: url }, 80);
		await home.sees("Profile ");
		await home.sees("The service did not answer within");
		await home.sees("What would you like to do?");
		home.type(interrupt);
		expect(await home.exit).toBe(130);
		const early = programTerminal([], { ...service.env, PURSER_BASE_URL: url, PURSER_TOKEN: "a-token", PURSER_TOKEN_ORIGIN: url }, 80);
		await early.sees("Looking for companies");
		early.type(interrupt);
		expect(await early.exit).toBe(130);
		expect(early.screen).not.toMatch(/rror|Stopped/);
		silent.closeAllConnections();
		silent.close();
	});
});
