/**
 * Who owns what, as far as the sandbox needs it.
 */
import { Decimal } from "../../api/json.js";
import type { Backend } from "../backend.js";
import { recordsWith } from "../lookup.js";
import type { Related } from "../state.js";

/** Percent of the shares of the corporate from which a person is a UBO. */
const threshold = 25;

/** Whether the record of a person says that it is an ultimate beneficial owner: declared as one, or by the shares held directly. */
export function isUbo({ company, corporateId, fields }: Related): boolean {
	if (company) return false;
	if (fields.isUbo === true) return true;
	const direct = fields.ownedCorporateId === undefined || fields.ownedCorporateId === corporateId;
	return direct && fields.directSharesPercentage instanceof Decimal && Number(fields.directSharesPercentage.text) >= threshold;
}

/** Whether compliance takes a person for an ultimate beneficial owner: by the record, or by what is held through other companies. */
export function countsAsUbo(backend: Backend, related: Related): boolean {
	// Products of decimals may end just below.
	return !related.company && (isUbo(related) || effectiveShare(backend, related, []) >= threshold - 1e-9);
}

/** Effective percentage of the corporate. A record names one holding, so there is one chain to follow; a circle holds nothing. */
function effectiveShare(backend: Backend, { id, corporateId, fields }: Related, passed: readonly string[]): number {
	const share = fields.directSharesPercentage instanceof Decimal ? Number(fields.directSharesPercentage.text) : 0;
	const ownedId = typeof fields.ownedCorporateId === "string" ? fields.ownedCorporateId.toLowerCase() : corporateId;
	if (ownedId === corporateId || share === 0) return share;
	const [owned] = passed.includes(id) ? [] : recordsWith(backend.state.related, "id", ownedId);
	return owned === undefined ? 0 : (share * effectiveShare(backend, owned, [...passed, id])) / 100;
}

/** 1 for who holds the corporate itself, 2 for who holds a company of layer 1, and so on; a circle ends where it closes. */
export function layerOf(backend: Backend, related: Related): number {
	const passed = new Set([related.id]);
	for (let at = related; ; ) {
		const ownedId = at.fields.ownedCorporateId;
		if (typeof ownedId !== "string" || ownedId === at.corporateId) return passed.size;
		const [owned] = recordsWith(backend.state.related, "id", ownedId.toLowerCase());
		if (!owned || passed.has(owned.id)) return passed.size + 1;
		passed.add(owned.id);
		at = owned;
	}
}
