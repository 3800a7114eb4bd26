/**
 * The same payment in one sandbox after another at the same address, by the built program: the journal outlives them.
 */
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askSandboxIdentity } from "../../src/http/transport/http.js";
import { closedPort } from "../faults/wire-peer.js";
import { longestRun } from "../support/built.js";
import { copyOfProgram, type Desk, newDesk, type Program, type Running } from "../support/driver.js";

let program: Program;
let desk: Desk;
let port: string;
beforeAll(async () => {
	program = await copyOfProgram();
	port = String(await closedPort());
	desk = await newDesk(program, `http://127.0.0.1:${port}`);
	// The planted token is not the sandbox's.
	delete desk.env.PURSER_TOKEN;
	await mkdir(dirname(desk.env.PURSER_STATE_DIR as string), { recursive: true });
}, longestRun);
afterAll(async () => {
	await desk.remove();
	await program.remove();
});

const noToken = { env: { PURSER_TOKEN: "" } };

/** Serves until `work` is done. */
async function serving<T>(more: readonly string[], work: () => Promise<T>): Promise<T> {
	const server: Running = desk.start(["sandbox", "serve", "--port", port, "--save-profile", "desk", ...more], noToken);
	try {
		for (;;) {
			const up = await fetch(`http://127.0.0.1:${port}/_sandbox/identity`).catch(() => undefined);
			// The profile is saved once it listens.
			if (up?.ok && (await readFile(join(desk.env.PURSER_CONFIG_DIR as string, "profiles.json"), "utf8")).includes("operator")) break;
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		return await work();
	} finally {
		server.signal("SIGINT");
		await server.ended;
	}
}

const ledgers = ["--ledger-from-id", "aaaaaaaa-0001-4000-8000-000000000001", "--ledger-to-id", "aaaaaaaa-0002-4000-8000-000000000002"];

async function run(...argv: string[]): Promise<{ code: number | "killed"; error?: string; stderr: string }> {
	const { code, stderr } = await desk.start([...argv, "--json"], noToken).ended;
	const line = stderr.split("\n").find((one) => one.startsWith('{"error"'));
	return { code, error: line && (JSON.parse(line) as { error: { code: string } }).error.code, stderr };
}
const pay = () => run("pay", "ledger", ...ledgers, "--amount", "11", "--yes");

describe("the README's payment, in one sandbox after another", () => {
	test(
		"goes through in each, once",
		async () => {
			for (let life = 0; life < 2; life++)
				await serving([], async () => {
					expect(await pay()).toMatchObject({ code: 0 });
					// The control: in the same sandbox it is held back.
					expect(await pay()).toMatchObject({ code: 10, error: "DUPLICATE" });
				});
		},
		2 * longestRun,
	);

	test(
		"where it does not run, the error says how to start it and nothing of proxies",
		async () => {
			const { code, stdout, stderr } = await desk.start(["ledger", "list"], noToken).ended;
			expect([code, stdout]).toEqual([6, ""]);
			expect(stderr).toContain(`purser sandbox serve --port ${port} --save-profile desk`);
			expect(stderr).not.toMatch(/prox|firewall/i);
		},
		longestRun,
	);
});

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
