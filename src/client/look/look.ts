import { advice, purser } from "../../api/advice.js";
import type { AnyOperation, Input } from "../../api/operation.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";
import type { WireOutcome } from "../../ports/wire.js";
import { authorise } from "../auth.js";
import { type Call, once, renewalRequest, usable } from "../call.js";
import { requireConfirmed } from "../confirm/confirmed.js";
import type { Content } from "../content.js";
import { interruptedCall } from "../failure.js";
import { listOf } from "../pages.js";
import { baseOf } from "../request/address.js";
import { draftRequest } from "../request/request.js";

/** What came of a request that was sent once, whatever it was. */
export interface Look {
	outcome: WireOutcome;
	content?: Content;
	/** For an answer with success: whether it can be read as what the operation is described to answer with. */
	isAsDescribed?: boolean;
}

/** The most milliseconds for one look; an operation that takes longer has told what it could. */
const longestLook = 10_000;

/**
 * Sends one GET, once, for finding out what a deployment has. A login that has expired is renewed before, as for every call; one that is
 * refused is not renewed, because the refusal is what is asked for.
 * @param profile whose mapping is applied
 * @throws PurserError auth, where nobody is logged in; interrupted; usage, where the request cannot be made, or would be another than a GET to the
 * profile's own address
 */
export async function lookOnce(context: Context, profile: Profile, operation: AnyOperation, input: Input): Promise<Look> {
	const { timeout, debug } = await context.settings();
	const request = draftRequest(profile, operation, input, context.version);
	if (request.method !== "GET" || request.body !== undefined || request.address.origin !== baseOf(profile).origin)
		throw new PurserError("usage", {
			code: "NOT_A_LOOK",
			message: `${operation.title} would be no GET at the profile's own address, so nothing was sent`,
			fix: advice`See how it is mapped: ${purser`api list`}`,
		});
	const confirmed = await requireConfirmed(context, profile, operation);
	const job: Call = { context, profile, operation, input, request, confirmed, timeout: Math.min(timeout, longestLook), debug };
	const session = await authorise(context, profile, operation, false, renewalRequest(job));
	const { outcome, content } = await once(job, { ...request, headers: { ...request.headers, ...session.headers } });
	if (context.signal.aborted && outcome.kind !== "answer") throw interruptedCall(job);
	const isSuccess = outcome.kind === "answer" && outcome.status >= 200 && outcome.status < 300 && content !== undefined;
	return { outcome, content, isAsDescribed: isSuccess ? usable(operation, content, input) && isReadable(operation, content) : undefined };
}

/** Of a list, whether it has entries that can be read, or none. */
function isReadable(operation: AnyOperation, { data }: Content): boolean {
	if (!("pageSize" in operation.query.shape)) return true;
	try {
		return listOf(operation, data).whole;
	} catch {
		return false;
	}
}
