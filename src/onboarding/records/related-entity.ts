/**
 * Related entities about to be declared, compared with those already declared.
 */
import { type Received, textAt } from "../../api/answer.js";
import { sameName } from "../../api/names.js";
import { type RelatedView, viewRelated } from "../../api/operations/related.js";
import { sameText } from "../../api/text/composed.js";
import type { Fault } from "../../errors.js";

/** The fields by which two declarations are compared. */
interface Identity {
	externalId?: string;
	name?: string;
	email?: string;
}

/** The name of a declaration in messages: the person's or the company's, else its place in the file. */
export function entityName(body: Received, position = 0): string {
	return viewRelated(body).name ?? textAt(body, "externalId") ?? `entity ${position + 1}`;
}

/**
 * Every entity that seems to be declared already, at the service or earlier in the same file: the same externalId, or the same name
 * unless each has its own email.
 * @param several whether the bodies come from a list, so that a fault names its place there
 */
export function duplicates(bodies: readonly Received[], listed: readonly Received[], several: boolean): Fault[] {
	const known = listed.map((record) => ({ of: viewRelated(record), where: "is declared already" }));
	const faults: Fault[] = [];
	for (const [position, body] of bodies.entries()) {
		const view = viewRelated(body);
		for (const { of, where } of known) {
			const reason = duplicateReason(view, of);
			if (reason === undefined) continue;
			faults.push({ field: several ? `entities.${position}` : "", message: `${entityName(body, position)} ${where} ${reason}${idOf(of)}` });
			break;
		}
		known.push({ of: view, where: `appears twice in the file (see entity ${position + 1})` });
	}
	return faults;
}

function idOf(view: RelatedView): string {
	return view.id === undefined ? "" : `: ${view.id}`;
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
