/**
 * The digest of a binding: what a person confirms, and what an intent keeps.
 */
import { sha256 } from "../api/digest.js";
import { canonicalJson } from "../api/json.js";
import type { AnyOperation } from "../api/operation.js";
import type { OperationBinding, ServiceBinding } from "../ports/binding.js";

/** Whether a binding reads with another method than the description, as some services read by POST. */
export const isPostedRead = ({ effect, method: described }: AnyOperation, { method = described }: OperationBinding = {}): boolean =>
	effect === "read" && method !== described && method !== "GET";

/** What was made of a binding last: a payment is asked for it where it is confirmed, and where it is recorded. Bindings are never changed in place. */
const made = new WeakMap<OperationBinding, { operation: AnyOperation; service: ServiceBinding | undefined; digest: string }>();

/**
 * The digest of everything that decides what is sent for an operation and how its answer is read, in hexadecimal; undefined where nothing
 * is replaced. Where it comes from does not count.
 */
export function bindingDigest(
	operation: AnyOperation,
	binding: OperationBinding | undefined,
	service: ServiceBinding | undefined,
): string | undefined {
	const { source: _source, ...decisive } = binding ?? {};
	// Pages decide what is sent only for a list; they are a risk only where the list is no GET.
	const paging = isPostedRead(operation, binding) && "pageSize" in operation.query.shape ? service?.paging : undefined;
	const shared = { ids: service?.ids, errors: service?.errors, paging };
	if (Object.keys(decisive).length === 0 && shared.ids === undefined && shared.errors === undefined) return undefined;
	const found = binding && made.get(binding);
	if (found?.operation === operation && found.service === service) return found.digest;
	const digest = sha256(canonicalJson({ operation: operation.id, ...decisive, service: shared }));
	if (binding !== undefined) made.set(binding, { operation, service, digest });
	return digest;
}
