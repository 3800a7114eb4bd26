/**
 * Verifies that what changes were sent through is on record: without it a doubt could not be settled as it was sent.
 */

import { statement } from "../../sqlite/statement.js";
import type { Storage } from "../../sqlite/storage.js";
import { bindingKind } from "../intents/bindings.js";
import type { Findings } from "../intents/steps.js";

/** SQL: every digest that an event names; single changes and the runs of batches. */
const named = `SELECT content->>'$.binding.digest' AS digest FROM event WHERE kind = 'begun'
	UNION SELECT content->>'$.binding.lookUps' FROM event WHERE kind = 'begun'
	UNION SELECT part.value FROM event, json_tree(event.content, '$.allowed.through') AS part WHERE event.kind = 'begun-batch' AND part.type = 'text'`;

export function bindingFaults(storage: Storage, findings: Findings): void {
	const kept = `SELECT content->>'$.digest' FROM event WHERE kind = '${bindingKind}' AND intent IS NULL AND batch IS NULL`;
	const rows = statement(storage, `SELECT digest FROM (${named}) WHERE digest IS NOT NULL AND digest NOT IN (${kept}) LIMIT 5`).all();
	for (const { digest } of rows) findings.add(`the binding ${digest}, through which something was sent, is not on record`);
}
