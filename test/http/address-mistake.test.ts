/**
 * Mistakes in an address are told in the words of what was typed.
 */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { adviceText } from "../../src/api/advice.js";
import { getTerms } from "../../src/api/operations/terms.js";
import type { PurserError } from "../../src/errors.js";
import { call } from "../../src/http/call.js";
import { createTransport } from "../../src/http/transport/http.js";
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

async function failureAt(baseUrl: string, environment: "sandbox" | "live" = "sandbox"): Promise<Record<"message" | "fix", string>> {
	const transport = createTransport({ env: {} });
	const { context } = smallContext({ transport, profile: { baseUrl, environment } });
	const error = (await call(context, getTerms, {}).catch((cause: unknown) => cause)) as PurserError;
	await transport.close();
	return { message: error.message, fix: adviceText(error.failure.fix) };
}

test("https typed where http is spoken", async () => {
	const port = await portOf(createServer((_, response) => response.end("{}")));
	const { message, fix } = await failureAt(`https://127.0.0.1:${port}`);
	expect(message).toContain(`could not connect to https://127.0.0.1:${port}: this address speaks http, not https`);
	expect(message).not.toMatch(/ssl|version_number|eproto/i);
	expect(fix).toContain("Check the address (purser config explain base-url)");
});

test("a web page in the place of the service", async () => {
	const answer = answered(200, "<!doctype html><title>Welcome</title>", { "content-type": "text/html; charset=utf-8" });
	const { context } = smallContext({ answers: [answer] });
	const { failure } = (await call(context, getTerms, {}).catch((cause: unknown) => cause)) as PurserError;
	expect(failure.why).toBe("It is a web page (HTML): a proxy or a login page may answer in the service's place");
});

test("a port where nothing listens", async () => {
	const server = createServer();
	const port = await portOf(server);
	await new Promise((resolve) => server.close(resolve));
	const { message, fix } = await failureAt(`https://127.0.0.1:${port}`, "live");
	expect(message).toContain("the connection was refused");
	expect(fix).toContain("Check the address (purser config explain base-url)");
});
