/**
 * Who owns what, as far as the sandbox needs it.
 */
import { Decimal } from "../../api/json.js";
import { plainId } from "../../api/text/ids.js";
import { type Backend, byId } from "../backend.js";
import type { Related } from "../state.js";

/** Percent of the shares of the corporate from which a person is a UBO. */
const threshold = 25;

/** What an entity holds: the list, where it has one, else the one holding. */
export function holdingsOf({ corporateId, fields }: Related): { owned: string; share: unknown }[] {
	const idOf = (owned: unknown): string => (typeof owned === "string" ? owned : corporateId);
	if (Array.isArray(fields.shares))
		return fields.shares.map(({ ownedCorporateId, directSharesPercentage }) => ({
			owned: idOf(ownedCorporateId),
			share: directSharesPercentage,
		}));
	const share = fields.directSharesPercentage;
	return share === undefined ? [] : [{ owned: idOf(fields.ownedCorporateId), share }];
}

const percentOf = (share: unknown): number => (share instanceof Decimal ? Number(share.text) : 0);

/** Whether the record of a person says that it is an ultimate beneficial owner: declared as one, or by the shares held directly. */
export function isUbo(related: Related): boolean {
	const { company, corporateId, fields } = related;
	if (company) return false;
	if (fields.isUbo === true) return true;
	return holdingsOf(related).some(({ owned, share }) => owned === corporateId && percentOf(share) >= threshold);
}

/** Whether compliance takes a person for an ultimate beneficial owner: by the record, or by what is held through other companies. */
export function countsAsUbo(backend: Backend, related: Related): boolean {
	// Products of decimals may end just below.
	return !related.company && (isUbo(related) || effectiveShare(backend, related, []) >= threshold - 1e-9);
}

/** Effective percentage of the corporate over every chain; a circle holds nothing. */
function effectiveShare(backend: Backend, related: Related, passed: readonly string[]): number {
	const { id, corporateId } = related;
	return holdingsOf(related).reduce((sum, { owned: ownedId, share }) => {
		const percent = percentOf(share);
		if (plainId(ownedId) === corporateId || percent === 0) return sum + percent;
		const owned = passed.includes(id) ? undefined : byId(backend.state.related, ownedId);
		return owned === undefined ? sum : sum + (percent * effectiveShare(backend, owned, [...passed, id])) / 100;
	}, 0);
}

/** 1 for who holds the corporate itself, 2 for who holds a company of layer 1, and so on; a circle ends where it closes. */
export function layerOf(backend: Backend, related: Related, holding: string): number {
	const passed = new Set([related.id]);
	let ownedId: string | undefined = holding;
	while (ownedId !== undefined && ownedId !== related.corporateId) {
		const owned: Related | undefined = byId(backend.state.related, ownedId);
		if (!owned || passed.has(owned.id)) return passed.size + 1;
		passed.add(owned.id);
		ownedId = holdingsOf(owned)[0]?.owned;
	}
	return passed.size;
}

/** The layers of every holding; whoever holds nothing stands in the first. */
export function layersOf(backend: Backend, related: Related): number[] {
	const holdings = holdingsOf(related);
	return holdings.length === 0 ? [1] : holdings.map(({ owned }) => layerOf(backend, related, owned));
}
