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
	it.each([60, 80, 120])("%i columns: what waits, each with its command, and nothing is wider", async (columns) => {
		const home = programTerminal([], service.env, columns);
		await home.sees("Companies that wait for you");
		await home.sees("Example Solo SARL");
		await home.sees("purser email send-link ");
		expect(await home.exit).toBe(0);
		const lines = home.screen.split("\n").filter((line) => !/purser |Looking for/.test(line));
		expect(lines.filter((line) => line.length > columns)).toEqual([]);
	});

	it("the C locale sees ASCII only, NO_COLOR no colours", async () => {
		const home = programTerminal([], { ...service.env, LC_ALL: "C", NO_COLOR: "1" }, 80);
		await home.sees("Companies that wait for you");
		expect(await home.exit).toBe(0);
		expect(home.screen).toMatch(/^[\n\t -~]*$/);
	});

	it("a service that never answers: the rest is there at once, and within seconds that it did not; Ctrl-C ends without a word", async () => {
		const silent = createServer(() => {});
		await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
		const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
		const env = { ...service.env, PURSER_BASE_URL: url, PURSER_TOKEN: "a-token", PURSER_TOKEN_ORIGIN: url };
		const home = programTerminal([], env, 80);
		await home.sees("Profile ");
		await home.sees("The service did not answer within");
		expect(await home.exit).toBe(0);
		const early = programTerminal([], env, 80);
		await early.sees("Looking for companies");
		early.type(interrupt);
		expect(await early.exit).toBe(130);
		expect(early.screen).not.toMatch(/rror|Stopped/);
		silent.closeAllConnections();
		silent.close();
	});
});
