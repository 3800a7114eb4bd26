/**
 * Whom a change is for and what it sends, in words for the question before it.
 */

import { advice, purser } from "../../api/advice.js";
import type { Received } from "../../api/answer.js";
import { formatJson } from "../../api/json.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { type RelatedView, rolesOf, viewRelated } from "../../api/operations/related.js";
import { isRecord } from "../../api/schema.js";
import { plainId } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import { isNotOffered, PurserError } from "../../errors.js";
import type { About } from "../../ports/changes.js";
import type { Service } from "../../ports/service.js";
import { readCorporate, readRelated } from "./reading.js";
import { labelOf, yesNo } from "./record.js";

type Row = readonly [string, string | undefined];

/** Whom an id means, as far as the run knows without asking the service. */
export function knownOf({ names }: Pick<Context, "names">, id: string): Whose {
	const { name, company } = names.known.get(plainId(id)) ?? {};
	return { ...(name && { name }), ...(company && { company }) };
}

export interface Whose {
	name?: string;
	company?: string;
}

/** `Ada Example, Example Bakery SAS`. */
export const whoseText = ({ name, company }: Whose): string | undefined => [name, company].filter(Boolean).join(", ") || undefined;

/** A company by its name, or by its id where the service shows none. */
export async function companyNamed(service: Service, corporateId: string): Promise<string> {
	const record = await ifShown(() => readCorporate(service, corporateId));
	return (record && viewCorporate(record).name) ?? corporateId;
}

/**
 * A person or an owning company with its roles; `name` is the id where the service shows none, `who` has the company too, where it is known.
 * The run then knows the name.
 */
export async function relatedNamed(context: Context, id: string): Promise<RelatedView & { name: string; who: string; roles: string }> {
	const record = (await ifShown(() => readRelated(context.service, id))) ?? {};
	const view = viewRelated(record);
	const { name = id } = view;
	const known = context.names.known.get(plainId(id));
	context.names.known.set(plainId(id), { ...known, name: view.name });
	return { ...view, name, who: [name, known?.company].filter(Boolean).join(", "), roles: rolesOf(record) };
}

/** A question about one person. @param order ends with the name @param field what is verified */
export async function aboutRelated(context: Context, id: string, order: string, field: "email" | "phone"): Promise<About> {
	const one = await relatedNamed(context, id);
	const verified = one[`${field}Verified`] === true ? "already verified" : undefined;
	return {
		title: `${order} ${one.who}`,
		rows: [
			["Id", id],
			[labelOf(field), [one[field], verified].filter(Boolean).join(", ") || undefined],
		],
	};
}

/** Fields whose names alone say little, as the wizard calls them. */
const labels: Readonly<Record<string, string>> = {
	...{ isDirector: "Director", isUbo: "Owner (UBO)", isAccountOwner: "Account owner", externalId: "Your reference" },
	...{ directSharesPercentage: "Shares held directly (%)", lastTermsAccepted: "Terms accepted" },
};

/** Each field of a body that is sent, by the words of its name. */
export function sentRows(body: unknown, path: readonly string[] = []): Row[] {
	if (body === undefined || body === null) return [];
	if (isRecord(body)) return Object.entries(body).flatMap(([name, inner]) => sentRows(inner, [...path, labels[name] ?? labelOf(name)]));
	if (typeof body === "boolean") return [[path.join(": "), yesNo(body)]];
	return [[path.join(": "), typeof body === "string" ? body : formatJson(body)]];
}

async function ifShown(read: () => Promise<Received>): Promise<Received | undefined> {
	try {
		return await read();
	} catch (error) {
		if (!isNotOffered(error)) throw error;
		return undefined;
	}
}

/**
 * Refuses an update without a field.
 * @throws PurserError usage
 */
export function requireChange(body: Record<string, unknown>, command: string): void {
	if (Object.values(body).some((value) => value !== undefined)) return;
	throw new PurserError("usage", {
		code: "NOTHING_TO_CHANGE",
		message: "No field to change was given; nothing was sent",
		fix: advice`Give at least one, or a file with --file FILE; see \`${purser`${command.split(" ")} --help`}\`.`,
	});
}
