/**
 * Which requests the sandbox lets in. A page of any site, open in a browser on this machine, can reach the ports of this machine: under a
 * name of its own that it lets lead to 127.0.0.1 (DNS rebinding), or with a form. Neither may read or change anything here.
 */
import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";
import type { Response } from "./message.js";
import { isPage } from "./pages/hosted.js";

/** Where the server listens. */
export interface Bound {
	/** As it was asked for: a name or an address. */
	host: string;
	/** What that led to. */
	address: string;
	port: number;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** Whether only this machine reaches the address. */
export function isLoopback(address: string): boolean {
	return isIP(address) !== 0 && loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** The refusal of a request that is not let in; undefined where it is. Its body has not been read. */
export function refusalOf(request: IncomingMessage, bound: Bound): Response | undefined {
	const { method = "GET", url = "/", headersDistinct } = request;
	const hosts = headersDistinct.host ?? [];
	// A proxy's client names the host in the target as well.
	const named = /^https?:\/\/([^/?]*)/i.exec(url)?.[1];
	const meant = hosts.length === 1 && [...hosts, ...(named === undefined ? [] : [named])].every((host) => isOwn(host, bound));
	if (!meant)
		return plainly(
			421,
			`This sandbox answers only to ${ownNames(bound)} (port ${bound.port}).\nTo reach it under another name: purser sandbox serve --host NAME\n`,
		);
	const site = headersDistinct["sec-fetch-site"];
	const origin = headersDistinct.origin;
	return isOfOwnSite(isPage(url), method, `http://${hosts[0]}`, { site, origin })
		? undefined
		: plainly(403, "This request comes from a page of another site. Nothing was done.\n");
}

/** A page can be linked from everywhere; all else is for programs, and for forms of the sandbox's own pages. */
function isOfOwnSite(
	page: boolean,
	method: string,
	own: string,
	{ site = [], origin = [] }: { site?: readonly string[]; origin?: readonly string[] },
): boolean {
	if (page && (method === "GET" || method === "HEAD")) return true;
	// Browsers write `null` for a form of a page whose policy is to send no referrer, as ours is. Whoever knows a page's address has its secret.
	const known = (one: string): boolean => one.toLowerCase() === own.toLowerCase() || (page && one === "null");
	return site.every((one) => one === "same-origin" || one === "none") && origin.every(known);
}

/** Whether a `Host` means this server: a name of this machine, or what it was told to listen on, with its port. */
function isOwn(host: string, { host: asked, address, port }: Bound): boolean {
	const [, name = "", given = "80"] = /^(\[[\da-f:.]+\]|[^\s:[\]]+)(?::(\d{1,5}))?$/i.exec(host) ?? [];
	if (Number(given) !== port) return false;
	const bare = name.toLowerCase().replace(/^\[|\]$/g, "");
	if (bare === "localhost" || bare.endsWith(".localhost") || isLoopback(bare)) return true;
	// Listening everywhere, it has every address of this machine. An address cannot be made to lead elsewhere, as a name can.
	return isEverywhere(address) && isIP(bare) !== 0 ? true : bare === asked.toLowerCase() || bare === address;
}

const isEverywhere = (address: string): boolean => address === "0.0.0.0" || address === "::";

function ownNames({ host, address }: Bound): string {
	const more = isEverywhere(address) ? ["addresses of this machine"] : [host].filter((name) => !isLoopback(name) && name !== "localhost");
	return ["localhost", "127.0.0.1", ...more].join(", ").replace(/, (?=[^,]*$)/, " and ");
}

function plainly(status: number, text: string): Response {
	const headers = { "content-type": "text/plain; charset=utf-8", connection: "close" };
	return { status, headers, body: new TextEncoder().encode(text) };
}
