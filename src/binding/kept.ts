/**
 * What the journal keeps of a profile's bindings, so that what became of a change is read as it was when the change was sent. Pure.
 */
import { sha256 } from "../api/digest.js";
import { canonicalJson } from "../api/json.js";
import type { AnyOperation } from "../api/operation.js";
import type { IntentBinding, KeptBinding, OperationBinding, ServiceBinding } from "../ports/binding.js";
import { bindingDigest } from "./digest.js";

/** What a profile replaces. */
export interface Replaced {
	overrides: Readonly<Record<string, OperationBinding>>;
	service?: ServiceBinding;
}

/** The operations that read what became of a payment. */
const ofPayments = ["transaction.list", "transaction.get", "ledger.get", "beneficiary.get"];
/** Those that read what became of another change. */
const ofChanges = ["corporate.list", "corporate.get", "corporate.diligenceReview", "related.list", "related.get"];

/** The operations that read what became of a change of this effect. */
export const lookUpIds = (effect: AnyOperation["effect"]): readonly string[] => (effect === "money" ? ofPayments : ofChanges);

/** What a change is sent through, and what the journal has to keep of it. */
export function sentThrough(operation: AnyOperation, replaced: Replaced): { binding: IntentBinding | null; kept: KeptBinding[] } {
	const own = keptOf([operation.id], replaced);
	const digest = own && bindingDigest(operation, replaced.overrides[operation.id], replaced.service);
	const lookUps = keptOf(lookUpIds(operation.effect), replaced);
	if (digest === undefined && lookUps === undefined) return { binding: null, kept: [] };
	const kept = [...(own === undefined || digest === undefined ? [] : [{ ...own, digest }]), ...(lookUps === undefined ? [] : [lookUps])];
	return { binding: { digest: digest ?? null, lookUps: lookUps?.digest ?? null }, kept };
}

/** Bindings of these operations in the form that is kept; undefined where everything is as described. */
function keptOf(ids: readonly string[], { overrides, service }: Replaced): KeptBinding | undefined {
	const operations: KeptBinding["operations"] = {};
	for (const id of ids) {
		const { source: _source, ...binding } = overrides[id] ?? {};
		if (Object.keys(binding).length > 0) operations[id] = withheld(binding);
	}
	const shared = service === undefined || Object.keys(service).length === 0 ? {} : { service };
	if (Object.keys(operations).length === 0 && shared.service === undefined) return undefined;
	return { digest: sha256(canonicalJson({ operations, ...shared })), operations, ...shared };
}

/** A binding with the SHA-256 of each value that may be a secret in its place. */
function withheld(binding: OperationBinding): OperationBinding {
	const { headers, constants } = binding;
	return {
		...binding,
		...(headers && { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, sha256(value)])) }),
		...(constants && {
			constants: constants.map((one) => (one.place === "body" ? one : { ...one, value: sha256(String(one.value)) })),
		}),
	};
}
