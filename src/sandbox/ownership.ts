/**
 * Who owns what, as far as the records of the sandbox need it (operations 4, 5).
 */
import { Decimal } from "../api/json.js";
import type { Desk } from "./desk.js";
import { having } from "./lookup.js";
import type { Related } from "./state.js";

/** Percent of the shares from which a person who holds the corporate itself is a UBO. */
const threshold = 25;

/** Whether a person is an ultimate beneficial owner: declared as one, or by the shares held directly. Indirect shares are for compliance to add up. */
export function isUbo({ company, corporateId, fields }: Related): boolean {
	if (company) return false;
	if (fields.isUbo === true) return true;
	const direct = fields.ownedCorporateId === undefined || fields.ownedCorporateId === corporateId;
	return direct && fields.directSharesPercentage instanceof Decimal && Number(fields.directSharesPercentage.text) >= threshold;
}

/** 1 for who holds the corporate itself, 2 for who holds a company of layer 1, and so on; a circle ends where it closes. */
export function layerOf(desk: Desk, related: Related): number {
	const passed = new Set([related.id]);
	for (let at = related; ; ) {
		const ownedId = at.fields.ownedCorporateId;
		if (typeof ownedId !== "string" || ownedId === at.corporateId) return passed.size;
		const [owned] = having(desk.state.related, "id", ownedId.toLowerCase());
		if (!owned || passed.has(owned.id)) return passed.size + 1;
		passed.add(owned.id);
		at = owned;
	}
}
