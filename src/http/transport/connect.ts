import { connect as connectPlain, isIP, type Socket } from "node:net";
import type { buildConnector } from "undici";
import { isOwnHost } from "../../api/service-address.js";
import { isUrl } from "../../api/text/url.js";

type Env = Readonly<Record<string, string | undefined>>;

/** A host in the form for sockets: URLs put IPv6 addresses in brackets (RFC 3986, 3.2.2). */
const bareHost = (hostname: string): string => (hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname);

/**
 * The proxy that a request to `target` goes through, or undefined for a direct connection. Pure.
 * Lower-case variables win over upper-case ones, as curl has it. A loopback address never goes through a proxy: the
 * embedded sandbox lives there, and a proxy would look for it on its own machine.
 * @throws ConnectError where the variable holds something that is not an address; its text, which may hold a password, is not in the message
 */
export function proxyFor(target: URL, env: Env): URL | undefined {
	const secure = target.protocol === "https:";
	const given = (secure ? (env.https_proxy ?? env.HTTPS_PROXY) : (env.http_proxy ?? env.HTTP_PROXY))?.trim();
	if (!given || isOwnHost(target.hostname)) return undefined;
	const port = target.port || (secure ? "443" : "80");
	if (excluded(target.hostname.toLowerCase(), port, env.no_proxy ?? env.NO_PROXY ?? "")) return undefined;
	const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
	if (isUrl(address) && new URL(address).protocol === "http:") return new URL(address);
	throw new ConnectError(`the proxy of ${secure ? "HTTPS_PROXY" : "HTTP_PROXY"} is not an address, like http://proxy.example.com:3128`);
}

function excluded(hostname: string, port: string, list: string): boolean {
	return list.split(/[,\s]+/).some((entry) => {
		if (entry === "*") return true;
		const [, name = "", only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
		if (name === "" || (only !== undefined && only !== port)) return false;
		return hostname === name || hostname.endsWith(`.${name}`);
	});
}

/**
 * A connection that was never made: no byte of a request can have left. undici connects again for ever after some errors of its own
 * (`UND_ERR_SOCKET`, a wrong certificate name), so every failure reaches it in this one form, which it takes as final.
 */
export class ConnectError extends Error {
	override readonly name = "ConnectError";
	/** The system's or OpenSSL's code, where there is one. */
	readonly code: string;

	constructor(message: string, cause?: unknown) {
		super(message, { cause });
		const code = (cause as { code?: unknown } | undefined)?.code;
		this.code = typeof code === "string" && !code.startsWith("UND_ERR") ? code : "CONNECT_FAILED";
	}
}

export interface Connector {
	connect: buildConnector.connector;
	/** Aborts every connection that is still being established. */
	abandon(): void;
}

/** Set explicitly, because NODE_TLS_REJECT_UNAUTHORIZED=0 would otherwise send money and credentials to anybody. */
const rejectUnauthorized = true;

/** Milliseconds after which a connection that nobody waits for is aborted; callers have limits of their own. */
const longestConnect = 30_000;

/** Makes connections: direct or through the proxy of the environment, HTTP/1.1 only (no ALPN for anything else). */
export function createConnector(env: Readonly<Record<string, string | undefined>>): Connector {
	const pending = new Set<{ destroy(): unknown }>();
	const connect: buildConnector.connector = (options, callback) => {
		const target = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
		openConnection(target, env, pending).then(
			(socket) => {
				// undici would connect again if the socket died in this same turn.
				if (socket.destroyed) callback(new ConnectError("the connection was closed as soon as it was open", socket.errored), null);
				else callback(null, socket);
			},
			(error: ConnectError) => callback(error, null),
		);
	};
	return { connect, abandon: () => pending.forEach((socket) => void socket.destroy()) };
}

/** Connections being established, so that they can be aborted. */
export type Pending = Set<{ destroy(): unknown }>;

/**
 * Establishes a connection to a service, including TLS, without writing anything on it.
 * @throws ConnectError only
 */
export async function openConnection(target: URL, env: Readonly<Record<string, string | undefined>>, pending: Pending): Promise<Socket> {
	try {
		return await open(target, env, pending);
	} catch (error) {
		throw error instanceof ConnectError ? error : new ConnectError("no connection was made", error);
	}
}

async function open(target: URL, env: Readonly<Record<string, string | undefined>>, pending: Pending): Promise<Socket> {
	const proxy = proxyFor(target, env);
	const secure = target.protocol === "https:";
	const host = bareHost(target.hostname);
	const port = Number(target.port || (secure ? 443 : 80));
	if (proxy === undefined && !secure) return connected(connectPlain({ host, port }), "connect", pending);
	const tunnel = proxy === undefined ? undefined : await tunnelled(proxy, target.hostname, port, pending);
	if (tunnel !== undefined && !secure) return tunnel;
	const servername = isIP(host) ? undefined : host;
	const { connect: connectSecure } = process.getBuiltinModule("node:tls");
	const options = { host, port, servername, socket: tunnel, ALPNProtocols: ["http/1.1"], rejectUnauthorized };
	return connected(connectSecure(options), "secureConnect", pending);
}

function connected(socket: Socket, ready: "connect" | "secureConnect", pending: Pending): Promise<Socket> {
	pending.add(socket);
	socket.setNoDelay(true).setKeepAlive(true, 60_000);
	return new Promise<Socket>((resolve, reject) => {
		const fail = (error?: Error) => reject(new ConnectError(reasonOf(error), error));
		const late = setTimeout(() => socket.destroy(new Error("no connection in time")), longestConnect);
		socket.once("error", fail);
		socket.once("close", () => fail());
		socket.once(ready, () => resolve(socket));
		const done = () => {
			clearTimeout(late);
			pending.delete(socket);
		};
		socket.once(ready, done);
		socket.once("close", done);
	});
}

/** Opens a tunnel by CONNECT. The proxy's answer is never mistaken for the service's. */
async function tunnelled(proxy: URL, hostname: string, port: number, pending: Pending): Promise<Socket> {
	const name = `${proxy.protocol}//${proxy.host}`;
	const { request: make } = process.getBuiltinModule("node:http");
	const authority = `${hostname}:${port}`;
	const headers: Record<string, string> = { host: authority };
	if (proxy.username !== "")
		headers["proxy-authorization"] =
			`Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString("base64")}`;
	const request = make({
		host: bareHost(proxy.hostname),
		port: proxy.port || 80,
		method: "CONNECT",
		path: authority,
		headers,
		agent: false,
		timeout: longestConnect,
	});
	pending.add(request);
	return new Promise<Socket>((resolve, reject) => {
		request.once("connect", (answer, socket, head) => {
			pending.delete(request);
			if (answer.statusCode === 200) {
				if (head.length > 0) socket.unshift(head);
				resolve(socket as Socket);
				return;
			}
			socket.destroy();
			reject(new ConnectError(`the proxy ${name} answered ${answer.statusCode} instead of opening a tunnel`));
		});
		request.once("timeout", () => request.destroy(new Error("no answer from the proxy in time")));
		request.once("error", (error) => {
			pending.delete(request);
			reject(new ConnectError(`the proxy ${name} could not be used: ${reasonOf(error)}`, error));
		});
		request.end();
	});
}

const reasons: Record<string, string> = {
	ECONNREFUSED: "the connection was refused",
	ENOTFOUND: "the name was not found",
	EAI_AGAIN: "the name could not be looked up right now",
	EHOSTUNREACH: "there is no route to the host",
	ENETUNREACH: "the network cannot be reached",
	ETIMEDOUT: "the connection timed out",
	ECONNRESET: "the connection was closed before it was open",
	ERR_TLS_CERT_ALTNAME_INVALID: "the certificate is for another host",
	CERT_HAS_EXPIRED: "the certificate has expired",
	CERT_NOT_YET_VALID: "the certificate is not valid yet",
};

function reasonOf(error: Error | undefined): string {
	if (error === undefined) return "the connection was closed before it was open";
	const code = (error as { code?: unknown }).code;
	if (typeof code !== "string") return "no connection was made";
	if (isNoTlsCode(code)) return "this address speaks http, not https";
	return reasons[code] ?? (isNoTrustCode(code) ? `the certificate is not trusted (${code})` : `no connection was made (${code})`);
}

/** Whether an error code means that the peer answered the start of TLS with something else: nothing speaks https there. */
const isNoTlsCode = (code: string): boolean => code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG";

/** Whether an error code means that the peer has no TLS or a certificate that was rejected, so that a retry cannot help. */
export function isTlsRefusal(code: string): boolean {
	return isNoTlsCode(code) || isNoTrustCode(code);
}

const isNoTrustCode = (code: string): boolean => /CERT|SELF_SIGNED|UNABLE_TO_/.test(code);
