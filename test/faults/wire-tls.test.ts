/**
 * TLS: an untrusted or misnamed certificate means that nothing was sent; an authority of one's own is honoured.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execa } from "execa";
import { rolldown } from "rolldown";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { adviceText } from "../../src/api/advice.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import type { PurserError } from "../../src/errors.js";
import { call } from "../../src/http/call.js";
import { ownFolder } from "../support/built.js";
import { smallContext } from "../support/context.js";
import { selfSigned } from "./wire-certificate.js";
import { answer, type Peer, peerFor } from "./wire-peer.js";
import { transportFor, transports } from "./wire-transports.js";

const localhost = selfSigned("localhost");
let peer: Peer;
beforeEach(async () => {
	peer = await peerFor((socket) => void socket.write(answer(201, "{}")), { tls: localhost });
});

describe.each(transports)("%s", (name, create) => {
	const [file, made] = name === "pooled" ? ["pooled", "createPooled"] : ["http", "createOnce"];
	it("a certificate of no known authority: not sent, not tried again, and the way out is named", async () => {
		const small = smallContext({ transport: transportFor(create), profile: { baseUrl: `https://localhost:${peer.port}` } });
		const ids = { ledgerFromId: "11111111-1111-4111-8111-111111111111", ledgerToId: "22222222-2222-4222-8222-222222222222" };
		const error = await call(small.context, createInterLedger, { body: { ...ids, amount: "1" } }).catch((cause: unknown) => cause);
		expect(error).toMatchObject({ kind: "unavailable", failure: { code: "NOT_SENT" } });
		expect(adviceText((error as PurserError).failure.fix)).toContain("NODE_EXTRA_CA_CERTS");
		expect(small.requests).toHaveLength(1);
		expect(peer.requests).toHaveLength(0);
	});

	it("NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing", async () => {
		vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
		onTestFinished(() => void vi.unstubAllEnvs());
		const request = { method: "GET", url: `https://localhost:${peer.port}/`, headers: {} } as const;
		const outcome = await transportFor(create).send(request, { connect: 30_000, total: 60_000, bytes: 1_000 });
		expect(outcome).toMatchObject({ kind: "not-sent", cause: { code: "DEPTH_ZERO_SELF_SIGNED_CERT" } });
		expect(peer.requests).toHaveLength(0);
	});

	it("NODE_EXTRA_CA_CERTS is honoured, and then the certificate's name still counts", async () => {
		const folder = await ownFolder("purser-tls-");
		const authority = join(folder, "ca.pem");
		await writeFile(authority, localhost.cert);
		const bundle = await rolldown({ input: new URL(`../../src/http/transport/${file}.ts`, import.meta.url).pathname, platform: "node" });
		await bundle.write({ dir: folder, format: "esm", entryFileNames: "http.mjs" });
		const script = `
			import { ${made} } from "./http.mjs";
			const transport = ${made}({ env: {} });
			for (const host of ["localhost", "127.0.0.1"]) {
				const request = { method: "GET", url: "https://" + host + ":${peer.port}/", headers: {} };
				const outcome = await transport.send(request, { connect: 30_000, total: 60_000, bytes: 1_000 });
				console.log(host, outcome.kind, outcome.status ?? outcome.cause.code, outcome.reason ?? "");
			}
			await transport.close();`;
		await writeFile(join(folder, "ask.mjs"), script);
		const env = { NODE_EXTRA_CA_CERTS: authority, PATH: "" };
		const { stdout } = await execa(process.execPath, [join(folder, "ask.mjs")], { env, extendEnv: false });
		expect(stdout.split("\n")).toEqual([
			"localhost answer 201 ",
			"127.0.0.1 not-sent ERR_TLS_CERT_ALTNAME_INVALID the certificate is for another host",
		]);
	});
});
