import type { Input } from "../../api/operation.js";
import { isRecord } from "../../api/schema.js";

/** The version of the terms that a request accepts, by the description's name in any case, in our input or in what is sent. Pure. */
export function acceptedVersion({ body }: Input, { content }: { content?: unknown }): string | undefined {
	const fields = [body, content].flatMap((one) => (isRecord(one) ? Object.entries(one) : []));
	const [, version] = fields.find(([name, value]) => value !== undefined && name.toLowerCase() === "lasttermsaccepted") ?? [];
	return version === undefined ? undefined : String(version);
}
