/**
 * The due-diligence review before a KYB request (specification 1, step 5): read, shown to a person, and known by its digest.
 */
import { advice, purser } from "../../api/advice.js";
import { textAt, typed } from "../../api/answer.js";
import { sha256 } from "../../api/digest.js";
import { getDiligenceReview } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { isPage, readPage } from "../evidence/page-text.js";
import { ifOffered } from "../records/reading.js";

/** A review as received. */
export interface Review {
	/** Of its bytes, hex: what `purser corporate review` shows and a person says to have read. */
	sha256: string;
	bytes: Uint8Array;
	contentType?: string;
}

/**
 * Reads the review. Where a deployment answers with an address, the document behind it is fetched from the service's own host only.
 * @returns undefined, with a warning, where there is none to be had: that it was read cannot be checked then
 */
export async function readReview(context: Context, corporateId: string): Promise<Review | undefined> {
	const unknown = "whether the due-diligence review was read was not checked";
	const reply = await ifOffered(context, unknown, () => context.service.call(getDiligenceReview, { params: { corporateId } }));
	if (reply === undefined) return undefined;
	const { bytes, contentType } = reply;
	const address = isPage(contentType ?? "") ? undefined : textAt(reply.data, "url");
	if (address === undefined) return { sha256: sha256(bytes), bytes, contentType };
	try {
		const found = await context.service.document(address);
		return { sha256: sha256(found.bytes), ...found };
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		context.report.warn(`${error.message}; ${unknown}`);
		return undefined;
	}
}

/** Shows the review and asks whether it was read. Only where a person can be asked. */
export async function askReviewed(context: Context, company: { id: string; name: string }, review: Review): Promise<boolean> {
	const { bytes, contentType } = review;
	const see = purser`corporate review ${typed(company.id, "CORPORATE")}`;
	const elsewhere = context.report.shown(advice`The service answered with ${contentType ?? "a document"}: see ${see}`);
	await context.report.show(`${(isPage(contentType) ? readPage(bytes).lines : [elsewhere]).join("\n")}\n\n`);
	const prompts = await context.ask.prompts();
	return prompts.confirm({ message: `Have you read this due-diligence review of ${company.name}, and is it right?`, fallback: false });
}

/** Whether a person at the terminal can be asked. */
export const canAskReviewed = ({ settings: { flags } }: Pick<Context, "settings">): boolean => flags.interactive && !flags.yes;
