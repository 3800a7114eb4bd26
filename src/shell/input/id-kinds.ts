/**
 * What an id is of: for Tab, which offers ids that answers showed, and for whoever typed something else.
 */

import { purser } from "../../api/advice.js";
import type { Field } from "../../api/schema.js";
import type { SuggestedCommand } from "../../errors.js";
import type { IdKind } from "../contract.js";
import type { Flag } from "./flags.js";

/** What an id is of, from the specification's own field names. */
export function idsOf(flag: Flag, { meta, kind }: Field): IdKind | undefined {
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

/** The commands that show the ids of such flags, to type; of flags that hold none there are none. */
export function listsOf(flags: readonly Flag[]): SuggestedCommand[] {
	return [...new Set(flags.flatMap(listOf))].map((path) => purser`${path.split(" ")}`);
}

/** Its path. */
function listOf(flag: Flag): string[] {
	// Tab offers none of them: there are too many, and each is soon done with.
	if (flag.path.at(-1) === "transactionId") return ["pay list"];
	const kind = idsOf(flag, flag.repeated && flag.field.element ? flag.field.element : flag.field);
	return kind === undefined || kind === "profile" || kind === "batch" ? [] : [`${kind} list`];
}
