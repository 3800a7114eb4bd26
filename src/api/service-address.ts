/**
 * Addresses of services, and which service a record of the journal was sent to.
 */
import type { IdForms } from "./text/ids.js";
import { isUrl } from "./text/url.js";

/**
 * The service that a base address names: scheme, host, port and base path, without a slash at its end. One gateway may serve
 * several services under different paths, and what one lists says nothing about what was sent to another.
 * @throws TypeError for what is no address
 */
export function serviceAddress(baseUrl: string): string {
	const { origin, pathname } = new URL(baseUrl);
	return origin + normalizedPath(pathname).replace(/\/+$/, "");
}

/** Percent-encoding by RFC 3986, 6.2.2: nothing is encoded without need, hexadecimals are capitals. */
export function normalizedPath(path: string): string {
	return path.replace(/%[0-9a-f]{2}/gi, (code) => {
		const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16));
		return /[A-Za-z0-9._~-]/.test(sign) ? sign : code.toUpperCase();
	});
}

/**
 * Whether this is the identity of a local sandbox. It is made with the sandbox's state: one that was started anew, or reset, is another
 * service at the same address.
 */
export function isSandboxIdentity(value: unknown): value is string {
	return typeof value === "string" && /^[0-9a-f-]{8,64}$/.test(value);
}

/** Whether an address is on this very machine. */
export function isLoopback(address: string): boolean {
	return isUrl(address) && isOwnHost(new URL(address).hostname);
}

/** Whether a host, by its name or address, is this very machine. */
export const isOwnHost = (host: string): boolean => /^(localhost|\[::1\]|::1|127(\.\d{1,3}){3})$/.test(host);

/** What was probably meant by an address that was typed without a scheme; undefined where it has one, or is none with one either. */
function withScheme(typed: string): string | undefined {
	const schemeless = !/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) && !/^https?:?\//i.test(typed);
	const host = /^(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/i.test(typed) ? `http://${typed}` : `https://${typed}`;
	return schemeless && /^[\w[]/.test(typed) && /[.:]|^localhost/i.test(typed) && isUrl(host) ? host : undefined;
}

/** What is wrong with a base address, or undefined. */
export function baseUrlFault(address: string, environment: "sandbox" | "live"): string | undefined {
	if (address === "") return "is required, like https://api.example.com";
	const meant = withScheme(address);
	if (meant !== undefined || !isUrl(address)) return `must be an address, like ${meant ?? "https://api.example.com"}`;
	const { protocol, username, password, search, hash } = new URL(address);
	if (protocol !== "https:" && protocol !== "http:") return `must start with https://, not ${protocol}//`;
	if (username !== "" || password !== "") return "must not contain a user name or password; `purser auth login` keeps them";
	if (search !== "" || hash !== "") return 'must not contain "?" or "#"';
	if (protocol === "http:" && environment === "live")
		return "must start with https:// for a live profile; plain http is for a sandbox only";
	return undefined;
}

/** The service in use. */
export interface ServiceInUse {
	baseUrl: string;
	/** The identity of the local sandbox at that address, where it is known. */
	sandbox?: string;
	/** The forms of its ids, where they are no UUIDs. */
	ids?: IdForms;
}

/** The service in use, with the identity of a local sandbox. */
export async function serviceInUse<P extends { baseUrl: string; mapping?: { ids?: IdForms } }>(
	{ journal }: { journal: { sandboxIdentity(profile: P): Promise<string | undefined> } },
	profile: P,
): Promise<ServiceInUse> {
	return { baseUrl: profile.baseUrl, sandbox: await journal.sandboxIdentity(profile), ids: profile.mapping?.ids };
}

/** Whether a request was sent to the service in use. @throws TypeError where the base address is none */
export function wasSentTo({ service, sandbox }: { service?: string; sandbox?: string }, use: ServiceInUse): boolean {
	return !isOtherSandbox(sandbox, use.sandbox) && service === serviceAddress(use.baseUrl);
}

/** Whether two identities are of different sandboxes; one that is not known may be any. */
export function isOtherSandbox(one: string | undefined, other: string | undefined): boolean {
	return one !== undefined && other !== undefined && one !== other;
}
