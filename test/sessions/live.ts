/**
 * A live profile that is logged in, for sessions in which nothing is sent to it.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { createSandbox } from "../../src/sandbox/sandbox.js";
import { selfSigned } from "../faults/wire-certificate.js";
import { environment, longestRun, program, words } from "../support/built.js";

export interface LivePlace {
	/** Variables that make a command use it. */
	env: Record<string, string>;
	/** Requests that changed something. */
	changes: readonly string[];
	end(): Promise<void>;
}

export async function startLive(): Promise<LivePlace> {
	const folder = await mkdtemp(join(tmpdir(), "purser-live-"));
	const tls = selfSigned("localhost");
	const changes: string[] = [];
	const sandbox = createSandbox({ clock: { now: () => new Date() }, random: { uuid: randomUUID, fraction: Math.random } });
	const server = createServer(tls, async (incoming, response) => {
		const parts: Buffer[] = [];
		for await (const part of incoming) parts.push(part);
		const { method = "GET", url: target = "/", headers } = incoming;
		if (method !== "GET" && !target.endsWith("/login")) changes.push(`${method} ${target}`);
		const given = await sandbox.handle({ method, target, headers: headers as Record<string, string>, body: Buffer.concat(parts) });
		response.writeHead(given.status, given.headers).end(given.body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	await writeFile(join(folder, "certificate.pem"), tls.cert);
	const { PURSER_CONFIG_DIR, PURSER_STATE_DIR, ...rest } = environment(folder);
	const env = { PURSER_CONFIG_DIR, PURSER_STATE_DIR, NODE_EXTRA_CA_CERTS: join(folder, "certificate.pem") } as Record<string, string>;
	const purser = (argv: string[], input = "") =>
		execa(program, words(argv), { env: { ...rest, ...env }, extendEnv: false, input, timeout: longestRun });
	const url = `https://localhost:${(server.address() as AddressInfo).port}`;
	const named = ["--username", "operator", "--partner-name", "example-partner"];
	await purser(["profile", "add", "live", "--base-url", url, "--environment", "live", ...named]);
	await purser(["auth", "login", "--profile", "live", "--password-stdin"], "sandbox-password");
	await purser(["profile", "use", "live"]);
	return {
		env,
		changes,
		end: async () => {
			server.closeAllConnections();
			server.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
