/**
 * Which service an address names, and which one a record of the journal was sent to.
 */
import { catalog } from "./catalog.js";

/**
 * The service that a base address names: scheme, host, port and base path, without a slash at its end. One gateway may serve several
 * services under paths of their own (a test beside the live one), and what one lists says nothing of what another was sent.
 * @throws TypeError for what is no address
 */
export function serviceAddress(baseUrl: string): string {
	const { origin, pathname } = new URL(baseUrl);
	return origin + evenly(pathname).replace(/\/+$/, "");
}

/** One writing for paths that are the same by RFC 3986, section 6.2.2: no sign is encoded without need, hexadecimals are capitals. */
function evenly(path: string): string {
	return path.replace(/%[0-9a-f]{2}/gi, (code) => {
		const sign = String.fromCharCode(Number.parseInt(code.slice(1), 16));
		return /[A-Za-z0-9._~-]/.test(sign) ? sign : code.toUpperCase();
	});
}

/** What was asked of a service, as the journal keeps it. */
export interface AskedOf {
	operation: string;
	/** Scheme, host and port. */
	origin: string;
	/** With the base path; records of older builds have none. */
	service?: string;
	/** Whole path. */
	path: string;
	/** Of a row of a batch. */
	batch?: string;
}

/** The service in use: its base address, and the paths that a profile replaces, by the operation's id. */
export interface InUse {
	baseUrl: string;
	overrides: Readonly<Record<string, { path?: string }>>;
}

/**
 * Whether this was asked of the service in use. Records of older builds kept the origin alone: there the path tells the base path, by what
 * the operation adds to it. Rows of their batches kept no base path at all, and are told by the origin, as those builds did.
 * @throws TypeError where the base address is none
 */
export function isAskedOf({ operation, origin, service, path, batch }: AskedOf, { baseUrl, overrides }: InUse): boolean {
	const used = serviceAddress(baseUrl);
	if (service !== undefined) return service === used;
	if (batch !== undefined) return origin === new URL(baseUrl).origin;
	const asked = origin + evenly(path);
	if (!asked.startsWith(`${used}/`)) return false;
	const paths = [overrides[operation]?.path, catalog.find(({ id }) => id === operation)?.path].filter((one) => one !== undefined);
	const rest = asked.slice(used.length).split("/");
	const ending = (one: string): boolean => fits(asked.split("/").slice(-one.split("/").length + 1), one.split("/").slice(1));
	// Where none is its end, the path was replaced by another then: only its beginning is known.
	return !paths.some(ending) || paths.some((one) => fits(rest, one.split("/")));
}

/** Whether the parts are those of a path with `{named}` parameters, filled in. */
function fits(parts: readonly string[], path: readonly string[]): boolean {
	return parts.length === path.length && path.every((part, place) => part.includes("{") || part === parts[place]);
}
