/**
 * A live profile at a real terminal of 80 columns and in a script: the built program against a service over TLS.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "../../src/sandbox/sandbox.js";
import { selfSigned } from "../faults/wire-certificate.js";
import { longestRun, program, programTerminal, words } from "../support/built.js";
import { environment, seeded } from "./service.js";

let folder: string;
let server: Server;
let host: string;
let env: Record<string, string>;
/** What changed something at the service. */
const changes: string[] = [];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	const tls = selfSigned("localhost");
	await writeFile(join(folder, "certificate.pem"), tls.cert);
	const sandbox = createSandbox({ clock: { now: () => new Date() }, random: { uuid: randomUUID, fraction: Math.random } });
	server = createServer(tls, async (incoming, response) => {
		const parts: Buffer[] = [];
		for await (const part of incoming) parts.push(part);
		const { method = "GET", url: target = "/", headers } = incoming;
		if (method !== "GET" && !target.includes("/auth/")) changes.push(`${method} ${target}`);
		const given = await sandbox.handle({ method, target, headers: headers as Record<string, string>, body: Buffer.concat(parts) });
		response.writeHead(given.status, given.headers).end(given.body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	host = `localhost:${(server.address() as AddressInfo).port}`;
	env = { ...environment(folder), NODE_EXTRA_CA_CERTS: join(folder, "certificate.pem") };
	const named = ["--username", "operator", "--partner-name", "example-partner"];
	await purser(["profile", "add", "live", "--base-url", `https://${host}`, "--environment", "live", ...named]);
	const login = await purser(["auth", "login", "--profile", "live", "--password-stdin"], "sandbox-password");
	expect([login.exitCode, login.stderr]).toEqual([0, expect.any(String)]);
	changes.length = 0;
});
afterAll(async () => {
	server.closeAllConnections();
	server.close();
	await rm(folder, { recursive: true, force: true });
});

const purser = (argv: readonly string[], input = "") =>
	execa(program, words(argv), { env, extendEnv: false, input, reject: false, timeout: longestRun });

const request = ["email", "send-link", seeded.accountOwner, "--profile", "live"];

test("a script is held back (10), and sends with --yes --live", async () => {
	const held = await purser(request);
	expect([held.exitCode, changes]).toEqual([10, []]);
	expect(held.stderr).toContain("To confirm, add --yes --live");
	const half = await purser([...request, "--yes"]);
	expect([half.exitCode, changes]).toEqual([10, []]);
	const sent = await purser([...request, "--yes", "--live"]);
	expect([sent.exitCode, changes.splice(0)]).toEqual([0, ["POST /api/partner/verifications/email/send"]]);
});

test("at a terminal the banner, what is sent to whom, and one question in 80 columns; No sends nothing, Yes sends", async () => {
	for (const [answer, exit, end] of [
		["n", 10, "Cancelled. Nothing was sent"],
		["y", 0, "Verification link sent"],
	] as const) {
		const screen = programTerminal(request, env, 80);
		await screen.sees(`Profile live  LIVE  ${host}`);
		await screen.sees(/Send \S.* the email verification link\n {2}To /);
		await screen.sees(seeded.accountOwner);
		await screen.sees(/Email +\S+@example\.com/);
		await screen.sees(/Send \S.* the email verification link\?/);
		expect(changes).toEqual([]);
		screen.type(`${answer}\r`);
		await screen.sees(end);
		expect(await screen.exit).toBe(exit);
		// Behind the question it is drawn again in its place.
		for (const line of screen.screen.slice(0, screen.screen.indexOf("link?")).split("\n")) expect(line.length).toBeLessThanOrEqual(80);
		expect(screen.screen.match(/ LIVE /g)).toHaveLength(1);
	}
	expect(changes.splice(0)).toEqual(["POST /api/partner/verifications/email/send"]);
});

test("terms are accepted on somebody's word, which the journal keeps", async () => {
	const screen = programTerminal(["terms", "accept", seeded.corporate, "--profile", "live"], env, 80);
	await screen.sees("LIVE");
	await screen.sees(/Has \S.*, the account owner, seen and accepted version 1\.0\?/);
	screen.type("y\r");
	await screen.sees(/Confirmed by +the operator/);
	expect(await screen.exit).toBe(0);
	const listed = await purser(["history", "list", "--profile", "live", "--json"]);
	const last = JSON.parse(listed.stdout).find(({ operation }: { operation: string }) => operation === "corporate.update");
	expect(last).toMatchObject({ operation: "corporate.update", confirmedBy: "operator" });
});
