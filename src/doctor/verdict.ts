/**
 * What the answers to a probe say of an operation. Pure. A change is never tried, so of most operations nothing is known but their path.
 */
import type { Look } from "../client/look/look.js";
import type { ProbeAnswer } from "../ports/profiles.js";
import type { Planned } from "./plan.js";
import { allowOf, type Print, printOf } from "./print.js";

/** What came back for one look. */
export interface Answered {
	/** Undefined where no whole answer came: `trouble` says why. */
	status?: number;
	trouble?: string;
	type?: string;
	allow?: string[];
	isAsDescribed?: boolean;
	print?: Print;
}

/** How the evidence calls an answer with success that cannot be read. */
export const notAsDescribed = "the answer is not as described";

/** How the evidence says that nothing was asked any more. */
export const notTried = "not tried: the probe had stopped before";

export interface Verdict {
	answer: ProbeAnswer;
	/** Words of ours, nothing of an answer's content. */
	evidence: string[];
}

/** What other answers of the same service have shown of it. */
export interface Manners {
	/** It says 405 where a path takes another method. */
	knows405: boolean;
	/** Its own 404, for a record, is another than the router's. */
	knows404: boolean;
	/** It answers the same request twice in different words, so that only outlines can be compared. */
	isFickle: boolean;
}

/** @param own words of the request's path */
export function answeredOf({ outcome, content, isAsDescribed }: Look, own: readonly string[]): Answered {
	if (outcome.kind !== "answer") return { trouble: outcome.reason };
	return {
		status: outcome.status,
		type: content?.type,
		allow: allowOf(outcome),
		isAsDescribed,
		print: printOf(outcome, content, own),
	};
}

/** Whether what came tells nothing without its control. */
export const needsControl = ({ status, isAsDescribed }: Answered, { isOwn, knock, operation }: Planned): boolean =>
	status !== undefined && status !== 429 && !(isOwn && isAsDescribed && !knock?.hasId && !operation.document);

export function isSame(one: Answered, other: Answered | undefined, { isFickle }: Pick<Manners, "isFickle">): boolean {
	if (one.print === undefined || other?.print === undefined) return false;
	return isFickle ? one.print.outline === other.print.outline : one.print.whole === other.print.whole;
}

/**
 * @param control what a path that cannot exist was answered; undefined where it was not asked for
 */
export function verdictOf(planned: Planned, found: Answered | undefined, control: Answered | undefined, manners: Manners): Verdict {
	const { reason, isOwn, knock } = planned;
	if (reason !== undefined) return untold(reason);
	if (found === undefined || knock === undefined) return untold(notTried);
	const { status, trouble } = found;
	if (status === undefined) return untold(trouble ?? "no answer");
	if (isOwn && found.isAsDescribed && !isSame(found, control, manners))
		return { answer: "as-described", evidence: [asDescribed(found, planned)] };
	if (status === 429) return untold("429: the service asks for fewer requests; run it again later");
	const byAllow = allowVerdict(planned, found, control, manners);
	if (byAllow !== undefined) return byAllow;
	if (control?.status === undefined) return untold(`${status}, and there is nothing to compare it with`);
	return isSame(found, control, manners) ? sameAsNothing(planned, status, manners) : unlikeNothing(planned, found, control.status);
}

const untold = (...evidence: string[]): Verdict => ({ answer: "cannot-be-told", evidence });

function asDescribed({ status, type }: Answered, { operation, knock }: Planned): string {
	if ("pageSize" in operation.query.shape) return `${status}, a list`;
	if (operation.document) return `${status}, a document (${type ?? "of no type"})`;
	return `${status}, a record${knock?.hasId ? ", although nothing has the id that was asked for" : ""}`;
}

/** A path that says which methods it takes. */
function allowVerdict(planned: Planned, found: Answered, control: Answered | undefined, manners: Manners): Verdict | undefined {
	const { allow, status } = found;
	if (allow === undefined || allow.length === 0 || isSame(found, control, manners)) return undefined;
	const { method } = planned;
	const said = `${status}, Allow: ${allow.join(", ")}`;
	if (!allow.includes(method)) return { answer: "not-there", evidence: [`${said}: the path is there and does not take ${method}`] };
	// Of a GET, its own answer says more.
	return planned.isOwn ? undefined : { answer: "exists", evidence: [said] };
}

/** The answer is that of a path which cannot exist. */
function sameAsNothing({ isOwn, knock, method }: Planned, status: number, { knows404, knows405 }: Manners): Verdict {
	const like = `${status}, as for a path that cannot exist`;
	if (status === 401) return untold(`${like}: the login is not accepted`);
	if (status === 403) return untold(`${like}: the user may lack a role`);
	const isNotFound = status === 404 || status === 410;
	if (!isNotFound && (status < 200 || status > 299)) return untold(like);
	if (isOwn && !knock?.hasId) return { answer: "not-there", evidence: [like] };
	if (!isNotFound) return untold(like);
	if (isOwn)
		return knows404
			? { answer: "not-there", evidence: [like, "a record that is not there is answered otherwise by this service"] }
			: untold(like, "a record that is not there may be answered so too");
	return knows405
		? { answer: "not-there", evidence: [like, "this service answers 405 where a path takes another method"] }
		: untold(like, `a path that takes ${method} alone may be answered so too`);
}

/** The answer is another than that of a path which cannot exist: something is at this path. */
function unlikeNothing(planned: Planned, found: Answered, nothing: number): Verdict {
	const { isOwn, method } = planned;
	const status = found.status as number;
	const unlike = status === nothing ? "in other words than for a path that cannot exist" : `where a path that cannot exist gets ${nothing}`;
	const exists = (...evidence: string[]): Verdict => ({
		answer: "exists",
		evidence: isOwn || status === 405 || status === 401 ? evidence : [...evidence, `${method} was not tried`],
	});
	if (status >= 300 && status < 400) return untold(`${status}: it leads elsewhere, and purser follows no redirect`);
	if (status === 405)
		return isOwn
			? { answer: "not-there", evidence: [`405, ${unlike}: the path is there and does not take GET`] }
			: exists(`405, ${unlike}: the path takes another method than GET`);
	if (status === 401) return exists(`401, ${unlike}: the path is there, and the login is not accepted`);
	if (status === 403) return exists(`403, ${unlike}: the path is there; the user may lack a role`);
	if (status === 404 || status === 410)
		return exists(status === nothing ? `${status} in the service's own words: no such record` : `${status}, ${unlike}`);
	if (status >= 502 && status <= 504) return untold(`${status}: the service behind the gateway does not answer`);
	if (status === 501) return untold("501: the service does not have it, or not yet");
	if (status >= 500) return exists(`${status}, ${unlike}: the path is there and fails`);
	if (status >= 200 && status < 300) return exists(isOwn ? `${status}, but ${notAsDescribed}` : `GET ${status} at its path`);
	return exists(`${status}, ${unlike}: the service refuses what was asked for`);
}
