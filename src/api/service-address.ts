/**
 * The service that a base address names: scheme, host, port and base path, without a slash at its end. One gateway may serve
 * several services under different paths, and what one lists says nothing about what was sent to another.
 * @throws TypeError for what is no address
 */
import { isUrl } from "./text/url.js";
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
	if (!isUrl(address)) return false;
	const { hostname } = new URL(address);
	return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** What was probably meant by an address that was typed without a scheme; undefined where it has one, or is none with one either. */
export function withScheme(typed: string): string | undefined {
	const schemeless = !/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) && !/^https?:?\//i.test(typed);
	const host = /^(localhost|127\.[\d.]+|\[::1\])(:|\/|$)/i.test(typed) ? `http://${typed}` : `https://${typed}`;
	return schemeless && /^[\w[]/.test(typed) && /[.:]|^localhost/i.test(typed) && isUrl(host) ? host : undefined;
}
