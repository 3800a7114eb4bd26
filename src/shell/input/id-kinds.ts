/**
 * What kind of record an id names: for completion, which offers ids from earlier answers, and for errors about a wrong id.
 */
import { purser } from "../../api/advice.js";
import type { Field } from "../../api/schema.js";
import type { SuggestedCommand } from "../../errors.js";
import type { IdKind } from "../contract.js";
import type { Flag } from "./flags.js";

/** The kind, from the specification's own field names. */
export function idKindOf(flag: Flag, { meta, kind }: Field): IdKind | undefined {
	const name = flag.path.at(-1) as string;
	if (meta.choose === "ledger" || meta.choose === "beneficiary") return meta.choose;
	if (kind !== "text") return undefined;
	if (flag.positional && name === "name" && /profile/i.test(meta.description)) return "profile";
	if (/^batch(Id|Number)?$/.test(name)) return "batch";
	if (!/Ids?$/.test(name)) return undefined;
	if (/related|physicalPerson|owned/i.test(name)) return "related";
	if (/corporate|endUser/i.test(name)) return "corporate";
	return (["ledger", "beneficiary"] as const).find((one) => name.toLowerCase().startsWith(one));
}

/** The commands that list the ids which the flags take. */
export function listCommandsOf(flags: readonly Flag[]): SuggestedCommand[] {
	return [...new Set(flags.flatMap(listPathOf))].map((path) => purser`${path.split(" ")}`);
}

function listPathOf(flag: Flag): string[] {
	// Completion does not offer transactions: there are too many, and each is needed only briefly.
	if (flag.path.at(-1) === "transactionId") return ["pay list"];
	const kind = idKindOf(flag, flag.repeated && flag.field.element ? flag.field.element : flag.field);
	return kind === undefined || kind === "profile" || kind === "batch" ? [] : [`${kind} list`];
}
