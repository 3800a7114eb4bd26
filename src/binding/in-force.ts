import { catalog } from "../api/operations/catalog.js";
import type { BindingInForce, KeptBinding } from "../ports/binding.js";
import { type Replaced, sentThrough } from "./kept.js";

/** What every change would be sent through now, for the upgrade of a journal whose records do not say. */
export function inForce(replaced: Replaced): BindingInForce {
	const through: BindingInForce["through"] = {};
	const kept = new Map<string, KeptBinding>();
	for (const operation of catalog) {
		if (operation.effect === "read") continue;
		const sent = sentThrough(operation, replaced);
		if (sent.binding !== null) through[operation.id] = sent.binding;
		for (const one of sent.kept) kept.set(one.digest, one);
	}
	return { through, kept: [...kept.values()] };
}
