import { listAt, textAt } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { rolesOf, viewRelated } from "../../api/operations/related.js";
import { type IdForms, isIdOf } from "../../api/text/ids.js";
import { isNotOffered } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { readCorporate, readRelated } from "./reading.js";

/**
 * A related entity as a person knows it: `Ada Example (director, UBO of Example Florist)`. Undefined where the service does not tell it.
 * @param ids the profile's forms of ids
 * @throws PurserError as the service does, unless it does not have the look-up
 */
export async function whoIs(service: Pick<Service, "call">, corporateRelatedId: string, ids: IdForms): Promise<string | undefined> {
	const record = await unlessMissing(() => readRelated(service, corporateRelatedId));
	const { name } = viewRelated(record ?? {});
	if (record === undefined || name === undefined) return undefined;
	const roles = rolesOf(record).replace(/, company$|^company$/, "");
	const [share] = listAt(record, "shares");
	const owned = textAt(share, "ownedCorporate");
	const company = isIdOf("corporate", owned, ids) ? await unlessMissing(() => readCorporate(service, owned)) : undefined;
	const of = viewCorporate(company ?? {}).name;
	const role = of === undefined ? roles : `${roles || "owner"} of ${of}`;
	return role === "" ? name : `${name} (${role})`;
}

async function unlessMissing<T>(read: () => Promise<T>): Promise<T | undefined> {
	try {
		return await read();
	} catch (cause) {
		if (!isNotOffered(cause)) throw cause;
		return undefined;
	}
}
