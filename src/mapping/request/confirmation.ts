/**
 * Which requests of a mapping a person has to confirm before any is sent, and whether somebody has. Pure.
 */
import { sha256 } from "../../api/digest.js";
import type { AnyOperation } from "../../api/operation.js";
import { serviceAddress } from "../../api/service-address.js";
import type { Mapping } from "../../ports/mapping.js";
import type { MappingConfirmation, Profile } from "../../ports/profiles.js";

/** The parts of a profile that decide it. */
export type Mapped = Pick<Profile, "baseUrl" | "mapping" | "confirmations">;

/** A request that must be confirmed. */
export interface Confirmable {
	digest: string;
	/** By which it may be used; absent where nobody has confirmed it, as it is now and for this service. */
	confirmed?: MappingConfirmation;
	/** Of the entry as it was before, or for another address. */
	earlier?: MappingConfirmation;
}

const digests = new WeakMap<Mapping, Map<string, string>>();

/** What is made of a mapping once: mappings are never changed in place, and a batch asks for every row. */
function onceOf(mapping: Mapping, key: string, make: () => unknown): string {
	const known = digests.get(mapping) ?? new Map<string, string>();
	digests.set(mapping, known);
	// A profile keeps the order of its mapping, so its text is the same whenever it is read: sorting it would cost each payment milliseconds.
	const digest = known.get(key) ?? sha256(JSON.stringify(make()));
	known.set(key, digest);
	return digest;
}

/** The digest of a whole mapping, in hexadecimal: what a payment remembers. Undefined without one. */
export const mappingDigest = ({ mapping }: Pick<Profile, "mapping">): string | undefined => mapping && onceOf(mapping, "", () => mapping);

/**
 * What has to be confirmed of an operation: of a payment, of a request that replaces or removes a record although the description's does
 * not, and of a read that is no GET, as it could pay. Undefined where nothing has to be, above all without a mapping.
 * @throws TypeError where the profile's address is none
 */
export function confirmable(operation: AnyOperation, profile: Mapped): Confirmable | undefined {
	const { mapping, confirmations = {} } = profile;
	if (mapping === undefined) return undefined;
	const entry = Object.hasOwn(mapping.operations, operation.id) ? mapping.operations[operation.id] : undefined;
	if (entry === "none") return undefined;
	const method = entry?.method ?? operation.method;
	const isOther = method !== operation.method;
	const replaces = isOther && (method === "PUT" || method === "DELETE");
	if (operation.effect !== "money" && !replaces && !(isOther && operation.effect === "read")) return undefined;
	const { ids, errors, zone, idempotency } = mapping;
	const paging = "pageSize" in operation.query.shape ? mapping.paging : undefined;
	if (entry === undefined && idempotency === undefined && ids === undefined && errors === undefined) return undefined;
	const digest = onceOf(mapping, operation.id, () => ({ operation: operation.id, entry, ids, errors, zone, idempotency, paging }));
	const given = Object.hasOwn(confirmations, operation.id) ? confirmations[operation.id] : undefined;
	if (given === undefined) return { digest };
	const holds = given.digest === digest && given.service === serviceAddress(profile.baseUrl);
	return holds ? { digest, confirmed: given } : { digest, earlier: given };
}

/** The operations that nobody has confirmed as they are now. */
export const unconfirmedAmong = (operations: readonly AnyOperation[], profile: Mapped): AnyOperation[] =>
	operations.filter((one) => {
		const asked = confirmable(one, profile);
		return asked !== undefined && asked.confirmed === undefined;
	});
