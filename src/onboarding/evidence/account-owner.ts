/**
 * Who accepts the terms: the account owner (specification 2.1, lastTermsAccepted).
 */
import { viewRelated } from "../../api/operations/related.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { listRelatedOf } from "../records/reading.js";
import type { Acceptance } from "./acceptance.js";

/** The account owner, where the deployment lists related entities; an acceptance is valid without it. */
export async function readAccountOwner(context: Context, service: Service, corporateId: string): Promise<Acceptance["acceptedBy"]> {
	try {
		const { records } = await listRelatedOf(service, corporateId);
		const owner = records.map(viewRelated).find(({ isAccountOwner }) => isAccountOwner);
		return owner && { relatedId: owner.id, name: owner.name };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		context.report.verbose(`The account owner could not be read: ${error.message}`);
		return undefined;
	}
}
