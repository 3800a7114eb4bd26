/**
 * The evidence of an acceptance of the terms: who, when, which version, which document.
 */
import * as z from "zod/mini";
import { sha256 } from "../../api/digest.js";
import { viewRelated } from "../../api/operations/related.js";
import { field } from "../../api/schema.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { listRelatedOf } from "../records/reading.js";

/** The flag of every command that can accept terms. A file of somebody else's must not give the operator's word. */
export const confirmedBy = () =>
	z.optional(
		field(z.enum(["account-owner", "operator"]), {
			description: "Whose word it is that the account owner has seen and accepted the terms; recorded in the journal",
			flagOnly: true,
		}),
	);

/** The document that was accepted. */
export interface AcceptedDocument {
	/** Its address from the service. */
	url?: string;
	language?: string;
	/** Of its bytes, hex; absent where they could not be read. */
	sha256?: string;
	bytes?: number;
	/** Why there is no digest. */
	why?: string;
}

/**
 * The document with the digest of its download. A failed download is warned about and recorded; it does not keep the terms from being accepted.
 * @throws PurserError interrupted on Ctrl-C
 */
export async function withDigest(context: Context, document: AcceptedDocument): Promise<AcceptedDocument> {
	const without = (why: string): AcceptedDocument => {
		context.report.warn(`${why}. The digest of the terms is not recorded`);
		return { ...document, why };
	};
	if (document.url === undefined) return without("The service gave no address of the document");
	try {
		const { bytes } = await context.service.document(document.url);
		return { ...document, sha256: sha256(bytes), bytes: bytes.length };
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		return without(error.message);
	}
}

/** Who accepts the terms (specification 2.1, lastTermsAccepted), where the deployment lists related entities; an acceptance is valid without it. */
export async function readAccountOwner(context: Context, corporateId: string): Promise<{ relatedId?: string; name?: string } | undefined> {
	try {
		const { records } = await listRelatedOf(context.service, corporateId);
		const owner = records.map(viewRelated).find(({ isAccountOwner }) => isAccountOwner);
		return owner && { relatedId: owner.id, name: owner.name };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		context.report.verbose(`The account owner could not be read: ${error.message}`);
		return undefined;
	}
}
