import type { Input } from "../../api/operation.js";
import { isRecord } from "../../api/schema.js";
import type { DraftRequest } from "./request.js";

/**
 * The version of the terms that a request accepts, wherever that stands: by the description's name in any case, or where the profile's
 * binding puts it. Pure.
 */
export function acceptedVersion(
	{ body }: Input,
	{ bound, content, headers, address }: Pick<DraftRequest, "bound" | "content" | "headers" | "address">,
): string | undefined {
	const read = bound.fromRequest({ params: {}, query: Object.fromEntries(address.searchParams), body: content, headers });
	const fields = [body, read.body, content].flatMap((one) => (isRecord(one) ? Object.entries(one) : []));
	const [, version] = fields.find(([name, value]) => value !== undefined && name.toLowerCase() === "lasttermsaccepted") ?? [];
	return version === undefined ? undefined : String(version);
}
