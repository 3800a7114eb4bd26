import { advice, purser } from "../../api/advice.js";
import { baseUrlFault } from "../../api/service-address.js";
import { PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";

/** The profile's base address, checked: https, or http for a sandbox; no user, query or fragment in it. */
export function baseOf({ name, baseUrl, environment }: Profile): URL {
	const fault = baseUrlFault(baseUrl, environment);
	if (fault === undefined) return new URL(baseUrl);
	throw new PurserError("usage", {
		code: "BASE_URL_INVALID",
		message: `The base address of profile ${name} ${fault}`,
		fix: advice`Give another with --base-url, or replace it: ${purser`profile set ${name} --base-url https://…`}`,
	});
}

/**
 * The absolute address of a call: the profile's origin and base path, the operation's path with percent-encoded parameters, and the query.
 * @param query name and value pairs in order, already renamed for the wire
 * @throws PurserError usage, if the profile's address or path cannot be used; validation, if a parameter would change the path
 */
export function addressOf(
	profile: Profile,
	path: string,
	params: Readonly<Record<string, unknown>>,
	query: readonly (readonly [string, string])[],
): URL {
	const base = baseOf(profile);
	const filled = path.replace(/\{([^}]*)\}/g, (_whole, name: string) => segment(name, params[name], path));
	const pathname = base.pathname.replace(/\/+$/, "") + filled;
	const search = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");
	const address = new URL(`${base.origin}${pathname}${search === "" ? "" : `?${search}`}`);
	if (address.origin !== base.origin || address.pathname !== pathname)
		throw new PurserError("usage", {
			code: "PATH_INVALID",
			message: `The path ${path} does not stay as it is written once it is an address`,
			fix: advice`Correct the mapping (${purser`api list`} shows it), and store it again: ${purser`api use`}`,
		});
	return address;
}

function segment(name: string, value: unknown, path: string): string {
	const text = value === undefined || value === null ? "" : String(value);
	if (text === "" || text === "." || text === "..")
		throw new PurserError("validation", {
			code: "INPUT_INVALID",
			message: `${name} ${text === "" ? "is missing" : `cannot be ${JSON.stringify(text)}`} in the path ${path}`,
			fix: `Give the whole id, or what the mapping asks for with --set ${name}=VALUE`,
			details: [{ field: name, message: text === "" ? "is required" : "must be a whole id" }],
		});
	return encodeURIComponent(text);
}
