import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../api/schema.js";
import type { StoredProfile } from "./profile-file.js";

/** Parts of a profile in which each entry is a setting of its own. */
const byEntry: readonly string[] = ["settings", "confirmations", "values"];

/**
 * What a process changed of a profile, on top of what others changed since it was read: a limit that one process sets is not undone by another
 * one that confirms a request. Where both changed the same thing, the later one stands.
 * @param after as it is to be stored
 * @param base as it was read
 * @param now as it is stored
 */
export function merged(after: StoredProfile, base: StoredProfile, now: StoredProfile): StoredProfile {
	return entries(after, base, now, byEntry) as StoredProfile;
}

type Plain = Record<string, unknown>;

function entries(after: Plain, base: Plain, now: Plain, deeper: readonly string[]): Plain {
	const result = new Map(Object.entries(after));
	for (const name of new Set([...Object.keys(now), ...Object.keys(after)])) {
		const [mine, read, theirs] = [after, base, now].map((one) => (Object.hasOwn(one, name) ? one[name] : undefined));
		if (!isDeepStrictEqual(mine, read)) {
			if (deeper.includes(name) && isRecord(mine))
				result.set(name, entries(mine, isRecord(read) ? read : {}, isRecord(theirs) ? theirs : {}, []));
		} else if (theirs === undefined) result.delete(name);
		else result.set(name, theirs);
	}
	return Object.fromEntries(result);
}
