/**
 * What a dry run shows instead of sending.
 */
import type { Method } from "../api/operation.js";
import { PurserError } from "../errors.js";
import { authorise } from "./auth.js";
import type { Call } from "./job.js";
import { mask, withoutSecrets } from "./redact.js";

/** A request exactly as it would leave, secrets masked. */
export interface PlannedRequest {
	operation: string;
	method: Method;
	url: string;
	headers: Record<string, string>;
	/** Parsed form of the body, numbers as literals; undefined without a body. */
	body?: unknown;
}

/** Thrown in a dry run instead of sending a change; the frame shows what would have been sent. */
export class DryRun extends Error {
	override readonly name = "DryRun";
	constructor(readonly requests: readonly PlannedRequest[]) {
		super("dry run: nothing was sent");
	}
}

/** The request of a dry run, with its credential masked; without one where there is none. */
export async function plannedRequest(
	{ context, profile, operation, request }: Omit<Call, "confirmed">,
	anonymous: boolean,
): Promise<PlannedRequest> {
	let secret: Record<string, string> = {};
	try {
		secret = (await authorise(context, profile, operation, anonymous)).headers;
	} catch (error) {
		if (!(error instanceof PurserError) || error.failure.code !== "NO_CREDENTIAL") throw error;
		context.report.warn(`${error.message}; the request is shown without one`);
	}
	const masked = Object.entries(secret).map(([name, value]) => [name, value.replace(/^(Bearer |Basic )?.*$/s, `$1${mask}`)]);
	return {
		operation: operation.id,
		method: request.method,
		url: request.url,
		headers: { ...request.headers, ...Object.fromEntries(masked) },
		body: request.content === undefined ? undefined : withoutSecrets(request.content),
	};
}
