import { isRecord } from "../../api/schema.js";
import type { Override } from "../../ports/profiles.js";
import { fromWire } from "./override.js";
import type { DraftRequest } from "./request.js";

/** The version of the terms that a request accepts: by the service's name of the field, in any case, or by the profile's. Pure. */
export function acceptedVersion({ content }: Pick<DraftRequest, "content">, override: Override | undefined): string | undefined {
	const fields = [content, fromWire(content, override)].flatMap((body) => (isRecord(body) ? Object.entries(body) : []));
	const [, version] = fields.find(([name]) => name.toLowerCase() === "lasttermsaccepted") ?? [];
	return version === undefined ? undefined : String(version);
}
