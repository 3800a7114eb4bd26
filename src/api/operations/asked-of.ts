/**
 * Which service a record of the journal was sent to.
 */
import { serviceAddress } from "../service-address.js";
import type { IdForms } from "../text/ids.js";

/** A request as the journal has it. */
export interface SentRequest {
	operation: string;
	/** Scheme, host and port. */
	origin: string;
	/** With the base path. */
	service?: string;
	/** The identity of the local sandbox that it was sent to, where it is known. */
	sandbox?: string;
	/** Whole path. */
	path: string;
	/** Of a row of a batch. */
	batch?: string;
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
export function wasSentTo({ service, sandbox }: SentRequest, use: ServiceInUse): boolean {
	return !isOtherSandbox(sandbox, use.sandbox) && service === serviceAddress(use.baseUrl);
}

/** Whether two identities are of different sandboxes; one that is not known may be any. */
export function isOtherSandbox(one: string | undefined, other: string | undefined): boolean {
	return one !== undefined && other !== undefined && one !== other;
}
