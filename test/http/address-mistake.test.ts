/**
 * Mistakes in an address are told in the words of what was typed.
 */
import { createServer, type Server } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { adviceText } from "../../src/api/advice.js";
import { getTerms } from "../../src/api/operations/terms.js";
import { withScheme } from "../../src/api/service-address.js";
import type { PurserError } from "../../src/errors.js";
import { call } from "../../src/http/call.js";
import { connectionFix } from "../../src/http/failure.js";
import { createTransport } from "../../src/http/transport/http.js";
import { selfSigned } from "../faults/wire-certificate.js";
import { answered, smallContext } from "../support/context.js";

const servers: Server[] = [];
afterEach(() => {
	for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function portOf(server: Server): Promise<number> {
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return (server.address() as AddressInfo).port;
}

async function failureAt(baseUrl: string, environment: "sandbox" | "live" = "sandbox"): Promise<Record<"message" | "why" | "fix", string>> {
	const transport = createTransport({ env: {} });
	const { context } = smallContext({ transport, profile: { baseUrl, environment } });
	const error = (await call(context, getTerms, {}).catch((cause: unknown) => cause)) as PurserError;
	await transport.close();
	return { message: error.message, why: adviceText(error.failure.why ?? ""), fix: adviceText(error.failure.fix) };
}

test("https typed where http is spoken", async () => {
	const port = await portOf(createServer((_, response) => response.end("{}")));
	const { message, fix } = await failureAt(`https://127.0.0.1:${port}`);
	expect(message).toContain(`could not connect to https://127.0.0.1:${port}: this address speaks http, not https`);
	expect(message).not.toMatch(/ssl|version_number|eproto/i);
	expect(fix).toContain(`http://127.0.0.1:${port}`);
	expect(fix).not.toContain("NODE_EXTRA_CA_CERTS");
});

test("http typed where https is spoken: a TLS alert, a gateway's page, or nothing at all", async () => {
	const { key, cert } = selfSigned("localhost");
	const port = await portOf(createSecure({ key, cert }, (_, response) => response.end("{}")));
	const closed = await failureAt(`http://127.0.0.1:${port}`);
	expect(closed.message).not.toMatch(/HPE_|UND_ERR/);
	const page = "<html><head><title>400 The plain HTTP request was sent to HTTPS port</title></head></html>";
	const gateway = await portOf(createServer((_, response) => response.writeHead(400, { "content-type": "text/html" }).end(page)));
	const told = await failureAt(`http://127.0.0.1:${gateway}`);
	expect(told.why).toBe("This address speaks https, not http");
	expect(told.fix).toContain(`https://127.0.0.1:${gateway}`);
});

test("a web page in the place of the service, found or not", async () => {
	for (const status of [200, 404]) {
		const answer = answered(status, "<!doctype html><title>Welcome</title>", { "content-type": "text/html; charset=utf-8" });
		const { context } = smallContext({ answers: [answer] });
		const { failure } = (await call(context, getTerms, {}).catch((cause: unknown) => cause)) as PurserError;
		expect(failure.why).toBe("The answer is a web page (HTML), not the service's");
		expect(adviceText(failure.fix)).toContain("Check the host, the port and the path of the address");
	}
	const json = smallContext({ answers: [answered(404, { status: 404, message: "not here" })] });
	const { failure } = (await call(json.context, getTerms, {}).catch((cause: unknown) => cause)) as PurserError;
	expect(failure.why).toBeUndefined();
});

test("a port where nothing listens", async () => {
	const server = createServer();
	const port = await portOf(server);
	await new Promise((resolve) => server.close(resolve));
	const { message, fix } = await failureAt(`https://127.0.0.1:${port}`, "live");
	expect(message).toContain("the connection was refused");
	expect(fix).toContain("Check the host and the port in the address (purser config explain base-url)");
});

test.each([
	["ERR_TLS_CERT_ALTNAME_INVALID", "Check the host in the address"],
	["CERT_HAS_EXPIRED", "Check the date of this machine"],
	["DEPTH_ZERO_SELF_SIGNED_CERT", "NODE_EXTRA_CA_CERTS"],
])("%s has a way out of its own", (code, fix) => {
	expect(adviceText(connectionFix("https://api.example.com", code) ?? "")).toContain(fix);
});

test.each([
	["api.example.com", "https://api.example.com"],
	["api.example.com/partner", "https://api.example.com/partner"],
	["api.example.com:8443", "https://api.example.com:8443"],
	["localhost:4010", "http://localhost:4010"],
	["127.0.0.1:4010", "http://127.0.0.1:4010"],
	["https://api.example.com", undefined],
	["ftp://example.com", undefined],
	["nowhere", undefined],
	["", undefined],
])("%j lacks a scheme: %j is meant", (typed, meant) => {
	expect(withScheme(typed)).toBe(meant);
});
