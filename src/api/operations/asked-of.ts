/**
 * Which service a record of the journal was sent to. It needs the path of every operation, so only commands that look back load it.
 */

import { normalizedPath, serviceAddress } from "../service-address.js";
import type { IdForms } from "../text/ids.js";
import { catalog } from "./catalog.js";

/** A request as the journal has it. */
export interface SentRequest {
	operation: string;
	/** Scheme, host and port. */
	origin: string;
	/** With the base path; records of older builds have none. */
	service?: string;
	/** The identity of the local sandbox that it was sent to, where it is known. */
	sandbox?: string;
	/** Whole path. */
	path: string;
	/** Of a row of a batch. */
	batch?: string;
}

/** The service in use: its base address, and the paths that a profile replaces, by the operation's id. */
export interface ServiceInUse {
	baseUrl: string;
	overrides: Readonly<Record<string, { path?: string }>>;
	/** The identity of the local sandbox at that address, where it is known. */
	sandbox?: string;
	/** The forms of its ids, where they are no UUIDs. */
	ids?: IdForms;
}

/** The service in use, with the identity of a local sandbox. */
export async function serviceInUse<P extends Omit<ServiceInUse, "ids"> & { service?: { ids?: IdForms } }>(
	context: { sandboxIdentity(profile: P): Promise<string | undefined> },
	profile: P,
): Promise<ServiceInUse> {
	const { baseUrl, overrides, service } = profile;
	return { baseUrl, overrides, sandbox: await context.sandboxIdentity(profile), ids: service?.ids };
}

/**
 * Whether a request was sent to the service in use. Records of older builds have only the origin; there the base path follows from the path,
 * by removing what the operation adds to it. Rows of their batches have no base path at all and are compared by the origin alone.
 * @throws TypeError where the base address is none
 */
export function wasSentTo(
	{ operation, origin, service, sandbox, path, batch }: SentRequest,
	{ baseUrl, overrides, ...use }: ServiceInUse,
): boolean {
	if (isOtherSandbox(sandbox, use.sandbox)) return false;
	const used = serviceAddress(baseUrl);
	if (service !== undefined) return service === used;
	if (batch !== undefined) return origin === new URL(baseUrl).origin;
	const asked = origin + normalizedPath(path);
	if (!asked.startsWith(`${used}/`)) return false;
	const paths = [overrides[operation]?.path, catalog.find(({ id }) => id === operation)?.path].filter((one) => one !== undefined);
	const rest = asked.slice(used.length).split("/");
	const ending = (one: string): boolean => fits(asked.split("/").slice(-one.split("/").length + 1), one.split("/").slice(1));
	// Where it ends with none of them, the profile had replaced the path then, and only its beginning can be compared.
	return !paths.some(ending) || paths.some((one) => fits(rest, one.split("/")));
}

/** Whether two identities are of different sandboxes; one that is not known may be any. */
export function isOtherSandbox(one: string | undefined, other: string | undefined): boolean {
	return one !== undefined && other !== undefined && one !== other;
}

/** Whether the parts are those of a path with `{named}` parameters, filled in. */
function fits(parts: readonly string[], path: readonly string[]): boolean {
	return parts.length === path.length && path.every((part, place) => part.includes("{") || part === parts[place]);
}
