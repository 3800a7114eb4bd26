/**
 * Proxies: a tunnel by CONNECT, and nothing a proxy says is ever taken for the service's answer.
 */
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { proxyFor } from "../../src/http/transport/connect.js";
import type { WireOutcome } from "../../src/ports/wire.js";
import { answer, closedPort, peerFor } from "./wire-peer.js";
import { type Create, transportFor, transports } from "./wire-transports.js";

interface Proxy {
	port: number;
	asked: { target: string; authorization?: string }[];
}

/** A proxy that leads every tunnel to `port`, or does with the socket what `refuse` says. */
async function startProxy(port: number, refuse?: (socket: Socket) => void): Promise<Proxy> {
	const sockets = new Set<Socket>();
	const proxy: Proxy = { port: 0, asked: [] };
	const server: Server = createServer((_request, response) => void response.writeHead(500).end());
	server.on("connect", (request, socket: Socket, head) => {
		sockets.add(socket);
		socket.on("error", () => {});
		proxy.asked.push({ target: request.url ?? "", authorization: request.headers["proxy-authorization"] });
		if (refuse) {
			refuse(socket);
			return;
		}
		const onward = connect(port, "127.0.0.1", () => {
			socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
			onward.write(head);
			onward.pipe(socket).pipe(onward);
		});
		onward.on("error", () => socket.destroy());
		sockets.add(onward);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	proxy.port = (server.address() as AddressInfo).port;
	onTestFinished(async () => {
		for (const socket of sockets) socket.destroy();
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return proxy;
}

function sendBy(create: Create, env: Record<string, string>, url: string): Promise<WireOutcome> {
	const request = { method: "POST", url, headers: { authorization: "Bearer the-secret" }, body: new TextEncoder().encode("{}") } as const;
	return transportFor(create, env).send(request, { connect: 30_000, total: 60_000, bytes: 1_000 });
}

describe.each(transports)("%s through a proxy", (_name, create) => {
	const send = (env: Record<string, string>, url: string) => sendBy(create, env, url);

	it("the request goes to the service inside a tunnel; the proxy sees its name and its own credentials only", async () => {
		const peer = await peerFor((socket) => void socket.write(answer(201, "{}")));
		const proxy = await startProxy(peer.port);
		const outcome = await send({ HTTP_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}` }, "http://api.example.com/x");
		expect(outcome).toMatchObject({ kind: "answer", status: 201 });
		expect(proxy.asked).toEqual([{ target: "api.example.com:80", authorization: "Basic dXNlcjpwQHNz" }]);
		expect(peer.requests[0]?.head).toContain("host: api.example.com");
		expect(peer.requests[0]?.head).not.toContain("proxy-authorization");
	});

	it.each([
		["an answer 407", (socket: Socket) => void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")],
		["an answer 403 with a page", (socket: Socket) => void socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 4\r\n\r\nnope")],
		["a closed connection", (socket: Socket) => void socket.end()],
		["a reset", (socket: Socket) => void socket.resetAndDestroy()],
		["nonsense", (socket: Socket) => void socket.end("hello\r\n\r\n")],
	])("%s instead of a tunnel: nothing was sent, and the proxy is asked once", async (_name, refuse) => {
		const proxy = await startProxy(0, refuse);
		const outcome = await send({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }, "https://api.example.com/x");
		expect(outcome.kind).toBe("not-sent");
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(proxy.asked).toHaveLength(1);
	});

	it.each([
		["is no address", ":3128", /^the proxy of HTTPS_PROXY is not an address, like http:\/\/proxy\.example\.com:3128$/],
		["is not there", "127.0.0.1:PORT", /^the proxy http:\/\/127\.0\.0\.1:\d+ could not be used: the connection was refused$/],
	])("that %s: nothing was sent, and why is told without its password", async (_name, host, reason) => {
		const address = host.replace("PORT", String(await closedPort()));
		const outcome = await send({ HTTPS_PROXY: `http://user:opensesame@${address}` }, "https://api.example.com/x");
		expect(outcome).toMatchObject({ kind: "not-sent", reason: expect.stringMatching(reason) });
	});
});

describe("which proxy", () => {
	const env = { HTTPS_PROXY: "http://p.example:3128", HTTP_PROXY: "q.example:80" };
	it.each([
		["https://api.example.com/", env, "http://p.example:3128/"],
		["http://api.example.com/", env, "http://q.example/"],
		["http://api.example.com/", { HTTPS_PROXY: "http://p.example" }, undefined],
		["https://api.example.com/", { HTTPS_PROXY: "http://a.example", https_proxy: "http://b.example" }, "http://b.example/"],
		["https://api.example.com/", { HTTPS_PROXY: "" }, undefined],
		["https://localhost:1/", env, undefined],
		["https://[::1]/", env, undefined],
		["https://api.example.com/", { ...env, NO_PROXY: "*" }, undefined],
		["https://api.example.com/", { ...env, NO_PROXY: "example.com" }, undefined],
		["https://api.example.com/", { ...env, NO_PROXY: "*.example.com" }, undefined],
		["https://api.example.com/", { ...env, NO_PROXY: "other.test, api.example.com" }, undefined],
		["https://API.example.com/", { ...env, no_proxy: "api.EXAMPLE.com" }, undefined],
		["https://api.example.com/", { ...env, NO_PROXY: "api.example.com:443" }, undefined],
		["https://api.example.com/", { ...env, NO_PROXY: "api.example.com:8443" }, "http://p.example:3128/"],
		["https://api.example.com/", { ...env, NO_PROXY: "le.com" }, "http://p.example:3128/"],
	])("%s with %j goes by %s", (url, given, expected) => {
		expect(proxyFor(new URL(url), given)?.href).toBe(expected);
	});

	it.each(["https://user:opensesame@p.example", "http://user:opensesame@:3128", "http://user:opensesame@p.example:99999"])(
		"none where %s is no address, and its password is not told",
		(given) => {
			expect(() => proxyFor(new URL("https://api.example.com/"), { HTTPS_PROXY: given })).toThrow(
				/^the proxy of HTTPS_PROXY is not an address, like http:\/\/proxy\.example\.com:3128$/,
			);
		},
	);
});
