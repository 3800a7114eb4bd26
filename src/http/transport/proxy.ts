import { isIP } from "node:net";
import { isUrl } from "../../api/text/url.js";

type Env = Readonly<Record<string, string | undefined>>;

/** A host in the form for sockets: URLs put IPv6 addresses in brackets (RFC 3986, 3.2.2). */
export const bareHost = (hostname: string): string =>
	hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;

/**
 * The proxy that a request to `target` goes through, or undefined for a direct connection. Pure.
 * Lower-case variables win over upper-case ones, as curl has it. A loopback address never goes through a proxy: the
 * embedded sandbox lives there, and a proxy would look for it on its own machine.
 * @throws TypeError where the variable holds something that is not an address; its text, which may hold a password, is not in the message
 */
export function proxyFor(target: URL, env: Env): URL | undefined {
	const secure = target.protocol === "https:";
	const given = (secure ? (env.https_proxy ?? env.HTTPS_PROXY) : (env.http_proxy ?? env.HTTP_PROXY))?.trim();
	if (!given || isLoopback(target.hostname)) return undefined;
	const port = target.port || (secure ? "443" : "80");
	if (excluded(target.hostname.toLowerCase(), port, env.no_proxy ?? env.NO_PROXY ?? "")) return undefined;
	const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
	if (isUrl(address) && decodable(new URL(address))) return new URL(address);
	throw new TypeError(`the proxy of ${secure ? "HTTPS_PROXY" : "HTTP_PROXY"} is not an address, like http://proxy.example.com:3128`);
}

/** Whether user name and password are validly percent-encoded. */
function decodable({ username, password }: URL): boolean {
	try {
		return decodeURIComponent(username + password) !== undefined;
	} catch {
		return false;
	}
}

function excluded(hostname: string, port: string, list: string): boolean {
	const host = bareHost(hostname);
	return list.split(/[,\s]+/).some((entry) => {
		if (entry === "*") return true;
		const [, name, only] = /^(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? `${entry}` : entry) ?? [];
		const wanted = bareHost((isIP(entry) === 6 ? entry : (name ?? "")).toLowerCase());
		const bare = wanted.replace(/^\*?\./, "");
		if (bare === "" || (isIP(entry) !== 6 && only !== undefined && only !== port)) return false;
		return host === bare || host.endsWith(`.${bare}`);
	});
}

/** True for localhost, its subdomains and the loopback addresses of both families. */
function isLoopback(hostname: string): boolean {
	const host = bareHost(hostname.toLowerCase());
	if (host === "localhost" || host.endsWith(".localhost") || host === "::1") return true;
	return isIP(host) === 4 && host.startsWith("127.");
}
