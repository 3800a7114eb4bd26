/** The one error of a document that cannot be imported. */
import { PurserError } from "../errors.js";

/** @param why in one sentence, without a full stop */
export function notReadable(
	why: string,
	fix = "Ask the deployment for its OpenAPI 3.0 or 3.1 document, and check it with a validator.",
): PurserError {
	return new PurserError("validation", {
		code: "OPENAPI_UNREADABLE",
		message: `${why}. Nothing was stored`,
		fix,
	});
}
