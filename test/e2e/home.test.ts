import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programTerminal } from "../support/built.js";
import { type Service, startService } from "./service.js";

let service: Service;
beforeAll(async () => {
	service = await startService();
});
afterAll(() => service.stop());

const interrupt = "\u0003";

describe("purser alone in a terminal", () => {
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
