/**
 * Bodies of requests.
 */
import { parseJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { Refusal, type Request } from "../message.js";

/** Largest body taken, in bytes. */
export const largestBody = 1024 * 1024;

/** The JSON object that a request carries. @throws Refusal 400, 413, 415 */
export function bodyOf({ headers, body }: Request): Record<string, unknown> {
	if (body.length > largestBody) throw new Refusal(413, "PAYLOAD_TOO_LARGE", `At most ${largestBody} bytes`);
	const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
	if (type !== "application/json") throw new Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be application/json");
	let parsed: unknown;
	try {
		parsed = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
	} catch {
		throw new Refusal(400, "MALFORMED_JSON", "The body is not JSON");
	}
	if (!isRecord(parsed)) throw new Refusal(400, "MALFORMED_JSON", "The body must be a JSON object");
	return parsed;
}
