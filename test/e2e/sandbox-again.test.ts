/**
 * The same payment in one sandbox after another at the same address, by the built program: the journal outlives them.
 */
import { expect, test } from "vitest";
import { askSandboxIdentity } from "../../src/http/transport/http.js";
import { closedPort } from "../faults/wire-peer.js";
import { environment, longestRun, ownFolder } from "../support/built.js";
import { seeded, serving, spawned, started } from "./service.js";

test(
	"the README's payment goes through in each sandbox, once; where none runs, the error says how to start it and nothing of proxies",
	async () => {
		const [env, port] = [environment(await ownFolder()), String(await closedPort())];
		const ledgers = ["--ledger-from-id", seeded.main, "--ledger-to-id", seeded.savings];
		const pay = () => spawned(["pay", "ledger", ...ledgers, "--amount", "11", "--yes", "--json"], env);
		for (let life = 0; life < 2; life++) {
			const { stop } = await serving(started(["sandbox", "serve", "--port", port, "--save-profile", "desk"], env));
			expect((await pay()).exit).toBe(0);
			// The control: in the same sandbox it is held back.
			expect(await pay()).toMatchObject({ exit: 10, stderr: expect.stringContaining('"DUPLICATE"') });
			await stop();
		}
		const { exit, stdout, stderr } = await spawned(["ledger", "list"], env);
		expect([exit, stdout]).toEqual([6, ""]);
		expect(stderr.replace(/\s+/g, " ")).toContain(`purser sandbox serve --port ${port} --save-profile desk`);
		expect(stderr).not.toMatch(/prox|firewall/i);
	},
	2 * longestRun,
);

test("a live profile asks no service for an identity, and another host's is not heard", async () => {
	const asked: string[] = [];
	const body = new TextEncoder().encode('{"identity":"aaaaaaaa-0000-4000-8000-000000000001"}');
	const ask = (environment: "live" | "sandbox", baseUrl: string) =>
		askSandboxIdentity({ environment, baseUrl }, new AbortController().signal, {
			send: async ({ method, url }) => {
				asked.push(`${method} ${url}`);
				return { kind: "answer", status: 200, headers: {}, body };
			},
		});
	expect(await ask("live", "http://127.0.0.1:4010")).toBe(undefined);
	expect(await ask("sandbox", "https://sandbox.example.com")).toBe(undefined);
	expect(asked).toEqual([]);
	expect(await ask("sandbox", "http://127.0.0.1:4010")).toBe("aaaaaaaa-0000-4000-8000-000000000001");
	expect(asked).toEqual(["GET http://127.0.0.1:4010/_sandbox/identity"]);
});
