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
	const own = replacedOf([operation.id], replaced);
	const digest = own && bindingDigest(operation, replaced.overrides[operation.id], replaced.service);
	const lookUps = keptOf(lookUpIds(operation.effect), replaced);
	if (digest === undefined && lookUps === undefined) return { binding: null, kept: [] };
	const kept = [...(own === undefined || digest === undefined ? [] : [{ ...own, digest }]), ...(lookUps === undefined ? [] : [lookUps])];
	return { binding: { digest: digest ?? null, lookUps: lookUps?.digest ?? null }, kept };
}

/** The digest of how what became of a change of this effect is read now; undefined: as described. */
export const lookUpsDigest = (effect: AnyOperation["effect"], replaced: Replaced): string | undefined =>
	keptOf(lookUpIds(effect), replaced)?.digest;

/**
 * What a profile replaces, with these operations and what holds for all as they were.
 * @param kept how they were; undefined: as described
 * @returns `lost`: why that is not known any more, for people
 */
export function asThen(now: Replaced, ids: readonly string[], kept: KeptBinding | undefined): Replaced & { lost?: string } {
	const overrides = Object.fromEntries(Object.entries(now.overrides).filter(([id]) => !ids.includes(id)));
	for (const [id, binding] of Object.entries(kept?.operations ?? {})) {
		const found = restored(binding, now.overrides[id]);
		if (typeof found === "string") return { overrides, lost: `${id} was read with ${found}` };
		overrides[id] = found;
	}
	return { overrides, ...(kept?.service && { service: kept.service }) };
}

/** Header and query fields that say who asks: they change without anything being described differently. */
const credential = /auth|key|token|secret|signature|credential|password/i;

/** A kept binding with the values that were withheld, as far as the profile still has them; or what is missing, for people. */
function restored(kept: OperationBinding, now: OperationBinding | undefined): OperationBinding | string {
	const binding = { ...kept };
	const isSame = (name: string, digest: unknown, value: unknown): boolean => credential.test(name) || sha256(String(value)) === digest;
	for (const [name, digest] of Object.entries(kept.headers ?? {})) {
		const value = now?.headers?.[name];
		if (value === undefined || !isSame(name, digest, value)) return `another header ${name}, and its value is not kept`;
		binding.headers = { ...binding.headers, [name]: value };
	}
	for (const [at, constant] of (kept.constants ?? []).entries()) {
		if (constant.place === "body") continue;
		const same = now?.constants?.find((one) => one.place === constant.place && one.at === constant.at);
		if (same === undefined || !isSame(constant.at, constant.value, same.value))
			return `another ${constant.place === "query" ? "query field" : "header"} ${constant.at}, and its value is not kept`;
		binding.constants = (binding.constants ?? []).with(at, same);
	}
	return binding;
}

/** Bindings of these operations in the form that is kept, with their digest; undefined where everything is as described. */
function keptOf(ids: readonly string[], replaced: Replaced): KeptBinding | undefined {
	const kept = replacedOf(ids, replaced);
	return kept && { digest: sha256(canonicalJson(kept)), ...kept };
}

/** The same without their digest. */
function replacedOf(ids: readonly string[], { overrides, service }: Replaced): Omit<KeptBinding, "digest"> | undefined {
	const operations: KeptBinding["operations"] = {};
	for (const id of ids) {
		const { source: _source, ...binding } = overrides[id] ?? {};
		if (Object.keys(binding).length > 0) operations[id] = withheld(binding);
	}
	const shared = service === undefined || Object.keys(service).length === 0 ? {} : { service };
	if (Object.keys(operations).length === 0 && shared.service === undefined) return undefined;
	return { operations, ...shared };
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
