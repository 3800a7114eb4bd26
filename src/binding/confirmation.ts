/**
 * Which bindings a person has to confirm before anything is sent through them, and whether somebody has. Pure.
 */
import type { AnyOperation } from "../api/operation.js";
import { serviceAddress } from "../api/service-address.js";
import { idKindOf } from "../api/text/ids.js";
import type { OperationBinding, ServiceBinding } from "../ports/binding.js";
import type { BindingConfirmation, Profile } from "../ports/profiles.js";
import { bindingDigest, isPostedRead } from "./digest.js";
import { pagingFields } from "./paging.js";

/** The parts of a profile that decide it. */
export type Bound = Pick<Profile, "baseUrl" | "overrides" | "service" | "confirmations">;

/** A profile's binding of an operation that must be confirmed. */
export interface Confirmable {
	digest: string;
	/** By which it may be used; absent where nobody has confirmed it, as it is now and for this service. */
	confirmed?: BindingConfirmation;
	/** Of the binding as it was before, or for another address. */
	earlier?: BindingConfirmation;
}

/** A run looks at the same profile for every row of a batch. */
const known = new WeakMap<Bound, Map<string, Confirmable | undefined>>();

/**
 * The binding of an operation, where it must be confirmed: of a payment, and of a request that replaces or removes a record although the
 * description's does not, and of a read that could pay. Undefined where nothing has to be, above all where the profile replaces nothing.
 * @throws TypeError where the profile's address is none
 */
export function confirmable(operation: AnyOperation, profile: Bound): Confirmable | undefined {
	const found = known.get(profile) ?? new Map<string, Confirmable | undefined>();
	known.set(profile, found);
	if (!found.has(operation.id)) found.set(operation.id, confirmableOf(operation, profile));
	return found.get(operation.id);
}

function confirmableOf(operation: AnyOperation, profile: Bound): Confirmable | undefined {
	const binding = Object.hasOwn(profile.overrides, operation.id) ? profile.overrides[operation.id] : undefined;
	if (operation.effect !== "money" && !replaces(operation, binding?.method) && !mayPay(operation, binding, profile.service))
		return undefined;
	const digest = bindingDigest(operation, binding, profile.service);
	if (digest === undefined) return undefined;
	const { confirmations = {} } = profile;
	const given = Object.hasOwn(confirmations, operation.id) ? confirmations[operation.id] : undefined;
	if (given === undefined || given === null) return { digest };
	const holds = given.digest === digest && given.service === serviceAddress(profile.baseUrl);
	return holds ? { digest, confirmed: given } : { digest, earlier: given };
}

/** Methods that replace or remove whatever stands at their address. */
const replacing: readonly unknown[] = ["PUT", "DELETE"];

/** Whether a binding replaces or removes a record where the description does not; a read may not change one in any other way either. */
function replaces({ effect, method: described }: AnyOperation, method: string | undefined): boolean {
	if (method === undefined || method === described) return false;
	return replacing.includes(method) || (effect === "read" && method === "PATCH");
}

/**
 * Whether a read could be a payment: sent by POST, as some services read, with a value in its body or query that may be an amount beside the id
 * that may be a payer. Such are the binding's own constants, pages and what they are called there (a size of 100 called `amount`), dates as
 * numbers, and what stands for one of our values. An id alone is one value, and pays nobody. A read is no change on record, and is sent again
 * where it fails.
 */
function mayPay(operation: AnyOperation, binding: OperationBinding | undefined, service: ServiceBinding | undefined): boolean {
	if (!isPostedRead(operation, binding)) return false;
	const { constants = [], fields = {}, request } = binding ?? {};
	const isPaging = (name: string): boolean => (pagingFields as readonly string[]).includes(name);
	return (
		constants.some(({ place }) => place !== "header") ||
		("pageSize" in operation.query.shape && service?.paging !== undefined) ||
		Object.keys(fields).some(isPaging) ||
		Object.entries(request?.fields ?? {}).some(
			([name, { place, codec, values }]) =>
				(place === "query" || place === "body") &&
				(isPaging(name) || values !== undefined || (codec !== undefined && !Object.hasOwn(idKindOf, name))),
		)
	);
}

/** The operations whose bindings nobody has confirmed as they are now. */
export const unconfirmedAmong = (operations: readonly AnyOperation[], profile: Bound): AnyOperation[] =>
	operations.filter((one) => {
		const asked = confirmable(one, profile);
		return asked !== undefined && asked.confirmed === undefined;
	});
