/**
 * Bodies of requests.
 */
import { parseJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { HttpError, type Request } from "../message.js";

/** Largest body taken, in bytes. */
export const largestBody = 1024 * 1024;

/** The JSON object that a request carries. @throws HttpError 400, 413, 415 */
export function readBody({ headers, body }: Request): Record<string, unknown> {
	if (body.length > largestBody) throw new HttpError(413, "PAYLOAD_TOO_LARGE", `At most ${largestBody} bytes`);
	const type = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
	if (type !== "application/json") throw new HttpError(415, "UNSUPPORTED_MEDIA_TYPE", "The body must be application/json");
	let parsed: unknown;
	try {
		parsed = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(body));
	} catch {
		throw new HttpError(400, "MALFORMED_JSON", "The body is not JSON");
	}
	if (!isRecord(parsed)) throw new HttpError(400, "MALFORMED_JSON", "The body must be a JSON object");
	return parsed;
}
