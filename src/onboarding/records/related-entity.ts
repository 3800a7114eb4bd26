/**
 * A related entity about to be declared, compared with those already declared.
 */
import { type Received, textAt } from "../../api/answer.js";
import { sameName } from "../../api/names.js";
import { viewRelated } from "../../api/operations/related.js";
import { sameText } from "../../api/text/lookalike.js";

/** The fields by which two declarations are compared. */
interface Identity {
	externalId?: string;
	name?: string;
	email?: string;
}

/** The name of a declaration in messages: the person's or the company's, else its reference. */
export function entityName(body: Received): string {
	return viewRelated(body).name ?? textAt(body, "externalId") ?? "an entity without a name";
}

/** Why an entity seems to be declared already: the same externalId, or the same name unless each has its own email. */
export function duplicateOf(body: Received, listed: readonly Received[]): string | undefined {
	for (const of of listed.map(viewRelated)) {
		const reason = duplicateReason(viewRelated(body), of);
		if (reason !== undefined) return `${entityName(body)} is declared already ${reason}${of.id === undefined ? "" : `: ${of.id}`}`;
	}
	return undefined;
}

function duplicateReason(one: Identity, other: Identity): string | undefined {
	if (one.externalId !== undefined && sameText(one.externalId, other.externalId)) return "with the same externalId";
	if (one.name === undefined || !sameName(one.name, other.name)) return undefined;
	if (one.email !== undefined && other.email !== undefined)
		return sameName(one.email, other.email) ? "with the same name and email" : undefined;
	if (one.email === other.email) return "with the same name and no email";
	// Two persons, where each has an externalId of its own in the partner's system.
	if (one.externalId !== undefined && other.externalId !== undefined) return undefined;
	return "with the same name, and only one of them with an email";
}
